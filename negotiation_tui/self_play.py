"""Two learners after the whole training of a recipe, by themselves."""

from dataclasses import replace
from functools import lru_cache

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Policy, greedy
from negotiation_tui.learning import ConcurrentTraining
from negotiation_tui.learning.backend import fastest_backend
from negotiation_tui.learning.recipes import RECIPES


@lru_cache(maxsize=2)
def self_taught(scenario: Scenario, recipe: str, seed: int) -> tuple[Policy, Policy]:
    """What seller and buyer play in the end, the same wherever it is asked for.

    Their states say who opened, whatever the scenario's say: without, no recipe converges. Raises
    BadInputError where the scenario is too large for their tables.
    """
    scenario = replace(scenario, states=States.SEATED)
    parameters = RECIPES[recipe](scenario)
    training = ConcurrentTraining(scenario, parameters, seed, backend=fastest_backend())
    training.run()
    seller, buyer = (greedy(scenario, role, training.q_table(role)) for role in Role)
    return seller, buyer
