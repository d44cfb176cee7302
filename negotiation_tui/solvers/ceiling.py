"""Compute the most that negotiations with hidden limits can be worth to both roles together.

The *first best* is the surplus of all pairs of limits that can trade. If each role knows its own
limit alone, no rule need reach it (Myerson and Satterthwaite 1983, corollary 1). The *ceiling* is
the most that a direct mechanism reaches (their section 4, here for a finite number of limits): each
role reports a limit, then the pair trades with a chance x and pays, such that

- each limit gains at least 0 (interim individual rationality),
- no limit gains by reporting another one (interim incentive compatibility),
- the seller gets what the buyer pays (balanced budget).

Payments may be any amounts; the grid does not bind them. Trade follows the rules: only a pair of
limits with a price of the grid that both accept can trade. Nothing is discounted.

The linear program has as variables the chance x of each pair and the gain U of each limit. Let θ be
the worth of trading to a limit, which is the buyer's limit, or minus the seller's, and X the
limit's chance of trading. It suffices that neighbours θ < θ' of a role do not report each other,

    (θ' − θ) · X  ≤  U' − U  ≤  (θ' − θ) · X'

and payments with a balanced budget exist if the mean gains of both roles sum to the mean surplus.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TOLERANCE = 1e-10
"""The accuracy of the linear program; HiGHS takes none below."""

Floats = NDArray[np.float64]


class _Limits(NamedTuple):
    """The limits of a role that are ever drawn, by increasing worth of trading."""

    worth: Floats
    """From 0 to 1 for a buyer, −1 to 0 for a seller, in the unit of rewards.

    A limit that is beyond all of the other role gains nothing by trading, however far beyond.
    """
    chances: Floats
    first: NDArray[np.int64]
    """The lowest price that each limit accepts, as an index of the grid."""
    stop: NDArray[np.int64]
    """The index after that of the highest."""

    @classmethod
    def of(cls, scenario: Scenario, role: Role) -> "_Limits":
        limits, views = scenario.limits[role], scenario.views[role]
        values = np.array([view.limit(role) for view in views], np.float64)
        worth = np.clip((values - scenario.reservation_values[0]) / scenario.width, 0, 1)
        chances = limits.chances if limits else np.ones(1)
        offers = [view.offers(role) for view in views]
        ends = np.array([(each.start, each.stop) for each in offers])
        sign = -1 if role is Role.SELLER else 1
        drawn = np.flatnonzero(chances)[::sign]
        return cls(sign * worth[drawn], chances[drawn], *ends[drawn].T)


class _Pairs(NamedTuple):
    """All pairs of limits. Arrays have the shape (limits of the seller, limits of the buyer)."""

    seller: _Limits
    buyer: _Limits

    @classmethod
    def of(cls, scenario: Scenario) -> "_Pairs":
        return cls(*(_Limits.of(scenario, role) for role in Role))

    @property
    def tradable(self) -> NDArray[np.bool_]:
        """True for a pair with a price of the grid that both accept."""
        first = np.maximum.outer(self.seller.first, self.buyer.first)
        tradable: NDArray[np.bool_] = first < np.minimum.outer(self.seller.stop, self.buyer.stop)
        return tradable

    @property
    def surplus(self) -> Floats:
        """The worth of trading to both, times the chance that the pair is drawn."""
        worth = np.add.outer(self.seller.worth, self.buyer.worth)
        surplus: Floats = worth * np.outer(self.seller.chances, self.buyer.chances)
        return surplus


def first_best(scenario: Scenario) -> float:
    """Return the mean surplus of a negotiation if every pair of limits trades that gains by it.

    Surplus is the sum of both rewards, so without hidden limits it is 1 or 0.
    """
    pairs = _Pairs.of(scenario)
    return float(np.maximum(pairs.surplus, 0)[pairs.tradable].sum())


@lru_cache(maxsize=16)
def ceiling(scenario: Scenario) -> float:
    """Return the most that a mechanism can reach of the mean surplus; see the module.

    If play is worth more, undiscounted, then some limit would gain by playing as another one does.
    Raises BadInputError if scipy is not installed.
    """
    try:
        from scipy import sparse
        from scipy.optimize import linprog
    except ImportError:
        raise BadInputError(
            "the ceiling needs scipy: pip install 'negotiation-tui[theory]'"
        ) from None
    seller, buyer = pairs = _Pairs.of(scenario)
    n, m = pairs.surplus.shape
    # A limit's chance of trading, from the chances of its pairs.
    of_seller = sparse.csr_array(sparse.kron(sparse.eye_array(n), buyer.chances[None]))
    of_buyer = sparse.csr_array(sparse.kron(seller.chances[None], sparse.eye_array(m)))
    rows = (
        _truthful(seller.worth, of_seller, np.eye(n, n + m)),
        _truthful(buyer.worth, of_buyer, np.eye(m, n + m, n)),
    )
    surplus, reachable = pairs.surplus.ravel(), pairs.tradable.ravel()
    unit = abs(surplus).max(initial=0) or 1  # the tolerance is absolute
    solved = linprog(
        np.concatenate([-surplus / unit, np.zeros(n + m)]),
        A_ub=sparse.vstack(rows),
        b_ub=np.zeros(2 * (n + m - 2)),
        A_eq=np.concatenate([-surplus, seller.chances, buyer.chances])[None],
        b_eq=[0.0],
        bounds=[*((0, each) for each in reachable), *[(0, None)] * (n + m)],
        method="highs",
        options={
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
        },
    )
    return min(max(0.0, -float(solved.fun) * unit), first_best(scenario))


def _truthful(worth: Floats, trading: "csr_array", gains: Floats) -> "csr_array":
    """Return rows that are at most 0 if no limit of a role gains by reporting its neighbour.

    `trading` and `gains` find each limit's chance of trading and gain among the variables.
    """
    from scipy import sparse

    gaps, more = np.diff(worth)[:, None], np.diff(gains, axis=0)
    return sparse.vstack(
        [
            sparse.hstack([trading[:-1].multiply(gaps), -more]),
            sparse.hstack([-trading[1:].multiply(gaps), more]),
        ]
    )
