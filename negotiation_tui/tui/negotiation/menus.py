"""The boxes on top of the screen: lists to choose from, and texts; who sits in each seat. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.learned import WithPolicy, WithValues
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Algorithm, Occupant, SeatError
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner, spec_of_learner
from negotiation_tui.learning.seats import check_seat
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.players.spec import MOST_SAID, is_program
from negotiation_tui.runtime.settings_text import Setting, table_of
from negotiation_tui.runtime.text import money, table
from negotiation_tui.sessions.commands import SetOpener, TakeSeats
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import STRATEGIES, settings_of, settings_table, strategy
from negotiation_tui.tui.negotiation import time_travel
from negotiation_tui.tui.negotiation.adjust import ADJUST, ADJUST_BOX
from negotiation_tui.tui.negotiation.chapters import CHAPTERS, chapter_lines, go_to_chapter
from negotiation_tui.tui.negotiation.human_controls import SAY, say_lines, score_lines, take_words
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.why import ANSWERS, WHY, go_there, why_lines, why_title
from negotiation_tui.tui.negotiation.words import learner_name, moves, seated
from negotiation_tui.tui.toolkit.boxes import HELP, HELP_BOX, Box, ListLine, found
from negotiation_tui.tui.toolkit.pace import STORY
from negotiation_tui.tui.toolkit.timeline import ALL, Wish, pause, wished
from negotiation_tui.tui.widgets.words import earnings, percent, short, state_words

if TYPE_CHECKING:
    from negotiation_tui.learning.evaluation import Evaluation

SEATS = {"seller": Role.SELLER, "buyer": Role.BUYER}  # the role of each list of strategies
WHAT_IF = "what-if"
_SETTINGS = "settings"  # name of the box that asks for the settings of a learner or a strategy
MARGINS = 6  # columns beside a line of a list: the box around it, and the mark before it
HEADINGS = "Learns", "Fixed rules"


class SeatChoice(NamedTuple):
    """A line of a list for a seat, and the spec; None is the learner that sat there last."""

    text: str
    spec: str | None

    @property
    def fixed(self) -> bool:
        return self.spec is not None and not learns(self.spec)


def seat_lines(model: Model) -> tuple[ListLine | str, ...]:
    """Return the lines of the list for a seat, in their groups."""
    lines = list[ListLine | str]()
    for fixed, group in groupby(seatings(model), key=attrgetter("fixed")):
        lines += [ListLine(HEADINGS[fixed], heading=True), *(seating.text for seating in group)]
    return tuple(lines) or (ListLine("no player matches; Backspace deletes a letter"),)


@lru_cache(maxsize=256)
def needs(
    scenario: Scenario, parameters: Parameters, role: Role, spec: str, opposite: str | None
) -> str:
    """Return what changes if a built-in player takes a seat, or why it cannot; empty if it can."""
    player: Occupant = learner(spec) if learns(spec) else strategy(spec)
    other = strategy(opposite) if opposite and opposite.split(":")[0] in STRATEGIES else None
    try:
        check_seat(scenario, parameters, role, player, other)
    except SeatError as error:
        return f"{error.remedy}: "
    except BadInputError:
        if isinstance(player, Algorithm) and player.needs_known_limits and scenario.hidden:
            return "not with hidden limits: "
        return f"not against {opposite}: "
    return ""


def every_seating(snapshot: Snapshot, role: Role) -> list[SeatChoice]:
    """Return all lines of the list for a seat: learners, then strategies."""
    seating = snapshot.seating
    last, opposite = learner_name(seating.algorithms[role]), seating.strategies[role.other]

    def summary(spec: str, each: Algorithm | Strategy) -> str:
        return needs(snapshot.scenario, snapshot.parameters, role, spec, opposite) + each.summary

    texts: list[tuple[str | None, str, str]] = [
        (None, LEARNED, "goes on learning from its table" + f": {last}" * (last != LEARNED)),
        *((PREFIX + name, name, summary(PREFIX + name, each)) for name, each in LEARNERS.items()),
        *((name, name, summary(name, each)) for name, each in STRATEGIES.items()),
        *((spec, short(spec), spec) for spec in seating.given),
    ]
    lines = table([text for _, *text in texts], "<")
    return [SeatChoice(line, spec) for line, (spec, *_) in zip(lines, texts, strict=True)]


def seatings(model: Model) -> tuple[SeatChoice, ...]:
    """Return the learners and strategies that match what was typed, by their beginning first."""
    every = every_seating(model.latest, SEATS[str(model.modal)])
    width = max(0, min(max(len(seating.text) for seating in every), model.width - MARGINS))
    matching = [
        seating._replace(text=f"{seating.text:<{width}}")
        for seating in every
        if found(f"{seating.text} {seating.spec or LEARNED}", model.typed)
    ]

    def begins(seating: SeatChoice) -> bool:
        return seating.text.startswith(model.typed.lower())

    first = {seating.fixed for seating in matching if begins(seating)}
    matching.sort(key=lambda each: (each.fixed not in first, each.fixed, not begins(each)))
    return tuple(matching)


def settings_of_spec(spec: str) -> list[Setting]:
    """Return the settings of a built-in learner or strategy; none if it has none of its own."""
    if learns(spec):
        return table_of(LEARNERS[learner_name(spec)])
    adjustable = spec in STRATEGIES and settings_of(STRATEGIES[spec])
    return settings_table(STRATEGIES[spec]) if adjustable else []


def _asked_spec(model: Model, name: str) -> tuple[str, str]:
    """Return a spec with the settings typed so far, and what is wrong with them."""
    typed = model.typed.replace(" ", "")
    spec = f"{name}:{typed}" if typed else name
    try:
        if learns(spec):
            return spec_of_learner(learner(spec)), ""
        strategy(spec)
    except BadInputError as error:
        return spec, str(error)
    return spec, ""


def settings_lines(model: Model) -> tuple[str, ...]:
    """Return the line that is typed, what is wrong with it, and all settings."""
    assert model.seat is not None
    name = model.seat[1]
    settings = [setting[:3] for setting in settings_of_spec(name)]
    example = f"as in {settings[0][0]}={settings[0][1]}; commas between several"
    rows = table([("setting", "default", "allowed"), *settings], "<")
    return (f"{short(name)}:{model.typed}_", _asked_spec(model, name)[1] or example, "", *rows)


def what_if_choices(model: Model) -> tuple[tuple[str, int], ...]:
    """Return the legal actions of the role that must act, each behind a line with its values."""
    position = model.position
    if position is None:
        return ()
    texts = [moves(position, [action], 1) for action in position.legal]
    width = max(map(len, texts))
    return tuple(
        (f"{text:<{width}}{_values(model, position, action)}", action)
        for text, action in zip(texts, position.legal, strict=True)
    )


def _values(model: Model, position: Position, action: int) -> str:
    """Return the coins and chance of an action to a learner and to a best response, as text."""
    snapshot, playback, game = model.pane_snapshot, model.playback, position.scenario
    assert playback is not None
    agent, nash_conv = snapshot.agents[position.role], snapshot.theory.nash_conv
    text = ""
    if isinstance(agent, WithValues):
        text = f"   learned {earnings(game, agent.values[position.row, action]):>4}"
    if isinstance(agent, WithPolicy):
        chance = agent.policy.probabilities[agent.policy.row(position), action]
        text += f"   chance {percent(chance):>5}"
    if nash_conv is not None:
        value = nash_conv.responses[position.role].action_value(position)[action]
        text += f"   best possible {earnings(game, value):>4}"
    turns = playback.negotiation.transcript.turns
    played = not playback.ended and turns[playback.visible].action == action
    return text + ("   as played" if played else "")


def take_seat(model: Model, role: Role, spec: str | None) -> Model:
    """Put a strategy or a learner in a seat, or the learner that sat there last (None)."""
    does = f"plays {_rule(spec)}" if spec else ""
    if spec is None or spec == model.latest.seating.algorithms[role]:
        finished = model.latest.finished
        does = "plays what it learned" if finished else "goes on learning from its table"
    elif learns(spec):
        does = f"plays {short(spec)}, which has learned nothing yet"
    return _telling(_take_seats(model, (role, spec)), f"the {role} {does}")


def _take_seats(model: Model, *seats: tuple[Role, str | None]) -> Model:
    """Let the new players negotiate at once, with the opener of the negotiation on the bar.

    All their turns show if those of a finished one did and nothing runs.
    """
    model, strategies = time_travel.present(model), [*model.strategies]
    seats = (*(dict(zip(Role, strategies, strict=True)) | dict(seats)).items(),)
    for role, spec in seats:
        learned = spec is None or learns(spec)
        strategies[role] = None if learned else spec
    opener = model.shown.opener if model.shown else model.opener.role()
    command = TakeSeats(seats, opener)
    modal = None if model.modal == "test" else model.modal
    model = replace(model, strategies=pair(strategies), modal=modal)
    if model.latest.score:
        return model.send(command)
    return wished(model, Wish(ALL if model.over and not model.running else 1), command)


def _rule(spec: str) -> str:
    """Name a strategy and, if it is built in, say what it does."""
    kind = STRATEGIES.get(spec.partition(":")[0])
    return f"{short(spec)}: {kind.summary}" if kind else short(spec)


def toggle_seat(model: Model, role: Role) -> Model:
    """Put the last static strategy in a seat that learns, and the learner in any other."""
    if model.latest.score and model.latest.score.role is role:
        return model.with_message(time_travel.PLAYING)
    learned = model.strategies[role] is None
    return take_seat(model, role, model.static[role] if learned else None)


def menu(model: Model, role: Role) -> Model:
    """Open or close the list for a seat, with its present strategy marked."""
    if model.modal == str(role):
        return replace(model, modal=None)
    choices = [seating.spec for seating in every_seating(model.latest, role)]
    spec = model.strategies[role]
    listed = (each for each in (spec, spec and spec.partition(":")[0]) if each in choices)
    return replace(model, modal=str(role), modal_row=choices.index(next(listed, None)), typed="")


def choose(model: Model) -> Model:
    """Seat the marked learner or strategy, or ask for its settings first."""
    seats, role = seatings(model), SEATS[str(model.modal)]
    if not seats:
        return model
    spec = seats[model.modal_row].spec
    if spec is None or not settings_of_spec(spec):
        return take_seat(replace(model, modal=None), role, spec)
    seated = model.strategies[role] or model.latest.seating.algorithms[role]
    name, _, settings = short(seated).partition(":")
    now = settings if name == short(spec) else ""
    return replace(model, modal=_SETTINGS, seat=(role, spec), typed=now, modal_row=0)


def choose_settings(model: Model) -> Model:
    """Seat the learner or strategy with the settings that were typed, if they are allowed."""
    assert model.seat is not None
    spec, wrong = _asked_spec(model, model.seat[1])
    if wrong:
        return replace(model, message=wrong)
    return take_seat(replace(model, modal=None), model.seat[0], spec)


def toggle(model: Model) -> Model:
    """Put static strategies in both seats if either learns, otherwise both learners."""
    if model.latest.score:
        return model.with_message(time_travel.PLAYING)
    learned = None in model.strategies
    model = _take_seats(model, *((each, model.static[each] if learned else None) for each in Role))
    if learned:
        rules = "; ".join(dict.fromkeys(map(_rule, model.static)))
        return _telling(model, f"both play a fixed rule, {rules}")
    return _telling(model, _both_learn(model))


def _both_learn(model: Model) -> str:
    finished = model.latest.finished
    return f"both {'play what they learned' if finished else 'go on learning from their tables'}"


def _telling(model: Model, does: str) -> Model:
    """Say what those do who took their seats, and how the story of both learners goes on."""
    if not (model.pace.directed and any(model.strategies)):
        return replace(model, message=does)
    programs = any(map(is_program, filter(None, model.strategies)))
    ended = "the story of both learners has ended, " if programs else ""
    does = does.partition(":")[0]  # a short line leaves the time line in sight
    return model.with_message(f"{does}; {ended}{{story}} lets both learn again")


def tell_story(model: Model) -> Model:
    """Give the pace back to the director, seat both learners if others sit, and run."""
    if model.human_playing:
        return model.with_message(time_travel.PLAYING)
    model = replace(pause(time_travel.present(model)), pace_index=STORY)
    if model.here.opens or not any(model.strategies):
        model, does = time_travel.run_on(model), "the story goes on"
    else:
        does = _both_learn(model)
        seats = ((role, None) for role in Role)
        model = _take_seats(replace(model, running=True), *seats)
    return model.with_message(f"{does}: {{faster}} and {{slower}} take over")


def next_opener(model: Model) -> Model:
    openers = list(Opener)
    opener = openers[(openers.index(model.opener) + 1) % len(openers)]
    text = "openers alternate" if opener is Opener.ALTERNATE else f"the {opener} opens"
    model = replace(time_travel.present(model), opener=opener, message=text)
    if model.latest.score:
        return model.send(SetOpener(opener))
    return wished(model, Wish(ALL if model.over and not model.running else 1), SetOpener(opener))


def _test_title(model: Model) -> str:
    then = model.latest.replies.tested
    after = f" · {then.course.named(then.negotiations)}" if then else ""
    return f"Test of both plans{after}"


def _test(model: Model) -> tuple[str, ...]:
    snapshot, results = model.latest.replies.tested, model.latest.replies.tests
    if snapshot is None:
        return ("playing …",)
    seller, buyer = (
        "its " * (name is None) + seated(snapshot, role, "plan")
        for role, name in zip(Role, snapshot.seating.strategies, strict=True)
    )
    number = f"{results[0].totals.negotiations:,} games"
    return (
        f"the seller plays {seller}, the buyer {buyer}:",
        f"{number} in which nobody learns or guesses",
        "",
        *_coins(snapshot, results[0]),
        "",
        *(_published(model) if model.published else [model.keys.format(_MORE_OF_TEST)]),
    )


_MORE_OF_TEST = "{values} shows the original's columns, with deals, prices and wallets"


def _coins(snapshot: Snapshot, result: "Evaluation") -> Iterator[str]:
    """Yield what each side got per game and, if both have tables, who opens, exactly."""
    scenario, coins = snapshot.scenario, snapshot.theory.coins
    got = (earnings(scenario, reward) for reward in result.totals.mean_rewards(scenario))
    yield "coins per game: seller {}, buyer {}".format(*got)
    if coins is not None:
        openers = snapshot.opener.roles
        both = coins.mean(Role.SELLER, openers) + coins.mean(Role.BUYER, openers)
        opener = coins.of_opener(openers)
        other = money(both - opener)
        yield f"the opener gets {money(opener)}, the other side {other} (computed exactly)"
    deals, n = result.totals.deals, result.totals.negotiations
    yield f"deals: {percent(deals / n)}"


def _published(model: Model) -> Iterator[str]:
    """Yield the columns of the original's test, by the rules and as it was published."""
    results = model.latest.replies.tests
    rows = [["", *(result.rule.removeprefix("as-") for result in results)]]
    rows += [[label, *(_number(result, field) for result in results)] for label, field in _ROWS]
    yield from table(rows, "<24", ">12", width=model.width - 4)
    yield ""
    yield "corrected: the rules hold, and the wallets begin empty"
    yield "published: the opener repeats its opening offer and cannot accept,"
    yield "and the wallets begin with what the last training cycle left in them"
    yield "ties and mixed plans are drawn at random, so each test differs"


_ROWS = (
    ("accepted", "agreements"),
    ("  by the seller", "agreements_seller"),
    ("  by the buyer", "agreements_buyer"),
    ("walked away", "breakdowns"),
    ("  by the seller", "breakdowns_seller"),
    ("  by the buyer", "breakdowns_buyer"),
    ("seller's wallet", "seller_wallet"),
    ("buyer's wallet", "buyer_wallet"),
    ("mean price", "mean_price"),
    ("rounds to a deal", "mean_rounds"),
)


def _number(result: "Evaluation", field: str) -> str:
    value = result.to_dict()[field]
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}".replace("-", "−")


def _state_of_what_if(model: Model) -> str:
    position = model.position
    assert position is not None
    state = state_words(position.scenario, position.state, position.opened)
    return f"What if the {position.role}, {state}"


def _seat_title(model: Model) -> str:
    return f"The {model.modal}'s seat: {f'{model.typed}_' if model.typed else 'type to search'}"


_CHOOSES = "{take} chooses"
BOXES: dict[str | None, Box[Model]] = {
    HELP: HELP_BOX,
    **{
        seat: Box(_seat_title, seat_lines, choose, _CHOOSES, marks=True, typed=f"{seat}_menu")
        for seat in SEATS
    },
    WHAT_IF: Box(
        _state_of_what_if,
        lambda model: tuple(text for text, _ in what_if_choices(model)),
        lambda model: time_travel.ask_what_if(model, what_if_choices(model)[model.modal_row][1]),
        _CHOOSES,
        marks=True,
    ),
    WHY: Box(
        why_title,
        why_lines,
        go_there,
        "{take} goes there · {left}{right} other actions",
        marks=True,
    ),
    _SETTINGS: Box(
        lambda model: f"The {model.seat and model.seat[0]}'s seat: settings",
        settings_lines,
        choose_settings,
        "{take} uses them",
        typed="",
    ),
    ADJUST: ADJUST_BOX,
    ANSWERS: Box(lambda model: model.answer[0], lambda model: model.answer[1:]),
    SAY: Box(
        lambda model: f"You say: {len(model.typed)} of {MOST_SAID} characters",
        say_lines,
        take_words,
        "{take} keeps them, then make your move",
        typed="",
    ),
    CHAPTERS: Box(
        lambda _: "The story so far", chapter_lines, go_to_chapter, "{take} goes there", marks=True
    ),
    "test": Box(_test_title, _test),
    "score": Box(lambda _: "Your score", score_lines, leaves="{close} leaves"),
}
"""Every box by its name."""
