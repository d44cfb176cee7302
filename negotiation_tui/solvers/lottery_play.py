"""Compute how two stacks of tables play against each other in a game with hidden limits, exactly.

Each pair of limits is a plain game. All pairs are played at once, ply by ply, as probabilities of
the offer on the table. So the limits' earnings follow, what they would earn by pretending to be
another limit, and the part of the possible surplus that is reached.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import Floats, TabularPolicy
from negotiation_tui.solvers.belief_answers import Stakes
from negotiation_tui.solvers.beliefs import in_all_tables, prior
from negotiation_tui.solvers.surplus import Pairs, first_best


@dataclass(frozen=True, eq=False)
class LotteryPlay:
    """The deals of two tables per pair of limits: S limits of the seller, B of the buyer.

    The first index of every array is the role that opens.
    """

    scenario: Scenario
    between: Floats
    """The probability of a deal at each price for each pair of limits, shape (2, S, B, P)."""
    deals: tuple[Floats, Floats]
    """For each limit of a role: the probability of a deal at each ply and price, shape
    (2, L, 2·T, P). It is a mean over the limits of the other role."""

    def worth(self, role: Role, discount_rate: float) -> Floats:
        """The expected return of each limit with the table of each limit, shape (2, L, L).

        The second index is the limit that pretends, the third the limit whose table it plays.
        """
        plies = np.arange(self.deals[role].shape[2])
        rewards = Stakes.of(self.scenario, role).rewards
        worth = []
        for opener in Role:
            earlier = plies // 2 - (0 if role is opener else 1 - plies % 2)
            discounts = discount_rate ** np.maximum(earlier, 0)
            by_price = np.tensordot(self.deals[role][opener], discounts, (1, 0))
            worth.append((by_price @ rewards).T)
        return np.array(worth)

    def interim(self, role: Role, discount_rate: float) -> Floats:
        """The expected return of each limit of a role with its own table, shape (2, L)."""
        return np.diagonal(self.worth(role, discount_rate), axis1=1, axis2=2)

    def pretending(self, role: Role, discount_rate: float = 1.0, beyond: bool = False) -> Floats:
        """The gain of each limit of a role from playing another limit's table, shape (L,).

        It is a mean over the openers, and 0 where no table is better than its own. A limit can
        play tables whose prices it accepts; with `beyond` any table, also at a loss.
        """
        worth = self._mean(self.worth(role, discount_rate))
        if not beyond:
            offers = [view.offers(role) for view in self.scenario.views[role]]
            legal = [
                [mine.start <= o.start and o.stop <= mine.stop for o in offers] for mine in offers
            ]
            worth = np.where(legal, worth, -np.inf)
        gains: Floats = np.maximum(worth.max(axis=1) - np.diagonal(worth), 0.0)
        return gains

    def mean_pretending(self, role: Role) -> float:
        """The mean gain of a role's limits from any table of the role, undiscounted."""
        return float(prior(self.scenario, role).chances @ self.pretending(role, beyond=True))

    @cached_property
    def deal(self) -> Floats:
        """The probability of a deal for each pair of limits, shape (S, B), mean over openers."""
        return self._mean(self.between.sum(axis=-1))

    @cached_property
    def surplus(self) -> float:
        """The expected sum of both rewards, without a discount."""
        chances, surplus, _ = Pairs.of(self.scenario)
        return float((chances * surplus * self.deal).sum())

    @property
    def efficiency(self) -> float | None:
        """The surplus as a share of `first_best`; None if nothing can be gained."""
        best = first_best(self.scenario)
        return self.surplus / best if best > 0 else None

    def _mean(self, by_opener: Floats) -> Floats:
        mean: Floats = by_opener[list(self.scenario.opener.roles)].mean(axis=0)
        return mean


def lottery_play(scenario: Scenario, seller: TabularPolicy, buyer: TabularPolicy) -> LotteryPlay:
    """Return how two tables play; a scenario without hidden limits has one limit per role."""
    tables, chances = (seller, buyer), [prior(scenario, role).chances for role in Role]
    plies, P = 2 * scenario.rounds, scenario.n_prices
    between = np.zeros((2, len(chances[0]), len(chances[1]), P))
    deals = [np.zeros((2, len(each), plies, P)) for each in chances]
    for opener in Role:
        for ply, made in enumerate(_deals(scenario, tables, opener), 1):
            between[opener] += made
            deals[0][opener, :, ply] = np.tensordot(made, chances[1], (1, 0))
            deals[1][opener, :, ply] = np.tensordot(made, chances[0], (0, 0))
    return LotteryPlay(scenario, between, (deals[0], deals[1]))


def _deals(
    scenario: Scenario, tables: tuple[TabularPolicy, TabularPolicy], opener: Role
) -> Iterator[Floats]:
    """Yield the probability of a deal at each ply from 1 on, shape (S, B, P)."""
    P, remembered = scenario.n_prices, any(table.remembers_own_offer for table in tables)
    # Probabilities by limit of who moves, limit of the other, own last offer, standing offer.
    opening = in_all_tables(tables[opener], np.array(START))[:, :P]
    standing = np.repeat(opening[None], tables[opener.other].n_tables, axis=0)[:, :, None]
    for ply in range(1, 2 * scenario.rounds):
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
        made = (by_offer * played[..., None, :, scenario.accept]).sum(axis=-1)
        yield made.transpose((0, 2, 1) if role is Role.SELLER else (2, 0, 1))
        if remembered:
            after = by_offer @ played[..., :P]
            standing = after.transpose(2, 0, 1, 3)
        else:
            after = by_offer[..., 0].swapaxes(1, 2) @ played[:, :, 0, :P]
            standing = after.swapaxes(0, 1)[:, :, None]
