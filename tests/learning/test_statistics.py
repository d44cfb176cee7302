"""Counts of a training in a bounded number of rows."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import statistics
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.kernel import N_STATISTICS
from negotiation_tui.learning.report import training_dict, training_text
from negotiation_tui.learning.statistics import MOST_ROWS, CycleCounts, CycleStatistics
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import Recorder
from negotiation_tui.sessions.replay_session import ReplaySession
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcript_reader import read
from tests.support import game  # noqa: F401 - its profile for hypothesis


def same(one: CycleStatistics, other: CycleStatistics) -> bool:
    return (
        one.period == other.period
        and np.array_equal(one.counts, other.counts)
        and np.array_equal(one.last_cycle, other.last_cycle)
    )


def thinned(monkeypatch: pytest.MonkeyPatch, cycles: int) -> tuple[CycleStatistics, ...]:
    """The statistics of a training as they are, and with at most 64 rows."""
    found = []
    for most in (MOST_ROWS, 64):
        monkeypatch.setattr(statistics, "MOST_ROWS", most)
        training = ConcurrentTraining(Scenario.original(), Parameters(cycles=cycles, episodes=3), 1)
        for n in (1, 1, 2, 700, 10**6):
            training.run_episodes(min(n, training.parameters.total - training.episode))
        found.append(training.statistics)
    return tuple(found)


@pytest.mark.parametrize("cycles", [64, 65, 128, 500, 1001])
def test_a_row_is_the_sum_of_its_cycles(monkeypatch: pytest.MonkeyPatch, cycles: int) -> None:
    whole, few = thinned(monkeypatch, cycles)
    assert (whole.period, len(whole.counts)) == (1, cycles)
    assert 32 <= len(few.counts) <= 64
    padded = np.pad(whole.counts, ((0, -cycles % few.period), (0, 0)))
    assert np.array_equal(padded.reshape(-1, few.period, N_STATISTICS).sum(axis=1), few.counts)
    assert few.total == whole.total
    assert few.left_over == whole.left_over
    assert np.array_equal(few.last_cycle, whole.counts[-1])
    assert few.cycles[-1] - few.period < cycles <= few.cycles[-1]


@given(sizes=st.lists(st.tuples(st.booleans(), st.integers(1, 300)), min_size=1, max_size=12))
def test_no_count_is_lost_however_they_come(sizes: list[tuple[bool, int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "MOST_ROWS", 64)
        counts, begun = CycleCounts(), 0
        added = np.zeros((10**4, N_STATISTICS), np.int64)
        for goes_on, n in sizes:
            first = begun - (goes_on and begun > 0)
            batch = np.arange(n * N_STATISTICS).reshape(n, -1) + begun
            counts.add(first, batch)
            added[first : first + n] += batch
            begun = first + n
        found = counts.statistics()
    assert len(found.counts) <= 64
    assert np.array_equal(found.counts.sum(axis=0), added.sum(axis=0))
    assert np.array_equal(found.counts[0], added[: found.period].sum(axis=0))
    assert np.array_equal(found.last_cycle, added[begun - 1])


def test_ten_million_cycles_take_a_few_megabytes() -> None:
    counts, batch = CycleCounts(), np.ones((100_000, N_STATISTICS), np.int64)
    tracemalloc.start()
    try:
        for first in range(0, 10**7, len(batch)):
            counts.add(first, batch)
        found = counts.statistics()
        used, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.period == 128
    assert found.total.paid == 10**7
    assert used < 2 * 48 * MOST_ROWS + 10_000
    assert peak < 6 * 48 * MOST_ROWS


def test_thinned_statistics_are_saved_and_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(statistics, "MOST_ROWS", 64)
    training = ConcurrentTraining(Scenario.original(), Parameters(cycles=200, episodes=3), 1)
    training.run()
    tables, path = TrainedTables.of(training), tmp_path / "t.npz"
    save_tables(path, tables)
    loaded = load_tables(path)
    assert same(loaded.statistics, tables.statistics)
    assert training_text(loaded) == training_text(tables)
    cycles = training_dict(loaded)["cycles"]
    assert (cycles["cycles_per_row"], len(cycles["seller_wallet"])) == (4, 50)
    assert "cycles_per_row" not in CycleStatistics(tables.statistics.counts).to_dict()


@pytest.mark.parametrize("wrong", [None, [], [0] * (N_STATISTICS - 1), ["x"] * N_STATISTICS])
def test_wrong_counts_in_a_file_are_refused(wrong: object) -> None:
    with pytest.raises(BadInputError, match="last_cycle: expected"):
        statistics.counts_of_cycle("last_cycle", wrong)


def test_a_recording_across_the_thinning_is_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(statistics, "MOST_ROWS", 64)
    path, shown = tmp_path / "r.jsonl", []
    training = TrainingSession(Scenario.original(), Parameters(cycles=300, episodes=3), 1)
    recorder = Recorder(training, path)
    for n in (100, 90, 1, 1, 1, 200, 300):
        recorder.handle(do.Play(n))
        shown.append(recorder.snapshot.statistics)
    assert [each.period for each in shown] == [1, 1, 1, 1, 2, 4, 4]
    replay = ReplaySession(read(path))
    for expected in shown:
        replay.handle(do.Play())
        assert same(replay.snapshot.statistics, expected)
