"""SARSA: updates worked out by hand, after Sutton and Barto 2018, section 6.4."""

import pytest

from tests.support.learner_alone import (
    ACCEPT,
    HIGH,
    LOW,
    OFFER_HIGH,
    WALK_AWAY,
    Decisions,
    LearnerAlone,
    S,
)

SPEC = "sarsa:learning_rate=0.5"
Expected = dict[tuple[int, int], float]

STEPS: list[tuple[Decisions, float, Expected]] = [
    ([(S, OFFER_HIGH), (LOW, ACCEPT)], 1 / 2, {(S, OFFER_HIGH): 0.0, (LOW, ACCEPT): 1 / 4}),
    # The target is γ·Q(1.0, accept) as it was before: 1/2 · 1/4.
    ([(S, OFFER_HIGH), (LOW, ACCEPT)], 1 / 2, {(S, OFFER_HIGH): 1 / 16, (LOW, ACCEPT): 3 / 8}),
    # It walked away then, so `s` loses: the target is γ·Q(1.0, walk away) = 0.
    (
        [(S, OFFER_HIGH), (LOW, WALK_AWAY)],
        0.0,
        {(S, OFFER_HIGH): 1 / 32, (LOW, ACCEPT): 3 / 8, (LOW, WALK_AWAY): 0.0},
    ),
    ([(HIGH, OFFER_HIGH)], 1.0, {(HIGH, OFFER_HIGH): 1 / 2, (S, OFFER_HIGH): 1 / 32}),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone(SPEC, discount_rate=0.5)
    for decisions, reward, expected in STEPS:
        seller.learn(decisions, reward)
        assert {at: seller.entry(0, *at) for at in expected} == pytest.approx(expected)
