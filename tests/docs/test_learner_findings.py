"""The script docs/learner_findings.py measures as `sweep` does, and what the page says of it."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import numpy as np
import pytest

from negotiation_tui.experiments.sweep import train_and_test
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from tests.support.paths import DOCS
from tests.support.without_numba import without_numba  # noqa: F401

LEARNER = "learned:wolf-phc"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, without_numba: None) -> Any:  # noqa: F811
    """The program of the page, which compiles nothing."""
    spec = spec_from_file_location("learner_findings", DOCS / "learner_findings.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "learner_findings", module)  # for its dataclasses
    spec.loader.exec_module(module)
    return module


def test_a_training_of_the_script_is_a_row_of_a_sweep(script: Any) -> None:
    rows = script.run_job((script.Setting("wolf-phc", "published", cycles=4), 3))
    falls = Parameters.from_dict({**script.WAYS[script.STARTS], "cycles": 4})
    row = train_and_test(Run(Scenario.original(), falls, 3, (LEARNER, LEARNER)))
    assert rows[:, 0].tolist() == [100, 200, 300, 400]
    assert rows[-1, 1] == row["nash_conv"]
    assert 0 < rows[-1, 2:].sum() <= 1


def test_learners_settle_when_they_come_near_for_good(script: Any) -> None:
    courses = [[0.5, 0.0, 0.4, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.5]]
    rows = np.zeros((3, 4, 2))
    rows[:, :, 0] = [100, 200, 300, 400]
    rows[:, :, 1] = courses
    assert script.settled(rows).tolist() == [400, 100, np.inf]
    assert script.late(rows).tolist() == [[0.4, 0.0], [0.0, 0.0], [0.0, 0.5]]


@pytest.mark.parametrize("name", ["fictitious-play"])
def test_the_last_policy_is_nearer_to_equilibrium_than_the_average(script: Any, name: str) -> None:
    joined = "," if ":" in name else ":"
    specs = [f"{name}{joined}counts_as=1,output={output}" for output in ("average", "last")]
    average, newest = (
        script.run_job((script.Setting(spec, cycles=100, episodes=1), 0)) for spec in specs
    )
    assert newest[-1, 1] < average[-1, 1]


@pytest.mark.parametrize(("rule", "share"), [("uniform", 0.5), ("accept", 0.6), ("reject", 0.5)])
def test_ties_decide_which_equilibrium_best_response_dynamics_come_to(
    script: Any, rule: str, share: float
) -> None:
    name = f"best-response-dynamics:counts_as=1,tie_break={rule}"
    rows = script.run_job((script.Setting(name, cycles=12, episodes=1), 0))
    assert rows[-1, 1] < 1e-12
    assert rows[-1, 2] == pytest.approx(share)
