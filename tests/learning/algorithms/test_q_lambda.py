"""Q(λ): updates worked out by hand, after Sutton and Barto 2018, section 12.10."""

from dataclasses import replace

import pytest

from tests.support.learner_alone import (
    ACCEPT,
    LOW,
    OFFER_HIGH,
    TINY,
    WALK_AWAY,
    Decisions,
    LearnerAlone,
    S,
)

THREE_ROUNDS = replace(TINY, rounds=3)
LATER = 3
"""The state 1.1, before the last of three rounds."""
SPEC = "q-lambda:learning_rate=0.5,trace_decay=0.5"
Expected = dict[tuple[int, int], float]

STEPS: list[tuple[Decisions, float, Expected]] = [
    # All actions are best ones. So G is 1/2, then γ·(0 + λ·1/2) = 1/8, then γ·(0 + λ·1/8) = 1/32.
    (
        [(S, OFFER_HIGH), (LOW, OFFER_HIGH), (LATER, ACCEPT)],
        1 / 2,
        {(LATER, ACCEPT): 1 / 4, (LOW, OFFER_HIGH): 1 / 16, (S, OFFER_HIGH): 1 / 64},
    ),
    # Walking away is not the best of 1.0: the trace is cut, and `s` learns γ·1/16 = 4/128.
    (
        [(S, OFFER_HIGH), (LOW, WALK_AWAY)],
        0.0,
        {(LOW, WALK_AWAY): 0.0, (S, OFFER_HIGH): (2 / 128 + 4 / 128) / 2},
    ),
    # Best ones again. G is 1/2, then γ·(1/2 · 1/4 + 1/2 · 1/2) = 3/16, by the value of 1.1 before;
    # then γ·(1/2 · 1/16 + 1/2 · 3/16) = 1/16 = 8/128.
    (
        [(S, OFFER_HIGH), (LOW, OFFER_HIGH), (LATER, ACCEPT)],
        1 / 2,
        {
            (LATER, ACCEPT): 3 / 8,
            (LOW, OFFER_HIGH): 1 / 8,
            (S, OFFER_HIGH): (3 / 128 + 8 / 128) / 2,
        },
    ),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone(SPEC, THREE_ROUNDS, discount_rate=0.5)
    for decisions, reward, expected in STEPS:
        seller.learn(decisions, reward)
        assert {at: seller.entry(0, *at) for at in expected} == pytest.approx(expected)
