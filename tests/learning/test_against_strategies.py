"""A learner trains against every strategy, with a table or turn by turn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.strategies.base import Dependency, Strategy
from negotiation_tui.strategies.registry import STRATEGIES, strategy
from tests.support.game import compiled, roles, scenarios, seeds
from tests.support.trainings import same_training

ORIGINAL = Scenario.original()
OPENER_AWARE = replace(ORIGINAL, states=States.OPENER_AWARE)
TABULATED = [name for name, opponent in STRATEGIES.items() if "history" not in opponent.depends_on]
RULES = [name for name in TABULATED if name != "best-response"]
WITHOUT_TABLE = [name for name in STRATEGIES if name not in TABULATED]
REMEMBERED = [
    *WITHOUT_TABLE,
    "tit-for-tat:delta=2",
    "random-tit-for-tat:delta=3,largest=2,accept=time,time=0.5",
    "averaged-tit-for-tat:gamma=1,accept=const",
]
"""They depend on the offers so far by a memory alone."""


@dataclass(frozen=True)
class HistoryBased(Strategy):
    """Another strategy that claims to depend on the history, so that it is never tabulated."""

    name: ClassVar[str] = "history-based"
    summary: ClassVar[str] = "as another, move by move"
    source: ClassVar[str] = "here"
    within: Strategy

    @property
    def depends_on(self) -> frozenset[Dependency]:
        return frozenset({"history"})

    def support(self, position: Position) -> Sequence[int]:
        return self.within.support(position)


def against(
    opponent: Strategy, role: Role, seed: int = 0, scenario: Scenario = ORIGINAL
) -> ConcurrentTraining:
    """A training of a learner against a strategy in the given role."""
    seller, buyer = (opponent if party is role else None for party in Role)
    parameters = Parameters(episodes=50)
    return ConcurrentTraining(scenario, parameters, seed, seller=seller, buyer=buyer)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.slow
def test_a_seed_is_one_run_however_it_is_played(name: str, role: Role) -> None:
    one, other = (against(STRATEGIES[name], role, 4) for _ in range(2))
    other.use(compiled())
    one.run_episodes(400)
    for n in (1, 49, 0, 123, 227):
        other.run_episodes(n)
    assert same_training(one, other)
    assert one.q_table(role.other).any()
    assert role not in one.players.learners
    assert one.statistics.total.negotiations == 400
    assert not one.statistics.wallets.sum(axis=1).any()


@pytest.mark.parametrize("states", States)
@pytest.mark.parametrize("name", [*RULES, *REMEMBERED])
@settings(max_examples=8)
@given(scenario=scenarios(largest=5, rounds=4), role=roles, seed=seeds)
def test_move_by_move_it_learns_the_same_bits(
    name: str, states: States, scenario: Scenario, role: Role, seed: int
) -> None:
    """Turn-by-turn training against the inner loop."""
    opponent, scenario = strategy(name), replace(scenario, states=states)
    assert opponent.remembering(scenario, role) is not None
    inner, history_based = (
        against(kind, role, seed, scenario) for kind in (opponent, HistoryBased(opponent))
    )
    for training in (inner, history_based):
        training.run_episodes(120)
    assert same_training(inner, history_based)


@pytest.mark.parametrize("train_agent", Role)
@pytest.mark.parametrize("history_based", [False, True])
def test_who_is_not_to_learn_does_not(history_based: bool, train_agent: Role) -> None:
    opponent = HistoryBased(strategy("linear")) if history_based else strategy("linear")
    training = ConcurrentTraining(
        ORIGINAL, train_both=False, train_agent=train_agent, seller=opponent
    )
    training.run_episodes(200)
    learns = train_agent is Role.BUYER
    assert (training.learner(0) is not None) == learns
    assert training.q_table(Role.BUYER).any() == learns


@pytest.mark.parametrize("name", WITHOUT_TABLE)
def test_the_mean_of_what_has_no_table_is_not_known(name: str) -> None:
    parameters = Parameters(expected_updates=True)
    with pytest.raises(BadInputError, match=f"{name}.*expected_updates"):
        ConcurrentTraining(ORIGINAL, parameters, seller=STRATEGIES[name])


@pytest.mark.parametrize("opener", Opener)
def test_both_static_move_by_move(opener: Opener) -> None:
    scenario = replace(ORIGINAL, opener=opener)
    opponent = strategy("linear")
    runs = [
        ConcurrentTraining(scenario, Parameters(episodes=7), seller=seller, buyer=opponent)
        for seller in (opponent, HistoryBased(opponent))
    ]
    for training in runs:
        training.run_episodes(60)
    assert same_training(*runs)
    assert runs[0].learner(0) is None


@pytest.mark.slow
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", TABULATED)
def test_exploring_starts_find_the_best_response(name: str, role: Role) -> None:
    parameters = RECIPES["exploring-starts"](OPENER_AWARE)
    training = ConcurrentTraining(OPENER_AWARE, parameters, 3, backend=compiled())
    training.seat(role, STRATEGIES[name])
    training.run()
    seller, buyer = (training.policy(party) for party in Role)
    assert isinstance(seller, TabularPolicy)
    assert isinstance(buyer, TabularPolicy)
    gains = nash_conv(OPENER_AWARE, seller, buyer, parameters.discount_rate).exploitability
    assert gains[role.other] <= 0.02


@pytest.mark.parametrize("recipe", ["exploring-starts", "reverse-curriculum"])
@pytest.mark.parametrize("name", WITHOUT_TABLE)
def test_drawn_starts_have_no_history(name: str, recipe: str) -> None:
    parameters, opponent = RECIPES[recipe](ORIGINAL), STRATEGIES[name]
    with pytest.raises(BadInputError, match=f"{name}.*curriculum_window 0"):
        ConcurrentTraining(ORIGINAL, parameters, seller=opponent)
    training = ConcurrentTraining(ORIGINAL, parameters)
    with pytest.raises(BadInputError, match=f"{name}.*curriculum_window 0"):
        training.seat(Role.BUYER, opponent)
    assert training.strategy(Role.BUYER) is None
    training.run_episodes(10)


@pytest.mark.parametrize("name", ["midpoint", *WITHOUT_TABLE])
def test_seats_changed_in_the_middle_keep_their_tables(name: str, backend: Backend) -> None:
    opponent = STRATEGIES[name]
    training = ConcurrentTraining(ORIGINAL, seed=5, backend=backend)
    training.run_episodes(250)
    seller, buyer = training.q_tables
    training.seat(Role.SELLER, opponent)
    assert training.strategy(Role.SELLER) is opponent
    assert (training.policy(Role.SELLER) is opponent) == (name in WITHOUT_TABLE)
    training.run_episodes(101)
    assert np.array_equal(training.q_table(Role.SELLER), seller)
    assert (training.q_table(Role.BUYER) != buyer).any()
    buyer = training.q_table(Role.BUYER)
    training.seat(Role.BUYER, opponent)
    training.run_episodes(49)
    training.seat(Role.SELLER, None)
    training.seat(Role.BUYER, None)
    assert np.array_equal(training.q_tables, [seller, buyer])
    training.run(2)
    assert (training.q_table(Role.SELLER) != seller).any()
    assert (training.q_table(Role.BUYER) != buyer).any()
    assert training.statistics.total.negotiations == 600


@settings(max_examples=15)
@given(seeds, st.lists(st.tuples(st.booleans(), st.integers(1, 80)), min_size=1, max_size=5))
def test_any_pieces_with_seats_that_change(seed: int, parts: list[tuple[bool, int]]) -> None:
    """Pieces of any length give the same training, also if the seat changes between them."""
    whole, cut = (ConcurrentTraining(ORIGINAL, Parameters(episodes=30), seed) for _ in range(2))
    for history_based, n in parts:
        for training in (whole, cut):
            training.seat(Role.SELLER, STRATEGIES["micro"] if history_based else None)
        whole.run_episodes(n)
        cut.run_episodes(n // 3)
        cut.run_episodes(n - n // 3)
    assert same_training(whole, cut)
