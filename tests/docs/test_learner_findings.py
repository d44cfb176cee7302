"""The script docs/learner_findings.py measures as `sweep` does, and what the page says of it."""

from typing import Any

import pytest

from negotiation_tui.experiments.sweep import train_and_test
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from tests.support import documented

LEARNER = "learned:wolf-phc"


@pytest.fixture
def script(without_numba: None) -> Any:
    return documented.script("learner_findings")


def test_a_training_of_the_script_is_a_row_of_a_sweep(script: Any) -> None:
    rows = script.run_job((script.Setting("wolf-phc", "published", cycles=4), 3))
    falls = Parameters.from_dict({**script.WAYS[script.STARTS], "cycles": 4})
    row = train_and_test(Run(Scenario.original(), falls, 3, (LEARNER, LEARNER)))
    assert rows[:, 0].tolist() == [100, 200, 300, 400]
    assert rows[-1, 1] == row["nash_conv"]
    assert 0 < rows[-1, 2:].sum() <= 1


@pytest.mark.parametrize(("rule", "share"), [("uniform", 0.5), ("accept", 0.6), ("reject", 0.5)])
def test_ties_decide_which_equilibrium_best_response_dynamics_come_to(
    script: Any, rule: str, share: float
) -> None:
    name = f"best-response-dynamics:counts_as=1,tie_break={rule}"
    rows = script.run_job((script.Setting(name, cycles=12, episodes=1), 0))
    assert rows[-1, 1] < 1e-12
    assert rows[-1, 2] == pytest.approx(share)
