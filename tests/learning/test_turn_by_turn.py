"""Turn by turn, learners with tables learn as in their loops, to the bit."""

from itertools import repeat

import numpy as np
import pytest
from negotiation_tui.learning.learner_games import LearnerGames

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.backend import PLAIN, UniformStream
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.seats.base import TryingSeat
from negotiation_tui.learning.seats.new_seat import new_seat
from negotiation_tui.learning.turn_by_turn import play_schedule
from negotiation_tui.strategies.registry import STRATEGIES
from tests.learning.test_against_strategies import HistoryBased
from tests.support.trainings import same_training

GAME = Scenario.from_dict({"prices": 4, "rounds": 3, "states": "opener-aware"})
TABULAR = [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]


def seat(name: str, role: Role) -> TryingSeat:
    made = new_seat(LEARNERS[name], GAME, role, Parameters(), PLAIN, 0)
    assert isinstance(made, TryingSeat)
    return made


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", TABULAR)
def test_as_in_the_loop(name: str, role: Role) -> None:
    schedule = Schedule((role, role), Opener.ALTERNATE, np.linspace(1, 0.1, 150))
    opponent = STRATEGIES["random"]
    table = opponent.tabulated(GAME, role.other)
    assert table is not None
    one, other = seat(name, role), seat(name, role)
    occupants = [one if each is role else None for each in Role]
    looped = LearnerGames(PLAIN, GAME, occupants, lambda _: table, [role], False).play(
        schedule, UniformStream(np.random.default_rng(5))
    )
    players = [other if each is role else opponent for each in Role]
    played = play_schedule(GAME, players, schedule, repeat(np.random.default_rng(5)))
    assert played.transcript == looped.transcript
    np.testing.assert_array_equal(played.statistics, looped.statistics)
    for array, same in zip(one.arrays.values(), other.arrays.values(), strict=True):
        np.testing.assert_array_equal(array, same)


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
