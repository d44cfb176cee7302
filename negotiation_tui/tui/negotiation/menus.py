"""Lists from which one line is taken: strategies for a seat, actions for a what-if. Pure."""

from typing import NamedTuple

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.text import table
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.strategies.registry import STRATEGIES
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.words import action_words
from negotiation_tui.tui.widgets.words import short

SEATS = {"seller": Role.SELLER, "buyer": Role.BUYER}
"""The lists of strategies, and whose seat they fill."""
WHAT_IF = "what-if"
MENUS = {*SEATS, WHAT_IF}


class Choice(NamedTuple):
    """A line, and the action that it stands for."""

    text: str
    action: int


def strategy_choices(snapshot: Snapshot) -> tuple[str | None, ...]:
    """What the lines of a list of strategies stand for: the learner, or a strategy's words."""
    return (None, *STRATEGIES, *snapshot.given)


def place(snapshot: Snapshot, words: str | None) -> int:
    """The line of such a list that stands for these words; that of the name, with any settings."""
    known = strategy_choices(snapshot)
    if words not in known and words is not None:
        words = words.partition(":")[0]
    return known.index(words) if words in known else 0


def menu_lines(model: Model) -> tuple[str, ...]:
    """The lines of the list that lies on top."""
    if model.modal == WHAT_IF:
        return tuple(choice.text for choice in what_if_choices(model))
    given = [(short(words), words) for words in model.latest.given]
    known = ((name, held.summary) for name, held in STRATEGIES.items())
    return tuple(table((("learned", "its learned table"), *known, *given), "<"))


def what_if_choices(model: Model) -> tuple[Choice, ...]:
    """What the party that must act could do, with what is known of each."""
    position = model.playback.position if model.playback else None
    if position is None:
        return ()
    texts = [action_words(position, action) for action in position.legal]
    width = max(map(len, texts))
    return tuple(
        Choice(f"{text:<{width}}{_known(model, position, action)}", action)
        for text, action in zip(texts, position.legal, strict=True)
    )


def _known(model: Model, position: Position, action: int) -> str:
    """What its table and a best response hold of an action, and whether it was done."""
    snapshot, playback = model.learned, model.playback
    assert playback is not None
    table, judged = snapshot.q_tables[position.role], snapshot.nash_conv
    text = "" if table is None else f"   table {table[position.state, action]:5.2f}"
    if judged is not None:
        text += f"   best response {judged.responses[position.role].action_value(position)[action]:5.2f}"
    turns = playback.negotiation.transcript.turns
    done = not playback.ended and turns[playback.visible].action == action
    return text + ("   so it was" if done else "")
