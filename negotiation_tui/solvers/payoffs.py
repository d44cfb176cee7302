"""Values of deals: to each limit of a role, to both roles together, and the most they can be.

The *surplus* of a deal is the sum of both rewards, the same at every price. The *first best* is the
surplus of all pairs of limits that can trade. If each role knows its own limit alone, a mechanism
on the conditions below need not reach it (Myerson and Satterthwaite 1983, corollary 1). The
*ceiling* is the most that a direct mechanism reaches (their section 4, here for a finite number of
limits): each role reports a limit, then the pair trades with a chance x and pays, such that

- each limit gains at least 0 (interim individual rationality),
- no limit gains by reporting another one (interim incentive compatibility),
- the seller gets what the buyer pays (balanced budget): no money comes from outside.

Payments may be any amounts; the grid does not bind them. Trade follows the rules: only a pair of
limits with a price of the grid that both accept can trade. The surplus is undiscounted. The gains
are discounted: a deal in round n of T counts γⁿ⁻¹ times to both. Then a mechanism may also delay
a deal, and the ceiling is higher, because who waits pays for it. With γ = 1 delay changes nothing.

With time costs a delayed deal is worth less to both roles, first best is to trade at once, and the
surplus is what a deal pays. One δ for both makes a delay no more than a chance of no deal: with
γ = 1 the ceiling is that without time costs. With two δ a delay moves value between the roles, and
a mechanism may reach more. A payment of any amount would then make value from nothing, so only a
deal pays, at a price that both accept and neither loses by: see `_by_offers`. The bound holds for
play without such losses in which no limit gains by playing as another, even beyond its own limit.

Without time costs the linear program has as variables the discounted chance x of each pair, from
γᵀ⁻¹ to 1 times its chance, the rest y of the chance, and the gain U of each limit. Let θ be the
worth of trading to a limit, which is the buyer's limit, or minus the seller's, and X the limit's
discounted chance of trading. It suffices that neighbours θ < θ' of a role do not report each other,

    (θ' − θ) · X  ≤  U' − U  ≤  (θ' − θ) · X'

and payments with a balanced budget exist if the mean gains of both roles sum to the mean
discounted surplus.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from negotiation_tui.errors import BadInputError, BrokenOffError, how_to_install
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Mask
from negotiation_tui.runtime.arrays import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TOLERANCE = 1e-10  # the accuracy of the linear program; HiGHS takes none below
MOST_VARIABLES = 100_000  # of the linear program with two δ: 15 seconds


def rewards(scenario: Scenario, role: Role) -> Floats:
    """The reward of a role for a deal at each price on the first offer, shape (P,)."""
    return np.array([scenario.reward(role, price) for price in scenario.prices])


class Payoffs(NamedTuple):
    """The offers of a role and the rewards of its limits: P prices, O offers, L limits."""

    offers: slice  # the grid indices of all its limits' offers
    rewards: Floats  # the reward of a deal at each price, shape (P, L)
    closing: Floats  # the value of answering each price without an offer, shape (P, L)
    acceptable: Mask  # True if a limit accepts a price, and may offer it, shape (P, L)

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, scenario: Scenario, role: Role) -> "Payoffs":
        views = scenario.views[role]
        earned = np.array([rewards(view, role) for view in views]).T
        acceptable = np.zeros(earned.shape, bool)
        for limit, view in enumerate(views):
            legal = view.offers(role)
            acceptable[legal.start : legal.stop, limit] = True
        offers = scenario.offers(role)
        closing = np.where(acceptable, np.maximum(earned, 0.0), 0.0)
        return cls(slice(offers.start, offers.stop), earned, closing, acceptable)

    @property
    def legal(self) -> Mask:
        """True if a limit may make an offer, shape (O, 1, L)."""
        return self.acceptable[self.offers, None]


class Pairs(NamedTuple):
    """All pairs of limits, in arrays of shape (limits of the seller, limits of the buyer)."""

    chances: Floats  # the probability that a pair is drawn
    surplus: Floats  # the sum of both rewards of a deal; 0 for a pair that cannot trade
    tradable: Mask  # True for a pair with a price of the grid that both accept

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, scenario: Scenario) -> "Pairs":
        sellers, buyers = (Payoffs.of(scenario, role).acceptable for role in Role)
        costs, values = (_limits(scenario, role) for role in Role)
        tradable = np.any(sellers[:, :, None] & buyers[:, None], axis=0)
        surplus = np.where(tradable, (values - costs[:, None]) / scenario.width, 0.0)
        return cls(np.outer(*map(scenario.chances, Role)), surplus, tradable)

    @property
    def possible(self) -> float:
        return float(self.chances[self.tradable].sum())


def _limits(scenario: Scenario, role: Role) -> Floats:
    return np.array([view.limit(role) for view in scenario.views[role]], np.float64)


def first_best(scenario: Scenario) -> float:
    """Return the mean surplus if every pair trades that gains by it and can."""
    chances, surplus, _ = Pairs.of(scenario)
    return float((chances * np.maximum(surplus, 0.0)).sum())


@lru_cache(maxsize=16)
def ceiling(scenario: Scenario, discount_rate: float = 1.0) -> float:
    """Return the most that a mechanism can reach of the mean surplus, undiscounted.

    The mechanism is incentive compatible and individually rational, without outside money.
    Gains are discounted per round, alike for both roles. If play is worth more than the ceiling
    without a discount, then some limit would gain, undiscounted, by playing as another one does.
    Raises BadInputError if scipy is not installed, or if the linear program is too large.
    """
    try:
        from scipy import sparse
    except ImportError:
        raise BadInputError(f"the ceiling needs scipy: {how_to_install('theory')}") from None
    (one, other), best = scenario.delta, first_best(scenario)
    if scenario.hidden and (one != other or one < 1 > discount_rate):
        return min(max(0.0, _by_offers(scenario, discount_rate)), best)
    chances, surplus, tradable = Pairs.of(scenario)
    seller, buyer = map(scenario.chances, Role)
    n, m = chances.shape
    # A limit's chance of trading, from the chances of its pairs.
    of_seller = sparse.csr_array(sparse.kron(sparse.eye_array(n), buyer[None]))
    of_buyer = sparse.csr_array(sparse.kron(seller[None], sparse.eye_array(m)))
    gains, none = np.eye(n + m), sparse.csr_array((2 * (n + m - 2), n * m))
    truths = [
        _truthful(-_worth(scenario, Role.SELLER)[::-1], of_seller[::-1], gains[:n][::-1]),
        _truthful(_worth(scenario, Role.BUYER), of_buyer, gains[n:]),
    ]
    truthful = sparse.vstack(truths, format="csr")
    pairs, least = sparse.eye_array(n * m), discount_rate ** (scenario.rounds - 1)
    delays = sparse.hstack([pairs, pairs]), sparse.hstack([(least - 1) * pairs, least * pairs])
    rows = sparse.hstack([sparse.vstack(delays), sparse.csr_array((2 * n * m, n + m))])
    columns = truthful[:, : n * m], none, truthful[:, n * m :]
    mean_surplus = (chances * surplus).ravel()
    found = _most(
        np.concatenate([mean_surplus, mean_surplus, np.zeros(n + m)]),
        sparse.vstack([sparse.hstack(columns), rows]),
        np.concatenate([np.zeros(2 * (n + m - 2)), tradable.ravel(), np.zeros(n * m)]),
        A_eq=np.concatenate([-mean_surplus, np.zeros(n * m), seller, buyer])[None],
        b_eq=[0.0],
    )
    return min(max(0.0, found), best)


def _most(goal: Floats, rows: "csr_array", most: Floats, **options: object) -> float:
    """Return the maximum of a goal over variables from 0, of which `rows` are at most `most`."""
    from scipy.optimize import linprog

    unit = abs(goal).max() or 1  # the tolerance is absolute
    accuracy = {f"{each}_feasibility_tolerance": TOLERANCE for each in ("primal", "dual")}
    solved = linprog(-goal / unit, rows, most, **options, options=accuracy)
    return -float(solved.fun * unit)


def _by_offers(scenario: Scenario, discount_rate: float) -> float:
    """Return the ceiling if a delay can move value between the roles.

    The variables are the chances that a pair of limits makes a deal on each offer, at the lowest
    and at the highest price at which neither loses. Any price between is a lottery over these two.
    Limits that are never drawn, or never trade, are left out: they constrain nothing.
    """
    from scipy import sparse

    payoffs, chances = [Payoffs.of(scenario, role) for role in Role], Pairs.of(scenario).chances
    seller, buyer = (each.acceptable & (each.rewards > -TOLERANCE) for each in payoffs)
    suits = seller[:, :, None] & buyer[:, None]
    pairs = np.argwhere(suits.any(axis=0) & (chances > 0)).T
    offers, n = np.arange(2 * scenario.rounds - 1), pairs.shape[1]
    size = 2 * len(offers) * n
    if not size:
        return 0.0
    if size > MOST_VARIABLES:
        raise BadInputError(
            f"the ceiling with two delta: expected at most {MOST_VARIABLES:,} chances of deals,"
            f" two per offer and pair of limits, got {size:,}; take fewer limits or rounds"
        )
    suits, grid = suits[:, *pairs], np.array(scenario.prices) / scenario.width
    prices = np.array([grid[::step][suits[::step].argmax(axis=0)] for step in (1, -1)])
    each, goal = np.arange(size), np.zeros((2, len(offers), n))
    rows = [sparse.csr_array((np.ones(size), (each % n, each)))]
    neighbours = slice(-1), slice(1, None)
    for role, sign in zip(Role, (1, -1), strict=True):
        traders, limit_of = np.unique(pairs[role], return_inverse=True)
        limits = _limits(scenario, role)[traders, None] / scenario.width
        left = np.array(scenario.time_factors[role])[offers, None]
        goal += sign * left * (chances[*pairs] * (prices - limits[limit_of, 0]))[:, None]
        # The mean payment to or from each limit, and its chance of trading, both discounted.
        left = left * discount_rate ** ((offers + 1) // 2)[:, None]
        met, at = scenario.chances(role.other)[pairs[role.other]], np.resize(limit_of, size)
        pays, trades = (
            sparse.csr_array(((left * (met * of)[:, None]).ravel(), (at, each)))
            for of in (prices, np.ones(prices.shape))
        )
        truth = sign * (pays - trades.multiply(limits))
        for me, other in (neighbours, neighbours[::-1]):
            pretended = sign * (pays[other] - trades[other].multiply(limits[me]))
            rows.append(pretended - truth[me])
    every = sparse.vstack(rows)
    most = np.array(np.arange(every.shape[0]) < n, np.float64)
    return _most(goal.ravel(), every, most, method="highs-ipm")


def known_ceiling(scenario: Scenario, discount_rate: float = 1.0) -> float | None:
    try:
        return ceiling(scenario, discount_rate)
    except BadInputError:
        return None


@lru_cache(maxsize=16)
def ceiling_shares(scenario: Scenario, discount_rate: float) -> tuple[float | None, float | None]:
    """Return the ceilings without and with a discount, as shares of the first best.

    None if unknown or without hidden limits. A screen loads scipy, 50 MB, in another process.
    """
    from negotiation_tui.runtime.process_pool import in_own_process

    best = first_best(scenario) if scenario.hidden else 0.0
    if not best:
        return None, None
    try:
        most = in_own_process(_known_ceilings, scenario, discount_rate)
    except (BrokenOffError, OSError):  # there is no room for a process
        return None, None
    return pair(None if each is None else each / best for each in most)


def _known_ceilings(scenario: Scenario, discount_rate: float) -> tuple[float | None, float | None]:
    return known_ceiling(scenario), known_ceiling(scenario, discount_rate)


def _worth(scenario: Scenario, role: Role) -> Floats:
    """The limits of a role from 0, the seller's lowest, to 1, the buyer's highest."""
    lowest = scenario.reservation_values[0]
    # A limit beyond these never gains by trading, however far beyond.
    return np.clip((_limits(scenario, role) - lowest) / scenario.width, 0, 1)


def _truthful(worth: Floats, trading: "csr_array", gains: Floats) -> "csr_array":
    """Return rows that are at most 0 if no limit of a role gains by reporting its neighbour."""
    from scipy import sparse

    gaps, more = np.diff(worth)[:, None], np.diff(gains, axis=0)
    rows = [trading[:-1].multiply(gaps), -more], [-trading[1:].multiply(gaps), more]
    return sparse.vstack([sparse.hstack(each) for each in rows])
