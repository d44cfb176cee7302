"""Recipes: documented sets of training parameters, each for any scenario (docs/recipes.md)."""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.validate import one_of

Recipe = Callable[[Scenario], Parameters]


def published(_: Scenario) -> Parameters:
    """The original's training: ε restarts in every cycle and hardly falls."""
    return Parameters()


def corrected(_: Scenario) -> Parameters:
    """The original's training, except that ε falls over the whole training."""
    return Parameters(exploration_restarts=False)


def exploring_starts(scenario: Scenario) -> Parameters:
    """Training whose episodes begin at a random decision (Sutton and Barto 2018, section 5.3)."""
    plies = 2 * scenario.rounds
    return replace(
        _random_starts(scenario),
        cycles=2 * CYCLES_PER_PLY * plies,
        episodes=8 * scenario.n_prices**2,
        curriculum_window=plies,
    )


def reverse_curriculum(scenario: Scenario) -> Parameters:
    """Training that begins near the deadline, then earlier and earlier (Florensa et al. 2017)."""
    plies = 2 * scenario.rounds
    return replace(
        _random_starts(scenario),
        cycles=CYCLES_PER_PLY * (plies + WINDOW + 1),
        episodes=4 * scenario.n_prices**2,
        curriculum_window=WINDOW,
        curriculum_shift_every=CYCLES_PER_PLY,
    )


def annealing(scenario: Scenario) -> Parameters:
    """Training for any learner: random starts at all plies, and ε falls once, to nearly nothing."""
    plies, cycles, episodes = 2 * scenario.rounds, 2000, 4 * scenario.n_prices**2
    return Parameters(
        exploration_end=0.02,
        exploration_decay=FALL / (cycles * episodes),
        exploration_restarts=False,
        cycles=cycles,
        episodes=episodes,
        curriculum_window=plies,
    )


def _random_starts(scenario: Scenario) -> Parameters:
    """Return what both recipes with random starts have in common.

    A cycle's opponent is fixed, and expected updates average over its equally good answers. So an
    observation has no noise, and a learning rate below 1 would only slow learning down. With hidden
    limits it has noise: the next opponent has another limit, and answers by another table.
    """
    rate = Parameters().learning_rate if scenario.hidden else 1.0
    return Parameters(learning_rate=rate, exploration_end=1.0, expected_updates=True)


CYCLES_PER_PLY = 8
"""A value needs two cycles per role to propagate back by one ply; doubled for safety."""
WINDOW = 4
"""Plies that the random starts of `reverse_curriculum` are drawn from."""
FALL = 5.0
"""Time constants in the fall of ε of `annealing`; 0.7 % of the way is left at the end."""


RECIPES: dict[str, Recipe] = {
    "published": published,
    "corrected": corrected,
    "exploring-starts": exploring_starts,
    "reverse-curriculum": reverse_curriculum,
    "annealing": annealing,
}


def recipe(name: str) -> Recipe:
    """Return the recipe with this name. Raises BadInputError if there is none."""
    return RECIPES[one_of("recipe", name, tuple(RECIPES))]
