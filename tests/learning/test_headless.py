"""Training without a screen compiles only if the work ahead takes longer than to compile."""

import io
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from negotiation_tui.experiments.sweep import train_and_test
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import compiling, headless
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.players.run import Run
from negotiation_tui.runtime import jit
from tests.support.contests import pairing_row

FAST = replace(PLAIN, name="fast")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """An entry for each time that the fastest backend is asked for."""
    times = []

    def fastest() -> Backend:
        times.append(1)
        return FAST

    monkeypatch.setattr(headless, "fastest_backend", fastest)
    return times


def trained(cycles: int = 40, seller: str | None = None) -> ConcurrentTraining:
    strategy = seller and strategy_from_spec(seller)
    training = ConcurrentTraining(
        Scenario.original(), Parameters(cycles=cycles), 3, seller=strategy or None
    )
    headless.train(training, io.StringIO())
    return training


def test_short_work_begins_to_compile_nothing(
    asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headless, "seconds_to_compile", lambda: 60.0)
    assert trained().backend is PLAIN
    assert not asked


def test_long_work_waits_for_compiled_code_and_gives_equal_tables(
    asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headless, "seconds_to_compile", lambda: 0.0)
    switched = trained()
    assert (switched.backend, len(asked)) == (FAST, 1)
    monkeypatch.setattr(headless, "seconds_to_compile", lambda: 60.0)
    assert np.array_equal(switched.q_tables, trained().q_tables)


def test_a_best_responder_takes_longer_to_compile(
    asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headless, "seconds_to_compile", lambda: 0.0)
    monkeypatch.setattr(headless, "COMPILING_RESPONSES", 60.0)
    assert trained(seller="best-response").backend is PLAIN
    assert trained(seller="boulware").backend is FAST


@pytest.mark.parametrize(("jobs", "compiling_asked_for"), [(1, 0), (10_000_000, 1)])
def test_a_job_counts_those_after_it_as_work_ahead(
    jobs: int, compiling_asked_for: int, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headless, "seconds_to_compile", lambda: 0.0 if asked else 60.0)
    job = Run(Scenario.original(), Parameters(cycles=2), 3)
    row = train_and_test(job, distance=False, jobs=jobs)
    assert len(asked) == compiling_asked_for
    assert train_and_test(job, distance=False) == row
    assert len(asked) == 2 * compiling_asked_for, "once it is there, every job uses it"


@pytest.mark.parametrize(("jobs", "compiling_asked_for"), [(1, 0), (10_000_000, 1)])
def test_so_does_a_pairing(
    jobs: int, compiling_asked_for: int, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headless, "seconds_to_compile", lambda: 60.0)
    game = Run.by_recipe(Scenario.original(), "published", 0, ("random", "boulware"))
    assert pairing_row(game, 2, jobs)["deals"] == pairing_row(game, 2)["deals"]
    assert len(asked) == compiling_asked_for


def test_without_numba_it_stays_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headless, "seconds_to_compile", lambda: 0.0)
    monkeypatch.setattr(headless, "fastest_backend", lambda: PLAIN)
    training = trained()
    assert training.finished
    assert training.backend is PLAIN


def test_kept_code_takes_less_time_and_code_of_this_process_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ready: Callable[[], Backend] = cache(lambda: PLAIN)
    monkeypatch.setattr(compiling, "fastest_backend", ready)
    for kept, seconds in ((False, compiling.COMPILING), (True, jit.LOADING)):
        monkeypatch.setattr(jit, "is_cached", lambda _, kept=kept: kept)
        assert compiling.seconds_to_compile() == seconds
    ready()
    assert compiling.seconds_to_compile() == 0.0
