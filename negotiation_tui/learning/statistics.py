"""Statistics: agreements and breakdowns by the role that ended them, wallets, rounds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import loop
from negotiation_tui.learning.loop import LIMITS
from negotiation_tui.learning.q_table import MOST_COUNT
from negotiation_tui.runtime.arrays import Floats, Ints
from negotiation_tui.runtime.validate import integer, number, refusal

Learners = tuple[tuple[int, tuple[Role, Role] | None], ...]
"""Each time the learners changed: the first cycle, from 0, and the roles that learn from it on in
even and in odd cycles; None if no role learns, or both in every cycle."""
Counts = NDArray[Any]
"""Rows of the columns of `loop`: integers, or with time costs floats."""
NO_COUNTS: Counts = np.zeros((0, loop.N_COUNTS), np.int64)
NO_SINGLE_LEARNER = -1
MOST_ROWS = 100_000
"""The most rows of counts that a training keeps, 48 bytes each: one per cycle up to that number of
cycles, then one per 2 cycles, per 4 and so on, so that memory does not grow with the training."""


@dataclass(frozen=True, eq=False, slots=True)
class CycleStatistics:
    """Counts per cycle or, after MOST_ROWS cycles, sums over `period` cycles."""

    counts: Counts  # shape (rows, columns): those of `loop`, see `no_counts`
    period: int = 1  # cycles per row; the last row may hold fewer
    latest: Counts | None = None  # the counts of the last cycle; None if they are the last row

    @property
    def last_cycle(self) -> Counts:
        return self.counts[-1:].sum(axis=0) if self.latest is None else self.latest

    @property
    def cycles(self) -> Ints:
        """For each row the number of its last cycle, from 1; it may not have been played yet."""
        return self.period * np.arange(1, len(self.counts) + 1)

    @property
    def agreements(self) -> Ints:
        """Shape (rows, 2): deals, by the role that accepted, seller first."""
        return self.counts[:, loop.AGREEMENTS : loop.AGREEMENTS + 2].astype(np.int64)

    @property
    def breakdowns(self) -> Ints:
        """Shape (rows, 2): negotiations without a deal, by the role that walked away."""
        return self.counts[:, loop.BREAKDOWNS : loop.BREAKDOWNS + 2].astype(np.int64)

    @property
    def wallets(self) -> Ints:
        """Shape (rows, 2): sum of the prices received, seller first; the buyer's is negative."""
        paid = self.counts[:, loop.PRICES].astype(np.int64)
        return np.stack([paid, -paid], axis=1)

    @property
    def deals(self) -> Ints:
        deals: Ints = np.add(*self.agreements.T)
        return deals

    @property
    def negotiations(self) -> Ints:
        breakdowns: Ints = np.add(*self.breakdowns.T)
        return self.deals + breakdowns

    @property
    def deal_rates(self) -> Floats:
        """Shape (rows,): share of negotiations that ended in agreement, NaN without any."""
        return _ratio(self.deals, self.negotiations)

    @property
    def mean_prices(self) -> Floats:
        """Shape (rows,): mean price of a deal, NaN without deals."""
        return _ratio(self.counts[:, loop.PRICES], self.deals)

    @property
    def mean_rounds(self) -> Floats:
        """Shape (rows,): mean number of rounds to a deal, NaN without deals."""
        return _ratio(self.counts[:, loop.ROUNDS], self.deals)

    def mean_rewards(self, scenario: Scenario) -> Floats:
        """Return shares of the whole surplus per negotiation, shape (rows, 2); NaN without any."""
        if column := gains_column(scenario):
            return _ratio(self.counts[:, column:], self.negotiations[:, None])
        paid, given = self.counts[:, loop.PRICES], self.limits_of_deals(scenario)
        gained = np.stack([paid - given[:, 0], given[:, 1] - paid], axis=1)
        return _ratio(gained, scenario.width * self.negotiations[:, None])

    def limits_of_deals(self, scenario: Scenario) -> Ints:
        """Return the sums of the limits of those who made a deal, shape (rows, 2)."""
        if scenario.hidden:
            return self.counts[:, LIMITS : LIMITS + 2].astype(np.int64)
        return np.array(scenario.reservation_values) * self.deals[:, None]

    def learner_of_rows(self, learners: Learners) -> Ints:
        """Return the role that learned in each row; NO_SINGLE_LEARNER for none or both."""
        found = np.full(len(self.counts), NO_SINGLE_LEARNER, np.int64)
        for first, roles in learners:
            row = first // self.period
            even, odd = (NO_SINGLE_LEARNER,) * 2 if roles is None else roles
            if self.period == 1:
                found[row + row % 2 :: 2], found[row + (row + 1) % 2 :: 2] = even, odd
            else:
                found[row:] = even if even == odd else NO_SINGLE_LEARNER
                if first % self.period:
                    found[row : row + 1] = NO_SINGLE_LEARNER
        return found

    @property
    def left_over(self) -> int:
        return int(self.last_cycle[loop.PRICES])

    def to_dict(self) -> dict[str, Any]:
        """Return counts and wallets by name, one number per row, and `cycles_per_row` above 1."""
        names = ("agreements_seller", "agreements_buyer", "breakdowns_seller", "breakdowns_buyer")
        columns = np.hstack([self.agreements, self.breakdowns, self.wallets]).T.tolist()
        lists = dict(zip((*names, "seller_wallet", "buyer_wallet"), columns, strict=True))
        more = self.counts[:, LIMITS:].T.tolist()
        if more and self.counts.dtype != np.int64:
            lists |= zip(("seller_rewards", "buyer_rewards"), more[-2:], strict=True)
            del more[-2:]
        lists |= zip(("seller_limits_of_deals", "buyer_limits_of_deals"), more, strict=False)
        return lists if self.period == 1 else {"cycles_per_row": self.period, **lists}

    @property
    def total(self) -> "Totals":
        """The sums over all cycles."""
        sums, rewards = self.counts.sum(axis=0), None
        if sums.dtype != np.int64:
            sums, rewards = sums[:-2], pair(sums[-2:].tolist())
        return Totals(*(int(n) for n in sums), rewards=rewards)


class CycleCounts:
    def __init__(self, none: Counts = NO_COUNTS) -> None:
        """`none` are the counts of no cycle, see `no_counts`."""
        self._none = none
        self._rows, self._latest = _zeros(none, 64), none.sum(axis=0)
        self._cycles = 0  # number of cycles that have begun
        self._period = 1

    def add(self, first: int, counts: Counts) -> None:
        """Add counts of consecutive cycles; `first` may have begun before."""
        goes_on = len(counts) == 1 and first < self._cycles
        self._latest = counts[-1] + self._latest if goes_on else counts[-1].copy()
        self._cycles = first + len(counts)
        while self._n_rows > MOST_ROWS:
            even = np.pad(self._rows, ((0, len(self._rows) % 2), (0, 0)))
            self._rows = even.reshape(-1, 2, self._none.shape[1]).sum(axis=1)
            self._period *= 2
        if self._n_rows > len(self._rows):
            self._rows = np.concatenate([self._rows, _zeros(self._none, self._n_rows)])[:MOST_ROWS]
        if self._period > 1:
            rows = np.arange(first, self._cycles) // self._period
            counts = np.add.reduceat(counts, np.flatnonzero(np.diff(rows, prepend=-1)))
        self._rows[first // self._period : self._n_rows] += counts

    def sums(self) -> tuple[int, Counts, Counts]:
        """Return the number of cycles begun, and the counts of all and of the last of them."""
        return self._cycles, self._rows[: self._n_rows].sum(axis=0), self._latest.copy()

    def up_to(self, cycles: int, total: Counts, latest: Counts) -> "CycleCounts":
        """Return the counts at an earlier moment, whose `sums` are given, in rows as now."""
        earlier = CycleCounts(self._none)
        earlier._cycles, earlier._latest, earlier._period = cycles, latest.copy(), self._period
        whole = max(0, earlier._n_rows - 1)
        earlier._rows = _zeros(self._none, max(64, whole + 1))
        earlier._rows[:whole] = self._rows[:whole]
        earlier._rows[whole] = total - self._rows[:whole].sum(axis=0)
        return earlier

    @property
    def _n_rows(self) -> int:
        return -(-self._cycles // self._period)

    def statistics(self) -> CycleStatistics:
        rows = self._rows[: self._n_rows].copy()
        latest = None if self._period == 1 else self._latest
        rows.flags.writeable = self._latest.flags.writeable = False
        return CycleStatistics(rows, self._period, latest)


@dataclass(frozen=True, slots=True)
class Totals:
    agreements_seller: int = 0
    agreements_buyer: int = 0
    breakdowns_seller: int = 0
    breakdowns_buyer: int = 0
    paid: int = 0  # sum of the agreed prices: the seller's wallet, and minus the buyer's
    rounds: int = 0  # sum of the rounds to each deal
    limits_seller: int = 0  # sum of the limits of the sellers who made a deal, if limits are hidden
    limits_buyer: int = 0  # the sum for buyers
    rewards: tuple[float, float] | None = field(default=None, kw_only=True)
    """With time costs: the sums of the rewards, seller first."""

    @property
    def deals(self) -> int:
        return self.agreements_seller + self.agreements_buyer

    @property
    def breakdowns(self) -> int:
        return self.breakdowns_seller + self.breakdowns_buyer

    @property
    def negotiations(self) -> int:
        return self.deals + self.breakdowns

    @property
    def mean_price(self) -> float | None:
        return self.paid / self.deals if self.deals else None

    @property
    def mean_rounds(self) -> float | None:
        return self.rounds / self.deals if self.deals else None

    def mean_rewards(self, scenario: Scenario) -> tuple[float, float]:
        """Return each role's mean reward per negotiation."""
        if self.rewards is not None:
            return pair(each / self.negotiations for each in self.rewards)
        limits: Sequence[int] = self.limits_seller, self.limits_buyer
        if not scenario.hidden:
            limits = [limit * self.deals for limit in scenario.reservation_values]
        divisor = scenario.width * self.negotiations
        return (self.paid - limits[0]) / divisor, (limits[1] - self.paid) / divisor

    def to_dict(self) -> dict[str, Any]:
        names = ["agreements_seller", "agreements_buyer", "breakdowns", "breakdowns_seller"]
        names += ["breakdowns_buyer", "mean_price", "mean_rounds"]
        counts = {"negotiations": self.negotiations, "agreements": self.deals}
        return counts | {name: getattr(self, name) for name in names}


def _ratio(amounts: Counts, numbers: Ints) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(amounts / numbers, np.float64)


def add_negotiation(row: Counts, transcript: Transcript) -> None:
    """Add one negotiation to a row of counts, as `no_counts` makes it for its scenario."""
    outcome, scenario = transcript.outcome, transcript.scenario.origin
    if outcome.price is None:
        row[loop.BREAKDOWNS + outcome.closer] += 1
        return
    row[loop.AGREEMENTS + outcome.closer] += 1
    row[loop.PRICES] += outcome.price
    row[loop.ROUNDS] += outcome.round + 1
    if scenario.hidden:
        row[LIMITS : LIMITS + 2] += transcript.scenario.reservation_values
    if column := gains_column(scenario):
        row[column:] += [transcript.reward(role) for role in Role]


def counts_of_cycle(name: str, values: object, none: Counts = NO_COUNTS) -> Counts:
    """Return the counts of a cycle from a file; `none` are the counts of no cycle.

    Raises BadInputError unless they are as many numbers, and of its kind.
    """
    columns, whole = none.shape[1], none.dtype == np.int64
    if not isinstance(values, list) or len(values) != columns:
        raise refusal(name, values, f"{columns} {'integers' if whole else 'numbers'}")
    check = integer if whole else number
    return np.array([check(name, value, -MOST_COUNT, MOST_COUNT) for value in values], none.dtype)


def gains_column(scenario: Scenario) -> int:
    """Return the first of the columns of rewards, which only time costs need; 0 without them."""
    return (LIMITS + len(Role) * scenario.hidden) * scenario.time_costs


def no_counts(scenario: Scenario, cycles: int = 0) -> Counts:
    """Return counts of zero per cycle, with the columns of a scenario; see `loop`."""
    columns = loop.N_COUNTS + len(Role) * (scenario.hidden + scenario.time_costs)
    return np.zeros((cycles, columns), np.float64 if scenario.time_costs else np.int64)


def _zeros(none: Counts, rows: int) -> Counts:
    return np.zeros((rows, none.shape[1]), none.dtype)
