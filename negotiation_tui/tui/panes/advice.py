"""What would be best for the party that must act now: its table, best response, equilibrium."""

import numpy as np

from negotiation_tui.negotiation import Position
from negotiation_tui.roles import Role
from negotiation_tui.snapshot import Snapshot
from negotiation_tui.tui.canvas import Canvas
from negotiation_tui.tui.model import Model


def draw_advice(canvas: Canvas, model: Model) -> None:
    """One line; what does not fit is left out."""
    position = model.playback.position if model.playback else None
    if position is None:
        canvas.put(0, 1, "advice: nothing to decide until the next offer", "faint")
        return
    role = position.role
    text = f"advice for the {role} in {position.scenario.state_label(position.state)}"
    canvas.put(0, 1, text, str(role))
    x, joint = len(text) + 1, ": "
    for part in _parts(model.learned, position):
        if x + len(joint) + len(part) > canvas.width:
            break
        canvas.put(0, x, joint + part)
        x, joint = x + len(joint) + len(part), " · "


def _parts(snapshot: Snapshot, position: Position) -> list[str]:
    """The equilibrium's move, the best response's with its worth, the table's with its value."""
    role, scenario = position.role, position.scenario
    opener = role if position.opened else role.other
    actions = [equilibrium.action(position) for equilibrium in snapshot.equilibria[opener]]
    parts = ["equilibrium " + _or(position, actions)]
    if snapshot.nash_conv is not None:
        response = snapshot.nash_conv.responses[role]
        worth = float(response.worth(position).max())
        parts.append(f"best response {_or(position, response.best(position))} {worth:.2f}")
    table = snapshot.q_tables[role]
    if table is not None:
        row = table[position.state]
        legal = np.array(scenario.legal_actions(position.state, role))
        best = legal[row[legal] == row[legal].max()].tolist()
        parts.append(f"its table {_or(position, best)} {row[legal].max():.2f}")
    return parts


def _or(position: Position, actions: list[int]) -> str:
    """Actions of equal worth, at most three of them."""
    words = [_word(position, action) for action in dict.fromkeys(actions)]
    return " or ".join(words[:3]) + (" or …" if len(words) > 3 else "")


def _word(position: Position, action: int) -> str:
    scenario = position.scenario
    if action >= scenario.accept:
        return "accept" if action == scenario.accept else "reject"
    verb = "ask" if position.role is Role.SELLER else "offer"
    return f"{verb} {scenario.prices[action]}"
