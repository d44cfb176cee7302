"""Mirror descent from play alone: its update restated, its defaults, and how near it comes."""

from collections import Counter, defaultdict

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import Role, Scenario
from negotiation_tui.cli.main import main
from negotiation_tui.game.tabular_policy import untrained_policy
from negotiation_tui.learning.hyperparameters import RECIPES
from negotiation_tui.learning.learner_registry import usual_recipe
from negotiation_tui.solvers.best_response import nash_conv
from tests.support.game import game
from tests.support.learner_alone import ACCEPT, HIGH, LAST_LOW, LOW, LearnerAlone, S

STEP, FADING, STRONGEST, WEAKEST, DISCOUNT = 2.0, 0.7, 0.4, 0.05, 0.9
LEGAL = {S: [0, 1], LOW: [0, 1, 2, 3], HIGH: [0, 1, 2, 3], LAST_LOW: [2, 3]}
SPEC = f"sampled-mmd:step={STEP},fading={FADING},strongest={STRONGEST},weakest={WEAKEST}"


def test_it_is_mirror_descent_on_policies_that_sum_to_1() -> None:
    """The publication's form: the logarithm of π itself, normalised after every step."""
    rng, seller = np.random.default_rng(5), LearnerAlone(SPEC, discount_rate=DISCOUNT)
    policy = {state: np.full(len(legal), 1 / len(legal)) for state, legal in LEGAL.items()}
    values: dict[tuple[int, int], float] = defaultdict(float)
    tried: Counter[tuple[int, int]] = Counter()
    for _ in range(200):
        path = [[S, LOW, LAST_LOW], [S, HIGH], [LOW, LAST_LOW], [HIGH]][rng.integers(4)]
        played = [(state, int(rng.choice(LEGAL[state]))) for state in path]
        reward, epsilon = float(rng.choice([0, 1 / 2, 1])), float(rng.random())
        seller.learn(played, reward, epsilon=epsilon)
        alpha = WEAKEST ** (1 - epsilon) * STRONGEST**epsilon
        for later, (state, action) in enumerate(reversed(played)):
            tried[state, action] += 1
            returned, rate = DISCOUNT**later * reward, tried[state, action] ** -FADING
            values[state, action] = (1 - rate) * values[state, action] + rate * returned
            q = np.array([values[state, each] for each in LEGAL[state]])
            passes = sum(tried[state, each] for each in LEGAL[state])
            eta = STEP / passes**FADING
            moved = (policy[state] * np.exp(eta * q)) ** (1 / (1 + eta * alpha))
            policy[state] = moved / moved.sum()
        for state, legal in LEGAL.items():
            found = np.array(seller.chances(state))[legal]
            np.testing.assert_allclose(found, policy[state], rtol=1e-9)
    assert seller.entry(2, HIGH, ACCEPT) == tried[HIGH, ACCEPT]


def test_a_training_that_names_no_recipe_and_no_states_has_those_of_its_learners(
    capsys: pytest.CaptureFixture[str],
) -> None:
    few = "--cycles", "2", "--episodes", "3"
    said = "opener-aware states, training both agents by sampled-mmd, together: 2 cycles"
    assert main(["train", "--scenario", "hidden", "--learner", "sampled-mmd", *few]) == 0
    assert said in capsys.readouterr().out
    named = "--states", "published", "--recipe", "corrected"
    assert main(["train", "--learner", "sampled-mmd", *few, *named]) == 0
    assert "scenario original, training both agents by sampled-mmd" in capsys.readouterr().out
    mixed = "learned:sampled-mmd:step=2", "learned"
    recipes = [usual_recipe(pair) for pair in (mixed[:1] * 2, mixed, ("boulware", mixed[0]))]
    assert recipes == ["on-policy", "published", "on-policy"]


def test_the_recipe_is_as_long_as_the_game_is_large() -> None:
    hidden = RECIPES["on-policy"](Scenario.of("hidden"))
    assert hidden.total == 2000 * 16 * 6 * 5 * 10
    assert (hidden.curriculum_window, hidden.exploration_restarts) == (0, False)


@pytest.mark.slow
def test_it_comes_near_equilibrium_by_playing_with_hidden_limits() -> None:
    sides = {"seller": {"limits": [0, 1, 2]}, "buyer": {"limits": [1, 2, 3]}}
    hidden = game(range(4), 2, states="opener-aware", **sides)
    trained = nt.train(hidden, learner="sampled-mmd", seed=0)
    rate = trained.parameters.discount_rate
    seller, buyer = (untrained_policy(hidden, role) for role in Role)
    assert nash_conv(hidden, seller, buyer, rate).total > 0.2
    assert nash_conv(hidden, *trained.policies, rate).total <= 0.006
