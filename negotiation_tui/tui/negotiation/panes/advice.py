"""Advice for the role that must act now: the best move as a sentence, and other opinions."""

import numpy as np

from negotiation_tui.game.learned import WithPolicy, WithValues
from negotiation_tui.game.negotiation import Position
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.text import first_fitting, fitting
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.story.fact import listed
from negotiation_tui.solvers.beliefs import Bluff, beliefs, bluff, in_all_tables
from negotiation_tui.solvers.best_response import BestResponse
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.q_tables import policy_of, seen
from negotiation_tui.tui.negotiation.words import moves
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.words import earnings, percent

_WIDE = 110
_NOTHING = "advice: nothing to decide until the next offer"


def draw_advice(canvas: Canvas, model: Model) -> None:
    """Draw one line, shorter on a narrow screen; parts that do not fit are left out."""
    position = model.position
    if position is None:
        canvas.write(0, 1, _NOTHING, "faint")
        return
    if not seen(model, position.role):
        hidden = f"advice: it would tell the {position.role}'s limit; {{limits}} shows both limits"
        canvas.write(0, 1, model.keys.format(hidden), "faint")
        return
    wide = canvas.width >= _WIDE
    text = f"advice for the {position.role}:" if wide else f"{position.role}:"
    canvas.write(0, 1, text, str(position.role))
    most, room = 2 if wide else 1, canvas.width - 2 - len(text)
    parts = _opinions(model.pane_snapshot, position, most)
    if (nash_conv := model.pane_snapshot.theory.nash_conv) is not None:
        response = nash_conv.responses[position.role]
        parts[:0] = [first_fitting(_best(model, position, response, most), room)]
    does = fitting(filter(None, parts), room)
    canvas.write(0, 2 + len(text), does)
    canvas.tell("event", f"{text} {does}")


def _opinions(snapshot: Snapshot, position: Position, most: int) -> list[str]:
    """Return the moves of the equilibrium and of the learner, at most `most` of equal value."""
    role = position.role
    opener = role if position.opened else role.other
    actions = [equilibrium.action(position) for equilibrium in snapshot.theory.equilibria[opener]]
    parts = [f"in equilibrium: {moves(position, actions, most)}"] if actions else []
    agent = snapshot.agents[role]
    if isinstance(agent, WithPolicy):
        chances = agent.policy.probabilities[agent.policy.row(position)]
        likeliest = np.flatnonzero(chances == chances.max()).tolist()
        likely = percent(chances.max())
        best = f"{moves(position, likeliest, most)} ({likely})"
        trained = len(likeliest) < len(position.legal) or len(likeliest) == 1
        parts.append(f"its policy: {best if trained else 'nothing learned here'}")
    elif isinstance(agent, WithValues):
        legal = np.array(position.legal)
        row = agent.values[position.row][legal]
        text = moves(position, legal[row == row.max()].tolist(), most)
        best = f"{text} ({earnings(position.scenario, row.max())})"
        parts.append(f"a learner would {best}" if row.any() else "nothing learned here yet")
    return parts


def _best(model: Model, position: Position, response: BestResponse, most: int) -> tuple[str, ...]:
    """Return the best answer to this opponent, as sentences with its reasons and in short."""
    best, values, game = response.best(position), response.action_value(position), position.scenario
    does = moves(position, best, most)
    bounds = "" if response.exact_at(position) else " (lower bounds)"
    text = f"{does[0].upper()}{does[1:]}: {_reason(position, best, values)}{bounds}"
    short = f"{does} ({earnings(game, float(values[best[0]]))})"
    found = _best_bluff(model, position, values)
    gain = earnings(game, 0.0 if found is None else found.gain)
    if found is None or gain == earnings(game, 0.0):
        return text, short
    more = f"worth {gain} more if your limit seems to be {listed(found.limits)}"
    return f"{text} · a bluff: {more}", f"{does} is a bluff: {more}", short


def _reason(position: Position, best: list[int], values: Floats) -> str:
    """Return the value of the best moves, and of what could be done instead."""
    scenario = position.scenario
    most = earnings(scenario, float(values[best[0]]))
    others = [action for action in position.legal if action not in best]
    offers = [action for action in others if action < scenario.accept]
    if len(position.legal) == 1:
        return "nothing else is allowed"
    if not others or (len(best) > 1 and min(best) < scenario.accept <= max(best)):
        return f"each is worth {most}"
    if scenario.accept in best:
        rest, instead = (offers, "waiting") if offers else (others, "walking away")
    elif scenario.accept in others:
        rest, instead = [scenario.accept], "accepting"
    elif offers:
        rest, instead = offers, "any other price" if best[0] < scenario.accept else "any price"
    else:
        rest, instead = others, "walking away"
    least = "at most " if len(rest) > 1 and instead != "waiting" else ""
    less = earnings(scenario, float(values[rest].max()))
    this = f"this is {most}" if less != most else "this a little more"
    return f"{instead} is worth {least}{less}, {this}"


def _best_bluff(model: Model, position: Position, values: Floats) -> Bluff | None:
    """Return the bluff that is best in the position on the bar; None if something else is."""
    role, playback = position.role, model.playback
    policy = policy_of(model.pane_snapshot, role)
    if playback is None or policy is None or not model.pane_snapshot.scenario.limits[role]:
        return None
    after = playback.negotiation.beliefs[role]
    now = after[playback.visible] if after else beliefs(policy, playback.shown, role)[-1]
    plays = in_all_tables(policy, np.array(policy.tables[0].row(position)))
    return bluff(position, values, plays, now.chances)
