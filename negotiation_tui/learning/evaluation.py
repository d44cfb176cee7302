"""Testing seats against each other: both play as they are, nothing is learned.

`evaluate` plays by the rules. `evaluate_as_published` repeats what the original printed, with the two
slips of its test: the opener never notices the answers it gets, and the wallets still hold what
the last training cycle left in them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from negotiation_tui.game.negotiation import Transcript, negotiate
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning import kernel
from negotiation_tui.learning.backend import PLAIN, Backend, UniformStream, play, policy_seat
from negotiation_tui.learning.kernel import SeatArrays
from negotiation_tui.learning.schedules import NOBODY_LEARNS, Schedule
from negotiation_tui.learning.statistics import CycleStatistics, Totals, add_outcome
from negotiation_tui.runtime.validate import integer
from negotiation_tui.strategies.base import ReadyPlayer
from negotiation_tui.strategies.matchup import tables_of

NEGOTIATIONS = 1000
"""How many the original plays, half of them opened by the seller."""
CHUNK = 100_000


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The counts of a test, and the wallets as they would be printed."""

    __test__ = False  # not a test case, whatever pytest makes of the name

    rule: str
    totals: Totals
    left_over: int
    last_negotiation: Transcript

    @property
    def seller_wallet(self) -> int:
        """What the seller's wallet shows after the test."""
        return self.left_over + self.totals.paid

    @property
    def buyer_wallet(self) -> int:
        """What the buyer's wallet shows after the test."""
        return -self.seller_wallet

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "rule": self.rule,
            **self.totals.to_dict(),
            "seller_wallet": self.seller_wallet,
            "buyer_wallet": self.buyer_wallet,
        }


def evaluate(
    scenario: Scenario,
    seller: ReadyPlayer,
    buyer: ReadyPlayer,
    rng: np.random.Generator,
    negotiations: int = NEGOTIATIONS,
    backend: Backend = PLAIN,
) -> Evaluation:
    """Play negotiations by the rules; the seller opens first where openers alternate.

    Raises BadInputError for less than one negotiation.
    """
    integer("negotiations", negotiations, 1)
    opener = scenario.opener
    if tables := tables_of(scenario, seller, buyer):
        totals, last = _play_tables(backend, scenario, tables, rng, negotiations, opener)
    else:
        row = np.zeros(kernel.N_STATISTICS, np.int64)
        for k in range(negotiations):
            last = negotiate(scenario, seller, buyer, opener.role(k), rng)
            add_outcome(row, last.outcome)
        totals = Totals(*row.tolist())
    return Evaluation("corrected", totals, 0, last)


evaluate.__test__ = False  # type: ignore[attr-defined]


def outcomes(
    scenario: Scenario,
    seller: ReadyPlayer,
    buyer: ReadyPlayer,
    rng: np.random.Generator,
    opener: Role,
    negotiations: int,
    backend: Backend = PLAIN,
) -> tuple[CycleStatistics, Transcript]:
    """Play negotiations that one role opens, each counted by itself; and the last of them.

    Raises BadInputError for less than one negotiation.
    """
    integer("negotiations", negotiations, 1)
    if tables := tables_of(scenario, seller, buyer):
        seats = _seats(backend, tables)
        draws, opened, parts = UniformStream(rng), Opener.of(opener), []
        for start in range(0, negotiations, CHUNK):
            never = np.zeros(min(CHUNK, negotiations - start))
            schedule = Schedule(NOBODY_LEARNS, opened, never, episodes=1)
            played = play(backend, scenario, seats, schedule, draws)
            parts.append(played.statistics)
        return CycleStatistics(np.concatenate(parts)), played.transcript
    counts = np.zeros((negotiations, kernel.N_STATISTICS), np.int64)
    for row in counts:
        last = negotiate(scenario, seller, buyer, opener, rng)
        add_outcome(row, last.outcome)
    return CycleStatistics(counts), last


def evaluate_as_published(
    scenario: Scenario,
    seller: TabularPolicy,
    buyer: TabularPolicy,
    rng: np.random.Generator,
    negotiations: int = NEGOTIATIONS,
    left_over: int = 0,
    backend: Backend = PLAIN,
) -> Evaluation:
    """Play negotiations as the original did.

    The opener stays in state `s`: it repeats its opening, drawn anew among ties, and never
    accepts. `left_over` is what the seller's wallet gained in the last training cycle.
    Raises BadInputError for less than one negotiation.
    """
    integer("negotiations", negotiations, 1)
    first = -(-negotiations // 2)
    stuck = _stuck(seller), buyer
    parts = [_play_tables(backend, scenario, stuck, rng, first, Opener.SELLER)]
    if negotiations > 1:
        rest = negotiations - first
        stuck = seller, _stuck(buyer)
        parts.append(_play_tables(backend, scenario, stuck, rng, rest, Opener.BUYER))
    return Evaluation("as-published", _sum(totals for totals, _ in parts), left_over, parts[-1][1])


def evaluate_both(
    scenario: Scenario,
    seller: ReadyPlayer,
    buyer: ReadyPlayer,
    rng: np.random.Generator,
    left_over: int,
    backend: Backend = PLAIN,
) -> tuple[Evaluation, ...]:
    """By the rules; then as published too, where both are tables."""
    corrected = evaluate(scenario, seller, buyer, rng, backend=backend)
    if tables := tables_of(scenario, seller, buyer):
        published = evaluate_as_published(
            scenario, *tables, rng, left_over=left_over, backend=backend
        )
        return corrected, published
    return (corrected,)


evaluate_as_published.__test__ = False  # type: ignore[attr-defined]


def _stuck(policy: TabularPolicy) -> TabularPolicy:
    """What a policy does that always believes to be in state `s`."""
    rows = len(policy.n_actions)
    return replace(
        policy,
        actions=np.repeat(policy.actions[:1], rows, axis=0),
        n_actions=np.repeat(policy.n_actions[:1], rows),
    )


def _play_tables(
    backend: Backend,
    scenario: Scenario,
    tables: tuple[TabularPolicy, TabularPolicy],
    rng: np.random.Generator,
    negotiations: int,
    opener: Opener,
) -> tuple[Totals, Transcript]:
    """Play from tables."""
    seats = _seats(backend, tables)
    draws = UniformStream(rng)
    counts = np.zeros((1, kernel.N_STATISTICS), np.int64)
    for start in range(0, negotiations, CHUNK):
        never = np.zeros(min(CHUNK, negotiations - start))
        schedule = Schedule(NOBODY_LEARNS, opener, never, start)
        played = play(backend, scenario, seats, schedule, draws)
        counts += played.statistics
    return CycleStatistics(counts).total, played.transcript


def _seats(backend: Backend, tables: tuple[TabularPolicy, TabularPolicy]) -> list[SeatArrays]:
    """Both tables in the backend's form."""
    return [backend.seat(policy_seat(tables[role], role)) for role in Role]


def _sum(parts: Iterable[Totals]) -> Totals:
    counts = [
        (
            t.agreements_seller,
            t.agreements_buyer,
            t.breakdowns_seller,
            t.breakdowns_buyer,
            t.paid,
            t.rounds,
        )
        for t in parts
    ]
    return Totals(*(sum(column) for column in zip(*counts, strict=True)))
