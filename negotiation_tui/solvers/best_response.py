"""Compute the exact best response to any policy, and NashConv of two policies.

Backward induction over a role's own plies (see `subgame_perfect`): the value of an action is the
mean over the opponent's next actions, so nothing is sampled.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, actions_in
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, EQUAL, rewards

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BestResponse:
    """A best response of a role to a policy of its opponent."""

    scenario: Scenario
    role: Role
    values: tuple[float, float]
    """The expected return of the role if the seller opens and if the buyer opens."""
    action_values: tuple[tuple[Floats, ...], tuple[Floats, ...]]
    """Per opener and per ply of the role: the value of each action for each standing offer, shape
    (P, P + 2), or (1, P + 2) at the opening; −∞ for illegal actions."""

    def action_value(self, position: Position) -> Floats:
        """The value of each action in a position of the role, shape (P + 2,)."""
        plies = self.action_values[self.role if position.opened else self.role.other]
        values: Floats = plies[position.ply // 2][position.standing_offer_index]
        return values

    def best(self, position: Position) -> list[int]:
        """The best actions in a position of the role."""
        return np.flatnonzero(_best(self.action_value(position)[None])[0]).tolist()

    @cached_property
    def table(self) -> NDArray[np.bool_]:
        """True for the best actions of each state, shape (n_states, n_actions).

        If states are not opener-aware, an action must be best both as opener and as responder.
        """
        scenario = self.scenario
        table = np.ones((scenario.n_states, scenario.n_actions), bool)
        low = scenario.prices[0]
        for ply, opened, best in self._plies():
            row = scenario.state_index(low, (ply - 1) // 2, opened) if ply else START
            table[row : row + len(best)] &= best
        return table

    @cached_property
    def policy(self) -> TabularPolicy:
        """An opener-aware policy that draws uniformly from the best actions of each state.

        Any mixture of best actions is an exact best response. The first one alone would favour low
        prices: generous as seller, greedy as buyer. Rows that are never reached hold action 0.
        """
        scenario, P = self.scenario, self.scenario.n_prices
        rows = 2 * P * scenario.rounds + 2
        actions = np.zeros((rows, scenario.n_actions), np.int32)
        n_actions = np.ones(rows, np.int32)
        policy = TabularPolicy(scenario, actions, n_actions, opener_aware=True)
        for ply, opened, best in self._plies():
            first = int(policy.rows((ply - 1) // 2, opened)[0]) if ply else START
            at = slice(first, first + len(best))
            actions[at], n_actions[at] = actions_in(best)
        return policy

    def _plies(self) -> Iterator[tuple[int, bool, NDArray[np.bool_]]]:
        """Each ply of the role, True if the role opened, and the best actions per offer."""
        for opener in Role:
            opened = opener is self.role
            for n, values in enumerate(self.action_values[opener]):
                yield 2 * n + (0 if opened else 1), opened, _best(values)

    def __repr__(self) -> str:
        seller, buyer = self.values
        values = f"value {seller:.4f} if the seller opens, {buyer:.4f} if the buyer opens"
        return f"<BestResponse of the {self.role} in {self.scenario.name}, {values}>"

    def act(self, position: Position, _rng: np.random.Generator) -> int:
        """Return the first of the best actions."""
        return self.best(position)[0]


@dataclass(frozen=True, eq=False, slots=True)
class NashConv:
    """The distance of two policies from equilibrium (Lanctot et al. 2017, section 2)."""

    values: tuple[float, float]
    """The expected returns of seller and buyer."""
    exploitability: tuple[float, float]
    """The gain of seller and of buyer if each switched to a best response."""
    responses: tuple[BestResponse, BestResponse]
    """The best responses of seller and buyer."""

    @property
    def total(self) -> float:
        """NashConv, the sum of both gains; 0 in equilibrium."""
        return sum(self.exploitability)

    def __repr__(self) -> str:
        seller, buyer = self.exploitability
        return f"<NashConv {self.total:.4f}: seller {seller:.4f}, buyer {buyer:.4f} more>"


def best_response(
    scenario: Scenario, role: Role, opponent: TabularPolicy, discount_rate: float = DISCOUNT
) -> BestResponse:
    """Return the exact best response of a role to any policy of its opponent."""
    values, action_values = [], []
    for opener in Role:
        plies: list[Floats] = []

        def maximum(ply: int, options: Floats, plies: list[Floats] = plies) -> Floats:
            options[~_legal(scenario, role, ply)] = -np.inf
            plies.insert(0, options)
            top: Floats = options.max(axis=1, keepdims=True)
            return top

        values.append(_induce(scenario, role, opener, opponent, discount_rate, maximum))
        action_values.append(tuple(plies))
    return BestResponse(
        scenario, role, (values[0], values[1]), (action_values[0], action_values[1])
    )


def value(
    scenario: Scenario,
    role: Role,
    policy: TabularPolicy,
    opponent: TabularPolicy,
    opener: Role,
    discount_rate: float = DISCOUNT,
) -> float:
    """Return the expected return of a role if both roles play these policies."""

    def mean(ply: int, options: Floats) -> Floats:
        rows = _rows(policy, ply, opened=role is opener, first=ply <= 1)
        return _mean(options, policy, rows)

    return _induce(scenario, role, opener, opponent, discount_rate, mean)


def nash_conv(
    scenario: Scenario, seller: TabularPolicy, buyer: TabularPolicy, discount_rate: float = DISCOUNT
) -> NashConv:
    """Return NashConv of two policies, the mean over both openers if they alternate."""
    openers = tuple(Role) if scenario.opener is Opener.ALTERNATE else (scenario.opener.role(),)
    policies = seller, buyer
    values, gains, responses = [], [], []
    for role in Role:
        policy, opponent = policies[role], policies[role.other]
        best = best_response(scenario, role, opponent, discount_rate)
        responses.append(best)
        returns = [value(scenario, role, policy, opponent, o, discount_rate) for o in openers]
        values.append(sum(returns) / len(openers))
        gain = sum(best.values[o] - v for o, v in zip(openers, returns, strict=True))
        gains.append(gain / len(openers) if gain > EQUAL else 0.0)  # smaller: rounding errors
    return NashConv((values[0], values[1]), (gains[0], gains[1]), (responses[0], responses[1]))


def _best(values: Floats) -> NDArray[np.bool_]:
    """True for the best actions of each row."""
    best: NDArray[np.bool_] = values >= values.max(axis=1, keepdims=True) - EQUAL
    return best


def _legal(scenario: Scenario, role: Role, ply: int) -> NDArray[np.bool_]:
    """True for the legal actions of a role at a ply, per standing offer; shape (P or 1, P + 2)."""
    offers = scenario.offers(role)
    legal = np.zeros((scenario.n_prices if ply else 1, scenario.n_actions), bool)
    if ply < 2 * scenario.rounds - 1:
        legal[:, offers.start : offers.stop] = True
    if ply:
        legal[offers.start : offers.stop, scenario.accept] = True
        legal[:, scenario.walk_away] = True
    return legal


def _induce(
    scenario: Scenario,
    role: Role,
    opener: Role,
    opponent: TabularPolicy,
    discount_rate: float,
    choose: Callable[[int, Floats], Floats],
) -> float:
    """Return the value of a negotiation for a role, computed from the deadline backwards.

    `choose(ply, options)` turns the action values per standing offer, shape (P or 1, P + 2), into
    the value of the decision: shape (P or 1, 1), or (…, P) if it depends on the role's own last
    offer.
    """
    P, first_ply = scenario.n_prices, 0 if role is opener else 1
    reward = rewards(scenario, role)
    answers = np.zeros((P, scenario.n_actions))
    answers[:, scenario.accept] = reward
    decision = np.zeros((P, 1))
    for ply in reversed(range(first_ply, 2 * scenario.rounds, 2)):
        options = np.zeros((P if ply else 1, scenario.n_actions))
        if ply < 2 * scenario.rounds - 1:
            answers[:, :P] = discount_rate * decision.T
            rows = _rows(opponent, ply + 1, opened=role is not opener, first=ply == 0)
            options[:, :P] = _mean(answers, opponent, rows).T
        if ply:
            options[:, scenario.accept] = reward
        decision = choose(ply, options)
    if role is opener:
        return float(decision[0, 0])
    opening = np.zeros((1, scenario.n_actions))
    opening[0, :P] = decision[:, 0]
    return float(_mean(opening, opponent, np.full((1, 1), START, np.int32))[0, 0])


def _rows(policy: TabularPolicy, ply: int, opened: bool, first: bool = False) -> NDArray[np.int32]:
    """The rows of a policy at a ply: standing offer × own last offer, if it remembers that.

    `first` means that the policy has made no offer yet.
    """
    if ply == 0:
        return np.full((1, 1), START, np.int32)
    rows = policy.rows((ply - 1) // 2, opened)[:, None]
    if not policy.remembers_own_offer:
        return rows
    own = np.arange(policy.scenario.n_prices, dtype=np.int32) + 1
    return rows + (0 if first else own)


def _mean(values: Floats, policy: TabularPolicy, rows: NDArray[np.int32]) -> Floats:
    """Return the mean value of a policy's actions in each of `rows`, with the shape of `rows`.

    `values` has one row of action values per row of `rows`.
    """
    n_actions = policy.n_actions[rows]
    width = int(n_actions.max())
    actions = policy.actions[rows, :width]
    used = np.arange(width) < n_actions[..., None]
    each = values[np.arange(len(rows))[:, None, None], actions]
    mean: Floats = np.where(used, each, 0.0).sum(axis=-1) / n_actions
    return mean
