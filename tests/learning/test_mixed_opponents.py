"""Training and tests with policies whose actions have probabilities of their own."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning import evaluation
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.loop import PRICES
from negotiation_tui.learning.rewind import RewindableTraining
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.strategies.registry import strategy
from tests.learning.test_ancestry import trace_whole_table
from tests.support.game import compiled, roles, scenarios, seeds
from tests.support.mixed import Mixed, random_policy
from tests.support.trainings import same_training

ORIGINAL = Scenario.original()


def against(
    opponent: Mixed, role: Role, scenario: Scenario, parameters: Parameters, seed: int = 0
) -> ConcurrentTraining:
    seller, buyer = (opponent if party is role else None for party in Role)
    return ConcurrentTraining(scenario, parameters, seed, seller=seller, buyer=buyer)


@pytest.mark.parametrize("recipe", sorted(RECIPES))
@pytest.mark.parametrize("states", States)
@settings(max_examples=8)
@given(scenario=scenarios(largest=5, rounds=4), role=roles, seed=seeds)
def test_one_seed_is_one_run(
    recipe: str, states: States, scenario: Scenario, role: Role, seed: int
) -> None:
    scenario = replace(scenario, states=states)
    parameters = replace(RECIPES[recipe](scenario), episodes=50)
    one, other = (against(Mixed(seed), role, scenario, parameters, seed) for _ in range(2))
    other.use(compiled())
    one.run_episodes(200)
    for n in (1, 49, 0, 73, 77):
        other.run_episodes(n)
    assert same_training(one, other)


@settings(max_examples=15)
@given(scenario=scenarios(largest=5, rounds=4), role=roles, seed=seeds)
def test_turn_by_turn_it_learns_the_same_bits(scenario: Scenario, role: Role, seed: int) -> None:
    parameters = Parameters(episodes=50)
    inner, turns = (
        against(Mixed(seed, has_table), role, scenario, parameters, seed)
        for has_table in (True, False)
    )
    for training in (inner, turns):
        training.run_episodes(120)
    assert same_training(inner, turns)


def test_a_best_response_and_a_memory_meet_it() -> None:
    for name in ("best-response", "averaged-tit-for-tat"):
        one, other = (
            ConcurrentTraining(ORIGINAL, seed=3, seller=Mixed(4), buyer=strategy(name))
            for _ in range(2)
        )
        other.use(compiled())
        for training in (one, other):
            training.run_episodes(300)
        assert same_training(one, other)


def test_expected_updates_weigh_the_answers() -> None:
    """The buyer accepts 2 with probability 3/4, and 1 never."""
    whole = PriceRange(1, 2)
    game = Scenario("smallest", (1, 2), 1, whole, whole, Opener.SELLER, reservation=(0, 2))
    dense = np.zeros((4, 4))
    dense[START, 0] = dense[1, 3] = 1
    dense[2] = [0, 0, 0.75, 0.25]
    policy = TabularPolicy.of_probabilities(game, Role.BUYER, dense)

    class Known(Mixed):
        def policy(self, _scenario: Scenario, _role: Role) -> TabularPolicy:
            return policy

    parameters = Parameters(expected_updates=True, learning_rate=0.5)
    training = against(Known(0), Role.BUYER, game, parameters)
    training.run_episodes(400)
    assert training.q_table(Role.SELLER)[START, :2] == pytest.approx([0, 0.75], abs=1e-12)


def test_the_ancestry_of_a_value_weighs_the_answers_too() -> None:
    scenario = Scenario.from_dict({"prices": 3, "rounds": 3})
    parameters = Parameters(cycles=20, episodes=10, expected_updates=True)
    rewindable = RewindableTraining(lambda: against(Mixed(6), Role.BUYER, scenario, parameters))
    rewindable.run_episodes(90)
    trace_whole_table(rewindable)


@pytest.mark.parametrize("opener", Role)
def test_outcomes_are_as_frequent_as_they_are_probable(opener: Role) -> None:
    rng, n = np.random.default_rng(12), 200_000
    tables = random_policy(ORIGINAL, Role.SELLER, rng), random_policy(ORIGINAL, Role.BUYER, rng)
    expected = expected_play(ORIGINAL, *tables).opened_by(opener)
    limits = np.zeros((n, 2), np.int32)
    found, _ = evaluation.outcomes(ORIGINAL, *tables, rng, opener, limits, compiled())
    margin = 5 * (0.25 / n) ** 0.5
    counts = found.counts.sum(axis=0)
    assert found.deals.sum() / n == pytest.approx(expected.deal, abs=margin)
    assert found.breakdowns.sum(axis=0) / n == pytest.approx(expected.walks, abs=margin)
    paid = float(expected.deals.sum(axis=0) @ ORIGINAL.prices)
    assert counts[PRICES] / n == pytest.approx(paid, abs=5 * margin)


def test_as_published_an_opening_is_drawn_again_with_its_weights() -> None:
    rng = np.random.default_rng(0)
    dense = random_policy(ORIGINAL, Role.SELLER, rng).probabilities.copy()
    dense[START, :5] = [0.9, 0.05, 0.05, 0, 0]
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
