"""Files of trainings of every kind: they come back exactly, and damaged ones do not."""

import json
from dataclasses import replace
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
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.players.resolve import as_player
from tests.support.hidden import HIDDEN

AWARE = Scenario.from_dict({"prices": 3, "rounds": 2, "states": str(States.OPENER_AWARE)})
WOLF = "learned:wolf-phc:delta_win=0.02"
FILE = Path("x.npz")


def trained(
    seller: str = WOLF, buyer: str = "learned:sarsa", scenario: Scenario = AWARE, episodes: int = 99
) -> Trained:
    parameters = Parameters(cycles=4, episodes=25)
    one, other = as_player(seller), as_player(buyer)
    training = ConcurrentTraining(
        scenario, parameters, 7, True, Role.BUYER, seller=one, buyer=other
    )
    training.run_episodes(episodes)
    return Trained.after(training)


CASES = [
    *((f"learned:{name}", "learned:wolf-phc", "known") for name in LEARNERS),
    *((spec, "learned", game) for game in HIDDEN for spec in ("learned", "learned:sarsa")),
    *((spec, "learned", "narrowed") for spec in ("learned:actor-critic", "learned:cfr:plus=true")),
    ("boulware", "learned", "known"),
]


@pytest.mark.parametrize(("seller", "buyer", "game"), CASES)
def test_what_was_learned_and_is_worth_comes_back(seller: str, buyer: str, game: str) -> None:
    hidden = game in HIDDEN
    scenario = replace(HIDDEN[game], states=States.OPENER_AWARE) if hidden else AWARE
    tables = trained(seller, buyer, scenario)
    tables.save(FILE)
    loaded = Trained.load(FILE)
    assert (loaded.scenario, loaded.parameters) == (tables.scenario, tables.parameters)
    assert (loaded.learners, loaded.strategies) == (tables.learners, tables.strategies)
    assert loaded.to_dict() == tables.to_dict()
    assert repr(loaded) == repr(tables)
    assert np.array_equal(loaded.q_tables, tables.q_tables)
    assert np.array_equal(loaded.statistics.counts, tables.statistics.counts)
    for role in Role:
        if tables.learners[role]:
            for one, other in zip(
                loaded.probabilities(role), tables.probabilities(role), strict=True
            ):
                assert np.array_equal(one, other)
        assert loaded.learned[role].keys() == tables.learned[role].keys()
        for key, array in tables.learned[role].items():
            assert np.array_equal(loaded.learned[role][key], array)
    if not hidden:
        assert loaded.nash_conv().total == tables.nash_conv().total
        assert loaded.test(100) == tables.test(100)


def test_a_training_not_begun_comes_back() -> None:
    trained(episodes=0).save(FILE)
    loaded = Trained.load(FILE)
    assert (loaded.seed, loaded.train_both, loaded.train_agent) == (7, True, Role.BUYER)
    assert loaded.statistics.left_over == 0
    assert not loaded.q_tables.any()


def test_the_judged_policy_is_the_one_of_the_training() -> None:
    training = ConcurrentTraining(AWARE, Parameters(cycles=4), 7, seller=as_player(WOLF))
    training.run()
    tables = Trained.after(training)
    policy = training.policy(Role.SELLER)
    assert np.array_equal(tables.probabilities("seller")[0], policy.probabilities)  # type: ignore[union-attr]
    assert tables.policies[0].weights is not None, "a mixed one"
    assert tables.policies[1].weights is None
    assert tables.learners == (WOLF, "learned")


def test_arrays_hold_what_the_learner_needs() -> None:
    tables = trained()
    assert tables.learned[0]["tables"].shape == (4, AWARE.n_states * AWARE.n_actions)
    values = tables.learned[0]["tables"][0].reshape(AWARE.n_states, -1)
    assert np.array_equal(values, tables.q_tables[0])
    static = trained("learned", "boulware")
    assert static.learned == ({}, {})
    with pytest.raises(BadInputError, match="buyer: expected a role that learned, got 'boulware'"):
        static.probabilities("buyer")


def changed(about: dict[str, Any] | None = None, **arrays: Any) -> None:
    """Change entries of `about`, and arrays; None leaves an array out."""
    with np.load(FILE) as file:
        whole = {name: file[name] for name in file}
    told = {**json.loads(str(whole["about"])), **(about or {})}
    whole |= {**arrays, "about": np.array(json.dumps(told))}
    np.savez(FILE, **{name: each for name, each in whole.items() if each is not None})


def refusal(about: dict[str, Any] | None = None, **arrays: Any) -> str:
    changed(about, **arrays)
    with pytest.raises(BadInputError) as caught:
        load_tables(FILE)
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
def test_damaged_arrays_are_named(arrays: dict[str, Any], named: str) -> None:
    trained().save(FILE)
    assert named in refusal(**arrays)


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
def test_wrong_learners_are_named(learners: list[Any], named: str) -> None:
    trained().save(FILE)
    assert named in refusal({"learners": learners})


def test_a_learner_that_is_not_built_in_plays_the_policy_of_its_file() -> None:
    trained().save(FILE)
    changed({"learners": ["learned:tomorrows", "learned:sarsa"]})
    loaded = Trained.load(FILE)
    assert loaded.learned[0] == {}
    assert loaded.nash_conv().total == trained().nash_conv().total


def test_what_does_not_suit_hidden_limits_is_named() -> None:
    scenario = replace(HIDDEN["narrowed"], states=States.OPENER_AWARE)
    trained("learned:sarsa", "learned", scenario).save(FILE)
    whole = FILE.read_bytes()
    with np.load(FILE) as file:
        sound = {name: file[name] for name in file}
    table = json.loads(str(sound["about"]))["scenario"]
    illegal = sound["probabilities"].copy()
    illegal[0, 32 * 2] = np.eye(1, 7, 1)  # the highest limit asks the second price
    fewer = {key: value for key, value in table["seller"].items() if key != "weights"}
    for about, arrays, named in (
        ({"scenario": {**table, "seller": {**fewer, "limits": [3, 8]}}}, {}, "expected"),
        ({"scenario": {**table, "buyer": {"limits": [0, 17]}}}, {}, "limits"),
        ({}, {"q_tables": sound["q_tables"][:, :64]}, "shape (2, 96, 7)"),
        ({}, {"statistics": sound["statistics"][:, :6]}, "shape (4, 8)"),
        ({}, {"seller_tables": sound["seller_tables"][:, :-1]}, "seller_tables"),
        ({}, {"probabilities": illegal}, "limit 8, action 2"),
    ):
        FILE.write_bytes(whole)
        assert named in refusal(about, **arrays)
