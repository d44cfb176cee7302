"""Statistics: agreements and breakdowns by the role that ended them, wallets, rounds."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import loop
from negotiation_tui.learning.loop import LIMITS, REWARDS
from negotiation_tui.runtime.arrays import Floats, Ints
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.validate import integer, refusal

Learners = tuple[tuple[int, tuple[Role, Role] | None], ...]
"""Each time the learners changed: the first cycle, from 0, and the roles that learn from it on in
even and in odd cycles; None if no role learns, or both in every cycle."""
NO_SINGLE_LEARNER = -1
MOST_ROWS = 100_000
"""The most rows of counts that a training keeps, 48 bytes each: one per cycle up to that number of
cycles, then one per 2 cycles, per 4 and so on, so that memory does not grow with the training."""


@dataclass(frozen=True, eq=False, slots=True)
class CycleStatistics:
    """Counts per cycle or, after MOST_ROWS cycles, sums over `period` cycles."""

    rows: Ints  # shape (rows, columns): those of `loop`, see `n_columns`
    period: int = 1  # cycles per row; the last row may hold fewer
    latest: Ints | None = None  # the counts of the last cycle; None if they are the last row
    last: Ints | None = None  # the last row, if it is not among `rows`, which moments share

    @property
    def counts(self) -> Ints:
        """All rows, shape (rows, columns)."""
        return self.rows if self.last is None else np.concatenate([self.rows, self.last])

    @property
    def last_cycle(self) -> Ints:
        last = self.rows[-1:] if self.last is None else self.last
        return last.sum(axis=0) if self.latest is None else self.latest

    @property
    def cycles(self) -> Ints:
        """For each row the number of its last cycle, from 1; it may not have been played yet."""
        return self.period * np.arange(1, len(self.counts) + 1)

    @property
    def agreements(self) -> Ints:
        """Shape (rows, 2): deals, by the role that accepted, seller first."""
        return self.counts[:, loop.AGREEMENTS : loop.AGREEMENTS + 2]

    @property
    def breakdowns(self) -> Ints:
        """Shape (rows, 2): negotiations without a deal, by the role that walked away."""
        return self.counts[:, loop.BREAKDOWNS : loop.BREAKDOWNS + 2]

    @property
    def wallets(self) -> Ints:
        """Shape (rows, 2): sum of the prices received, seller first; the buyer's is negative."""
        paid = self.counts[:, loop.PRICES]
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
        if scenario.time_costs:
            earned = self.counts[:, REWARDS : REWARDS + 2]
            return _ratio(earned, self.negotiations[:, None]) / reward_scale(scenario)
        paid, given = self.counts[:, loop.PRICES], self.limits_of_deals(scenario)
        gained = np.stack([paid - given[:, 0], given[:, 1] - paid], axis=1)
        return _ratio(gained, scenario.width * self.negotiations[:, None])

    def limits_of_deals(self, scenario: Scenario) -> Ints:
        """Return the sums of the limits of those who made a deal, shape (rows, 2)."""
        if scenario.hidden:
            return self.counts[:, LIMITS : LIMITS + 2]
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

    def to_dict(self, scenario: Scenario) -> dict[str, Any]:
        """Return counts and wallets by name, one number per row, and `cycles_per_row` above 1.

        With hidden limits and with time costs also what prices do not tell.
        """
        names = ("agreements_seller", "agreements_buyer", "breakdowns_seller", "breakdowns_buyer")
        columns = np.hstack([self.agreements, self.breakdowns, self.wallets]).T.tolist()
        lists = dict(zip((*names, "seller_wallet", "buyer_wallet"), columns, strict=True))
        if scenario.hidden:
            sums = self.counts[:, LIMITS : LIMITS + 2].T.tolist()
            lists |= zip(("seller_limits_of_deals", "buyer_limits_of_deals"), sums, strict=True)
        if scale := reward_scale(scenario):
            earned = (self.counts[:, REWARDS : REWARDS + 2] / scale).T.tolist()
            lists |= zip(("seller_rewards", "buyer_rewards"), earned, strict=True)
        return lists if self.period == 1 else {"cycles_per_row": self.period, **lists}

    @property
    def total(self) -> "Totals":
        return Totals(*(int(n) for n in self.counts.sum(axis=0)))


class CycleCounts:
    def __init__(self, columns: int = loop.N_COUNTS) -> None:
        """`columns` is the number of counts per cycle, see `n_columns`."""
        self._columns = columns
        self._rows = np.zeros((64, columns), np.int64)
        self._latest = np.zeros(columns, np.int64)
        self._cycles = 0  # number of cycles that have begun
        self._period = 1

    def add(self, first: int, counts: Ints) -> None:
        """Add counts of consecutive cycles; `first` may have begun before."""
        goes_on = len(counts) == 1 and first < self._cycles
        self._latest = counts[-1] + self._latest if goes_on else counts[-1].copy()
        self._cycles = first + len(counts)
        while self._n_rows > MOST_ROWS:
            even = np.pad(self._rows, ((0, len(self._rows) % 2), (0, 0)))
            self._rows = even.reshape(-1, 2, self._columns).sum(axis=1)
            self._period *= 2
        if self._n_rows > len(self._rows):
            more = np.zeros((self._n_rows, self._columns), np.int64)
            self._rows = np.concatenate([self._rows, more])[:MOST_ROWS]
        if self._period > 1:
            rows = np.arange(first, self._cycles) // self._period
            counts = np.add.reduceat(counts, np.flatnonzero(np.diff(rows, prepend=-1)))
        self._rows[first // self._period : self._n_rows] += counts

    def sums(self) -> tuple[int, Ints, Ints]:
        """Return the number of cycles begun, and the counts of all and of the last of them."""
        return self._cycles, self._rows[: self._n_rows].sum(axis=0), self._latest.copy()

    def up_to(self, cycles: int, total: Ints, latest: Ints) -> "CycleCounts":
        """Return the counts at an earlier moment, whose `sums` are given, in rows as now."""
        earlier = CycleCounts(self._columns)
        earlier._cycles, earlier._latest, earlier._period = cycles, latest.copy(), self._period
        whole = max(0, earlier._n_rows - 1)
        earlier._rows = np.zeros((max(64, whole + 1), self._columns), np.int64)
        earlier._rows[:whole] = self._rows[:whole]
        earlier._rows[whole] = total - self._rows[:whole].sum(axis=0)
        return earlier

    @property
    def _n_rows(self) -> int:
        return -(-self._cycles // self._period)

    def statistics(self) -> CycleStatistics:
        """Return the counts so far. Only the last row may change later, so it alone is a copy."""
        whole = max(0, self._n_rows - 1)
        rows, last = self._rows[:whole], self._rows[whole : self._n_rows].copy()
        latest = None if self._period == 1 else self._latest
        rows.flags.writeable = last.flags.writeable = self._latest.flags.writeable = False
        return CycleStatistics(rows, self._period, latest, last)


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
    rewards_seller: int = 0  # with time costs: the sum of rewards, in units of `reward_scale`
    rewards_buyer: int = 0

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
        if scenario.time_costs:
            whole = reward_scale(scenario) * self.negotiations
            return self.rewards_seller / whole, self.rewards_buyer / whole
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


def _ratio(amounts: Ints, numbers: Ints) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(amounts / numbers, np.float64)


def add_negotiation(row: Ints, transcript: Transcript) -> None:
    """Add one negotiation to a row of counts, with limits and rewards if the row counts them."""
    outcome, scenario = transcript.outcome, transcript.scenario
    if outcome.price is None:
        row[loop.BREAKDOWNS + outcome.closer] += 1
        return
    row[loop.AGREEMENTS + outcome.closer] += 1
    row[loop.PRICES] += outcome.price
    row[loop.ROUNDS] += outcome.round + 1
    if scenario.lottery:
        row[LIMITS : LIMITS + 2] += scenario.reservation_values
    if scale := reward_scale(scenario.origin):
        row[REWARDS : REWARDS + 2] += [int(transcript.reward(role) * scale) for role in Role]


def counts_of_cycle(name: str, values: object, columns: int = loop.N_COUNTS) -> Ints:
    """Return the counts of a cycle from a file; raise BadInputError if they are not integers."""
    if not isinstance(values, list) or len(values) != columns:
        raise refusal(name, values, f"{columns} integers")
    return np.array([integer(name, value, -(1 << 62), 1 << 62) for value in values], np.int64)


def n_columns(scenario: Scenario) -> int:
    """Return the number of counts per cycle: some only with hidden limits or time costs."""
    if scenario.time_costs:
        return REWARDS + len(Role)
    return loop.N_COUNTS + (len(Role) if scenario.hidden else 0)


@lru_cache(maxsize=64)
def reward_scale(scenario: Scenario) -> float:
    """Return the units of counted rewards per reward of 1, 0 without time costs.

    Sums of integers do not depend on their order. 10⁹ of the greatest reward stay within 64 bits.
    """
    if not scenario.time_costs:
        return 0.0
    views = ((role, view) for role in Role for view in scenario.views[role])
    ends = [abs(view.reward(role, view.prices[at])) for role, view in views for at in (0, -1)]
    return 2.0**32 / max(ends)
