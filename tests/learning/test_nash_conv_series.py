"""NashConv of a training: the same series however the training was played."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from negotiation_tui import Role, Scenario, strategy
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import (
    NashConvs,
    NashConvSeries,
    nash_conv_of,
    next_evaluated,
    none_missing,
    per_doubling,
)
from negotiation_tui.sessions import commands as do
from negotiation_tui.solvers import belief_induction
from tests.support.game import compiled
from tests.support.trainings import new_session

PARAMETERS = Parameters(cycles=131, episodes=5)


def judged(last: int) -> list[int]:
    cycles = [0]
    while cycles[-1] < last:
        cycles.append(next_evaluated(cycles[-1]))
    return cycles[1:]


def test_64_cycles_of_each_doubling_are_judged() -> None:
    cycles = judged(1 << 20)
    assert cycles[:64] == list(range(1, 65))
    assert cycles[64:131] == [*range(65, 129), 130, 132, 134]
    for begin in (64 << n for n in range(14)):
        assert sum(begin < cycle <= 2 * begin for cycle in cycles) == 64
    for cycle in range(1, 3000):
        assert next_evaluated(cycle - 1) == next(each for each in cycles if each >= cycle)


@cache
def expected() -> NashConvs:
    training, found = ConcurrentTraining(Scenario.original(), PARAMETERS, 3), []
    for cycle in range(1, PARAMETERS.cycles + 1):
        training.run(1)
        result = nash_conv_of(training)
        assert result is not None
        if cycle in judged(cycle) or cycle == PARAMETERS.cycles:
            found.append((cycle, result.total))
    return tuple(found)


@pytest.mark.parametrize("steps", [7, 90])
def test_the_series_does_not_depend_on_the_batches(steps: int) -> None:
    backend = compiled() if steps == 90 else PLAIN
    training = ConcurrentTraining(Scenario.original(), PARAMETERS, 3, backend=backend)
    training.nash_convs = NashConvSeries()
    while not training.finished:
        training.run_episodes(min(steps, PARAMETERS.total - training.episode))
    assert training.nash_convs.values == expected()


@pytest.mark.parametrize("pace", [None, 1000.0])
def test_the_series_does_not_depend_on_the_pace(pace: float | None) -> None:
    played = new_session(Scenario.original(), PARAMETERS, 3)
    for first in (1, 100):
        assert played.snapshot.nash_convs == ()
        played.handle(do.Play(first))
        played.handle(do.Run(pace))
        while played.running:
            played.step()
        assert played.snapshot.nash_convs == expected()
        played.handle(do.Restart())


def test_a_player_without_a_table_leaves_a_gap() -> None:
    training = ConcurrentTraining(Scenario.original(), PARAMETERS, 3)
    training.nash_convs = NashConvSeries()
    training.run(3)
    training.seat(Role.BUYER, strategy("micro"))
    training.run(2)
    training.seat(Role.BUYER, None)
    training.run(2)
    assert [cycle for cycle, _ in training.nash_convs.values] == [1, 2, 3, 6, 7]


def test_a_missing_judgement_is_found() -> None:
    cycles = judged(5000)
    assert none_missing(np.array(cycles)).tolist() == [False, *[True] * (len(cycles) - 1)]
    for gone in range(1, len(cycles) - 1):
        found = none_missing(np.array(cycles[:gone] + cycles[gone + 1 :]))
        assert np.flatnonzero(~found).tolist() == [0, gone]
    assert none_missing(np.array([130, 131])).tolist() == [False, True], "the last cycle of all"
    assert not len(none_missing(np.array([], np.int64)))


@pytest.mark.parametrize(
    ("prices", "expected"), [(30, [*range(1, 13)]), (150, [*range(1, 9), 10, 12])]
)
def test_few_cycles_of_large_hidden_games_are_judged(prices: int, expected: list[int]) -> None:
    sides = {"seller": {"limits": [0, 5]}, "buyer": {"limits": [10, 20]}}
    scenario = Scenario.from_dict({"prices": prices, "rounds": 3, **sides})
    seller, buyer = strategy("boulware"), strategy("conceder")
    parameters = replace(PARAMETERS, cycles=12)
    training = ConcurrentTraining(scenario, parameters, 3, seller=seller, buyer=buyer)
    training.nash_convs = NashConvSeries()
    training.run()
    cycles = np.array([cycle for cycle, _ in training.nash_convs.values])
    assert cycles.tolist() == expected
    assert none_missing(cycles, per_doubling(scenario))[1:].all()


def test_both_bounds_are_kept_where_nash_conv_is_not_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_induction, "BUDGETS", (0,))
    training = ConcurrentTraining(Scenario.of("hidden"), replace(PARAMETERS, cycles=2), 3)
    training.nash_convs = NashConvSeries()
    training.run()
    series = training.nash_convs
    assert series.values == ()
    assert [reached.cycle for reached in series.reached] == [1, 2]
    assert all(reached.least < reached.most for reached in series.reached)
