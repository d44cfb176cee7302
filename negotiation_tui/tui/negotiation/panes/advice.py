"""Advice for the role that must act now: equilibrium, best response, Q-table."""

import numpy as np

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas

WIDE = 110


def draw_advice(canvas: Canvas, model: Model) -> None:
    """Draw one line, shorter on a narrow screen; parts that do not fit are left out."""
    position = model.playback.position if model.playback else None
    if position is None:
        canvas.write(0, 1, "advice: nothing to decide until the next offer", "faint")
        return
    role, label = position.role, position.scenario.state_label(position.state)
    wide = canvas.width >= WIDE
    text = f"advice for the {role} in {label}:" if wide else f"{role} {label}:"
    canvas.write(0, 1, text, str(role))
    advice = ""
    for part in _parts(model.learned, position, wide):
        longer = f"{advice} · {part}" if advice else part
        if 2 + len(text) + len(longer) <= canvas.width:
            advice = longer
    canvas.write(0, 2 + len(text), advice)


def _parts(snapshot: Snapshot, position: Position, wide: bool) -> list[str]:
    """Return the moves of equilibrium, best response and Q-table, with their values."""
    role, scenario = position.role, position.scenario
    opener = role if position.opened else role.other
    most = 2 if wide else 1
    actions = [equilibrium.action(position) for equilibrium in snapshot.equilibria[opener]]
    parts = ["equilibrium " + _join(position, actions, most)]
    if snapshot.nash_conv is not None:
        response = snapshot.nash_conv.responses[role]
        best = _join(position, response.best(position), most)
        value = response.action_value(position).max()
        parts.append(f"best {'response ' if wide else ''}{best} {value:.2f}")
    table = snapshot.q_tables[role]
    if table is not None:
        row = table[position.state]
        legal = np.array(scenario.legal_actions(position.state, role))
        value = row[legal].max()
        greedy = legal[row[legal] == value].tolist()
        move = f"{_join(position, greedy, most)} {value:.2f}" if row.any() else "untrained"
        parts.append(f"{'its ' if wide else ''}table {move}")
    return parts


def _join(position: Position, actions: list[int], most: int) -> str:
    """Write actions of equal value, at most `most` of them, closing actions first."""
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
