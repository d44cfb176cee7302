"""Compiled code of learners: made only for work that takes longer, and before it is used."""

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation_tui import Scenario, learner
from negotiation_tui.learning import headless
from negotiation_tui.learning.algorithms.wolf_phc import WolfPhc
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.compiling import (
    COMPILING,
    COMPILING_LEARNER,
    COMPILING_LOOP,
    LOADING_LEARNERS,
    fastest_backend,
    seconds_to_compile,
)
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.jit import LOADING
from negotiation_tui.runtime.output import ProgressBar
from tests.support.cli import python
from tests.support.game import compiled

Q = learner("q-learning")
MANY = 1_000_000
"""Jobs ahead that take much longer than any code to compile."""
IMPORTS = """
from negotiation_tui import Scenario, learner
from negotiation_tui.experiments.sweep import train_and_test
from negotiation_tui.learning.compiling import fastest_backend, seconds_to_compile
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.resolve import as_player
from negotiation_tui.players.run import Run

def seconds(*seats, hidden=False):
    return round(seconds_to_compile(map(as_player, seats), hidden), 6)

"""


def new_process(folder: Path, code: str) -> list[Any]:
    """Run code in a process that finds compiled code in the folder alone; return what it prints."""
    place = str(folder)
    done = python("-c", IMPORTS + code, NUMBA_CACHE_DIR=place, XDG_CACHE_HOME=place)
    assert done.returncode == 0, done.stderr
    return [float(line) for line in done.stdout.split()]


# the seats | the loops and the functions of learners that are compiled for them
MISSING: tuple[tuple[tuple[str, str], int, int], ...] = (
    (("learned", "learned"), 0, 0),
    (("learned", "boulware"), 0, 0),
    (("learned:sarsa", "learned:sarsa"), 1, 0),
    (("learned:sarsa", "learned:wolf-phc"), 1, 2),
    (("learned:sarsa", "learned"), 1, 2),
    (("learned:sarsa", "boulware"), 1, 0),
    (("learned:q-learning:schedule=together",) * 2, 1, 0),
)


def test_it_takes_as_long_as_is_missing(tmp_path: Path) -> None:
    code = "\n".join(f"print(seconds(*{seats}))" for seats, *_ in MISSING)
    more = [loops * COMPILING_LOOP + n * COMPILING_LEARNER for _, loops, n in MISSING]
    assert new_process(tmp_path, code) == pytest.approx([COMPILING + each for each in more])


@pytest.mark.slow
def test_once_compiled_it_takes_none(tmp_path: Path) -> None:
    compiled()
    code = """
fastest_backend(map(as_player, ("learned:wolf-phc", "learned")))
print(seconds(), seconds("learned:wolf-phc", "learned"))
print(seconds("learned:wolf-phc", "learned:wolf-phc"))
print(seconds("learned:wolf-phc", "learned:sarsa"))
print(seconds("learned:wolf-phc", "tit-for-tat"))
print(seconds("learned:wolf-phc", "learned", hidden=True))
"""
    own = memory = COMPILING_LOOP
    hidden = LOADING_LEARNERS  # a file of that name is there, for known limits
    assert new_process(tmp_path, code) == [0, 0, own, COMPILING_LEARNER, memory, hidden]
    assert new_process(tmp_path, "print(seconds())") == [LOADING], "it was kept"


@pytest.mark.slow
def test_a_job_of_a_sweep_compiles_only_for_all_of_them(tmp_path: Path) -> None:
    compiled()
    code = f"""
job = Run(Scenario.original(), Parameters(cycles=2), 3, ("learned:sarsa",) * 2)
row = train_and_test(job, distance=False)
print(seconds("learned:sarsa"))
again = train_and_test(job, distance=False, jobs={MANY})
print(seconds("learned:sarsa"), int(again == row))
"""
    assert new_process(tmp_path, code) == [COMPILING + COMPILING_LOOP, 0, 1]


def test_hidden_limits_have_their_own_inner_loop() -> None:
    backend = compiled()
    fastest_backend([Q, Q], hidden=True)
    assert seconds_to_compile([Q, Q], hidden=True) == 0
    play: Any = backend.code().play
    forms = len(play.signatures)
    ConcurrentTraining(Scenario.of("hidden"), backend=backend).run_episodes(10)
    assert len(play.signatures) == forms, "compiled again"


class OwnWolf(WolfPhc):
    """A kind of learner that nothing else compiles."""


def trained(jobs: int) -> ConcurrentTraining:
    training = ConcurrentTraining(Scenario.original(), Parameters(cycles=12), 3, seller=OwnWolf())
    headless.train_one_of(jobs, training)
    return training


@pytest.mark.slow
def test_only_long_work_waits_for_code_of_learners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend, screen = compiled(), io.StringIO()
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    with ProgressBar("runs"):
        short = trained(jobs=1)
        assert (short.backend, screen.getvalue()) == (PLAIN, "")
        long = trained(jobs=MANY)
    assert long.backend == backend
    assert np.array_equal(long.q_tables, short.q_tables)
    assert "compiling wolf-phc and q-learning; it is kept for the next time" in screen.getvalue()


@pytest.mark.usefixtures("without_numba")
def test_without_numba_long_work_stays_plain() -> None:
    training = trained(jobs=MANY)
    assert training.finished
    assert training.backend is PLAIN


def test_compiled_code_that_is_ready_is_used_at_once() -> None:
    assert headless.backend_for(0.0) == compiled()
