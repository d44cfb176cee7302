"""Counts of a training in a bounded number of rows, and its NashConv however it was played."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Role, Scenario, strategy
from negotiation_tui.learning import statistics
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.loop import BREAKDOWNS, N_COUNTS
from negotiation_tui.learning.nash_conv_series import (
    NashConvs,
    NashConvSeries,
    nash_conv_of,
    next_evaluated,
    none_missing,
    per_doubling,
)
from negotiation_tui.learning.report import training_dict, training_text
from negotiation_tui.learning.statistics import (
    NO_SINGLE_LEARNER,
    CycleCounts,
    CycleStatistics,
    Learners,
)
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import read
from negotiation_tui.solvers import belief_induction
from tests.support.game import compiled
from tests.support.trainings import new_session


@given(sizes=st.lists(st.tuples(st.booleans(), st.integers(1, 300)), min_size=1, max_size=12))
def test_no_count_is_lost_however_they_come(sizes: list[tuple[bool, int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "MOST_ROWS", 64)
        counts, begun = CycleCounts(), 0
        added = np.zeros((10**4, N_COUNTS), np.int64)
        for goes_on, n in sizes:
            first = begun - (goes_on and begun > 0)
            batch = np.arange(n * N_COUNTS).reshape(n, -1) + begun
            counts.add(first, batch)
            added[first : first + n] += batch
            begun = first + n
        found = counts.statistics()
    assert len(found.counts) <= 64
    assert np.array_equal(found.counts.sum(axis=0), added.sum(axis=0))
    assert np.array_equal(found.counts[0], added[: found.period].sum(axis=0))
    assert np.array_equal(found.last_cycle, added[begun - 1])


def test_thinned_statistics_are_kept_and_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(statistics, "MOST_ROWS", 64)
    training = ConcurrentTraining(Scenario.original(), Parameters(cycles=200, episodes=3), 1)
    training.run()
    tables, path = TrainedTables.of(training), tmp_path / "t.npz"
    save_tables(path, tables)
    loaded = load_tables(path)
    assert loaded.statistics.period == tables.statistics.period
    assert np.array_equal(loaded.statistics.counts, tables.statistics.counts)
    assert np.array_equal(loaded.statistics.last_cycle, tables.statistics.last_cycle)
    assert training_text(loaded) == training_text(tables)
    cycles = training_dict(loaded)["cycles"]
    assert (cycles["cycles_per_row"], len(cycles["seller_wallet"])) == (4, 50)
    assert "cycles_per_row" not in CycleStatistics(tables.statistics.counts).to_dict(
        training.scenario
    )


@pytest.mark.parametrize("wrong", [None, [], [0] * (N_COUNTS - 1), ["x"] * N_COUNTS])
def test_wrong_counts_in_a_file_are_refused(wrong: object) -> None:
    with pytest.raises(BadInputError, match="last_cycle: expected"):
        statistics.counts_of_cycle("last_cycle", wrong)


@pytest.mark.parametrize("reservation", [(0, 5), (2, 4), (4, 2)])
def test_the_means_of_each_cycle_are_those_of_its_transcripts(reservation: tuple[int, int]) -> None:
    scenario, episodes = replace(Scenario.original(), reservation=reservation), 7
    training = ConcurrentTraining(scenario, Parameters(cycles=6, episodes=episodes), 3)
    rewards, rates, prices, rounds = [], [], [], []
    for _ in range(6):
        cycle = []
        for _ in range(episodes):
            training.run_episodes(1)
            assert training.last_negotiation is not None
            cycle.append(training.last_negotiation.outcome)
        deals = [(each.price, each.round + 1) for each in cycle if each.price is not None]
        rewards.append([sum(scenario.reward(r, p) for p, _ in deals) / episodes for r in Role])
        rates.append(len(deals) / episodes)
        prices.append(sum(price for price, _ in deals) / len(deals) if deals else np.nan)
        rounds.append(sum(number for _, number in deals) / len(deals) if deals else np.nan)
    found = training.statistics
    np.testing.assert_allclose(found.mean_rewards(scenario), rewards, atol=1e-12)
    assert found.deal_rates.tolist() == rates
    np.testing.assert_array_equal(found.mean_prices, prices)
    np.testing.assert_array_equal(found.mean_rounds, rounds)


def test_means_of_nothing_are_unknown() -> None:
    quiet = np.zeros((2, N_COUNTS), np.int64)
    quiet[0, BREAKDOWNS] = 3
    found = CycleStatistics(quiet)
    assert found.mean_rewards(Scenario.original())[0].tolist() == [0.0, 0.0]
    assert np.isnan(found.mean_rewards(Scenario.original())[1]).all()
    assert found.deal_rates[0] == 0.0
    assert np.isnan([found.deal_rates[1], *found.mean_prices, *found.mean_rounds]).all()


S, B, NONE = Role.SELLER, Role.BUYER, NO_SINGLE_LEARNER


@pytest.mark.parametrize(
    ("learners", "period", "expected"),
    [
        ((), 1, [NONE] * 5),
        (((0, (S, B)),), 1, [S, B, S, B, S]),
        (((0, (B, S)), (3, (S, S))), 1, [B, S, B, S, S]),
        (((0, (S, B)), (1, None), (3, (S, B))), 1, [S, NONE, NONE, B, S]),
        (((0, (S, B)),), 2, [NONE] * 5),
        (((0, (S, S)), (3, (B, B))), 2, [S, NONE, B, B, B]),
        (((0, (S, S)), (10, (B, B))), 2, [S] * 5),
    ],
)
def test_the_learner_of_each_row(learners: Learners, period: int, expected: list[int]) -> None:
    rows = CycleStatistics(np.zeros((5, N_COUNTS), np.int64), period)
    assert rows.learner_of_rows(learners).tolist() == expected


def test_a_training_notes_each_change_of_its_learners() -> None:
    training = ConcurrentTraining(Scenario.original(), Parameters(cycles=9, episodes=2), 3)
    training.run(2)
    training.seat(Role.BUYER, strategy("random"))
    training.run(2)
    training.seat(Role.SELLER, strategy("random"))
    training.run(1)
    training.seat(Role.SELLER, None)
    training.seat(Role.BUYER, None)
    training.run(2)
    expected = (0, (S, B)), (2, (S, S)), (4, None), (5, (S, B))
    assert training.learners == expected


def test_a_recording_knows_its_learners(tmp_path: Path) -> None:
    path, parameters = tmp_path / "r.jsonl", Parameters(cycles=9, episodes=2)
    training = new_session(Scenario.original(), parameters, 1, train_agent=Role.BUYER)
    recorder = record_to(training, path)
    shown = []
    for command in (do.Play(1), do.Play(3), do.TakeSeats(((S, "random"),)), do.Play(5), do.Play(1)):
        recorder.handle(command)
        if isinstance(command, do.Play):
            shown.append(recorder.snapshot.learners)
    recorder.handle(do.TakeSeats(((B, "random"),)))
    recorder.handle(do.Play(1))  # static play is no part of the training
    assert recorder.snapshot.learners == shown[-1]
    recording = read(path)
    replay = TrainingSession(recording.run, recording)
    while replay.running:
        replay.step()
    assert replay.snapshot.learners == recorder.snapshot.learners


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
    for last in ([0, 1], [130, 131]):
        assert none_missing(np.array(last)).tolist() == [False, True], "the last cycle of all"
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
