"""Beliefs about a hidden limit, against Bayes' rule written out."""

import numpy as np
import pytest

from negotiation_tui.game.negotiation import Transcript, negotiate, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.solvers.beliefs import belief_at, beliefs, in_all_tables
from tests.support.lotteries import lottery, stack

SCENARIO = Scenario.from_dict(
    {
        "prices": [0, 1, 2, 3],
        "rounds": 3,
        "seller": {"limits": [0, 1, 2], "weights": [1, 2, 1]},
        "buyer": {"limits": [2, 3]},
    }
)


@pytest.mark.parametrize("seed", range(30))
def test_a_belief_is_the_prior_times_the_chances_of_all_actions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scenario = lottery(rng, 4, 3)
    players = [stack(scenario, role, rng) for role in Role]
    played = negotiate(scenario, players[0][0], players[1][0], rng=rng)
    for role, (policy, plans) in zip(Role, players, strict=True):
        joint = scenario.chances(role).copy()
        held = beliefs(policy, played, role)
        assert len(held) == len(played.turns) + 1
        for n, turn in enumerate(played.turns):
            position = played.first(n).position
            assert position is not None
            assert held[n].chances == pytest.approx(joint / joint.sum(), abs=1e-12)
            if turn.role is role:
                joint *= [plan(position).get(turn.action, 0.0) for plan in plans]
            else:
                assert np.array_equal(belief_at(policy, position).chances, held[n].chances)
        assert held[-1].chances == pytest.approx(joint / joint.sum(), abs=1e-12)
        assert not any(each.unexpected for each in held)


def one_price_each() -> TabularPolicy:
    """A seller whose limits 0, 1 and 2 always ask 1, 2 and 2."""
    dense = np.zeros((SCENARIO.n_rows(Role.SELLER), SCENARIO.n_actions))
    for limit, price in enumerate((1, 2, 2)):
        rows = dense[limit * SCENARIO.n_states : (limit + 1) * SCENARIO.n_states]
        rows[:, price] = 1
        rows[1 + 2 * SCENARIO.n_prices :] = 0
        rows[1 + 2 * SCENARIO.n_prices :, SCENARIO.walk_away] = 1
    return TabularPolicy.of_probabilities(SCENARIO, Role.SELLER, dense)


def asked(*actions: int) -> Transcript:
    game, moves = SCENARIO.drawn(0, 1), iter((*actions, SCENARIO.walk_away))
    return play_out(game, Role.SELLER, lambda _position: next(moves))


def test_offers_leave_fewer_limits() -> None:
    held = beliefs(one_price_each(), asked(2, 0, 2), Role.SELLER)
    expected = [[0.25, 0.5, 0.25], *[[0, 2 / 3, 1 / 3]] * 4]
    assert np.array([each.chances for each in held]) == pytest.approx(np.array(expected))


def test_an_offer_of_no_limit_is_unexpected_and_teaches_nothing() -> None:
    held = beliefs(one_price_each(), asked(3, 0, 1, 0, 2), Role.SELLER)
    assert [each.unexpected for each in held] == [False, True, False, False, False, True, False]
    chances = [each.chances.tolist() for each in held]
    assert chances[:3] == [[0.25, 0.5, 0.25]] * 3
    assert chances[3:] == [[1, 0, 0]] * 4


def test_an_offer_that_no_player_chose_teaches_nothing() -> None:
    moves = iter([1, 0, SCENARIO.walk_away])
    played = play_out(SCENARIO.drawn(0, 1), Role.SELLER, lambda _at: next(moves), first_ply=2)
    held = beliefs(one_price_each(), played, Role.SELLER)
    assert [each.chances.tolist() for each in held] == [[0.25, 0.5, 0.25]] * 4
    position = played.first(1).position
    assert position is not None
    assert belief_at(one_price_each(), position).chances.tolist() == [0.25, 0.5, 0.25]


def test_large_and_small_tables_are_read_alike() -> None:
    sides = {"seller": {"limits": [0, 5]}, "buyer": {"limits": [10, 20]}}
    scenario = Scenario.from_dict({"prices": 30, "rounds": 20, **sides})
    for seed in range(4):
        policy, _ = stack(scenario, Role.SELLER, np.random.default_rng(seed))
        rows, size = np.arange(0, 600, 7), len(policy.n_actions) // 2
        found = in_all_tables(policy, rows)
        expected = policy.probabilities[np.stack([rows, rows + size], axis=1)]
        assert found == pytest.approx(expected, abs=1e-15)


def test_a_role_without_hidden_limits_has_one() -> None:
    game = Scenario.original()
    assert game.chances(Role.BUYER).tolist() == [1.0]
