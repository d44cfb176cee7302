"""Lists to choose a line from: learners and strategies for a seat, actions for a what-if. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.learner_registry import LEARNERS, learner, spec_of_learner
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.runtime.settings_text import Setting, table_of
from negotiation_tui.runtime.text import table
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.strategies.registry import STRATEGIES, settings_of, settings_table, strategy
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.why import WHY, why_lines
from negotiation_tui.tui.negotiation.words import action_words, learner_name
from negotiation_tui.tui.toolkit.search import found
from negotiation_tui.tui.widgets.words import percent, short

SEATS = {"seller": Role.SELLER, "buyer": Role.BUYER}
"""The role of each list of strategies."""
WHAT_IF = "what-if"
SETTINGS = "settings"
"""Name of the box that asks for the settings of a learner or a strategy."""
MENUS = {*SEATS, WHAT_IF, WHY}
MARGINS = 6
"""Columns beside a line of a list: the box around it, and the mark before it."""
CHOOSES = "{take} chooses · {close} closes"
ENDS = {
    WHY: "{take} goes there · {left}{right} other actions · {close} closes",
    SETTINGS: "{take} takes it · {close} closes",
}
"""The keys of boxes whose keys do something else."""


class Choice(NamedTuple):
    """A line of the list of actions."""

    text: str
    action: int


class Seating(NamedTuple):
    """A line of a list for a seat, and the spec; None is the learner that sat there last."""

    text: str
    spec: str | None


def strategy_choices(snapshot: Snapshot) -> tuple[str | None, ...]:
    """Return the specs that take turns in a seat; None is the learner that sat there last."""
    return (None, *STRATEGIES, *snapshot.given)


def line_of(choices: Sequence[str | None], spec: str | None) -> int:
    """Return the place of a spec among others, found by its name if it has settings."""
    if spec not in choices and spec is not None:
        spec = spec.partition(":")[0]
    return choices.index(spec) if spec in choices else 0


def menu_lines(model: Model) -> tuple[str, ...]:
    """Return the lines of the open list."""
    if model.modal == WHY:
        return why_lines(model)
    if model.modal == WHAT_IF:
        return tuple(choice.text for choice in what_if_choices(model))
    lines = tuple(seating.text for seating in seatings(model))
    return lines or ("no strategy matches: Backspace takes a letter back",)


def every_seating(snapshot: Snapshot, role: Role) -> list[Seating]:
    """Return all lines of the list for a seat: learners, then strategies."""
    last = learner_name(snapshot.algorithms[role])
    texts: list[tuple[str | None, str, str]] = [
        (None, LEARNED, "its learned table" + f": {last}" * (last != LEARNED)),
        *((PREFIX + name, name, each.summary) for name, each in LEARNERS.items()),
        *((name, name, each.summary) for name, each in STRATEGIES.items()),
        *((spec, short(spec), spec) for spec in snapshot.given),
    ]
    lines = table([text for _, *text in texts], "<")
    return [Seating(line, spec) for line, (spec, *_) in zip(lines, texts, strict=True)]


def seatings(model: Model) -> tuple[Seating, ...]:
    """Return the learners and strategies that match what was typed."""
    every = every_seating(model.latest, SEATS[str(model.modal)])
    width = min(max(len(seating.text) for seating in every), model.width - MARGINS)
    return tuple(
        seating._replace(text=f"{seating.text:<{width}}")
        for seating in every
        if found(f"{seating.text} {seating.spec or LEARNED}", model.typed)
    )


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
