"""WoLF-PHC: updates worked out by hand, after table 2 of Bowling and Veloso 2002."""

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

SPEC = "wolf-phc:learning_rate=0.5,delta_win=0.125,delta_lose=0.25"
Q, PI, AVERAGE = 0, 1, 2
Expected = dict[tuple[int, int, int], float]

STEPS: list[tuple[Decisions, float, Expected]] = [
    # First visit: π = π̄ = 1/2, so it is not winning. Accepting is best: π moves by 1/4 to it.
    (
        [(LAST_LOW, ACCEPT)],
        1 / 2,
        {
            (Q, LAST_LOW, ACCEPT): 1 / 4,
            (PI, LAST_LOW, ACCEPT): 3 / 4,
            (PI, LAST_LOW, WALK_AWAY): 1 / 4,
            (AVERAGE, LAST_LOW, ACCEPT): 1 / 2,
        },
    ),
    # π̄ = (1/2 + 3/4) / 2 = 5/8 < π: winning, so a step of 1/8 only.
    (
        [(LAST_LOW, ACCEPT)],
        1 / 2,
        {
            (Q, LAST_LOW, ACCEPT): 3 / 8,
            (PI, LAST_LOW, ACCEPT): 7 / 8,
            (PI, LAST_LOW, WALK_AWAY): 1 / 8,
            (AVERAGE, LAST_LOW, ACCEPT): 5 / 8,
        },
    ),
    # π̄ = 5/8 + (7/8 − 5/8) / 3 = 17/24: winning still. The other action has 1/8 left: π is pure.
    ([(LAST_LOW, ACCEPT)], 1 / 2, {(PI, LAST_LOW, ACCEPT): 1.0, (PI, LAST_LOW, WALK_AWAY): 0.0}),
    # Nothing is left to take away.
    ([(LAST_LOW, ACCEPT)], 1 / 2, {(PI, LAST_LOW, ACCEPT): 1.0, (PI, LAST_LOW, WALK_AWAY): 0.0}),
    # Two decisions: `s` learns γ·max Q(1.1) = 1/2 · 15/32, and steps by 1/4 to offering 2. There,
    # π̄ = 17/24 + 7/24/4 = 25/32 after four visits, and (25/32 · 4 + 1) / 5 = 33/40 after five.
    (
        [(S, OFFER_HIGH), (LAST_LOW, WALK_AWAY)],
        0.0,
        {
            (Q, S, OFFER_HIGH): 15 / 128,
            (Q, LAST_LOW, WALK_AWAY): 0.0,
            (PI, S, OFFER_HIGH): 3 / 4,
            (PI, S, OFFER_LOW): 1 / 4,
            (PI, LAST_LOW, ACCEPT): 1.0,
            (AVERAGE, LAST_LOW, ACCEPT): 33 / 40,
        },
    ),
    # Four actions: each of the three others gives a third of the step.
    (
        [(HIGH, ACCEPT)],
        1.0,
        {
            (Q, HIGH, ACCEPT): 1 / 2,
            (PI, HIGH, ACCEPT): 1 / 2,
            (PI, HIGH, OFFER_LOW): 1 / 6,
            (PI, HIGH, OFFER_HIGH): 1 / 6,
            (PI, HIGH, WALK_AWAY): 1 / 6,
        },
    ),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone(SPEC, discount_rate=0.5)
    for decisions, reward, expected in STEPS:
        seller.learn(decisions, reward)
        assert {entry: seller.entry(*entry) for entry in expected} == pytest.approx(expected)


def test_losing_is_left_fast() -> None:
    """π = (1, 0), then accepting is worth −1/2 on average: π earns less than π̄."""
    seller = LearnerAlone("wolf-phc:learning_rate=1,delta_win=0.5,delta_lose=1", discount_rate=1)
    seller.learn([(LAST_LOW, ACCEPT)], 1 / 2)
    assert seller.chances(LAST_LOW)[ACCEPT:] == [1.0, 0.0]
    seller.learn([(LAST_LOW, ACCEPT)], -1 / 2)
    assert seller.chances(LAST_LOW)[ACCEPT:] == [0.0, 1.0]


def test_what_was_never_seen_is_played_at_random() -> None:
    assert LearnerAlone(SPEC).chances(HIGH) == [1 / 4] * 4
