"""Lenient Q-learning: updates worked out by hand, after Wei and Luke 2016."""

import pytest

from tests.support.learner_alone import ACCEPT, LOW, OFFER_HIGH, Decisions, LearnerAlone, S

SPEC = "lenient:learning_rate=0.5,temperature=1,cooling=0.5"
Q, T = 0, 1
Expected = dict[tuple[int, int, int], float]

STEPS: list[tuple[float, Decisions, float, Expected]] = [
    # Good news is always learned, here with the draw that would forgive everything.
    (0.0, [(LOW, OFFER_HIGH)], 1.0, {(Q, LOW, OFFER_HIGH): 1 / 2, (T, LOW, OFFER_HIGH): 1 / 2}),
    # Bad news is forgiven with probability exp(−1 / (1/2)) = 0.135, above the draw.
    (0.1, [(LOW, OFFER_HIGH)], 0.0, {(Q, LOW, OFFER_HIGH): 1 / 2, (T, LOW, OFFER_HIGH): 1 / 4}),
    # Now with exp(−4) = 0.018: it is learned.
    (0.1, [(LOW, OFFER_HIGH)], 0.0, {(Q, LOW, OFFER_HIGH): 1 / 4, (T, LOW, OFFER_HIGH): 1 / 8}),
    # Other actions are as warm as they were. At `s` the target is γ·1/4.
    (
        0.1,
        [(S, OFFER_HIGH), (LOW, ACCEPT)],
        1 / 2,
        {
            (Q, S, OFFER_HIGH): 1 / 16,
            (T, S, OFFER_HIGH): 1 / 2,
            (Q, LOW, ACCEPT): 1 / 4,
            (T, LOW, ACCEPT): 1 / 2,
            (T, LOW, OFFER_HIGH): 1 / 8,
        },
    ),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone(SPEC, discount_rate=0.5)
    for draw, decisions, reward, expected in STEPS:
        seller.learn(decisions, reward, draw)
        assert {at: seller.entry(*at) for at in expected} == pytest.approx(expected)


def test_nothing_is_forgiven_for_ever() -> None:
    seller = LearnerAlone("lenient:learning_rate=1,temperature=1000,cooling=0.5")
    for _ in range(2000):
        seller.learn([(LOW, OFFER_HIGH)], 1.0)
    seller.learn([(LOW, OFFER_HIGH)], 0.0, draw=0.0)
    assert seller.entry(Q, LOW, OFFER_HIGH) == 0.0
