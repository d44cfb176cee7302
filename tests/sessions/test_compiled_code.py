"""Compiled code of a live training: for the learners in its seats, never waited for."""

import time

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import compiling
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.sessions import training_session
from negotiation_tui.sessions.training_session import CompiledCode


def wait_for(code: CompiledCode, training: ConcurrentTraining) -> None:
    """Wait until the training uses the code."""
    stop = time.monotonic() + 60
    while not code.used_by(training):
        assert time.monotonic() < stop, "it takes too long"
        time.sleep(0.01)
        code.apply(training)


def test_a_new_learner_plays_plain_until_its_code_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    if fastest_backend() is PLAIN:
        pytest.skip("needs numba")
    monkeypatch.setattr(compiling, "_READY", set())
    monkeypatch.setattr(training_session, "seconds_to_compile", lambda: 0.0)
    training, code = ConcurrentTraining(Scenario.original()), CompiledCode()
    code.begin(training, 100, 60.0)
    wait_for(code, training)
    code.changed(training)
    assert code.used_by(training), "nobody took a seat"
    training.seat(Role.SELLER, learner("sarsa"))
    code.changed(training)
    assert training.backend is PLAIN
    code.begin(training, 100, 0.0)
    code.apply(training)
    assert training.backend is PLAIN, "short work compiles nothing"
    code.begin(training, 100, 60.0)
    wait_for(code, training)
    assert compiling.seconds_for_learners([learner("sarsa")]) == 0
