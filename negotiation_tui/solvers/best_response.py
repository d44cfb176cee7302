"""The exact best response to any policy, and NashConv: what both roles would gain by theirs.

By backward induction over a role's own plies (see `equilibrium`): what an action is worth follows
from what the other's policy does next, so that random ties are weighed and nothing is sampled.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, EQUAL, rewards

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BestResponse:
    """The best a role can do against a policy of the other."""

    scenario: Scenario
    role: Role
    values: tuple[float, float]
    """What it is worth to the role, when the seller opens and when the buyer opens."""
    action_values: tuple[tuple[Floats, ...], tuple[Floats, ...]]
    """For each opener, for each of the role's own plies, the worth of every action with each
    price on the table, shape (P, P + 2), or (1, P + 2) for the opening; −∞ where not legal."""

    def action_value(self, position: Position) -> Floats:
        """The worth of every action in a position of the role, shape (P + 2,)."""
        opener = self.role if position.opened else self.role.other
        worth: Floats = self.action_values[opener][position.ply // 2][position.standing_offer_index]
        return worth

    def best(self, position: Position) -> list[int]:
        """The best actions in a position of the role."""
        worth = self.action_value(position)
        return np.flatnonzero(worth >= worth.max() - EQUAL).tolist()

    @cached_property
    def table(self) -> NDArray[np.bool_]:
        """Which actions are best in each state, shape (n_states, n_actions).

        Where states do not say who opened, those that are best in either seat.
        """
        scenario = self.scenario
        best = np.ones((scenario.n_states, scenario.n_actions), bool)
        for opener in Role:
            opened = opener is self.role
            for n, worth in enumerate(self.action_values[opener]):
                ply = 2 * n + (0 if opened else 1)
                low = scenario.prices[0]
                row = scenario.state_index(low, (ply - 1) // 2, opened) if ply else START
                best[row : row + len(worth)] &= worth >= worth.max(axis=1, keepdims=True) - EQUAL
        return best

    @cached_property
    def policy(self) -> TabularPolicy:
        """The best response as a seat that knows who opened: every best action, drawn uniformly.

        Each of them is worth as much, so any share of them is an exact best response; the first
        alone would ask the cheapest price in both seats, generous as seller and grasping as buyer.
        Rows that no negotiation reaches hold action 0.
        """
        scenario, P = self.scenario, self.scenario.n_prices
        rows = 2 * P * scenario.rounds + 2
        ties, count = np.zeros((rows, scenario.n_actions), np.int32), np.ones(rows, np.int32)
        found = TabularPolicy(scenario, ties, count, opener_aware=True)
        for opener in Role:
            opened = opener is self.role
            for n, worth in enumerate(self.action_values[opener]):
                ply = 2 * n + (0 if opened else 1)
                first = int(found.rows((ply - 1) // 2, opened)[0]) if ply else START
                best = worth >= worth.max(axis=1, keepdims=True) - EQUAL
                at, action = np.nonzero(best)
                ties[first + at, (np.cumsum(best, axis=1) - 1)[at, action]] = action
                count[first : first + len(best)] = best.sum(axis=1)
        return found

    def __repr__(self) -> str:
        seller, buyer = self.values
        worth = f"worth {seller:.4f} when the seller opens, {buyer:.4f} when the buyer does"
        return f"<BestResponse of the {self.role} in {self.scenario.name}, {worth}>"

    def act(self, position: Position, _rng: np.random.Generator) -> int:
        """One of them, so that it can be asked turn by turn."""
        return self.best(position)[0]


@dataclass(frozen=True, eq=False, slots=True)
class NashConv:
    """How far two policies are from equilibrium (Lanctot et al. 2017, section 2)."""

    values: tuple[float, float]
    """What the negotiation is worth to seller and buyer as they play."""
    exploitability: tuple[float, float]
    """What seller and buyer would each gain by a best response: how far the other's policy can
    be exploited."""
    responses: tuple[BestResponse, BestResponse]
    """The best response of seller and buyer."""

    @property
    def total(self) -> float:
        """NashConv: both gains together; 0 in equilibrium."""
        return sum(self.exploitability)

    def __repr__(self) -> str:
        seller, buyer = self.exploitability
        return f"<NashConv {self.total:.4f}: seller {seller:.4f}, buyer {buyer:.4f} more>"


def best_response(
    scenario: Scenario, role: Role, opponent: TabularPolicy, discount_rate: float = DISCOUNT
) -> BestResponse:
    """The best response of a role to any policy of the other, exactly."""
    values, worths = [], []
    for opener in Role:
        found: list[Floats] = []

        def best(ply: int, options: Floats, found: list[Floats] = found) -> Floats:
            options[~_legal(scenario, role, ply)] = -np.inf
            found.insert(0, options)
            top: Floats = options.max(axis=1, keepdims=True)
            return top

        values.append(_induce(scenario, role, opener, opponent, discount_rate, best))
        worths.append(tuple(found))
    return BestResponse(scenario, role, (values[0], values[1]), (worths[0], worths[1]))


def value(
    scenario: Scenario,
    role: Role,
    policy: TabularPolicy,
    opponent: TabularPolicy,
    opener: Role,
    discount_rate: float = DISCOUNT,
) -> float:
    """What a negotiation is worth to a role when both play these policies."""

    def follow(ply: int, options: Floats) -> Floats:
        rows = _rows(policy, ply, opened=role is opener, before=ply <= 1)
        return _mean(options, policy, rows)

    return _induce(scenario, role, opener, opponent, discount_rate, follow)


def nash_conv(
    scenario: Scenario, seller: TabularPolicy, buyer: TabularPolicy, discount_rate: float = DISCOUNT
) -> NashConv:
    """What each role would gain by its best response to the other's policy.

    Averaged over who opens, unless the scenario says who.
    """
    openers = tuple(Role) if scenario.opener is Opener.ALTERNATE else (scenario.opener.role(),)
    policies = seller, buyer
    values, gains, responses = [], [], []
    for role in Role:
        own, opponent = policies[role], policies[role.other]
        best = best_response(scenario, role, opponent, discount_rate)
        responses.append(best)
        now = [value(scenario, role, own, opponent, o, discount_rate) for o in openers]
        values.append(sum(now) / len(openers))
        gained = sum(best.values[o] - v for o, v in zip(openers, now, strict=True))
        gains.append(gained / len(openers) if gained > EQUAL else 0.0)  # the rest is rounding
    return NashConv((values[0], values[1]), (gains[0], gains[1]), (responses[0], responses[1]))


def _legal(scenario: Scenario, role: Role, ply: int) -> NDArray[np.bool_]:
    """Which actions a role has at a ply with each price on the table, shape (P or 1, P + 2)."""
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
    """What a negotiation is worth to a role against a policy, from the deadline backwards.

    `choose(ply, options)` turns the worth of every action with each price on the table, shape
    (P or 1, P + 2), into the worth of the decision, of shape (P or 1, 1), or (…, P) where it
    depends on the role's own last price.
    """
    P, first = scenario.n_prices, 0 if role is opener else 1
    reward = rewards(scenario, role)
    answered = np.zeros((P, scenario.n_actions))
    answered[:, scenario.accept] = reward
    after = np.zeros((P, 1))
    for ply in reversed(range(first, 2 * scenario.rounds, 2)):
        options = np.zeros((P if ply else 1, scenario.n_actions))
        if ply < 2 * scenario.rounds - 1:
            answered[:, :P] = discount_rate * after.T
            rows = _rows(opponent, ply + 1, opened=role is not opener, before=ply == 0)
            options[:, :P] = _mean(answered, opponent, rows).T
        if ply:
            options[:, scenario.accept] = reward
        after = choose(ply, options)
    if role is opener:
        return float(after[0, 0])
    opening = np.zeros((1, scenario.n_actions))
    opening[0, :P] = after[:, 0]
    return float(_mean(opening, opponent, np.full((1, 1), START, np.int32))[0, 0])


def _rows(policy: TabularPolicy, ply: int, opened: bool, before: bool = False) -> NDArray[np.int32]:
    """A policy's rows at a ply: price on the table × own last price where it remembers that.

    `before` says that it has made no offer yet.
    """
    if ply == 0:
        return np.full((1, 1), START, np.int32)
    rows = policy.rows((ply - 1) // 2, opened)[:, None]
    if not policy.remembers_own_offer:
        return rows
    own = np.arange(policy.scenario.n_prices, dtype=np.int32) + 1
    return rows + (0 if before else own)


def _mean(worth: Floats, policy: TabularPolicy, rows: NDArray[np.int32]) -> Floats:
    """The mean worth of what a policy does in some rows.

    `worth` has a row of actions for each row of `rows`, whose shape the result has.
    """
    count = policy.n_actions[rows]
    width = int(count.max())
    ties = policy.actions[rows, :width]
    held = np.arange(width) < count[..., None]
    each = worth[np.arange(len(rows))[:, None, None], ties]
    mean: Floats = np.where(held, each, 0.0).sum(axis=-1) / count
    return mean
