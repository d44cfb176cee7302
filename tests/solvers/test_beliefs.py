"""Beliefs about a hidden limit against Bayes' rule written out, and bluffs as tables of moves."""

import numpy as np
import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.game.negotiation import Position, Transcript, negotiate
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, legal_rows, untrained_policy
from negotiation_tui.solvers.beliefs import belief_at, beliefs, bluff, in_all_tables
from tests.support.game import game
from tests.support.lotteries import lottery, stack

HIDDEN = Scenario.of("hidden")
SCENARIO = game(
    [0, 1, 2, 3], 3, seller={"limits": [0, 1, 2], "weights": [1, 2, 1]}, buyer={"limits": [2, 3]}
)


@pytest.mark.parametrize("seed", range(15))
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
    return Transcript.of(SCENARIO.drawn(0, 1), Role.SELLER, (*actions, SCENARIO.walk_away))


def test_an_offer_of_no_limit_is_unexpected_and_teaches_nothing() -> None:
    held = beliefs(one_price_each(), asked(3, 0, 1, 0, 2), Role.SELLER)
    assert [each.unexpected for each in held] == [False, True, False, False, False, True, False]
    chances = [each.chances.tolist() for each in held]
    assert chances[:3] == [[0.25, 0.5, 0.25]] * 3
    assert chances[3:] == [[1, 0, 0]] * 4


def test_offers_teach_after_those_that_no_player_chose() -> None:
    actions = 1, 0, 2, SCENARIO.walk_away
    played = Transcript.of(SCENARIO.drawn(0, 1), Role.SELLER, actions, first_ply=2)
    policy, expected = one_price_each(), [[0.25, 0.5, 0.25]] * 3 + [[0, 2 / 3, 1 / 3]] * 2
    held = beliefs(policy, played, Role.SELLER)
    for n, chances in enumerate(expected):
        assert held[n].chances == pytest.approx(chances)
        position = played.first(n).position
        if position is not None and position.role is Role.BUYER:
            assert belief_at(policy, position).chances == pytest.approx(chances)


def test_large_and_small_tables_are_read_alike() -> None:
    sides = {"seller": {"limits": [0, 5]}, "buyer": {"limits": [10, 20]}}
    scenario = Scenario.from_dict({"prices": 30, "rounds": 20, **sides})
    for seed in range(4):
        policy, _ = stack(scenario, Role.SELLER, np.random.default_rng(seed))
        rows, size = np.arange(0, 600, 7), len(policy.n_actions) // 2
        found = in_all_tables(policy, rows)
        expected = policy.probabilities[np.stack([rows, rows + size], axis=1)]
        assert found == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("role", Role)
def test_exploring_is_a_mixture_with_all_legal_actions(role: Role) -> None:
    rng, epsilon = np.random.default_rng(role), 0.25
    policy = greedy(HIDDEN, role, rng.random((HIDDEN.n_rows(role), HIDDEN.n_actions)))
    legal = legal_rows(HIDDEN, role)
    uniform = legal / np.maximum(1, legal.sum(axis=1, keepdims=True))
    dense = (1 - epsilon) * policy.probabilities + epsilon * uniform
    mixed = TabularPolicy.of_probabilities(HIDDEN, role, dense * legal)
    other = untrained_policy(HIDDEN, role.other)
    players = (mixed, other) if role is Role.SELLER else (other, mixed)
    for opener in Role:
        transcript = negotiate(HIDDEN, *players, opener, rng)
        held = beliefs(policy, transcript, role, epsilon)
        assert not any(belief.unexpected for belief in held)
        for one, expected in zip(held, beliefs(mixed, transcript, role), strict=True):
            assert np.allclose(one.chances, expected.chances, atol=1e-12)
        later = beliefs(policy, transcript, role, epsilon, held[:2])
        for one, expected in zip(later, held, strict=True):
            assert np.array_equal(one.chances, expected.chances)


# A seller of limit 0, 1 or 2 asks 0 to 3, a buyer of 1 to 3 offers.
GAME = game(
    [0, 1, 2, 3], 2, name="bluffs", seller={"limits": [0, 1, 2]}, buyer={"limits": [1, 2, 3]}
)
EQUALLY = (1 / 3, 1 / 3, 1 / 3)
#         0    1    2    3  accept walk away
VALUES = {
    "asks 3": (0.1, 0.2, 0.3, 0.5, 0.4, 0.0),
    "asks 2 or 3": (0.1, 0.2, 0.5, 0.5, 0.4, 0.0),
    "accepts": (0.1, 0.2, 0.3, 0.4, 0.5, 0.0),
    "offers 0": (0.5, 0.4, 0.3, 0.2, 0.1, 0.0),
}
ASK_1, ASK_2, ASK_3, ACCEPT = 1, 2, 3, 4


def position(role: Role, own: int) -> Position:
    """The position of a role that answers 1 in round 1, with its own limit of this index."""
    game = GAME.drawn(own, own)
    return Position(game.seen_by(role), role, 0, None, 1, opened=False, offers=(1,))


def plays(*actions: int) -> np.ndarray:
    return np.eye(6)[list(actions)]


S, B = Role.SELLER, Role.BUYER
TWO, BUT_ONE = (0.5, 0.5, 0.0), (0.5, 0.0, 0.5)


@pytest.mark.parametrize(
    ("role", "own", "values", "moves", "held", "found"),
    [
        (S, 0, "asks 3", (ASK_1, ASK_2, ASK_3), EQUALLY, ((2,), 0.3)),
        (S, 0, "asks 3", (ASK_1, ASK_3, ASK_3), EQUALLY, ((1, 2), 0.3)),
        (S, 0, "asks 3", (ACCEPT, ASK_2, ASK_3), BUT_ONE, ((2,), 0.1)),
        (S, 1, "asks 3", (ASK_1, ASK_2, ASK_3), EQUALLY, ((2,), 0.2)),
        (S, 0, "asks 2 or 3", (ASK_1, ASK_2, ASK_3), EQUALLY, ((1, 2), 0.3)),
        (B, 2, "offers 0", (0, ASK_1, ASK_2), EQUALLY, ((1,), 0.2)),
        pytest.param(S, 0, "asks 3", (ASK_3, ASK_3, ASK_3), EQUALLY, None, id="its own offer"),
        pytest.param(S, 0, "asks 3", (ASK_1, ASK_2, ASK_2), EQUALLY, None, id="nobody's"),
        pytest.param(S, 2, "asks 3", (ASK_3, ASK_3, ASK_2), EQUALLY, None, id="weaker limits'"),
        pytest.param(S, 0, "asks 3", (ASK_1, ASK_2, ASK_3), TWO, None, id="ruled out"),
        pytest.param(S, 0, "accepts", (ASK_1, ACCEPT, ACCEPT), EQUALLY, None, id="no offer"),
        pytest.param(S, 0, "asks 2 or 3", (ASK_2, ASK_3, ASK_3), EQUALLY, None, id="as good"),
        pytest.param(B, 0, "offers 0", (ASK_1, 0, 0), EQUALLY, None, id="a weaker buyer's"),
    ],
)
def test_a_bluff_shows_stronger_limits(
    role: Role,
    own: int,
    values: str,
    moves: tuple[int, ...],
    held: tuple[float, ...],
    found: tuple[tuple[int, ...], float] | None,
) -> None:
    shown = bluff(position(role, own), np.array(VALUES[values]), plays(*moves), np.array(held))
    if found is None or shown is None:
        assert shown is found
    else:
        assert shown.limits == found[0]
        assert shown.gain == pytest.approx(found[1])


def test_without_hidden_limits_nobody_bluffs() -> None:
    at = Position(Scenario.original(), Role.SELLER)
    assert bluff(at, np.arange(7.0), np.ones((1, 7)), np.ones(1)) is None
