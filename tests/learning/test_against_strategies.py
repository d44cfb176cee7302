"""A learner trains against every strategy, also with weights, by a table or turn by turn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

import negotiation_tui as nt
from negotiation_tui import LEARNERS, STRATEGIES, BadInputError, Learner, Transition, strategy
from negotiation_tui.game.negotiation import Player, Position, Transcript, negotiate
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, untrained_policy
from negotiation_tui.learning import evaluation
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.backend import PLAIN, UniformStream
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.episodes import play_turn_by_turn
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.population import Population, TabularPlayer
from negotiation_tui.learning.schedules import schedule_of
from negotiation_tui.learning.statistics import Totals, add_negotiation, n_columns
from negotiation_tui.strategies.base import Dependency, Strategy
from negotiation_tui.strategies.concession import Midpoint
from tests.support.game import ORIGINAL, roles, scenarios, seeds
from tests.support.hidden import HIDDEN
from tests.support.mixed import Known, random_policy
from tests.support.trainings import same_training

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
    opponent: Strategy, role: Role, seed: int = 0, scenario: Scenario = ORIGINAL, **values: float
) -> ConcurrentTraining:
    seller, buyer = (opponent if party is role else None for party in Role)
    parameters = Parameters.from_dict({"episodes": 50, **values})
    return ConcurrentTraining(scenario, parameters, seed, seller=seller, buyer=buyer)


@pytest.mark.parametrize("name", [*RULES, *REMEMBERED])
@settings(max_examples=5)
@given(scenario=scenarios(largest=5, rounds=4), role=roles, seed=seeds)
def test_move_by_move_it_learns_the_same_bits(
    name: str, scenario: Scenario, role: Role, seed: int
) -> None:

    opponent = strategy(name)
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
def test_recipes_that_need_a_table_are_refused(name: str) -> None:
    opponent = STRATEGIES[name]
    with pytest.raises(BadInputError, match=f"{name}.*expected_updates"):
        against(opponent, Role.SELLER, expected_updates=True)
    for recipe in ("exploring-starts", "reverse-curriculum"):
        training = ConcurrentTraining(ORIGINAL, RECIPES[recipe](ORIGINAL))
        with pytest.raises(BadInputError, match=f"{name}.*curriculum_window 0"):
            ConcurrentTraining(ORIGINAL, training.parameters, seller=opponent)
        with pytest.raises(BadInputError, match=f"{name}.*curriculum_window 0"):
            training.seat(Role.BUYER, opponent)
        assert training.strategy(Role.BUYER) is None
        training.run_episodes(10)


@pytest.mark.parametrize("name", ["midpoint", *WITHOUT_TABLE])
def test_seats_changed_in_the_middle_keep_their_tables(name: str) -> None:
    opponent = STRATEGIES[name]
    training = ConcurrentTraining(ORIGINAL, seed=5)
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


@pytest.mark.parametrize("name", ["q-learning", "sarsa"])
def test_a_learner_that_begins_again_plays_nothing_that_it_knew_before(name: str) -> None:
    learner = LEARNERS[name]
    training = ConcurrentTraining(ORIGINAL, seed=1, seller=learner, buyer=learner)
    training.run_episodes(400)
    before = training.policy(Role.SELLER)
    assert training.policy(Role.SELLER) is before
    training.seat(Role.SELLER, LEARNERS["wolf-phc"])
    training.seat(Role.SELLER, learner)
    fresh, untrained = training.policy(Role.SELLER), untrained_policy(ORIGINAL, Role.SELLER)
    assert isinstance(fresh, TabularPolicy)
    assert np.array_equal(fresh.probabilities, untrained.probabilities)


GAME = Scenario.from_dict({"prices": 4, "rounds": 3, "states": "opener-aware"})
TABULAR = [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", TABULAR)
def test_turn_by_turn_as_in_the_loop(name: str, role: Role) -> None:
    game = HIDDEN["narrowed"] if (TABULAR.index(name) + role) % 2 else GAME
    opponent, algorithm = STRATEGIES["random"], LEARNERS[name]
    assert isinstance(algorithm, TabularAlgorithm)
    schedule = schedule_of(Parameters(), game, (role, role), 0, 150, (0,), 3)
    looped, played = Population(game, PLAIN), Population(game, PLAIN)
    in_loop, seat = (TabularPlayer(algorithm, role, each) for each in (looped, played))
    looped.play_table(role.other, opponent.tabulated(game, role.other))
    batch = looped.play(schedule, UniformStream(np.random.default_rng(5)))
    players = [seat if each is role else opponent for each in Role]
    turns = play_turn_by_turn(game, players, schedule, repeat(np.random.default_rng(5)))
    assert turns.transcript == batch.transcript
    np.testing.assert_array_equal(turns.counts, batch.counts)
    np.testing.assert_array_equal(in_loop.tables, seat.tables)
    np.testing.assert_array_equal(in_loop.policy.probabilities, seat.policy.probabilities)


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
    assert {episode[-1].reward > 0 for episode in several} == {True, False}
    for *earlier, last in several:
        assert last.position.role is Role.SELLER
        following = [each.position for each in (*earlier[1:], last)]
        assert [each.next_position for each in earlier] == following
        offers = [GAME.prices[each.answer or 0] for each in earlier]
        assert offers == [position.standing_offer for position in following]
        assert [each.reward for each in earlier] == [0] * len(earlier)
        assert last.next_position is None
        made = GAME.prices[last.action] if last.answer is not None else last.position.standing_offer
        deal = GAME.accept in (last.action, last.answer)
        assert last.reward == (GAME.reward(Role.SELLER, made or 0) if deal else 0)


def test_expected_updates_weigh_the_answers() -> None:
    """The buyer accepts 2 with probability 3/4, and 1 never."""
    whole = PriceRange(1, 2)
    game = Scenario("smallest", (1, 2), 1, whole, whole, Opener.SELLER, reservation=(0, 2))
    dense = np.zeros((4, 4))
    dense[START, 0] = dense[1, 3] = 1
    dense[2] = [0, 0, 0.75, 0.25]
    policy = TabularPolicy.of_probabilities(game, Role.BUYER, dense)

    training = against(
        Known(0, known=policy), Role.BUYER, 0, game, expected_updates=True, learning_rate=0.5
    )
    training.run_episodes(400)
    assert training.q_table(Role.SELLER)[START, :2] == pytest.approx([0, 0.75], abs=1e-12)


def test_as_published_an_opening_is_drawn_again_with_its_weights() -> None:
    rng = np.random.default_rng(0)
    dense = random_policy(ORIGINAL, Role.SELLER, rng).probabilities.copy()
    dense[START, :5] = [0.9, 0.05, 0.05, 0, 0]
    dense[START + 1] = np.eye(7)[6]  # of a state that is never entered
    seller = TabularPolicy.of_probabilities(ORIGINAL, Role.SELLER, dense)
    stays = np.zeros((27, 7))
    stays[:-1, 0] = 1
    stays[21:26] = np.eye(7)[6]
    buyer = TabularPolicy.of_probabilities(ORIGINAL, Role.BUYER, stays)
    asked: list[int | None] = []
    for _ in range(200):
        last = evaluation.evaluate_as_published(ORIGINAL, seller, buyer, rng, 1).last_negotiation
        asked += [turn.price for turn in last.turns if turn.role is Role.SELLER]
    assert len(asked) == 200 * ORIGINAL.rounds
    assert asked.count(1) / len(asked) == pytest.approx(0.9, abs=0.05)


MIDPOINT = Midpoint()


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


class Deaf:
    """A player that plays in each position as at the opening."""

    def __init__(self, policy: TabularPolicy) -> None:
        self.policy = policy

    def act(self, position: Position, rng: np.random.Generator) -> int:
        return self.policy.act(Position(position.scenario, position.role), rng)


def totals(*played: Transcript) -> Totals:
    row = np.zeros(n_columns(played[0].scenario), np.int64)
    for transcript in played:
        add_negotiation(row, transcript)
    return Totals(*row.tolist())


@given(scenarios(), seeds)
def test_the_same_as_turn_by_turn(scenario: Scenario, seed: int) -> None:
    tables = np.random.default_rng(seed).random((2, scenario.n_states, scenario.n_actions))
    seller, buyer = (greedy(scenario, role, tables[role]) for role in Role)
    seats: list[tuple[TabularPolicy | Strategy, TabularPolicy | Strategy]] = [
        (seller, buyer),
        (MIDPOINT, buyer),
        (seller, MIDPOINT),
    ]
    for pair in seats:
        played = [negotiate(scenario, *pair, scenario.opener.role(n)) for n in range(3)]
        result = evaluation.evaluate(scenario, *pair, rng(), 3)
        assert result.totals == totals(*played)
        assert result.last_negotiation == played[-1]
    deaf: list[tuple[Player, Player]] = [(Deaf(seller), buyer), (seller, Deaf(buyer))]
    first, second = (negotiate(scenario, *deaf[opener], opener) for opener in Role)
    result = evaluation.evaluate_as_published(scenario, seller, buyer, rng(), 3, left_over=327)
    assert result.totals == totals(first, first, second)
    assert result.seller_wallet == 327 + result.totals.paid == -result.buyer_wallet
    assert first.outcome.closer is Role.BUYER  # the deaf opener never closes


@given(seeds)
def test_as_published_each_hidden_limit_stays_in_its_own_opening(seed: int) -> None:
    scenario, draws = HIDDEN["hidden"], np.random.default_rng(seed)
    seller, buyer = (
        greedy(scenario, role, draws.random((scenario.n_rows(role), scenario.n_actions)))
        for role in Role
    )
    deaf: list[tuple[Player, Player]] = [(Deaf(seller), buyer), (seller, Deaf(buyer))]
    for opener in Role:
        n = 1 + opener  # the buyer opens the second half
        last = evaluation.evaluate_as_published(scenario, seller, buyer, draws, n).last_negotiation
        assert last == negotiate(last.scenario, *deaf[opener], opener)
