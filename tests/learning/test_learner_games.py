"""Learners in their own loop: Q-learning comes out as the inner loop has it, to the bit."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from negotiation_tui.learning.learner_functions import loop_of
from negotiation_tui.learning.learner_games import LearnerGames
from negotiation_tui.learning.seats.q_seat import QSeat

from negotiation_tui.game.draws import drawn
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.boltzmann import Boltzmann
from negotiation_tui.learning.algorithms.double_q import DoubleQ
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.algorithms.sarsa import Sarsa
from negotiation_tui.learning.backend import Backend, UniformStream
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.schedules import schedule_of
from negotiation_tui.learning.seats.tabular_seat import TabularSeat, table_rows
from negotiation_tui.learning.statistics import CycleCounts
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import STRATEGIES
from tests.support.game import compiled, roles, scenarios, seeds

TABULAR = [
    name
    for name, each in LEARNERS.items()
    if isinstance(each, TabularAlgorithm) and not isinstance(each, QLearning)
]
parameters = st.builds(
    Parameters,
    learning_rate=st.sampled_from([0.1, 1.0]),
    discount_rate=st.sampled_from([0.9, 1.0]),
    exploration_end=st.sampled_from([0.0, 0.1]),
    exploration_decay=st.sampled_from([0.0, 0.1]),
    exploration_restarts=st.booleans(),
    cycles=st.just(6),
    episodes=st.integers(1, 20),
    initial_value=st.sampled_from([0.0, 1.0]),
    curriculum_window=st.integers(0, 6),
    curriculum_shift_every=st.integers(0, 2),
)


class OwnLoop:
    """Q-learning as one of the learners that `learner_loop` plays."""

    def __init__(
        self,
        like: ConcurrentTraining,
        opponent: Strategy | None = None,
        kinds: tuple[type[TabularSeat] | type[QSeat], ...] = (TabularSeat, TabularSeat),
    ) -> None:
        self.like, size, values = like, like.scenario, like.parameters
        self.seats = [
            kind(QLearning(), size, role, values) for role, kind in zip(Role, kinds, strict=True)
        ]
        first = like.train_agent
        self.learners = (first, first if opponent or not like.train_both else first.other)
        self.occupants: list[TabularSeat | QSeat | None] = [*self.seats]
        self.opponent = opponent
        if opponent:
            self.occupants[first.other] = None
        for seat in self.seats:
            seat.use(like.backend)
        self.draws = UniformStream(generators(like.seed).training)
        self.episode, self.counts = 0, CycleCounts()

    def fixed(self, role: Role) -> TabularPolicy:
        if self.opponent is None:
            return self.seats[role].frozen_policy
        table = self.opponent.remembering(self.like.scenario, role)
        assert table
        return table

    def run_episodes(self, n: int) -> None:
        stop = self.episode + n
        values, size = self.like.parameters, self.like.scenario
        schedule = schedule_of(
            values, size, self.learners, self.episode, stop, range(len(set(self.learners)))
        )
        learning = sorted(set(self.learners))
        backend = self.like.backend
        games = LearnerGames(backend, size, self.occupants, self.fixed, learning, False)
        batch = games.play(schedule, self.draws)
        self.counts.add(self.episode // values.episodes, batch.statistics)
        self.last_negotiation, self.episode = batch.transcript, stop


def check_equal(training: ConcurrentTraining, own: OwnLoop, role: Role) -> None:
    np.testing.assert_array_equal(own.seats[role].values, training.q_table(role))
    frozen = training.occupants.frozen_policy(role)
    assert isinstance(frozen, TabularPolicy)
    np.testing.assert_array_equal(own.seats[role].frozen_policy.probabilities, frozen.probabilities)
    counts = own.counts.statistics().counts
    np.testing.assert_array_equal(counts, training.statistics.counts)
    assert own.last_negotiation == training.last_negotiation


@pytest.mark.parametrize("kinds", [(TabularSeat, TabularSeat), (QSeat, TabularSeat)])
@given(
    scenario=scenarios(largest=4, rounds=3),
    values=parameters,
    seed=seeds,
    first=roles,
    both=st.booleans(),
    cut=st.integers(0, 5),
)
@settings(max_examples=20)
def test_q_learning_is_that_of_the_inner_loop(
    backend: Backend,
    kinds: tuple[type[TabularSeat] | type[QSeat], ...],
    scenario: Scenario,
    values: Parameters,
    seed: int,
    first: Role,
    both: bool,
    cut: int,
) -> None:
    training = ConcurrentTraining(scenario, values, seed, both, first, backend=backend)
    own = OwnLoop(training, kinds=kinds)
    for n in (1 + cut, values.total - 1 - cut):
        if n > 0:
            training.run_episodes(n)
            own.run_episodes(n)
            for role in Role:
                check_equal(training, own, role)


@pytest.mark.parametrize("name", ["midpoint", "boulware", "tit-for-tat", "random"])
@pytest.mark.parametrize("first", Role)
@pytest.mark.parametrize(
    "backend", ["plain", pytest.param("compiled", marks=pytest.mark.slow)], indirect=True
)
def test_so_it_is_against_a_static_strategy(backend: Backend, name: str, first: Role) -> None:
    scenario = Scenario.from_dict({"prices": 4, "rounds": 3})
    strategy, values = STRATEGIES[name], Parameters(cycles=10, episodes=30)
    seats = {str(first.other): strategy}
    training = ConcurrentTraining(scenario, values, 5, True, first, **seats, backend=backend)
    own = OwnLoop(training, strategy)
    training.run()
    own.run_episodes(values.total)
    check_equal(training, own, first)


@cache
def trained(name: str) -> ConcurrentTraining:
    """After an even number of cycles."""
    occupant = learner(f"{name}:schedule=alternate")
    scenario = Scenario.from_dict({"prices": 3, "rounds": 2})
    values = Parameters(cycles=8, episodes=25, learning_rate=0.5)
    training = ConcurrentTraining(scenario, values, 1, seller=occupant, buyer=occupant)
    training.run()
    return training


@pytest.mark.parametrize("name", TABULAR)
def test_a_learner_plays_from_before_its_cycle_while_the_other_learns(name: str) -> None:
    training = trained(name)
    before = training.policy(Role.SELLER)
    assert isinstance(before, TabularPolicy)
    training.run(1)
    frozen = training.occupants.frozen_policy(Role.SELLER)
    assert isinstance(frozen, TabularPolicy)
    np.testing.assert_array_equal(frozen.probabilities, before.probabilities)


def test_the_loop_draws_what_the_frozen_policy_says(backend: Backend) -> None:
    scenario, rng = Scenario.original(), np.random.default_rng(0)
    seat = TabularSeat(Sarsa(), scenario, Role.BUYER, Parameters())
    seat.use(backend)
    legal = seat.frozen_policy.probabilities > 0
    weights = rng.integers(0, 4, legal.shape) * legal
    weights[weights.sum(axis=1) == 0] = 1
    weights *= legal
    chances = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1)
    seat.go_to({**seat.state(), "frozen": chances.ravel()})
    tables = seat.table, table_rows(seat.frozen_policy, backend)
    for state, u in product(range(scenario.n_states - 1), np.linspace(0, 1, 50, endpoint=False)):
        one, other = (
            each.actions[first + drawn(each.cumulative, first, each.n_actions[state], u)]
            for each in tables
            for first in [state * each.width]
        )
        assert one == other
        assert chances[state, one] > 0


def test_the_loop_is_compiled_once_for_all_learners() -> None:
    """A function of its own type for each would be compiled and kept again in each process."""
    for each in (Sarsa(), DoubleQ(), Boltzmann()):
        seat = TabularSeat(each, Scenario.original(), Role.BUYER, Parameters())
        seat.use(compiled())
        assert seat.policy.n_actions.any()
    assert len(loop_of(compiled()).write_policy.signatures) == 1  # type: ignore[attr-defined]
