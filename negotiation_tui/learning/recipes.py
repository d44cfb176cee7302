"""Recipes: documented sets of training parameters, each for any scenario (docs/recipes.md)."""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.validate import one_of

Recipe = Callable[[Scenario], Parameters]


def published(_: Scenario) -> Parameters:
    """As the original trains: ε starts anew in every cycle and hardly falls."""
    return Parameters()


def corrected(_: Scenario) -> Parameters:
    """The same, but ε falls over the whole training."""
    return Parameters(exploration_restarts=False)


def exploring_starts(scenario: Scenario) -> Parameters:
    """Every episode begins at a decision drawn at random (Sutton and Barto 2018, section 5.3)."""
    plies = 2 * scenario.rounds
    return replace(
        _DRAWN,
        cycles=2 * CYCLES_PER_PLY * plies,
        episodes=8 * scenario.n_prices**2,
        curriculum_window=plies,
    )


def reverse_curriculum(scenario: Scenario) -> Parameters:
    """Episodes begin near the deadline, then further and further back (Florensa et al. 2017)."""
    plies = 2 * scenario.rounds
    return replace(
        _DRAWN,
        cycles=CYCLES_PER_PLY * (plies + WINDOW + 1),
        episodes=4 * scenario.n_prices**2,
        curriculum_window=WINDOW,
        curriculum_shift_every=CYCLES_PER_PLY,
    )


# What the trainer plays is fixed for a cycle: with its ties weighed, what was just seen is all
# there is to know, and nothing is gained by believing it only in part.
_DRAWN = Parameters(learning_rate=1.0, exploration_end=1.0, expected_updates=True)
CYCLES_PER_PLY = 8
"""What one ply teaches reaches the ply before after both roles have trained twice; and again."""
WINDOW = 4


RECIPES: dict[str, Recipe] = {
    "published": published,
    "corrected": corrected,
    "exploring-starts": exploring_starts,
    "reverse-curriculum": reverse_curriculum,
}


def recipe(name: str) -> Recipe:
    """The recipe with this name; BadInputError where there is none."""
    return RECIPES[one_of("recipe", name, tuple(RECIPES))]
