"""Test two players against each other; none of them learns.

`evaluate` plays by the rules. `evaluate_as_published` repeats the original's test with its two
mistakes: the opener never notices the answers to its offers, and the wallets still contain what
the last training cycle left in them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.limits import LimitStream
from negotiation_tui.game.negotiation import Transcript, negotiate
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.backend import PLAIN, Backend, UniformStream
from negotiation_tui.learning.population import Population
from negotiation_tui.learning.schedules import NOBODY_LEARNS, Schedule
from negotiation_tui.learning.statistics import CycleStatistics, Totals, add_negotiation, n_columns
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.runtime.validate import integer
from negotiation_tui.strategies.base import ReadyPlayer
from negotiation_tui.strategies.matchup import tables_of

TEST_NEGOTIATIONS = 1000  # negotiations in the original's test; the seller opens half of them
_CHUNK = 100_000


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of a test: its counts, and the wallets as the original prints them."""

    rule: str
    totals: Totals
    left_over: int  # content of the seller's wallet before the test
    last_negotiation: Transcript

    @property
    def seller_wallet(self) -> int:
        return self.left_over + self.totals.paid

    @property
    def buyer_wallet(self) -> int:
        return -self.seller_wallet

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values; the mean rewards, too, if prices do not tell them."""
        scenario, values = self.last_negotiation.scenario.origin, self.totals.to_dict()
        values |= {"seller_wallet": self.seller_wallet, "buyer_wallet": self.buyer_wallet}
        if scenario.hidden or scenario.time_costs:
            seller, buyer = self.totals.mean_rewards(scenario)
            values |= {"seller_mean_reward": seller, "buyer_mean_reward": buyer}
        return {"rule": self.rule, **values}


def evaluate(
    scenario: Scenario,
    seller: ReadyPlayer,
    buyer: ReadyPlayer,
    rng: "np.random.Generator",
    negotiations: int = TEST_NEGOTIATIONS,
    backend: Backend = PLAIN,
) -> Evaluation:
    """Play negotiations by the rules; if openers alternate, the seller opens the first."""
    integer("negotiations", negotiations, 1)
    players = seller, buyer
    counts, last = _play(backend, scenario, players, rng, scenario.opener, negotiations)
    return Evaluation("corrected", CycleStatistics(counts).total, 0, last)


def outcomes(
    scenario: Scenario,
    seller: ReadyPlayer,
    buyer: ReadyPlayer,
    rng: "np.random.Generator",
    opener: Role,
    limits: NDArray[np.int32],
    backend: Backend = PLAIN,
) -> tuple[CycleStatistics, Transcript]:
    """Play negotiations that one role opens; return statistics per negotiation and the last one.

    `limits` holds the indices of both limits in each negotiation, zeros without hidden ones.
    """
    n, opens = integer("negotiations", len(limits), 1), Opener.of(opener)
    counts, last = _play(backend, scenario, (seller, buyer), rng, opens, n, limits, episodes=1)
    return CycleStatistics(counts), last


def evaluate_as_published(
    scenario: Scenario,
    seller: TabularPolicy,
    buyer: TabularPolicy,
    rng: "np.random.Generator",
    negotiations: int = TEST_NEGOTIATIONS,
    left_over: int = 0,
    backend: Backend = PLAIN,
) -> Evaluation:
    """Play negotiations as the original's test does.

    The opener stays in state `s`: at each turn it draws one of its best opening offers, and never
    accepts. `left_over` is the seller's gain in the last training cycle.
    """
    integer("negotiations", negotiations, 1)
    first, halves = -(-negotiations // 2), []
    for opener, n in ((Opener.SELLER, first), (Opener.BUYER, negotiations - first)):
        if n:
            sells = opener is Opener.SELLER
            tables = (_stuck_in_start(seller), buyer) if sells else (seller, _stuck_in_start(buyer))
            counts, last = _play(backend, scenario, tables, rng, opener, n)
            halves.append(counts)
    counts = np.concatenate(halves)
    return Evaluation("as-published", CycleStatistics(counts).total, left_over, last)


def evaluate_both(
    scenario: Scenario,
    seller: ReadyPlayer,
    buyer: ReadyPlayer,
    rng: "np.random.Generator",
    left_over: int,
    backend: Backend = PLAIN,
) -> tuple[Evaluation, ...]:
    """Test by the rules, and also as published if both players have tables."""
    corrected = evaluate(scenario, seller, buyer, rng, backend=backend)
    if tables := tables_of(scenario, seller, buyer):
        more = evaluate_as_published(scenario, *tables, rng, left_over=left_over, backend=backend)
        return corrected, more
    return (corrected,)


def _stuck_in_start(policy: TabularPolicy) -> TabularPolicy:
    """Return the policy that plays in every state as in state `s`, of each limit's table."""
    n, weights = len(policy.n_actions) // policy.n_tables, policy.weights
    return replace(
        policy,
        actions=np.repeat(policy.actions[::n], n, axis=0),
        n_actions=np.repeat(policy.n_actions[::n], n),
        weights=None if weights is None else np.repeat(weights[::n], n, axis=0),
    )


def _play(
    backend: Backend,
    scenario: Scenario,
    players: tuple[ReadyPlayer, ReadyPlayer],
    rng: "np.random.Generator",
    opener: Opener,
    negotiations: int,
    limits: NDArray[np.int32] | None = None,
    episodes: int = 1 << 62,
) -> tuple[NDArray[np.int64], Transcript]:
    """Return counts with one row per `episodes`, and the last negotiation.

    Hidden limits are drawn, unless `limits` holds their indices in each negotiation.
    """
    tables = tables_of(scenario, *players)
    if tables is None:
        one_by_one = np.zeros((-(-negotiations // episodes), n_columns(scenario)), np.int64)
        for k in range(negotiations):
            game = scenario if limits is None else scenario.drawn(*limits[k].tolist())
            last = negotiate(game, *players, opener.role(k), rng)
            add_negotiation(one_by_one[k // episodes], last)
        return one_by_one, last
    stream = None
    if scenario.hidden and limits is None:
        stream = LimitStream(scenario.limits, int(rng.integers(1 << 62)))
    population, draws, counts = Population(scenario, backend), UniformStream(rng), []
    for role in Role:
        population.play_table(role, tables[role])
    for start in range(0, negotiations, _CHUNK):
        stop = min(negotiations, start + _CHUNK)
        drawn = stream.pairs(start, stop) if stream else None
        if scenario.hidden and limits is not None:
            drawn = limits[start:stop]
        schedule = Schedule(
            NOBODY_LEARNS, opener, np.zeros(stop - start), start, episodes, limit_pairs=drawn
        )
        batch = population.play(schedule, draws)
        counts.append(batch.counts)
    return np.concatenate(counts), batch.transcript
