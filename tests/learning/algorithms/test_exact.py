"""Learners that compute, in a training."""

import numpy as np
import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import ALTERNATE, TOGETHER
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.learning.nash_conv_series import nash_conv_of
from negotiation_tui.strategies.registry import strategy

SMALL = Scenario.from_dict({"prices": 3, "rounds": 2, "states": "opener-aware"})
CONVERGES = {
    "best-response-dynamics": {"cycles": 4},
    "fictitious-play": {"cycles": 20},
    "cfr": {"cycles": 60},
}
"""Parameters with which NashConv comes below 0.05 on 3 prices and 2 rounds."""


def training(
    seller: str, buyer: str, cycles: int = 4, scenario: Scenario = SMALL
) -> ConcurrentTraining:
    occupants = [learner(s) if s.startswith("learned:") else strategy(s) for s in (seller, buyer)]
    parameters = Parameters.from_dict({"cycles": cycles, "episodes": 100})
    return ConcurrentTraining(scenario, parameters, seller=occupants[0], buyer=occupants[1])


@pytest.mark.parametrize("schedule", [ALTERNATE, TOGETHER])
@pytest.mark.parametrize("name", CONVERGES)
def test_it_converges(name: str, schedule: str) -> None:
    spec, cycles = f"learned:{name}:schedule={schedule}", CONVERGES[name]["cycles"]
    course = training(spec, spec, cycles)
    course.run()
    result = nash_conv_of(course)
    assert result
    assert result.total <= 0.05


@pytest.mark.parametrize("name", CONVERGES)
def test_it_learns_against_a_learner_that_tries(name: str) -> None:
    output = ":output=last" if name == "fictitious-play" else ""  # its average is of all times
    course = training(f"learned:{name}{output}", "learned:q-learning", 200)
    course.run()
    result = nash_conv_of(course)
    assert result
    assert result.exploitability[Role.SELLER] <= 0.05


@pytest.mark.parametrize("opponent", ["boulware", "midpoint", "random"])
@pytest.mark.parametrize("name", CONVERGES)
def test_it_learns_to_answer_a_static_strategy(name: str, opponent: str) -> None:
    course = training(opponent, f"learned:{name}", 100)
    course.run()
    result = nash_conv_of(course)
    assert result
    assert result.exploitability[Role.BUYER] <= 0.03


@pytest.mark.parametrize("schedule", [ALTERNATE, TOGETHER])
def test_an_iteration_counts_as_episodes_that_it_learns_from(schedule: str) -> None:
    spec = f"learned:best-response-dynamics:schedule={schedule},counts_as=200"
    course = training(spec, spec)
    begin = [course.q_table(role) for role in Role]
    course.run_episodes(299 if schedule == ALTERNATE else 199)
    assert all(np.array_equal(course.q_table(r), begin[r]) for r in Role)
    course.run_episodes(1)
    changed = [not np.array_equal(course.q_table(role), begin[role]) for role in Role]
    assert changed == ([True, False] if schedule == ALTERNATE else [True, True])


@pytest.mark.parametrize("name", CONVERGES)
def test_published_states_are_refused_in_one_line(name: str) -> None:
    with pytest.raises(BadInputError, match=rf"{name}: expected states that say who opened, got"):
        training(f"learned:{name}", f"learned:{name}", scenario=Scenario.original())


def test_best_responses_without_a_table_are_refused_in_one_line() -> None:
    for name in ("best-response-dynamics", "fictitious-play"):
        with pytest.raises(BadInputError) as caught:
            training(f"learned:{name}", "learned:cfr", scenario=Scenario.with_hidden_limits())
        assert str(caught.value).startswith(f"{name}: expected a scenario without hidden limits")


@pytest.mark.parametrize("name", CONVERGES)
def test_strategies_without_a_table_are_refused_in_any_order(name: str) -> None:
    message = f"{name}: expected an opponent with a table, got micro"
    with pytest.raises(BadInputError, match=message):
        training("micro", f"learned:{name}")
    with pytest.raises(BadInputError, match=message):
        training(f"learned:{name}", "micro")


def test_a_wrong_setting_is_refused() -> None:
    for spec, message in (
        ("cfr:output=best", "output: expected average or last"),
        ("cfr:plus=2", "plus: expected true or false"),
        ("best-response-dynamics:tie_break=coin", "tie_break: expected uniform, accept or reject"),
        ("fictitious-play:counts_as=0", "counts_as: expected"),
    ):
        with pytest.raises(BadInputError, match=message):
            learner(spec)
