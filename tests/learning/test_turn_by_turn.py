"""Turn by turn, learners with tables learn as in their loops, to the bit."""

from collections.abc import Sequence
from itertools import repeat

import numpy as np
import pytest
from numpy.typing import NDArray

import negotiation_tui as nt
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.backend import PLAIN, UniformStream
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.episodes import play_schedule
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import Learner, Transition
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.learning.learning_players import TabularPlayer
from negotiation_tui.learning.population import Population
from negotiation_tui.learning.schedules import schedule_of
from negotiation_tui.strategies.registry import STRATEGIES
from tests.learning.test_against_strategies import HistoryBased
from tests.support.hidden import HIDDEN
from tests.support.trainings import same_training

GAME = Scenario.from_dict({"prices": 4, "rounds": 3, "states": "opener-aware"})
TABULAR = [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]


@pytest.mark.parametrize("game", [GAME, HIDDEN["narrowed"]], ids=["known", "hidden"])
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", TABULAR)
def test_as_in_the_loop(name: str, role: Role, game: Scenario) -> None:
    opponent, algorithm = STRATEGIES["random"], LEARNERS[name]
    assert isinstance(algorithm, TabularAlgorithm)
    schedule = schedule_of(Parameters(), game, (role, role), 0, 150, (0,), 3)
    looped, played = Population(game, PLAIN), Population(game, PLAIN)
    for each in (looped, played):
        seat = TabularPlayer(algorithm, game, role, Parameters(), each)
    looped.play_table(role.other, opponent.tabulated(game, role.other))
    batch = looped.play(schedule, UniformStream(np.random.default_rng(5)))
    players = [seat if each is role else opponent for each in Role]
    turns = play_schedule(game, players, schedule, repeat(np.random.default_rng(5)))
    assert turns.transcript == batch.transcript
    np.testing.assert_array_equal(turns.counts, batch.counts)
    np.testing.assert_array_equal(looped.tables_of(role), played.tables_of(role))
    np.testing.assert_array_equal(
        looped.policy(role).probabilities, played.policy(role).probabilities
    )


@pytest.mark.parametrize("name", TABULAR)
def test_they_meet_strategies_without_a_table(name: str) -> None:
    def training() -> ConcurrentTraining:
        opponent = HistoryBased(STRATEGIES["equilibrium"])
        parameters = Parameters(episodes=50)
        return ConcurrentTraining(GAME, parameters, 2, seller=LEARNERS[name], buyer=opponent)

    one, other = training(), training()
    one.run_episodes(170)
    for n in (1, 49, 3, 117):
        other.run_episodes(n)
    assert same_training(one, other)
    assert one.q_table(Role.SELLER).any()


def test_a_reward_comes_with_the_last_decision_alone() -> None:
    class Noting(Learner):
        def probabilities(self, position: Position) -> NDArray[np.float64]:
            row = np.zeros(self.scenario.n_actions)
            row[list(position.legal)] = 1 / len(position.legal)
            return row

        def learn(self, episode: Sequence[Transition]) -> None:
            episodes.append([*episode])

    episodes: list[list[Transition]] = []
    nt.train(GAME, seller=Noting, buyer="random", cycles=1, episodes=60)
    several = [episode for episode in episodes if len(episode) > 1]
    assert any(episode[-1].reward for episode in several)
    for episode in several:
        assert all(each.reward == 0 and each.next_position for each in episode[:-1])
        assert episode[-1].next_position is None
