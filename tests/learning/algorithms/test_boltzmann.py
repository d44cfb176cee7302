"""Boltzmann exploration: chances worked out by hand; values are those of Q-learning."""

import math

import pytest

from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.game.roles import Role
from tests.support.learner_alone import ACCEPT, LAST_LOW, LOW, OFFER_HIGH, LearnerAlone, S


def chances(seller: LearnerAlone, epsilon: float, state: int) -> dict[int, float]:
    """The probability of each action with this ε of the training."""
    _, settings, legal, row = seller.population.turn_by_turn(Role.SELLER)
    tables = seller.population.agents.tables
    n = seller.seat.algorithm.policy(tables, settings, epsilon, state, legal, row)
    weights = [1 / n] * n if row.weights[0] == UNIFORM else row.weights[:n]
    return dict(zip(row.actions[:n], weights, strict=True))


@pytest.mark.parametrize(
    ("temperature", "epsilon", "accepts"),
    [
        (1, 1, 1 / (1 + math.exp(-1 / 4))),  # Q is 1/4 for accepting, 0 for walking away
        (1 / 2, 1 / 2, 1 / (1 + math.exp(-1))),
        (1, 1 / 100, 1 / (1 + math.exp(-25))),
        (1000, 1, 1 / (1 + math.exp(-1 / 4000))),
    ],
)
def test_chances_worked_out_by_hand(temperature: float, epsilon: float, accepts: float) -> None:
    seller = LearnerAlone(f"boltzmann:learning_rate=0.5,temperature={temperature}")
    seller.learn([(LAST_LOW, ACCEPT)], 1 / 2)
    assert chances(seller, epsilon, LAST_LOW)[ACCEPT] == pytest.approx(accepts)


@pytest.mark.parametrize("epsilon", [0.0, 1e-320, 1e-300, 1e-9])
def test_it_plays_the_best_actions_once_it_is_cold(epsilon: float) -> None:
    seller = LearnerAlone("boltzmann:learning_rate=0.5,temperature=0.001")
    seller.learn([(LOW, ACCEPT)], 1 / 2)
    seller.learn([(LOW, OFFER_HIGH)], 1 / 2)
    likely = {action: p for action, p in chances(seller, epsilon, LOW).items() if p > 0}
    assert likely == {OFFER_HIGH: 1 / 2, ACCEPT: 1 / 2}
    assert seller.chances(LOW) == [0, 1 / 2, 1 / 2, 0]


def test_it_learns_as_q_learning_does() -> None:
    learners = LearnerAlone("boltzmann"), LearnerAlone("q-learning")
    for each in learners:
        for reward in (1 / 2, 0.0, 1.0):
            each.learn([(S, OFFER_HIGH), (LOW, ACCEPT)], reward)
    assert learners[0].entry(0, S, OFFER_HIGH) == learners[1].entry(0, S, OFFER_HIGH) > 0
