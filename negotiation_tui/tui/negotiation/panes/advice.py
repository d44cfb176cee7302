"""What would be best for the party that must act now: its table, best response, equilibrium."""

import numpy as np

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas

WIDE = 110


def draw_advice(canvas: Canvas, model: Model) -> None:
    """One line, in fewer words on a narrow screen; a part that does not fit is left out."""
    position = model.playback.position if model.playback else None
    if position is None:
        canvas.write(0, 1, "advice: nothing to decide until the next offer", "faint")
        return
    role, label = position.role, position.scenario.state_label(position.state)
    wide = canvas.width >= WIDE
    text = f"advice for the {role} in {label}:" if wide else f"{role} {label}:"
    canvas.write(0, 1, text, str(role))
    said = ""
    for part in _parts(model.learned, position, wide):
        longer = f"{said} · {part}" if said else part
        if 2 + len(text) + len(longer) <= canvas.width:
            said = longer
    canvas.write(0, 2 + len(text), said)


def _parts(snapshot: Snapshot, position: Position, wide: bool) -> list[str]:
    """The equilibrium's move, the best response's with its worth, the table's with its value."""
    role, scenario = position.role, position.scenario
    opener = role if position.opened else role.other
    most = 2 if wide else 1
    actions = [equilibrium.action(position) for equilibrium in snapshot.equilibria[opener]]
    parts = ["equilibrium " + _or(position, actions, most)]
    if snapshot.nash_conv is not None:
        response = snapshot.nash_conv.responses[role]
        best, worth = (
            _or(position, response.best(position), most),
            response.action_value(position).max(),
        )
        parts.append(f"best {'response ' if wide else ''}{best} {worth:.2f}")
    table = snapshot.q_tables[role]
    if table is not None:
        row = table[position.state]
        legal = np.array(scenario.legal_actions(position.state, role))
        held = legal[row[legal] == row[legal].max()].tolist()
        said = f"{_or(position, held, most)} {row[legal].max():.2f}" if row.any() else "untrained"
        parts.append(f"{'its ' if wide else ''}table {said}")
    return parts


def _or(position: Position, actions: list[int], most: int) -> str:
    """Actions of equal worth, at most so many of them written out, closing ones first."""
    scenario = position.scenario
    closing = {scenario.accept: "accept", scenario.walk_away: "reject"}
    words = [closing[action] for action in closing if action in actions]
    prices = sorted({scenario.prices[action] for action in actions if action not in closing})
    room = most - len(words)
    if prices and room > 0:
        verb = "ask" if position.role is Role.SELLER else "offer"
        words.append(f"{verb} {'/'.join(map(str, prices[:room]))}")
    more = "/…" if len(prices) > max(0, room) or len(words) > most else ""
    return " or ".join(words[:most]) + more
