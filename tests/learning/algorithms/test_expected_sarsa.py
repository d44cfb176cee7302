"""Expected SARSA: updates worked out by hand, after Sutton and Barto 2018, section 6.6."""

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

SPEC = "expected-sarsa:learning_rate=0.5"
Expected = dict[tuple[int, int], float]

STEPS: list[tuple[float, Decisions, float, Expected]] = [
    (1 / 2, [(S, OFFER_HIGH), (LOW, ACCEPT)], 1 / 2, {(S, OFFER_HIGH): 0, (LOW, ACCEPT): 1 / 4}),
    # ε = 1/2. Best in 1.0: 1/4; mean of its four actions: 1/16. The target is γ·5/32 = 5/64.
    (
        1 / 2,
        [(S, OFFER_HIGH), (LOW, ACCEPT)],
        1 / 2,
        {(S, OFFER_HIGH): 5 / 128, (LOW, ACCEPT): 3 / 8},
    ),
    # ε = 0: only the best counts, γ·3/8 = 24/128; walking away was a chance of 0.
    (
        0.0,
        [(S, OFFER_HIGH), (LOW, WALK_AWAY)],
        0.0,
        {(S, OFFER_HIGH): (5 / 128 + 24 / 128) / 2, (LOW, WALK_AWAY): 0.0},
    ),
    # ε = 1: the mean of four, γ·3/32 = 12/256, brings 29/256 down to 41/512.
    (1.0, [(S, OFFER_HIGH), (LOW, WALK_AWAY)], 0.0, {(S, OFFER_HIGH): 41 / 512}),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone(SPEC, discount_rate=0.5)
    for epsilon, decisions, reward, expected in STEPS:
        seller.learn(decisions, reward, epsilon=epsilon)
        assert {at: seller.entry(0, *at) for at in expected} == pytest.approx(expected)
