"""Random policies whose actions have probabilities of their own."""

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Floats, TabularPolicy, legal_actions


def random_probabilities(scenario: Scenario, role: Role, rng: np.random.Generator) -> Floats:
    """Rows of every kind: certain, uniform over some actions, and with weights of their own."""
    legal = legal_actions(scenario, scenario.offers(role))
    weights = np.where(legal, rng.exponential(size=legal.shape), 0.0)
    weights *= rng.random(legal.shape) < 0.7
    kind = rng.integers(0, 3, len(legal))
    weights[kind == 0] = weights[kind == 0] > 0
    empty = ~weights.any(axis=1)
    weights[empty] = legal[empty]
    dense: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    return dense


def random_policy(scenario: Scenario, role: Role, rng: np.random.Generator) -> TabularPolicy:
    """A policy of `random_probabilities`."""
    return TabularPolicy.of_probabilities(scenario, role, random_probabilities(scenario, role, rng))
