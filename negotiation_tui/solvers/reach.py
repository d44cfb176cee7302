"""Forward and backward passes over the decisions of one role, for learners that compute.

A decision is: the role's part, opener or responder, the number n of its earlier decisions, and the
standing offer. Arrays over decisions have shape (2, T, P, …), as `BestResponse.offer_values` has.
At the opening no offer stands; the entries of all P offers are equal there.

A role comes to a decision by its own choices and by the opponent's. The *reach* of one of them is
the sum of the probabilities of its choices over all paths to the decision, where the other makes
any of its offers (Zinkevich et al. 2007, section 2). It is divided by the number of these offers
at each ply: a factor per n, which changes no strategy.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import Mask, TabularPolicy, legal_actions, untrained_policy
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.solvers.payoffs import Payoffs

_VIEWS = 64  # the games, as roles see them with their limits, whose constants are kept


@lru_cache(maxsize=_VIEWS)
def decision_rows(scenario: Scenario) -> NDArray[np.int64]:
    """The opener-aware state of each decision, shape (2, T, P)."""
    T, P = scenario.rounds, scenario.n_prices
    rows = np.arange(1, 1 + 2 * T * P).reshape(2, T, P)
    # An opener opens, and then answers the offers of the rounds before.
    rows[0] = np.concatenate([np.full((1, P), START), rows[0, :-1]])
    return rows


@lru_cache(maxsize=_VIEWS)
def legal_decisions(scenario: Scenario, role: Role) -> Mask:
    """True for the legal actions of a role, shape (2, T, P, P + 2)."""
    return np.asarray(legal_actions(scenario, scenario.offers(role))[decision_rows(scenario)])


def as_policy(scenario: Scenario, role: Role, decisions: Floats) -> TabularPolicy:
    """Return the policy with these probabilities, shape (2, T, P, P + 2); elsewhere uniform."""
    dense = _uniform(scenario, role).copy()
    dense[decision_rows(scenario)] = decisions
    return TabularPolicy.of_probabilities(scenario, role, dense)


@lru_cache(maxsize=_VIEWS)
def _uniform(scenario: Scenario, role: Role) -> Floats:
    return untrained_policy(scenario, role).probabilities


def normalised(weights: Floats, otherwise: Floats) -> Floats:
    """Return probabilities in proportion to weights; rows of zeros are taken from `otherwise`."""
    sums = weights.sum(axis=-1, keepdims=True)
    return np.where(sums > 0, weights / np.where(sums > 0, sums, 1.0), otherwise)


@lru_cache(maxsize=4)
def answers(opponent: TabularPolicy) -> Floats:
    """The probability of each answer to each offer made, shape (L, 2, T, B, P, P + 2).

    L is the number of the opponent's limits. The fourth index is the standing offer, the fifth the
    offer made. B is 1 unless the opponent remembers its own last offer. After the last decision of
    all there is no answer.
    """
    T, P = opponent.scenario.rounds, opponent.scenario.n_prices
    # An opener is answered by a responder, and the other way round.
    rows = np.stack([opponent.rows(0, opened) for opened in (False, True)])[:, None, None]
    rows = rows + (opponent.stride * P * np.arange(T))[:, None, None]
    if opponent.remembers_own_offer:
        number = np.zeros((2, T, P, 1), np.int64) + 1 + np.arange(P)[:, None]
        number[0, 0] = 0
        rows = rows + number
    found = np.stack([table.probabilities[rows] for table in opponent.tables])
    found[:, 1, -1] = 0.0
    found.flags.writeable = False
    return found


def own_reach(scenario: Scenario, role: Role, policy: Floats) -> Floats:
    """Return the reach of a role's own choices, (2, T, 1, 1); `policy` is (2, T, P, P + 2)."""
    offers = Payoffs.of(scenario, role.other).offers
    goes_on = policy[:, :, offers, : scenario.n_prices].sum(axis=-1).mean(axis=-1)
    reach = np.ones((2, scenario.rounds, 1, 1))
    reach[:, 1:, 0, 0] = np.cumprod(goes_on[:, :-1], axis=1)
    return reach


def opponents_reach(scenario: Scenario, role: Role, opponent: TabularPolicy) -> Floats:
    """Return the reach of each opponent's choices at the decisions of a role, (L, 2, T, P)."""
    offers = Payoffs.of(scenario, role).offers
    replies = answers(opponent)[..., offers, : scenario.n_prices].mean(axis=4)
    return _forward(opponent, replies)


def joint_reach(policy: Floats, opponent: TabularPolicy) -> Floats:
    """Return the probability that both come to each decision of a role, shape (L, 2, T, P).

    `policy` is that of the role, shape (2, T, P, P + 2).
    """
    prices = slice(opponent.scenario.n_prices)
    steps = policy[..., None, prices] @ answers(opponent)[..., prices]
    return _forward(opponent, steps[..., 0, :])


def _forward(opponent: TabularPolicy, steps: Floats) -> Floats:
    """Return the reach, shape (L, 2, T, P), by steps from a standing offer to the next.

    At the opening it is 1.
    """
    T, P = opponent.scenario.rounds, opponent.scenario.n_prices
    steps = np.broadcast_to(steps, (len(steps), 2, T, P, P))
    reach = np.empty(steps.shape[:-1])
    reach[:, 0, 0] = 1 / P
    reach[:, 1, 0] = [table.probabilities[START, :P] for table in opponent.tables]
    for n in range(T - 1):
        reach[:, :, n + 1] = (reach[:, :, n, None] @ steps[:, :, n])[:, :, 0]
    reach[:, 0, 0] = 1.0
    return reach


def action_values(
    scenario: Scenario, role: Role, policy: Floats, opponent: TabularPolicy, discount_rate: float
) -> Floats:
    """Return the value of each action if both play on so, shape (L, 2, T, P, P + 2).

    L is the number of the opponent's limits; `policy` has shape (2, T, P, P + 2).
    """
    P, T, rewards = scenario.n_prices, scenario.rounds, Payoffs.of(scenario, role).rewards[:, 0]
    # What time leaves of a reward for the offer that a decision makes, and for the standing one.
    later = np.array(scenario.time_factors[role]).reshape(T, 2).T[:, :, None, None]
    now = np.array((1.0, *scenario.time_factors[role][:-1])).reshape(T, 2).T[:, :, None]
    replies = answers(opponent)
    values = np.zeros((len(replies), *policy.shape))
    values[..., scenario.accept] = rewards * now
    accepted = replies[..., scenario.accept] * (rewards * later)
    following = np.zeros((len(replies), 2, 1, P, 1))
    for n in reversed(range(T)):
        offers = accepted[:, :, n] + (replies[:, :, n, :, :, :P] @ following)[..., 0]
        values[:, :, n, :, :P] = offers
        following[:, :, 0, :, 0] = discount_rate * (policy[:, n] * values[:, :, n]).sum(axis=-1)
    return values
