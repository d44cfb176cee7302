"""Beliefs: what a player holds of the opponent's hidden limit, given what the opponent did.

At first each limit has the probability with which it is drawn. Each action of the opponent reweighs
it by the probability with which that limit's table plays the action (Bayes' rule). A *bluff* is an
offer by which a limit passes for a stronger one.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import NO_STATE, Position, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.solvers.subgame_perfect import EQUAL

_SMALL = 1000  # a policy with fewer rows keeps the probabilities of all its actions


@dataclass(frozen=True, eq=False)
class Belief:
    """The probability of each limit of a role, as the other role sees it."""

    chances: Floats  # shape (limits,); the sum is 1
    unexpected: bool = False
    """True if no limit held possible plays the last action. It leaves the belief as it was."""

    def after(self, likelihoods: Floats) -> "Belief":
        joint = self.chances * likelihoods
        total = joint.sum()
        return Belief(joint / total) if total > 0 else Belief(self.chances, True)


def in_all_tables(policy: TabularPolicy, rows: NDArray[np.integer[Any]]) -> Floats:
    """Return the probability of each action in rows of the first table, by limit: (…, K, P + 2)."""
    size = len(policy.n_actions) // policy.n_tables
    at = rows[..., None] + size * np.arange(policy.n_tables)
    if len(policy.n_actions) < _SMALL:
        return np.asarray(policy.probabilities[at])
    width = int(policy.n_actions[at].max())
    actions, n_actions = policy.actions[at, :width], policy.scenario.n_actions
    chances = policy.chances(at)[..., :width]
    entries = n_actions * np.arange(at.size)[:, None] + actions.reshape(-1, width)
    dense = np.bincount(entries.ravel(), chances.ravel(), n_actions * at.size)
    return dense.astype(np.float64, copy=False).reshape(*at.shape, n_actions)


def likelihoods(
    policy: TabularPolicy, position: Position, action: int, epsilon: float = 0.0
) -> Floats:
    """Return the probability with which each limit's table plays an action, shape (limits,).

    `position` is that of the policy's role; the limit in it does not count. With probability
    `epsilon` any legal action is drawn instead.
    """
    row = np.array(policy.tables[0].row(position))
    found = np.asarray(in_all_tables(policy, row)[:, action])
    if not epsilon:
        return found
    views, state = policy.scenario.views[position.role], position.state
    legal = [view.legal_actions(state, position.role) for view in views]
    drawn = np.array([(action in each) / max(1, len(each)) for each in legal])
    return (1 - epsilon) * found + epsilon * drawn


def beliefs(
    policy: TabularPolicy,
    transcript: Transcript,
    role: Role,
    epsilon: float = 0.0,
    before: Sequence[Belief] = (),
) -> tuple[Belief, ...]:
    """Return what the other role holds of `role`'s limit: at first, and after each turn.

    `policy` is that of the role, with one table per limit; `epsilon` is the probability with which
    it explores. The first beliefs are those in `before`, if there are some. An offer that no player
    chose tells nothing.
    """
    found = [*before] or [Belief(policy.scenario.chances(role))]
    for n, turn in enumerate(transcript.turns[len(found) - 1 :], len(found) - 1):
        now = Belief(found[-1].chances)
        position = transcript.first(n).position
        if turn.role is role and turn.state != NO_STATE and position is not None:
            now = now.after(likelihoods(policy, position, turn.action, epsilon))
        found.append(now)
    return tuple(found)


def belief_at(policy: TabularPolicy, position: Position) -> Belief:
    """Return the belief of the player in a position; `policy` is its opponent's."""
    scenario, role, offers = policy.scenario, position.role.other, position.offers
    belief, first = Belief(scenario.chances(role)), position.ply - len(offers)
    opener = position.role if position.opened else role
    for n in range(len(offers) - 1, -1, -2)[::-1]:
        if first and not n:
            continue  # an offer that no player chose
        opponent = Position.after(scenario, opener, offers[:n], first)
        action = scenario.prices.index(offers[n])
        belief = Belief(belief.chances).after(likelihoods(policy, opponent, action))
    return belief


class Bluff(NamedTuple):
    """The stronger limits that a bluff shows, and its gain.

    A *bluff* of a limit is an offer that its own table does not play, while the table of a stronger
    limit does, one that the opponent still holds possible. A higher limit of a seller is stronger,
    and a lower one of a buyer.
    """

    limits: tuple[int, ...]  # in increasing order
    gain: float
    """The value of a bluff less that of the best action that the limit's own table plays."""


def bluff(position: Position, values: Floats, plays: Floats, believed: Floats) -> Bluff | None:
    """Return what bluffs show and gain in a position where all best actions are bluffs, else None.

    `values` are those of the actions, shape (P + 2,), −∞ for illegal ones. `plays` are the
    probabilities of the actions by the table of each limit of the role, shape (L, P + 2).
    `believed` is what the opponent holds of these limits, shape (L,).
    """
    game, role = position.scenario, position.role
    hidden = game.lottery.limits[role] if game.lottery else None
    if hidden is None:
        return None
    own, played = game.limit_index(role), plays > 0
    limits = np.arange(len(believed))
    stronger = (believed > 0) & (limits > own if role is Role.SELLER else limits < own)
    bluffs = played[stronger].any(axis=0) & ~played[own]
    bluffs[game.accept :] = False
    best = values >= values.max() - EQUAL
    if not bluffs[best].all():
        return None
    shown = np.flatnonzero(stronger & played[:, best].any(axis=1))
    gain = values.max() - values[played[own]].max()
    return Bluff(tuple(hidden.values[index] for index in shown), float(gain))
