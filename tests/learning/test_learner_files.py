"""Files of trainings with learners of every kind: they come back exactly, and bad ones do not."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation_tui.api.trained import Trained
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, spec_of_learner
from negotiation_tui.players.resolve import as_player

AWARE = Scenario.from_dict({"prices": 3, "rounds": 2, "states": str(States.OPENER_AWARE)})
WOLF = "learned:wolf-phc:delta_win=0.02"


def trained(seller: str = WOLF, buyer: str = "learned:sarsa", **how: Any) -> Trained:
    training = ConcurrentTraining(
        AWARE,
        Parameters(cycles=4, episodes=25),
        7,
        seller=as_player(seller),
        buyer=as_player(buyer),
        **how,
    )
    training.run()
    return Trained.after(training)


def changed(path: Path, about: dict[str, Any] | None = None, **arrays: Any) -> None:
    """Change entries of `about`, and arrays; None leaves an array out."""
    with np.load(path) as file:
        whole = {name: file[name] for name in file}
    told = {**json.loads(str(whole["about"])), **(about or {})}
    whole |= {**arrays, "about": np.array(json.dumps(told))}
    np.savez(path, **{name: each for name, each in whole.items() if each is not None})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.npz"
    trained().save(path)
    return path


@pytest.mark.parametrize("name", LEARNERS)
def test_what_a_learner_knows_plays_and_is_worth_comes_back(tmp_path: Path, name: str) -> None:
    tables = trained(f"learned:{name}", "learned:wolf-phc")
    tables.save(tmp_path / "x.npz")
    loaded = Trained.load(tmp_path / "x.npz")
    assert loaded.learners == (spec_of_learner(LEARNERS[name]), "learned:wolf-phc")
    assert loaded.strategies == (None, None)
    for role in Role:
        assert np.array_equal(loaded.probabilities(role), tables.probabilities(role))
        assert loaded.learned[role].keys() == tables.learned[role].keys()
        for key, array in tables.learned[role].items():
            assert np.array_equal(loaded.learned[role][key], array)
    assert loaded.nash_conv().total == tables.nash_conv().total
    assert loaded.test(100) == tables.test(100)
    assert loaded.to_dict() == tables.to_dict()
    assert repr(loaded) == repr(tables)


def test_the_judged_policy_is_the_one_of_the_training() -> None:
    training = ConcurrentTraining(AWARE, Parameters(cycles=4), 7, seller=as_player(WOLF))
    training.run()
    tables = Trained.after(training)
    policy = training.policy(Role.SELLER)
    assert policy is not training.policy(Role.SELLER)
    assert np.array_equal(tables.probabilities("seller")[0], policy.probabilities)  # type: ignore[union-attr]
    assert tables.policies[0].weights is not None, "a mixed one"
    assert tables.policies[1].weights is None
    assert tables.learners == (WOLF, "learned")


def test_arrays_hold_what_the_learner_needs() -> None:
    tables = trained()
    assert tables.learned[0]["tables"].shape == (4, AWARE.n_states * AWARE.n_actions)
    values = tables.learned[0]["tables"][0].reshape(AWARE.n_states, -1)
    assert np.array_equal(values, tables.q_tables[0])
    assert trained("learned", "boulware").learned == ({}, {})


def test_a_strategy_in_a_seat_has_no_learner() -> None:
    tables = trained(WOLF, "boulware")
    assert (tables.learners, tables.strategies) == ((WOLF, None), (None, "boulware"))
    with pytest.raises(BadInputError, match="buyer: expected a role that learned, got 'boulware'"):
        tables.probabilities("buyer")


def refusal(file: Path) -> str:
    with pytest.raises(BadInputError) as caught:
        load_tables(file)
    message = str(caught.value)
    assert "x.npz" in message
    assert "\n" not in message
    return message


SIZE = AWARE.n_states * AWARE.n_actions


@pytest.mark.parametrize(
    ("arrays", "named"),
    [
        ({"seller_tables": None}, "other or damaged data"),
        ({"seller_tables": np.zeros((3, SIZE))}, "seller_tables: expected float64 of shape (4, "),
        ({"seller_tables": np.zeros((4, SIZE), np.float32)}, "seller_tables: expected float64"),
        ({"seller_tables": np.full((4, SIZE), np.nan)}, "seller_tables: expected finite numbers"),
        ({"buyer_tables": np.full((1, SIZE), np.inf)}, "buyer_tables: expected finite numbers"),
        ({"probabilities": None}, "expected the policy of learned:wolf-phc"),
        (
            {"probabilities": np.full((2, AWARE.n_states, AWARE.n_actions), np.nan)},
            "expected a number from 0 to 1",
        ),
    ],
)
def test_damaged_arrays_are_named(file: Path, arrays: dict[str, Any], named: str) -> None:
    changed(file, **arrays)
    assert named in refusal(file)


@pytest.mark.parametrize(
    ("learners", "named"),
    [
        ([WOLF], "learners: expected a list of two"),
        ([None, WOLF], "learners: expected learned, or learned: with a name, got nothing"),
        (["midpoint", WOLF], "learners: expected learned"),
        ([3, WOLF], "learners: expected text"),
        (["learned:wolf-phc:delta_win=many", WOLF], "delta_win: expected a number"),
    ],
)
def test_wrong_learners_are_named(file: Path, learners: list[Any], named: str) -> None:
    changed(file, {"learners": learners})
    assert named in refusal(file)


def test_a_learner_that_is_not_built_in_plays_the_policy_of_its_file(file: Path) -> None:
    changed(file, {"learners": ["learned:tomorrows", "learned:sarsa"]})
    loaded = Trained.load(file)
    assert loaded.learned[0] == {}
    assert loaded.nash_conv().total == trained().nash_conv().total
