"""Advice for the role that must act now: the best move as a sentence, and other opinions."""

import numpy as np

from negotiation_tui.game.negotiation import Position
from negotiation_tui.runtime.text import fitting
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.solvers.best_response import Response
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.words import moves
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.words import percent

WIDE = 110
_NOTHING = "advice: nothing to decide until the next offer"


def draw_advice(canvas: Canvas, model: Model) -> None:
    """Draw one line, shorter on a narrow screen; parts that do not fit are left out."""
    position = model.playback.position if model.playback else None
    if position is None:
        canvas.write(0, 1, _NOTHING, "faint")
        return
    wide = canvas.width >= WIDE
    text = f"advice for the {position.role}:" if wide else f"{position.role}:"
    canvas.write(0, 1, text, str(position.role))
    most, room = 2 if wide else 1, canvas.width - 2 - len(text)
    parts = _opinions(model.learned, position, most)
    if model.learned.nash_conv is not None:
        best = _best(position, model.learned.nash_conv.responses[position.role], most)
        parts.insert(0, next((text for text in best if len(text) <= room), ""))
    canvas.write(0, 2 + len(text), fitting(filter(None, parts), room))


def _opinions(snapshot: Snapshot, position: Position, most: int) -> list[str]:
    """Return the moves of the equilibrium and of the learner, at most `most` of equal value."""
    role = position.role
    opener = role if position.opened else role.other
    actions = [equilibrium.action(position) for equilibrium in snapshot.equilibria[opener]]
    parts = [f"in equilibrium: {moves(position, actions, most)}"]
    table, policy = snapshot.q_tables[role], snapshot.learned_policies[role]
    if policy is not None:
        chances = policy.probabilities[policy.row(position)]
        likeliest = np.flatnonzero(chances == chances.max()).tolist()
        likely = percent(chances.max())
        known = "nothing learned here" if len(likeliest) == len(position.legal) > 1 else ""
        parts.append(f"its policy: {known or f'{moves(position, likeliest, most)} ({likely})'}")
    elif table is not None:
        legal = np.array(position.legal)
        row = table[position.state][legal]
        best = legal[row == row.max()].tolist()
        known = f"{moves(position, best, most)} ({row.max():.2f})"
        parts.append(f"its table: {known if row.any() else 'nothing learned here'}")
    return parts


def _best(position: Position, response: Response, most: int) -> tuple[str, str]:
    """Return the best answer to this opponent, as a sentence with its reason and in short."""
    best = response.best(position)
    does = moves(position, best, most)
    worth = _worth(response.action_value(position)[best[0]])
    reason = _reason(position, response)
    return f"{does[0].upper()}{does[1:]}: {reason}", f"{does} ({worth})"


def _reason(position: Position, response: Response) -> str:
    """Return the value of the best moves, and of what could be done instead."""
    scenario, values = position.scenario, response.action_value(position)
    best = response.best(position)
    worth = f"this is {_worth(values[best[0]])}"
    others = [action for action in position.legal if action not in best]
    offers = [action for action in others if action < scenario.accept]
    if not others or (len(best) > 1 and min(best) < scenario.accept <= max(best)):
        return f"each is worth {_worth(values[best[0]])}"
    if scenario.accept in best:
        rest, instead = (offers, "waiting") if offers else (others, "walking away")
    elif scenario.accept in others:
        rest, instead = [scenario.accept], "accepting"
    elif offers:
        rest, instead = offers, "any other price" if best[0] < scenario.accept else "any price"
    else:
        rest, instead = others, "walking away"
    least = "at most " if len(rest) > 1 and instead != "waiting" else ""
    return f"{instead} is worth {least}{_worth(values[rest].max())}, {worth}"


def _worth(value: float) -> str:
    return f"{round(float(value), 2) + 0.0:.2f}"
