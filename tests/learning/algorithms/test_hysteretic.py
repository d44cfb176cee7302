"""Hysteretic Q-learning: updates worked out by hand, after Matignon et al. 2007."""

import pytest

from tests.support.learner_alone import ACCEPT, LOW, OFFER_HIGH, Decisions, LearnerAlone, S

SPEC = "hysteretic:learning_rate=0.5,decrease=0.5"
Expected = dict[tuple[int, int], float]

STEPS: list[tuple[Decisions, float, Expected]] = [
    # Up by α = 1/2: the buyer took the offer.
    ([(LOW, OFFER_HIGH)], 1.0, {(LOW, OFFER_HIGH): 1 / 2}),
    # Down by β = 1/4 of the way: the buyer walked away.
    ([(LOW, OFFER_HIGH)], 0.0, {(LOW, OFFER_HIGH): 3 / 8}),
    # Up at `s`, where the target is γ·3/8 = 3/16.
    ([(S, OFFER_HIGH), (LOW, ACCEPT)], 1 / 2, {(S, OFFER_HIGH): 3 / 32, (LOW, ACCEPT): 1 / 4}),
    ([(LOW, OFFER_HIGH)], 0.0, {(LOW, OFFER_HIGH): 9 / 32}),
    ([(LOW, OFFER_HIGH)], 0.0, {(LOW, OFFER_HIGH): 27 / 128}),
    # γ·max Q(1.0) is now γ·1/4 = 1/8, still above 3/32: up to 7/64.
    ([(S, OFFER_HIGH), (LOW, ACCEPT)], 1 / 2, {(S, OFFER_HIGH): 7 / 64, (LOW, ACCEPT): 3 / 8}),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone(SPEC, discount_rate=0.5)
    for decisions, reward, expected in STEPS:
        seller.learn(decisions, reward)
        assert {at: seller.entry(0, *at) for at in expected} == pytest.approx(expected)
