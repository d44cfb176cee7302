"""Files of tables with hidden limits: everything comes back, and damage is one line."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, States
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import learner
from tests.support.hidden import HIDDEN

LEARNERS = ["learned", "learned:sarsa", "learned:actor-critic", "learned:cfr:plus=true"]


def trained(game: str = "narrowed", spec: str = "learned") -> TrainedTables:
    scenario = replace(HIDDEN[game], states=States.OPENER_AWARE)
    one, other = learner(spec), learner("learned")
    parameters = Parameters(cycles=4, episodes=30)
    training = ConcurrentTraining(scenario, parameters, 1, seller=one, buyer=other)
    training.run()
    return TrainedTables.of(training)


@pytest.mark.parametrize("game", HIDDEN)
@pytest.mark.parametrize("spec", LEARNERS)
def test_everything_comes_back(tmp_path: Path, game: str, spec: str) -> None:
    saved = trained(game, spec)
    save_tables(tmp_path / "t.npz", saved)
    loaded = load_tables(tmp_path / "t.npz")
    assert loaded.scenario == saved.scenario
    np.testing.assert_array_equal(loaded.q_tables, saved.q_tables)
    np.testing.assert_array_equal(loaded.statistics.counts, saved.statistics.counts)
    for role in Role:
        one, other = saved.policy(role), loaded.policy(role)
        assert one.n_tables == other.n_tables == saved.scenario.n_tables(role)
        np.testing.assert_array_equal(one.probabilities, other.probabilities)
        for name, array in saved.learned[role].items():
            np.testing.assert_array_equal(loaded.learned[role][name], array)


def test_what_does_not_suit_the_limits_is_refused_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    save_tables(path, trained(spec="learned:sarsa"))
    with np.load(path) as file:
        sound = {name: file[name] for name in file}
    about = json.loads(str(sound["about"]))

    def refusal(**changed: object) -> str:
        np.savez_compressed(path, **{**sound, **changed})
        with pytest.raises(BadInputError) as caught:
            load_tables(path)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    fewer = {**about["scenario"], "seller": {**about["scenario"]["seller"], "limits": [3, 8]}}
    fewer["seller"].pop("weights")
    assert "expected" in refusal(about=np.array(json.dumps({**about, "scenario": fewer})))
    assert "shape (2, 96, 7)" in refusal(q_tables=sound["q_tables"][:, :64])
    assert "shape (4, 8)" in refusal(statistics=sound["statistics"][:, :6])
    assert "seller_tables" in refusal(seller_tables=sound["seller_tables"][:, :-1])
    illegal = sound["probabilities"].copy()
    illegal[0, 32 * 2] = np.eye(1, 7, 1)  # the highest limit asks the second price
    assert "limit 8, action 2" in refusal(probabilities=illegal)
    wrong = {**about["scenario"], "buyer": {"limits": [0, 17]}}
    assert "limits" in refusal(about=np.array(json.dumps({**about, "scenario": wrong})))
