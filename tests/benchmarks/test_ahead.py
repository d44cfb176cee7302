"""Estimates of how long runs will take, against the runs."""

from collections.abc import Callable

import pytest

from negotiation_tui import Scenario
from negotiation_tui.contest.contest import Batch
from negotiation_tui.contest.league import LearnerContest
from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.experiments.sweep import Sweep
from negotiation_tui.learning.compiling import fastest_backend
from tests.support.timing import Check, seconds

GAME = Scenario.original()
HIDDEN = Scenario.of("hidden")
BATCHES: dict[str, Callable[[], Batch]] = {
    "a sweep": lambda: Sweep.of(GAME, {"cycles": ["20000"]}, 20, 0),
    "a sweep with hidden limits": lambda: Sweep.of(HIDDEN, {}, 20, 0),
    "a tournament": lambda: StrategyContest.of(GAME),
    "a tournament with hidden limits": lambda: StrategyContest.of(HIDDEN),
    "a league": lambda: LearnerContest.of(["sarsa", "wolf-phc", "boltzmann", "cfr"], seeds=2),
}


@pytest.mark.parametrize("name", BATCHES)
def test_an_estimate_against_the_work(check: Check, name: str) -> None:
    fastest_backend()
    batch = BATCHES[name]()
    guess, took = batch.ahead(batch.jobs, 1), seconds(batch.rows)
    assert guess
    factor = max(guess / took, took / guess)
    check(f"the estimate for {name}, wrong by", "≤ 3 ×", factor)
