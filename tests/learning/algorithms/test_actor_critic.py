"""Actor–critic: updates worked out by hand, after Sutton and Barto 2018, section 13.5."""

import math

import pytest

from tests.support.learner_alone import (
    ACCEPT,
    HIGH,
    LAST_LOW,
    OFFER_HIGH,
    OFFER_LOW,
    WALK_AWAY,
    Decisions,
    LearnerAlone,
    S,
)

ACTOR, CRITIC = 0, 1
Expected = dict[tuple[int, int, int], float]
UNLIKELIER = 1 / (1 + math.exp(1 / 2))
"""The chance of one of two actions if its preference is less by 1/2."""

STEPS: list[tuple[Decisions, float, Expected]] = [
    # The critic knows nothing of 1.1 yet, so `s` learns nothing: δ = γ·0 − 0.
    (
        [(S, OFFER_HIGH), (LAST_LOW, ACCEPT)],
        1 / 2,
        {
            (CRITIC, S, 0): 0.0,
            (ACTOR, S, OFFER_HIGH): 0.0,
            (CRITIC, LAST_LOW, 0): 1 / 4,
            (ACTOR, LAST_LOW, ACCEPT): 1 / 4,
            (ACTOR, LAST_LOW, WALK_AWAY): -1 / 4,
        },
    ),
    # At `s`, δ = γ·1/4 − 0 = 1/8; the reward of 0 does not reach it. At 1.1, δ = 0 − 1/4.
    (
        [(S, OFFER_HIGH), (LAST_LOW, WALK_AWAY)],
        0.0,
        {
            (CRITIC, S, 0): 1 / 16,
            (ACTOR, S, OFFER_HIGH): 1 / 16,
            (ACTOR, S, OFFER_LOW): -1 / 16,
            (CRITIC, LAST_LOW, 0): 1 / 8,
            (ACTOR, LAST_LOW, ACCEPT): 1 / 4 + 1 / 4 * (1 - UNLIKELIER),
            (ACTOR, LAST_LOW, WALK_AWAY): -1 / 4 - 1 / 4 * (1 - UNLIKELIER),
        },
    ),
    # Four actions: 1 − 1/4 for the one that was played, −1/4 for each other.
    (
        [(HIGH, ACCEPT)],
        1.0,
        {
            (CRITIC, HIGH, 0): 1 / 2,
            (ACTOR, HIGH, ACCEPT): 3 / 4,
            (ACTOR, HIGH, OFFER_LOW): -1 / 4,
            (ACTOR, HIGH, OFFER_HIGH): -1 / 4,
            (ACTOR, HIGH, WALK_AWAY): -1 / 4,
        },
    ),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone("actor-critic:learning_rate=1,critic_rate=0.5", discount_rate=0.5)
    for decisions, reward, expected in STEPS:
        seller.learn(decisions, reward)
        assert {entry: seller.entry(*entry) for entry in expected} == pytest.approx(expected)


def test_both_rates_are_their_own() -> None:
    seller = LearnerAlone("actor-critic:learning_rate=0.5,critic_rate=0")
    seller.learn([(LAST_LOW, ACCEPT)], 1.0)
    assert seller.entry(ACTOR, LAST_LOW, ACCEPT) == 1 / 4
    assert seller.entry(CRITIC, LAST_LOW) == 0.0
