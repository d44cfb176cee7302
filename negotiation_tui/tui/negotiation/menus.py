"""Lists to choose a line from: strategies for a seat, actions for a what-if. Pure."""

from typing import NamedTuple

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.text import table
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.strategies.registry import STRATEGIES, settings_table, strategy
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.why import WHY, why_lines
from negotiation_tui.tui.negotiation.words import action_words
from negotiation_tui.tui.toolkit.search import found
from negotiation_tui.tui.widgets.words import short

SEATS = {"seller": Role.SELLER, "buyer": Role.BUYER}
"""The role of each list of strategies."""
WHAT_IF = "what-if"
SETTINGS = "settings"
"""Name of the box that asks for the settings of a strategy."""
MENUS = {*SEATS, WHAT_IF, WHY}
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
    """A line of a list of strategies, and the spec; None is the learner."""

    text: str
    spec: str | None


def strategy_choices(snapshot: Snapshot) -> tuple[str | None, ...]:
    """Return the spec for each line of a list of strategies; None is the learner."""
    return (None, *STRATEGIES, *snapshot.given)


def line_of(snapshot: Snapshot, spec: str | None) -> int:
    """Return the line of a spec in a list of strategies, found by its name if it has settings."""
    choices = strategy_choices(snapshot)
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


def seatings(model: Model) -> tuple[Seating, ...]:
    """Return the strategies that match what was typed."""
    built_in = ((name, each.summary) for name, each in STRATEGIES.items())
    others = ((short(spec), spec) for spec in model.latest.given)
    lines = table((("learned", "its learned table"), *built_in, *others), "<")
    every, width = strategy_choices(model.latest), max(map(len, lines))
    return tuple(
        Seating(f"{text:<{width}}", spec)
        for text, spec in zip(lines, every, strict=True)
        if found(text, model.typed)
    )


def asked_spec(model: Model) -> str:
    """Return the spec of the strategy whose settings are asked for, with those typed so far."""
    assert model.seat is not None
    name, typed = model.seat[1], model.typed.replace(" ", "")
    return f"{name}:{typed}" if typed else name


def settings_refused(model: Model) -> str:
    """Return what is wrong with the settings typed so far; empty if nothing is."""
    try:
        strategy(asked_spec(model))
    except BadInputError as error:
        return str(error)
    return ""


def settings_lines(model: Model) -> tuple[str, ...]:
    """Return the line that is typed, what is wrong with it, and all settings."""
    assert model.seat is not None
    name = model.seat[1]
    known = settings_table(STRATEGIES[name])
    rows = [("setting", "default", "allowed"), *known]
    example = f"{known[0].name}={known[0].default}"
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
    """Return an action's value in the Q-table and for a best response; mark the action played."""
    snapshot, playback = model.learned, model.playback
    assert playback is not None
    table, nash_conv = snapshot.q_tables[position.role], snapshot.nash_conv
    text = "" if table is None else f"   table {table[position.state, action]:5.2f}"
    if nash_conv is not None:
        response = nash_conv.responses[position.role]
        text += f"   best response {response.action_value(position)[action]:5.2f}"
    turns = playback.negotiation.transcript.turns
    played = not playback.ended and turns[playback.visible].action == action
    return text + ("   as played" if played else "")
