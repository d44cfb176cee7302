"""Beliefs about a player that explores, and those that go on from earlier ones."""

import numpy as np
import pytest

from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, legal_rows, untrained_policy
from negotiation_tui.solvers.beliefs import beliefs

GAME = Scenario.with_hidden_limits()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("role", Role)
def test_exploring_is_a_mixture_with_all_legal_actions(role: Role, seed: int) -> None:
    rng, epsilon = np.random.default_rng(seed), 0.25
    policy = greedy(GAME, role, rng.random((GAME.n_rows(role), GAME.n_actions)))
    legal = legal_rows(GAME, role)
    uniform = legal / np.maximum(1, legal.sum(axis=1, keepdims=True))
    dense = (1 - epsilon) * policy.probabilities + epsilon * uniform
    mixed = TabularPolicy.of_probabilities(GAME, role, dense * legal)
    other = untrained_policy(GAME, role.other)
    players = (mixed, other) if role is Role.SELLER else (other, mixed)
    for opener in Role:
        transcript = negotiate(GAME, *players, opener, rng)
        held = beliefs(policy, transcript, role, epsilon)
        assert not any(belief.unexpected for belief in held)
        for one, expected in zip(held, beliefs(mixed, transcript, role), strict=True):
            assert np.allclose(one.chances, expected.chances, atol=1e-12)
        later = beliefs(policy, transcript, role, epsilon, held[:2])
        assert all(
            np.array_equal(one.chances, expected.chances)
            for one, expected in zip(later, held, strict=True)
        )
