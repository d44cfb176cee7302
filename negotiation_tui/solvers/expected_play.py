"""Compute how two tables play against each other, exactly: each outcome and its probability.

All pairs of limits are played at once, ply by ply, as probabilities of the offer on the table.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.solvers.beliefs import in_all_tables
from negotiation_tui.solvers.payoffs import Pairs, Payoffs, first_best

PolicyPair = tuple[TabularPolicy, TabularPolicy]
CERTAIN = 1 - 1e-9  # a probability above this one is 1, but for rounding


class Coins(NamedTuple):
    """The gains of two tables per game, in the money of the price, exactly, with γ = 1."""

    gains: tuple[tuple[float, float], tuple[float, float]]  # of each role, by who opens
    deals: tuple[float, float]  # the probability of a deal, by who opens

    def mean(self, role: Role, openers: Sequence[Role]) -> float:
        return sum(self.gains[role][opener] for opener in openers) / len(openers)

    def of_opener(self, openers: Sequence[Role]) -> float:
        return sum(self.gains[opener][opener] for opener in openers) / len(openers)


@dataclass(frozen=True, eq=False, slots=True)
class Outcomes:
    """The outcomes of negotiations that one role opens, over all pairs of limits."""

    scenario: Scenario
    openings: tuple[int, ...]  # the prices that the opener begins with, from the lowest on
    deals: Floats  # the probability of a deal in each round at each price, shape (T, P)
    walks: tuple[float, float]  # the probability that a role walks away, seller first

    @property
    def deal(self) -> float:
        return float(self.deals.sum())

    @property
    def always_deal(self) -> bool:
        return self.deal > CERTAIN

    @property
    def rounds(self) -> float | None:
        """The mean number of rounds to a deal, None if there is none."""
        if self.deal <= 1 - CERTAIN:
            return None
        return float(self.deals.sum(axis=1) @ np.arange(1, self.scenario.rounds + 1) / self.deal)

    @property
    def only(self) -> tuple[int, int] | None:
        """The round, from 1, and the price of the only outcome; None if there are several."""
        time, at = np.unravel_index(int(self.deals.argmax()), self.deals.shape)
        if self.deals[time, at] <= CERTAIN:
            return None
        return int(time) + 1, self.scenario.prices[int(at)]


@dataclass(frozen=True, eq=False)
class ExpectedPlay:
    """The deals of two tables per opener and pair of limits: S of the seller, B of the buyer."""

    scenario: Scenario
    openings: tuple[tuple[int, ...], tuple[int, ...]]
    """The prices that the opener begins with, from the lowest on, with any of its limits."""
    between: Floats
    """The probability of a deal at each price for each pair of limits, shape (2, S, B, P)."""
    deals: tuple[Floats, Floats]
    """For each limit of a role: the probability of a deal at each ply and price, shape
    (2, L, 2·T, P). It is a mean over the limits of the other role."""
    walks: Floats  # the probability that a role walks away, shape (2, 2): by opener and by role

    def opened_by(self, opener: Role) -> Outcomes:
        by_ply = np.tensordot(self.scenario.chances(Role.SELLER), self.deals[0][opener], 1)
        deals = by_ply.reshape(self.scenario.rounds, 2, -1).sum(axis=1)
        seller, buyer = self.walks[opener].tolist()
        return Outcomes(self.scenario, self.openings[opener], deals, (seller, buyer))

    def worth(self, role: Role, discount_rate: float) -> Floats:
        """The expected return of each limit with the table of each limit, by opener: (2, L, L)."""
        plies = np.arange(self.deals[role].shape[2])
        rewards = Payoffs.of(self.scenario, role).rewards
        factors = np.array((1.0, *self.scenario.time_factors[role]))[plies]  # of the standing offer
        worth = []
        for opener in Role:
            discounts = factors * discount_rate ** decisions_before(plies, role, opener)
            by_price = np.tensordot(self.deals[role][opener], discounts, (1, 0))
            worth.append((by_price @ rewards).T)
        return np.array(worth)

    def interim(self, role: Role, discount_rate: float) -> Floats:
        return np.diagonal(self.worth(role, discount_rate), axis1=1, axis2=2)

    def returns(self, role: Role, discount_rate: float = 1.0) -> tuple[float, float]:
        return pair((self.interim(role, discount_rate) @ self.scenario.chances(role)).tolist())

    @cached_property
    def coins(self) -> Coins:
        width, chances = self.scenario.width, [self.scenario.chances(role) for role in Role]
        gains = ((width * each for each in self.returns(role)) for role in Role)
        deals = (chances[0] @ each.sum(axis=-1) @ chances[1] for each in self.between)
        return Coins(pair(map(pair, gains)), pair(map(float, deals)))

    def pretending(self, role: Role, discount_rate: float = 1.0, beyond: bool = False) -> Floats:
        """The gain of each limit of a role from playing another limit's table, shape (L,).

        It is a mean over the openers, and 0 where no table is better than its own. A limit can
        play tables whose prices it accepts; with `beyond` any table, also at a loss.
        """
        worth = self._mean(self.worth(role, discount_rate))
        if not beyond:
            offers = [view.offers(role) for view in self.scenario.views[role]]
            legal = [[{*each} <= {*own} for each in offers] for own in offers]
            worth = np.where(legal, worth, -np.inf)
        gains: Floats = np.maximum(worth.max(axis=1) - np.diagonal(worth), 0.0)
        return gains

    def mean_pretending(self, role: Role) -> float:
        return float(self.scenario.chances(role) @ self.pretending(role, beyond=True))

    @cached_property
    def deal(self) -> Floats:
        return self._mean(self.between.sum(axis=-1))

    @cached_property
    def surplus(self) -> float:
        """The mean of both gains together, undiscounted; with time costs less for a later deal."""
        if self.scenario.time_costs:
            returns = np.array([self.returns(role) for role in Role])
            return float(returns[:, list(self.scenario.opener.roles)].mean(axis=1).sum())
        chances, surplus, _ = Pairs.of(self.scenario)
        return float((chances * surplus * self.deal).sum())

    @property
    def efficiency(self) -> float | None:
        best = first_best(self.scenario)
        return self.surplus / best if best > 0 else None

    def _mean(self, by_opener: Floats) -> Floats:
        mean: Floats = by_opener[list(self.scenario.opener.roles)].mean(axis=0)
        return mean


def decisions_before(
    plies: NDArray[np.integer[Any]] | int, role: Role, opener: Role
) -> NDArray[np.integer[Any]]:
    """Return how many times the discount applies to a role, if the deal is made at these plies."""
    return np.maximum(plies // 2 - (0 if role is opener else 1 - plies % 2), 0)


def expected_play(scenario: Scenario, seller: TabularPolicy, buyer: TabularPolicy) -> ExpectedPlay:
    """Return how two tables play; they may remember their own last offers, but no history."""
    tables, chances = (seller, buyer), [scenario.chances(role) for role in Role]
    plies, P = 2 * scenario.rounds, scenario.n_prices
    between = np.zeros((2, len(chances[0]), len(chances[1]), P))
    deals = [np.zeros((2, len(each), plies, P)) for each in chances]
    walks = np.zeros((2, 2))
    for opener in Role:
        for ply, (made, walked) in enumerate(_plies(scenario, tables, opener), 1):
            between[opener] += made
            deals[0][opener, :, ply] = np.tensordot(made, chances[1], (1, 0))
            deals[1][opener, :, ply] = np.tensordot(made, chances[0], (0, 0))
            walks[opener, (opener + ply) % 2] += chances[0] @ walked @ chances[1]
    openings = [_opening(scenario, tables[opener]).any(axis=0) for opener in Role]
    prices = pair(tuple(scenario.prices[n] for n in np.flatnonzero(each)) for each in openings)
    return ExpectedPlay(scenario, prices, between, pair(deals), walks)


def _opening(scenario: Scenario, table: TabularPolicy) -> Floats:
    return in_all_tables(table, np.array(START))[:, : scenario.n_prices]


def _plies(scenario: Scenario, tables: PolicyPair, opener: Role) -> Iterator[tuple[Floats, Floats]]:
    """Yield for each ply from 1 on the probabilities of a deal, (S, B, P), and of walking away."""
    P, remembered = scenario.n_prices, any(table.remembers_own_offer for table in tables)
    # Probabilities by limit of who moves, limit of the other, own last offer, standing offer.
    opening = _opening(scenario, tables[opener])
    standing = np.repeat(opening[None], tables[opener.other].n_tables, axis=0)[:, :, None]
    for ply in range(1, 2 * scenario.rounds):
        if not standing.any():
            return  # all negotiations are over
        role = opener if ply % 2 == 0 else opener.other
        table = tables[role]
        rows = table.rows((ply - 1) // 2, role is opener)[:, None]
        if table.remembers_own_offer and ply > 1:
            made_before = np.flatnonzero(standing.any(axis=(0, 1, 3)))
            standing, rows = standing[:, :, made_before], rows + 1 + made_before
        played = in_all_tables(table, rows).transpose(2, 0, 1, 3)
        by_offer = standing.transpose(0, 3, 1, 2)
        if played.shape[2] < by_offer.shape[3]:
            by_offer = by_offer.sum(axis=3, keepdims=True)
        made, walked = (
            (by_offer * played[..., None, :, action]).sum(axis=-1).swapaxes(1, 2)
            for action in (scenario.accept, scenario.walk_away)
        )
        if role is Role.BUYER:
            made, walked = made.swapaxes(0, 1), walked.swapaxes(0, 1)
        yield made, walked.sum(axis=-1)
        if remembered:
            after = by_offer @ played[..., :P]
            standing = after.transpose(2, 0, 1, 3)
        else:
            after = by_offer[..., 0].swapaxes(1, 2) @ played[:, :, 0, :P]
            standing = after.swapaxes(0, 1)[:, :, None]
