"""Facts about hidden limits are checked against play between every pair of limits."""

from collections.abc import Callable

import pytest

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.solvers.expected_play import expected_play

HIDDEN = Scenario.with_hidden_limits()
SMALL = Scenario.from_dict(
    {
        "name": "small",
        "prices": [1, 2, 3],
        "rounds": 1,
        "seller": {"limits": [0, 1]},
        "buyer": {"limits": [3, 4]},
    }
)
"""One offer and one answer; a deal is always possible."""


def tables(snapshot: Snapshot, role: Role) -> tuple[TabularPolicy, ...]:
    q = snapshot.q_tables[role]
    assert q is not None
    return greedy(snapshot.scenario, role, q).tables


def gained(snapshot: Snapshot) -> float:
    """The share of the possible surplus that both gain by their tables, pair by pair of limits."""
    scenario, found, possible = snapshot.scenario, 0.0, 0.0
    sellers, buyers = (tables(snapshot, role) for role in Role)
    for k, seller in enumerate(sellers):
        for j, buyer in enumerate(buyers):
            game = scenario.drawn(k, j)
            surplus = game.limit(Role.BUYER) - game.limit(Role.SELLER)
            plays = expected_play(game, seller, buyer).deal
            found += surplus * float(plays.mean()) if surplus > 0 else 0.0
            possible += max(0, surplus)
    return 100 * found / possible


def openings(snapshot: Snapshot, role: Role) -> list[list[int]]:
    """The openings of each limit of a role."""
    views = snapshot.scenario.views[role]
    return [
        [view.prices[action] for action in table.support(Position(view, role, opened=True))]
        for view, table in zip(views, tables(snapshot, role), strict=True)
    ]


def alike(_: Fact, now: Snapshot, __: Snapshot, role: Role, price: int) -> bool:
    return all(prices == [price] for prices in openings(now, role))


def tells(_: Fact, now: Snapshot, __: Snapshot, role: Role) -> bool:
    each = openings(now, role)
    return len({price for (price,) in each}) == len(each)


def gains(_: Fact, now: Snapshot, before: Snapshot, percent: int) -> bool:
    return gained(before) < percent <= gained(now) + 1e-6


def gains_fall(_: Fact, now: Snapshot, before: Snapshot, percent: int) -> bool:
    return round(gained(now)) == percent < gained(before) - 9.5


def above(fact: Fact, now: Snapshot, _: Snapshot) -> bool:
    share = round(gained(now))
    text = f"They gain {share} % of the possible surplus; no equilibrium reaches above 95 %."
    return fact.says[0] == text and share > 95


CHECKS: dict[str, Callable[..., bool]] = {
    "opens_alike": alike,
    "opening_tells": tells,
    "gains": gains,
    "gains_fall": gains_fall,
    "above_ceiling": above,
}


def stories(scenario: Scenario, seed: int, cycles: int) -> list[tuple[Fact, Snapshot, Snapshot]]:
    """Every fact that a training tells, with the snapshots then and one cycle before."""
    session = TrainingSession(scenario, Parameters(cycles=cycles), seed)
    found, before = [], session.snapshot
    for _ in range(cycles):
        session.handle(do.PlayCycle())
        now = session.snapshot
        found += [(fact, now, before) for fact in now.found if fact.cycle * 100 == now.negotiations]
        before = now
    return found


@pytest.mark.parametrize(("scenario", "seed"), [(HIDDEN, 1), (SMALL, 2)], ids=["hidden", "small"])
def test_what_is_told_of_limits_is_true(scenario: Scenario, seed: int) -> None:
    pytest.importorskip("scipy")
    told = stories(scenario, seed, 45)
    checked = [(fact, now, before) for fact, now, before in told if fact.kind in CHECKS]
    assert checked
    for fact, now, before in checked:
        assert CHECKS[fact.kind](fact, now, before, *fact.about), fact
    kinds = {fact.kind for fact, *_ in told}
    assert {"gains", "above_ceiling"} <= kinds if scenario is HIDDEN else "opens_alike" in kinds


def test_it_begins_with_the_limits_that_leave_no_deal() -> None:
    found = TrainingSession(HIDDEN, Parameters(), 1).snapshot.found
    text = " ".join(text for fact in found for text in fact.says)
    assert "Each side draws a limit that the other does not know." in text
    assert "In 24 % of all negotiations no price is within both limits." in text
    assert "Both guess" in text
