"""Double Q-learning: updates worked out by hand, after van Hasselt 2010, algorithm 1."""

import pytest

from tests.support.learner_alone import (
    ACCEPT,
    LOW,
    OFFER_HIGH,
    WALK_AWAY,
    Decisions,
    LearnerAlone,
    S,
)

MEAN, A, B = 0, 1, 2
AA, AB, BB = 0.0, 95831.5 / 2147483646, 0.5
"""Draws after which A, or A and then B, or B learns. The numbers 1, 95832 and 2³⁰ times 16807
modulo 2³¹ − 1 give 16807, 3/4 and a little more than 1/2 of the modulus."""
Expected = dict[tuple[int, int, int], float]

STEPS: list[tuple[float, Decisions, float, Expected]] = [
    (
        AA,
        [(S, OFFER_HIGH), (LOW, ACCEPT)],
        1 / 2,
        {
            (A, S, OFFER_HIGH): 0,
            (A, LOW, ACCEPT): 1 / 4,
            (B, LOW, ACCEPT): 0,
            (MEAN, LOW, ACCEPT): 1 / 8,
        },
    ),
    # B knows nothing of 1.0: it chooses the first action there, for which A has 0.
    (
        BB,
        [(S, OFFER_HIGH), (LOW, ACCEPT)],
        1 / 2,
        {(B, S, OFFER_HIGH): 0, (B, LOW, ACCEPT): 1 / 4, (MEAN, LOW, ACCEPT): 1 / 4},
    ),
    # A chooses to accept in 1.0, and B says 1/4 to that: the target is 1/8. Then B learns 1.0.
    (
        AB,
        [(S, OFFER_HIGH), (LOW, ACCEPT)],
        1 / 2,
        {
            (A, S, OFFER_HIGH): 1 / 16,
            (B, S, OFFER_HIGH): 0,
            (MEAN, S, OFFER_HIGH): 1 / 32,
            (A, LOW, ACCEPT): 1 / 4,
            (B, LOW, ACCEPT): 3 / 8,
            (MEAN, LOW, ACCEPT): 5 / 16,
        },
    ),
    # B chooses to accept (3/8), A says 1/4: the target is 1/8, not 3/16.
    (
        BB,
        [(S, OFFER_HIGH), (LOW, WALK_AWAY)],
        0.0,
        {(B, S, OFFER_HIGH): 1 / 16, (MEAN, S, OFFER_HIGH): 1 / 16, (B, LOW, WALK_AWAY): 0},
    ),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone("double-q:learning_rate=0.5", discount_rate=0.5)
    for draw, decisions, reward, expected in STEPS:
        seller.learn(decisions, reward, draw)
        assert {at: seller.entry(*at) for at in expected} == pytest.approx(expected)


def test_it_plays_the_best_of_both_tables() -> None:
    seller = LearnerAlone("double-q:learning_rate=0.5")
    seller.learn([(LOW, ACCEPT)], 1 / 2, AA)
    seller.learn([(LOW, OFFER_HIGH)], 1.0, BB)
    assert seller.chances(LOW) == [0, 1, 0, 0]
