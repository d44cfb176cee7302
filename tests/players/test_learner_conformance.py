"""`check-learner` names each rule that a learner breaks."""

from pathlib import Path

import pytest

from negotiation_tui.cli.main import main
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.checks import check_learner
from tests.support.cli import status_of
from tests.support.user_learners import EXAMPLE, changed, table

Captured = pytest.CaptureFixture[str]
SMALL = Scenario.from_dict({"prices": 3, "rounds": 2, "states": "opener-aware"})
MADE = "is made for each role"
PLAYS = "gives legal actions and their probabilities"
LEARNS = "learns from negotiations"
FOLLOWS = "without exploration plays by its probabilities"
CONSTANT = "its probabilities change only by learning"
VALUES = "gives a value per action, or none"
COPY = "a copy learns the same, and changes only itself"
RESTORED = "restore brings back its state"
REPEATED = "learns the same from the same seed"

BROKEN = {
    "def __init__(self, scenario, role, rng):\n    1 / 0": (MADE, "ZeroDivisionError"),
    "def probabilities(self, position):\n    return [0.5] * 5": (PLAYS, "illegal"),
    "def act(self, position, rng):\n    return 77": (PLAYS, "got 77"),
    "def learn(self, episode):\n    self.nothing": (LEARNS, "AttributeError"),
    "def act(self, position, rng):\n    return rng.choice(list(position.legal))\n"
    "def probabilities(self, position):\n    row = np.zeros(self.scenario.n_actions)\n"
    "    row[position.legal[0]] = 1\n    return row": (FOLLOWS, "self.epsilon"),
    "def probabilities(self, position):\n    row = np.zeros(self.scenario.n_actions)\n"
    "    row[random.choice(list(position.legal))] = 1\n    return row": (CONSTANT, "draw nothing"),
    "def values(self, position):\n    return [0.0]": (VALUES, "the shape"),
    "def probabilities(self, position):\n    row = np.zeros(self.scenario.n_actions)\n"
    "    k = len(Mine.shared) * 7 // 30\n"
    "    row[position.legal[k % len(position.legal)]] = 1\n    return row\n"
    "def learn(self, episode):\n    Mine.shared.append(0)": (COPY, "share nothing"),
    "best = 0\n"
    "def probabilities(self, position):\n    row = np.zeros(self.scenario.n_actions)\n"
    "    row[position.legal[self.best % len(position.legal)]] = 1\n    return row\n"
    "def learn(self, episode):\n    self.best = int(self.rng.integers(1, 9))\n"
    "def state(self):\n    return {'x': np.zeros(1)}": (RESTORED, "put all it needs in state"),
    "best = int(time.time() * 1e6)\n"
    "def probabilities(self, position):\n    row = np.zeros(self.scenario.n_actions)\n"
    "    row[position.legal[self.best % len(position.legal)]] = 1\n    return row": (
        REPEATED,
        "self.rng",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("change", BROKEN)
def test_the_check_names_what_breaks(change: str) -> None:
    Path("own.py").write_text(changed(change), encoding="utf-8")
    name, named = BROKEN[change]
    failures = {}
    for check in check_learner("own.py", [SMALL]):
        failures[check.name] = check.broken
        if check.name == name:
            break
    assert named in failures.pop(name)
    assert not any(failures.values())


def test_a_good_learner_passes_and_its_speed_is_told(capsys: Captured) -> None:
    Path("own.py").write_text(table(), encoding="utf-8")
    assert main(["check-learner", "learned:own.py:rate=0.3", "--states", "opener-aware"]) == 0
    *lines, speed = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok      ") for line in lines)
    assert {line[8:] for line in lines} >= {MADE, PLAYS, LEARNS, COPY, RESTORED, REPEATED}
    assert "negotiations per second in original" in speed


@pytest.mark.slow
def test_the_example_passes_in_every_scenario() -> None:
    assert main(["check-learner", EXAMPLE]) == 0


def test_a_failure_is_status_1_and_a_wrong_name_2(capsys: Captured) -> None:
    Path("own.py").write_text(changed("def learn(self, episode):\n    1 / 0"), encoding="utf-8")
    assert main(["check-learner", "own.py", "--scenario", "original"]) == 1
    assert "BREAKS  learns from negotiations\n        own.py:Mine: learn: " in (
        capsys.readouterr().out
    )
    for words in ("q-learning", "none.py", "own.py:rate=2"):
        assert status_of("check-learner", words) == 2
        assert capsys.readouterr().err.count("\n") == 1
