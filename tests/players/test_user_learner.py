"""Learners from the user's own files: they learn everywhere, and their errors are one line."""

import json
import os
from collections import deque
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import BadInputError, Role, Scenario
from negotiation_tui.cli.main import main
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.rewind import RewindableTraining
from negotiation_tui.players.resolve import player_from_spec, spec_of_player
from negotiation_tui.sessions import commands as do
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.strategies.matchup import require_table
from tests.support.cli import Captured, message, program, refused
from tests.support.trainings import new_session, same_training
from tests.support.user_learners import EXAMPLE, changed, table

SMALL = Scenario.from_dict({"prices": 3, "rounds": 2, "states": "opener-aware"})
TABLE = "learned:own.py:Table"


@pytest.fixture(autouse=True)
def own() -> Path:
    file = Path("own.py")
    file.write_text(table(), encoding="utf-8")
    return file


def training(seller: str, buyer: str, seed: int = 3, episodes: int = 20) -> ConcurrentTraining:
    return ConcurrentTraining(
        SMALL,
        Parameters(episodes=episodes, cycles=20),
        seed,
        seller=player_from_spec(seller),
        buyer=player_from_spec(buyer),
    )


def gain(of: ConcurrentTraining, role: Role) -> float:
    seller, buyer = (require_table(each, of.policy(each)) for each in Role)
    gains = nash_conv(of.scenario, seller, buyer, of.parameters.discount_rate)
    return float(gains.exploitability[role])


def test_the_example_finds_the_best_answer() -> None:
    example = training(f"learned:{EXAMPLE}", "linear", episodes=100)
    assert gain(example, Role.SELLER) > 0.2
    example.run_episodes(1000)
    assert gain(example, Role.SELLER) < 0.01


@pytest.mark.parametrize(
    ("words", "spec"),
    [
        ("learned:own.py", TABLE),
        ("learned:own.py::Table", TABLE),
        (f"{TABLE}:rate=0.5", f"{TABLE}:rate=0.5"),
        ("learned:own:Table:rate=0.5", "learned:own:Table:rate=0.5"),
    ],
)
def test_forms_of_a_spec(words: str, spec: str) -> None:
    held = player_from_spec(words)
    assert spec_of_player(held) == spec
    assert player_from_spec(spec) == held


@pytest.mark.parametrize("schedule", ["alternate", "together"])
@pytest.mark.parametrize("buyer", ["learned:wolf-phc", TABLE, "tit-for-tat"])
def test_a_seed_is_one_run_and_any_moment_comes_back(own: Path, schedule: str, buyer: str) -> None:
    own.write_text(table(schedule), encoding="utf-8")
    whole = training(TABLE, buyer)
    rewindable = RewindableTraining(lambda: training(TABLE, buyer))
    whole.run_episodes(130)
    then = whole.q_tables
    whole.run_episodes(100)
    for n in (1, 19, 3, 57, 150):
        rewindable.run_episodes(n)
    assert same_training(whole, rewindable.training)
    past = rewindable.training_at(130)
    np.testing.assert_array_equal(past.q_tables, then)
    rewindable.advance(past, 100)
    assert same_training(whole, past)
    assert whole.q_tables[0].any()


def test_it_explores_with_the_trainings_probability() -> None:
    run = training(TABLE, "random")
    marked = set()
    for _ in range(50):
        run.run_episodes(1)
        assert run.last_negotiation is not None
        marked |= {(turn.role, turn.explored) for turn in run.last_negotiation.turns}
    assert marked == {(Role.SELLER, True), (Role.SELLER, False), (Role.BUYER, False)}


@pytest.mark.parametrize("states", ["published", "opener-aware"])
def test_it_is_told_what_states_say(own: Path, states: str) -> None:
    own.write_text(
        changed(
            """def act(self, position, rng):
    Mine.shared.append(position)
    return super().act(position, rng)
def values(self, position):
    return [float(position.opened)] * self.scenario.n_actions"""
        )
    )
    game = Scenario.from_dict({"prices": 3, "rounds": 2, "states": states})
    trained = nt.train(game, seller="learned:own.py", buyer="random", cycles=2, episodes=50)
    opened = trained.q_tables[Role.SELLER][:-1, 0]
    assert opened[0] == 1
    assert opened[1:].any() == (states == "opener-aware")


def test_it_is_trained_saved_tested_and_solved(capsys: Captured) -> None:
    words = "train --seller learned:own.py --cycles 4 --episodes 50 --seed 1 --save t.npz"
    assert main(words.split()) == 0
    capsys.readouterr()
    tables = load_tables("t.npz")
    assert tables.learners == (TABLE, "learned")
    Path("own.py").unlink()  # the file of tables runs no code
    assert main(["test", "t.npz", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["negotiations"] == 1000
    assert main(["solve", "--policy", "t.npz"]) == 0
    with np.load("t.npz") as file:
        np.testing.assert_array_equal(file["seller_state_q"], file["seller_values"])


def test_it_goes_on_from_what_was_saved(capsys: Captured) -> None:
    words = "--cycles 4 --episodes 50 --seed 1 --no-verbose"
    learners = "--seller learned:own.py --buyer learned:own.py"
    assert main(f"train {learners} {words} --save t.npz".split()) == 0
    held = player_from_spec("learned:own.py:rate=0.2,saved=t.npz")
    assert spec_of_player(held) == f"{TABLE}:rate=0.2,saved=t.npz"
    tables = load_tables("t.npz")
    then = ConcurrentTraining(tables.scenario, tables.parameters, 5, seller=held, buyer=held)
    np.testing.assert_array_equal(then.q_tables, tables.q_tables)
    assert main(f"train --seller learned:own.py {words} --save one.npz".split()) == 0
    capsys.readouterr()
    for buyer in ("one.npz", "none.npz", "own.py"):
        assert buyer in refused(capsys, "train", "--buyer", f"learned:own.py:saved={buyer}")


CHANCES = "def probabilities(self, position):\n    return "
FAULTS: dict[str, tuple[str, str]] = {
    "illegal": ("def act(self, position, rng):\n    return 99", "act: expected one of 0, 1, 2"),
    "nan": (f"{CHANCES}[np.nan] * 7", "finite numbers, got nan"),
    "shape": (f"{CHANCES}[1.0]", "the shape (7,), got (1,)"),
    "sum": (f"{CHANCES}[2.0] + [0] * 6", "state s: expected probabilities with the sum 1, got 2.0"),
    "below 0": (f"{CHANCES}[2.0, -1.0] + [0] * 5", "probabilities of at least 0, got -1.0"),
    "illegal chance": (f"{CHANCES}[0] * 6 + [1.0]", "0 for action 6, which is illegal, got 1.0"),
    "values": ("def values(self, position):\n    return [np.inf] * 7", "values: state s: expected"),
    "raises": ("def learn(self, episode):\n    raise KeyError('no\\nnet')", "learn: KeyError"),
    "closes": ("def learn(self, episode):\n    raise GeneratorExit", "learn: GeneratorExit"),
    "ends": ("def learn(self, episode):\n    raise SystemExit(3)", "learn: SystemExit: 3"),
    "made": ("def __init__(self, scenario, role, rng):\n    1 / 0", "__init__: ZeroDivisionError"),
    "state": ("def state(self):\n    return {'x': 'text'}", "state: x: expected an array"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_breaks_ends_the_run_in_one_line(own: Path, fault: str, capsys: Captured) -> None:
    change, named = FAULTS[fault]
    own.write_text(changed(change), encoding="utf-8")
    words = "train --seller learned:own.py --cycles 2 --episodes 20 --save t.npz --no-verbose"
    error = refused(capsys, *words.split())
    assert "own.py:Mine: " in error
    assert named in error
    assert not Path("t.npz").exists()


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
@pytest.mark.parametrize(
    ("name", "status"), [("SIGTERM", 143), pytest.param("SIGINT", 130, marks=pytest.mark.slow)]
)
def test_a_signal_while_it_learns_is_not_its_fault(own: Path, name: str, status: int) -> None:
    change = f"def learn(self, episode):\n    import signal; signal.raise_signal(signal.{name})"
    own.write_text(changed(change), encoding="utf-8")
    done = program("train", "--seller", "learned:own.py", "--cycles", "1", "--save", "t.npz")
    assert (done.returncode, done.stderr) == (status, "")
    assert not Path("t.npz").exists()


def test_what_breaks_on_the_screen_ends_the_run_with_a_notice(own: Path) -> None:
    change = "def learn(self, episode):\n    self.calls += 1\n    1 / (self.calls - 3)"
    own.write_text(changed(change), encoding="utf-8")
    session = new_session(SMALL, Parameters(), 1, ("learned:own.py", None))
    session.handle(do.PlayOn())
    with pytest.raises(BadInputError, match=r"own.py:Mine: learn: ZeroDivisionError"):
        deque(session.step() for _ in range(10))
    assert not session.running


def test_what_cannot_be_copied(own: Path) -> None:
    change = "def learn(self, episode):\n    self.file = open('own.py')"
    own.write_text(changed(change), encoding="utf-8")
    rewindable = RewindableTraining(lambda: training("learned:own.py", "random"))
    assert "own.py:Mine: a copy: TypeError" in message(lambda: rewindable.run_episodes(60))


@pytest.mark.parametrize("states", ["published", "opener-aware"])
def test_features_tell_positions_apart(states: str) -> None:
    game = Scenario.from_dict({"prices": 4, "rounds": 3, "states": states})
    openers = (True, False) if game.opener_aware else (True,)
    seen = [
        nt.features(nt.Position(game, Role.SELLER, time, None, standing, opened))
        for standing, time, opened in product((None, *game.prices), range(3), openers)
    ]
    assert {each.shape for each in seen} == {(8,)}
    assert np.min(seen) == 0
    assert np.max(seen) == 1
    assert len({each.tobytes() for each in seen}) >= game.n_states - 1
