"""Lists to choose a line from: learners and strategies for a seat, actions for a what-if. Pure."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Algorithm, Occupant
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner, spec_of_learner
from negotiation_tui.learning.players import needs_opener, needs_whole_games
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.runtime.settings_text import Setting, table_of
from negotiation_tui.runtime.text import table
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.matchup import check_pair
from negotiation_tui.strategies.registry import STRATEGIES, settings_of, settings_table, strategy
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.why import WHY, why_lines
from negotiation_tui.tui.negotiation.words import action_words, learner_name
from negotiation_tui.tui.toolkit.help_box import ListLine, found
from negotiation_tui.tui.widgets.words import percent, short

SEATS = {"seller": Role.SELLER, "buyer": Role.BUYER}
"""The role of each list of strategies."""
WHAT_IF = "what-if"
SETTINGS = "settings"
"""Name of the box that asks for the settings of a learner or a strategy."""
MENUS = {*SEATS, WHAT_IF, WHY}
MARGINS = 6
"""Columns beside a line of a list: the box around it, and the mark before it."""
CHOOSES = {WHY: "{take} goes there · {left}{right} other actions", SETTINGS: "{take} takes it"}
"""The effect of a key in a box where it does not just choose."""
HEADINGS = "Learns", "Fixed rules"


class Choice(NamedTuple):
    """A line of the list of actions."""

    text: str
    action: int


class Seating(NamedTuple):
    """A line of a list for a seat, and the spec; None is the learner that sat there last."""

    text: str
    spec: str | None

    @property
    def fixed(self) -> bool:
        """True for a strategy, False for a learner."""
        return self.spec is not None and not learns(self.spec)


def line_of(choices: Sequence[str | None], spec: str | None) -> int:
    """Return the place of a spec among others, found by its name if it has settings."""
    if spec not in choices and spec is not None:
        spec = spec.partition(":")[0]
    return choices.index(spec) if spec in choices else 0


def menu_lines(model: Model) -> tuple[ListLine, ...]:
    """Return the lines of the open list."""
    if model.modal in SEATS:
        lines = list[ListLine]()
        for fixed, group in groupby(seatings(model), key=attrgetter("fixed")):
            lines.append(ListLine(HEADINGS[fixed], heading=True))
            lines += [ListLine(f"  {seating.text}", stop=True) for seating in group]
        return tuple(lines) or (ListLine("nobody matches: Backspace takes a letter back"),)
    texts: Sequence[str] = why_lines(model)
    if model.modal == WHAT_IF:
        texts = [choice.text for choice in what_if_choices(model)]
    return tuple(ListLine(f"  {text}", stop=True) for text in texts)


@lru_cache(maxsize=256)
def needs(
    scenario: Scenario, parameters: Parameters, role: Role, spec: str, opposite: str | None
) -> str:
    """Return what changes if a built-in player takes a seat, or why it cannot; empty if it can."""
    player: Occupant = learner(spec) if learns(spec) else strategy(spec)
    other = strategy(opposite) if opposite and opposite.split(":")[0] in STRATEGIES else None
    if isinstance(player, Algorithm) and player.needs_known_limits and scenario.hidden:
        return "not with hidden limits: "
    try:
        if isinstance(player, Algorithm):
            player.check_opponent(other)
        else:
            check_pair(scenario, player, other)
    except BadInputError:
        return f"not opposite {opposite}: "
    if needs_opener(scenario, player):
        return "the training begins again, knowing who opened: "
    whole = needs_whole_games(scenario, parameters, role, player)
    return "switches to whole games: " if whole else ""


def every_seating(snapshot: Snapshot, role: Role) -> list[Seating]:
    """Return all lines of the list for a seat: learners, then strategies."""
    last, opposite = learner_name(snapshot.algorithms[role]), snapshot.strategies[role.other]

    def summary(spec: str, each: Algorithm | Strategy) -> str:
        return needs(snapshot.scenario, snapshot.parameters, role, spec, opposite) + each.summary

    texts: list[tuple[str | None, str, str]] = [
        (None, LEARNED, "goes on with its own table" + f": {last}" * (last != LEARNED)),
        *((PREFIX + name, name, summary(PREFIX + name, each)) for name, each in LEARNERS.items()),
        *((name, name, summary(name, each)) for name, each in STRATEGIES.items()),
        *((spec, short(spec), spec) for spec in snapshot.given),
    ]
    lines = table([text for _, *text in texts], "<")
    return [Seating(line, spec) for line, (spec, *_) in zip(lines, texts, strict=True)]


def seatings(model: Model) -> tuple[Seating, ...]:
    """Return the learners and strategies that match what was typed, by their beginning first."""
    every = every_seating(model.latest, SEATS[str(model.modal)])
    width = max(0, min(max(len(seating.text) for seating in every), model.width - MARGINS))
    matching = [
        seating._replace(text=f"{seating.text:<{width}}")
        for seating in every
        if found(f"{seating.text} {seating.spec or LEARNED}", model.typed)
    ]

    def begins(seating: Seating) -> bool:
        return seating.text.startswith(model.typed.lower())

    first = {seating.fixed for seating in matching if begins(seating)}
    matching.sort(key=lambda each: (each.fixed not in first, each.fixed, not begins(each)))
    return tuple(matching)


def settings_of_spec(spec: str) -> list[Setting]:
    """Return the settings of a built-in learner or strategy; none if it has none of its own."""
    if learns(spec):
        return table_of(LEARNERS[learner_name(spec)])
    known = spec in STRATEGIES and settings_of(STRATEGIES[spec])
    return settings_table(STRATEGIES[spec]) if known else []


def asked_spec(model: Model) -> str:
    """Return the spec whose settings are asked for, with those typed so far.

    Raises BadInputError if they are wrong.
    """
    assert model.seat is not None
    name, typed = model.seat[1], model.typed.replace(" ", "")
    spec = f"{name}:{typed}" if typed else name
    if learns(spec):
        return spec_of_learner(learner(spec))
    strategy(spec)
    return spec


def settings_refused(model: Model) -> str:
    """Return what is wrong with the settings typed so far; empty if nothing is."""
    try:
        asked_spec(model)
    except BadInputError as error:
        return str(error)
    return ""


def settings_lines(model: Model) -> tuple[str, ...]:
    """Return the line that is typed, what is wrong with it, and all settings."""
    assert model.seat is not None
    name = short(model.seat[1])
    known = [setting[:3] for setting in settings_of_spec(model.seat[1])]
    rows = [("setting", "default", "allowed"), *known]
    example = f"{known[0][0]}={known[0][1]}"
    wrong = settings_refused(model) or f"as in {example}; commas between several"
    return (f"{name}:{model.typed}_", wrong, "", *table(rows, "<"))


def what_if_choices(model: Model) -> tuple[Choice, ...]:
    """Return the legal actions of the role that must act, with their values."""
    position = model.playback.position if model.playback else None
    if position is None:
        return ()
    texts = [action_words(position, action) for action in position.legal]
    width = max(map(len, texts))
    return tuple(
        Choice(f"{text:<{width}}{_values(model, position, action)}", action)
        for text, action in zip(texts, position.legal, strict=True)
    )


def _values(model: Model, position: Position, action: int) -> str:
    """Return an action's value and chance to a learner, and its value for a best response.

    Mark the action played.
    """
    snapshot, playback = model.learned, model.playback
    assert playback is not None
    table, nash_conv = snapshot.q_tables[position.role], snapshot.nash_conv
    policy = snapshot.learned_policies[position.role]
    text = "" if table is None else f"   table {table[position.row, action]:5.2f}"
    if policy is not None:
        chance = policy.probabilities[policy.row(position), action]
        text += f"   chance {percent(chance):>5}"
    if nash_conv is not None:
        response = nash_conv.responses[position.role]
        text += f"   best response {response.action_value(position)[action]:5.2f}"
    turns = playback.negotiation.transcript.turns
    played = not playback.ended and turns[playback.visible].action == action
    return text + ("   as played" if played else "")
