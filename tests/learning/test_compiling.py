"""Compiled code of learners: made only for work that takes longer, and before it is used."""

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from negotiation_tui import Scenario, Strategy, learner
from negotiation_tui.experiments.sweep import train_and_test
from negotiation_tui.learning import compiling, headless
from negotiation_tui.learning.algorithms.base import Algorithm
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.compiling import COMPILING, fastest_backend, seconds_to_compile
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.resolve import as_player
from negotiation_tui.players.run import Run
from negotiation_tui.runtime import jit

SARSA, WOLF, Q = learner("sarsa"), learner("wolf-phc"), learner("q-learning")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has compiled Q-learning alone, and code that was not kept."""
    monkeypatch.setattr(compiling, "_READY", {"inner loop"})
    monkeypatch.setattr(jit, "is_cached", lambda *_: False)


@pytest.mark.parametrize(
    ("seats", "loops", "learners"),
    [
        (("learned", "learned"), 0, 0),
        (("learned", "boulware"), 0, 0),
        (("learned:sarsa", "learned:sarsa"), 1, 0),
        (("learned:sarsa", "learned:wolf-phc"), 1, 2),
        (("learned:sarsa", "learned"), 1, 2),
        (("learned:sarsa", "boulware"), 1, 0),
        (("learned:q-learning:schedule=together",) * 2, 1, 0),
    ],
)
def test_it_takes_as_long_as_is_missing(seats: tuple[str, str], loops: int, learners: int) -> None:
    occupants = [as_player(seat) for seat in seats]
    expected = loops * compiling.COMPILING_LOOP + learners * compiling.COMPILING_LEARNER
    assert seconds_to_compile(occupants) == pytest.approx(expected)


@pytest.fixture
def compiled() -> Backend:
    if fastest_backend() is PLAIN:
        pytest.skip("needs numba")
    return fastest_backend()


@pytest.mark.slow
def test_once_compiled_it_takes_none(compiled: Backend) -> None:
    fastest_backend([WOLF, Q])
    assert seconds_to_compile([WOLF, Q]) == 0
    assert seconds_to_compile([WOLF, WOLF]) == compiling.COMPILING_LOOP, "has a loop of its own"
    assert seconds_to_compile([WOLF, SARSA]) == pytest.approx(compiling.COMPILING_LEARNER)
    against_memory: list[Strategy | Algorithm] = [WOLF, as_player("tit-for-tat")]
    assert seconds_to_compile(against_memory) == pytest.approx(compiling.COMPILING_LOOP)
    loop_of_hidden_limits = seconds_to_compile([WOLF, Q], hidden=True)
    assert loop_of_hidden_limits == pytest.approx(compiling.COMPILING_LOOP)


def test_hidden_limits_have_their_own_inner_loop(compiled: Backend) -> None:
    assert seconds_to_compile([Q, Q]) == 0
    assert seconds_to_compile([Q, Q], hidden=True) == pytest.approx(COMPILING)
    fastest_backend([Q, Q], hidden=True)
    assert seconds_to_compile([Q, Q], hidden=True) == 0
    play: Any = compiled.code().play
    forms = len(play.signatures)
    ConcurrentTraining(Scenario.of("hidden"), backend=compiled).run_episodes(10)
    assert len(play.signatures) == forms, "compiled again"


def trained(seller: str | None = None, buyer: str | None = None) -> ConcurrentTraining:
    one, other = (spec and as_player(spec) for spec in (seller, buyer))
    training = ConcurrentTraining(
        Scenario.original(), Parameters(cycles=40), 3, seller=one or None, buyer=other or None
    )
    headless.train(training)
    return training


def test_a_training_waits_for_code_of_learners_only_if_that_pays(
    compiled: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    sarsa = ("learned:sarsa",) * 2
    monkeypatch.setattr(compiling, "COMPILING_LOOP", 60.0)
    plain = trained(*sarsa)
    assert plain.backend is PLAIN
    assert seconds_to_compile([SARSA]) == 60, "nothing was compiled"
    monkeypatch.setattr(compiling, "COMPILING_LOOP", 0.0)
    switched = trained(*sarsa)
    assert switched.backend is compiled
    assert np.array_equal(switched.q_tables, plain.q_tables)


def test_a_job_of_a_sweep_does_not_compile_for_itself_alone(compiled: Backend) -> None:
    assert headless.backend_for(0.0) is compiled, "that of Q-learning is ready"
    job = Run(Scenario.original(), Parameters(cycles=2), 3, ("learned:sarsa",) * 2)
    row = train_and_test(job, distance=False)
    assert seconds_to_compile([SARSA]) > 0
    fastest_backend([SARSA])
    assert train_and_test(job, distance=False) == row


FAST = replace(PLAIN, name="fast")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """An entry for each time that the fastest backend is asked for."""
    times = []

    def fastest(*_: object) -> Backend:
        times.append(1)
        return FAST

    monkeypatch.setattr(headless, "fastest_backend", fastest)
    return times


def test_the_bar_says_which_learners_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headless, "seconds_to_compile", lambda *_: 0.0)
    monkeypatch.setattr(compiling, "new_backend", lambda: FAST)
    training = ConcurrentTraining(Scenario.original(), Parameters(cycles=40), seller=WOLF)
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", screen)
    headless.train(training)
    assert training.backend is FAST
    assert "compiling wolf-phc and q-learning; it is kept for the next time" in screen.getvalue()


def test_only_long_work_waits_for_compiled_code_and_gives_equal_tables(
    asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headless, "seconds_to_compile", lambda *_: 60.0)
    plain = trained()
    assert (plain.backend, len(asked)) == (PLAIN, 0)
    monkeypatch.setattr(headless, "seconds_to_compile", lambda *_: 0.0)
    switched = trained()
    assert (switched.backend, len(asked)) == (FAST, 1)
    assert np.array_equal(switched.q_tables, plain.q_tables)
    monkeypatch.setattr(headless, "fastest_backend", lambda *_: PLAIN)
    without_numba = trained()
    assert without_numba.finished
    assert without_numba.backend is PLAIN


@pytest.mark.parametrize(("jobs", "compiling_asked_for"), [(1, 0), (10_000_000, 1)])
def test_a_job_counts_those_after_it_as_work_ahead(
    jobs: int, compiling_asked_for: int, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headless, "seconds_to_compile", lambda *_: 0.0 if asked else 60.0)
    job = Run(Scenario.original(), Parameters(cycles=2), 3)
    row = train_and_test(job, distance=False, jobs=jobs)
    assert len(asked) == compiling_asked_for
    assert train_and_test(job, distance=False) == row
    assert len(asked) == 2 * compiling_asked_for, "once it is there, every job uses it"


def test_kept_code_takes_less_time_and_ready_code_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_READY", set())
    monkeypatch.setattr(compiling, "new_backend", lambda: FAST)
    for kept, seconds in ((False, compiling.COMPILING), (True, jit.LOADING)):
        monkeypatch.setattr(jit, "is_cached", lambda *_, kept=kept: kept)
        assert seconds_to_compile() == seconds
    fastest_backend()
    assert seconds_to_compile() == 0.0
