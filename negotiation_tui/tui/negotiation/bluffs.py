"""The bluff that would be best now, by the tables that are known. Pure."""

import numpy as np

from negotiation_tui.game.negotiation import NO_STATE, Position
from negotiation_tui.game.tabular_policy import Floats
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.solvers.beliefs import Belief, Bluff, bluff, in_all_tables
from negotiation_tui.tui.negotiation.model import Model


def best_bluff(model: Model, position: Position, values: Floats) -> Bluff | None:
    """Return the bluff that is best in the position on the bar; None if something else is.

    `values` are those of the actions. The tables are those of the player in the seat; for a person
    those of the learner there.
    """
    role, playback = position.role, model.playback
    if playback is None or not model.learned.scenario.limits[role]:
        return None
    plays, held = _plays(model.learned, position), playback.negotiation.beliefs[role]
    if plays is None:
        return None
    now = _held(model, position) if held is None else held[playback.visible]
    return bluff(position, values, plays, now.chances)


def _held(model: Model, position: Position) -> Belief:
    """Return what the opponent would hold of the limit of a role that plays by its tables."""
    assert model.playback is not None
    shown, role = model.playback.shown, position.role
    held = Belief(model.learned.scenario.chances(role))
    for n, turn in enumerate(shown.turns):
        then = shown.first(n).position
        plays = None if then is None or turn.role is not role else _plays(model.learned, then)
        if plays is not None and turn.state != NO_STATE:
            held = held.after(plays[:, turn.action])
    return held


def _plays(snapshot: Snapshot, position: Position) -> Floats | None:
    """Return the probability of each action by the table of each limit of the role, (L, P + 2)."""
    role, scenario = position.role, snapshot.scenario
    static = snapshot.policies[role] is not None
    policy = snapshot.policies[role] if static else snapshot.learned_policies[role]
    if policy is not None:
        return in_all_tables(policy, np.array(policy.tables[0].row(position)))
    table = snapshot.q_tables[role]
    if table is None:
        return None
    rows = table[position.state :: scenario.n_states]
    legal = np.zeros(rows.shape, bool)
    for own, view in zip(legal, scenario.views[role], strict=True):
        own[view.legal_actions(position.state, role)] = True
    best = legal & (rows == np.where(legal, rows, -np.inf).max(axis=1, keepdims=True))
    chances: Floats = best / best.sum(axis=1, keepdims=True)
    return chances
