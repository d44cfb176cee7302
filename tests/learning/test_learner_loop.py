"""Learners of any kind against each other: bits, batches, time travel."""

import numpy as np
import pytest

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.compiling import compile_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner, spec_of_learner
from negotiation_tui.learning.rewind import RewindableTraining

SMALL = {"prices": 3, "rounds": 3, "states": "opener-aware"}


def training(seller: str, buyer: str, **parameters: object) -> ConcurrentTraining:
    values = {"cycles": 12, "episodes": 20, **parameters}
    return ConcurrentTraining(
        Scenario.from_dict(SMALL),
        Parameters.from_dict(values),
        7,
        seller=learner(seller),
        buyer=learner(buyer),
    )


@pytest.mark.parametrize("name", LEARNERS)
def test_batches_of_any_size_give_one_run(name: str) -> None:
    whole, parts = training(name, "sarsa"), training(name, "sarsa")
    whole.run()
    for n in (1, 19, 3, 57, 160):
        parts.run_episodes(n)
    assert whole.last_negotiation == parts.last_negotiation
    np.testing.assert_array_equal(whole.q_tables, parts.q_tables)
    np.testing.assert_array_equal(whole.statistics.counts, parts.statistics.counts)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in {"sarsa", "wolf-phc"} else pytest.mark.slow)
        for name in LEARNERS
    ],
)
def test_compiled_code_learns_the_same_to_the_bit(name: str) -> None:
    pytest.importorskip("numba")
    plain, compiled = training(name, name), training(name, name)
    backend = compile_backend()
    assert backend
    plain.use(PLAIN)
    compiled.use(backend)
    plain.run()
    compiled.run()
    np.testing.assert_array_equal(plain.q_tables, compiled.q_tables)
    np.testing.assert_array_equal(plain.statistics.counts, compiled.statistics.counts)


@pytest.mark.parametrize("name", LEARNERS)
def test_any_moment_comes_back(name: str) -> None:
    course = RewindableTraining(lambda: training(name, name))
    course.run_episodes(240)
    seen = training(name, name)
    seen.run_episodes(133)
    past = course.training_at(133)
    np.testing.assert_array_equal(past.q_tables, seen.q_tables)
    course.advance(past, 107)
    np.testing.assert_array_equal(past.q_tables, course.training.q_tables)


@pytest.mark.parametrize("name", LEARNERS)
def test_the_text_of_a_learner_makes_an_equal_one(name: str) -> None:
    assert learner(spec_of_learner(LEARNERS[name])) == LEARNERS[name]


@pytest.mark.parametrize("name", ["cfr", "sarsa", "wolf-phc"])
def test_expected_updates_are_those_of_q_learning_alone(name: str) -> None:
    with_them, without = (
        training(name, name, expected_updates=expected, curriculum_window=6)
        for expected in (True, False)
    )
    with_them.run()
    without.run()
    np.testing.assert_array_equal(with_them.q_tables, without.q_tables)
