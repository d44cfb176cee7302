"""REINFORCE: updates worked out by hand, after Sutton and Barto 2018, sections 13.3 and 13.4."""

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

PREFERENCES, BASELINE = 0, 1
Expected = dict[tuple[int, int, int], float]


def likelier(difference: float) -> float:
    """The chance of one of two actions if its preference is greater by `difference`."""
    return 1 / (1 + math.exp(-difference))


ONCE = 1 / 4 + 1 / 4 * (1 - likelier(1 / 2))
"""The preference for accepting after two rewards of 1/2: steps of 1/2 and 1/4, each times 1 − π."""

STEPS: list[tuple[Decisions, float, Expected]] = [
    # π = 1/2 everywhere. G is 1/2 at the last decision, and γ·1/2 = 1/4 at the first one.
    (
        [(S, OFFER_HIGH), (LAST_LOW, ACCEPT)],
        1 / 2,
        {
            (PREFERENCES, LAST_LOW, ACCEPT): 1 / 4,
            (PREFERENCES, LAST_LOW, WALK_AWAY): -1 / 4,
            (BASELINE, LAST_LOW, 0): 1 / 4,
            (PREFERENCES, S, OFFER_HIGH): 1 / 8,
            (PREFERENCES, S, OFFER_LOW): -1 / 8,
            (BASELINE, S, 0): 1 / 8,
        },
    ),
    # G − v = 1/4, and 1 − π of accepting is that of a difference of −1/2.
    (
        [(LAST_LOW, ACCEPT)],
        1 / 2,
        {
            (PREFERENCES, LAST_LOW, ACCEPT): ONCE,
            (PREFERENCES, LAST_LOW, WALK_AWAY): -ONCE,
            (BASELINE, LAST_LOW, 0): 3 / 8,
        },
    ),
    # A reward below the baseline, G − v = −3/8, makes accepting likelier.
    (
        [(LAST_LOW, WALK_AWAY)],
        0.0,
        {
            (PREFERENCES, LAST_LOW, ACCEPT): ONCE + 3 / 8 * likelier(2 * ONCE),
            (PREFERENCES, LAST_LOW, WALK_AWAY): -ONCE - 3 / 8 * likelier(2 * ONCE),
            (BASELINE, LAST_LOW, 0): 3 / 16,
        },
    ),
    # Four actions: 1 − 1/4 for the one that was played, −1/4 for each other.
    (
        [(HIGH, ACCEPT)],
        1.0,
        {
            (PREFERENCES, HIGH, ACCEPT): 3 / 4,
            (PREFERENCES, HIGH, OFFER_LOW): -1 / 4,
            (PREFERENCES, HIGH, OFFER_HIGH): -1 / 4,
            (PREFERENCES, HIGH, WALK_AWAY): -1 / 4,
        },
    ),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone("reinforce:learning_rate=1,baseline_rate=0.5", discount_rate=0.5)
    for decisions, reward, expected in STEPS:
        seller.learn(decisions, reward)
        assert {entry: seller.entry(*entry) for entry in expected} == pytest.approx(expected)
    e = math.e
    assert seller.chances(HIGH) == pytest.approx(
        [1 / (3 + e), 1 / (3 + e), e / (3 + e), 1 / (3 + e)]
    )


def test_without_a_baseline_each_reward_counts_in_full() -> None:
    seller = LearnerAlone("reinforce:learning_rate=0.5,baseline_rate=0")
    seller.learn([(LAST_LOW, ACCEPT)], 1.0)
    assert seller.entry(PREFERENCES, LAST_LOW, ACCEPT) == 1 / 4
    seller.learn([(LAST_LOW, ACCEPT)], 1.0)
    again = 1 / 4 + 1 / 2 * (1 - likelier(1 / 2))
    assert seller.entry(PREFERENCES, LAST_LOW, ACCEPT) == pytest.approx(again)
    assert seller.entry(BASELINE, LAST_LOW) == 0.0
