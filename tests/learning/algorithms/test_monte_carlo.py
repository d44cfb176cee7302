"""Monte Carlo control: updates worked out by hand, after Sutton and Barto 2018, section 5.4."""

import pytest

from tests.support.learner_alone import (
    ACCEPT,
    LOW,
    OFFER_HIGH,
    OFFER_LOW,
    WALK_AWAY,
    Decisions,
    LearnerAlone,
    S,
)

Expected = dict[tuple[int, int], float]
Steps = list[tuple[Decisions, float, Expected]]

CONSTANT: Steps = [
    # The return at `s` is γ·1/2 = 1/4 at once.
    ([(S, OFFER_HIGH), (LOW, ACCEPT)], 1 / 2, {(LOW, ACCEPT): 1 / 4, (S, OFFER_HIGH): 1 / 8}),
    # It earned nothing, so `s` loses, whatever 1.0 could earn.
    ([(S, OFFER_HIGH), (LOW, WALK_AWAY)], 0.0, {(LOW, WALK_AWAY): 0, (S, OFFER_HIGH): 1 / 16}),
    ([(S, OFFER_LOW)], 1 / 2, {(S, OFFER_LOW): 1 / 4, (S, OFFER_HIGH): 1 / 16}),
]
MEANS: Steps = [
    ([(S, OFFER_HIGH), (LOW, ACCEPT)], 1 / 2, {(LOW, ACCEPT): 1 / 2, (S, OFFER_HIGH): 1 / 4}),
    ([(S, OFFER_HIGH), (LOW, WALK_AWAY)], 0.0, {(LOW, WALK_AWAY): 0, (S, OFFER_HIGH): 1 / 8}),
    # Three returns at `s`: 1/4, 0 and γ·1 = 1/2.
    ([(S, OFFER_HIGH), (LOW, OFFER_HIGH)], 1.0, {(LOW, OFFER_HIGH): 1, (S, OFFER_HIGH): 1 / 4}),
]


@pytest.mark.parametrize(("average", "steps"), [("false", CONSTANT), ("true", MEANS)])
def test_updates_worked_out_by_hand(average: str, steps: Steps) -> None:
    seller = LearnerAlone(f"monte-carlo:learning_rate=0.5,average={average}", discount_rate=0.5)
    for decisions, reward, expected in steps:
        seller.learn(decisions, reward)
        assert {at: seller.entry(0, *at) for at in expected} == pytest.approx(expected)
