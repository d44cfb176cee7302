"""Testing seats: by the rules, and as published."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from negotiation_tui.game.negotiation import Player, Position, Transcript, negotiate
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning import evaluation
from negotiation_tui.learning.statistics import Totals, add_negotiation
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.concession import Midpoint
from tests.support.game import scenarios, seeds

ORIGINAL = Scenario.original()
ACCEPT, REJECT = ORIGINAL.accept, ORIGINAL.walk_away
MIDPOINT = Midpoint()


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def knows(role: Role, answers: dict[str, int]) -> TabularPolicy:
    """A learner that knows what to do in these states, and quits in any other."""
    q = np.zeros((ORIGINAL.n_states, ORIGINAL.n_actions))
    q[:, REJECT] = 0.1
    for state in range(ORIGINAL.n_states):
        if ORIGINAL.state_label(state) in answers:
            q[state, answers[ORIGINAL.state_label(state)]] = 1.0
    return greedy(ORIGINAL, role, q)


# The seller asks 5, hears 3 and would accept; the buyer bids 1, which the seller takes.
SELLER = knows(Role.SELLER, {"s": 4, "3.0": ACCEPT, "1.0": ACCEPT})
BUYER = knows(Role.BUYER, {"s": 0, "5.0": 2})


def test_by_the_rules() -> None:
    result = evaluation.evaluate(ORIGINAL, SELLER, BUYER, rng(), 10)
    assert result.rule == "corrected"
    assert result.totals == Totals(agreements_seller=10, paid=5 * 3 + 5 * 1, rounds=5 * 2 + 5)
    assert (result.seller_wallet, result.buyer_wallet) == (20, -20)


def test_as_published_the_opener_never_hears_the_answer() -> None:
    """It asks 5 again instead of accepting 3, and the buyer, asked a second time, quits."""
    result = evaluation.evaluate_as_published(ORIGINAL, SELLER, BUYER, rng(), 10, left_over=327)
    assert result.rule == "as-published"
    assert result.totals == Totals(agreements_seller=5, breakdowns_buyer=5, paid=5, rounds=5)
    assert (result.seller_wallet, result.buyer_wallet) == (327 + 5, -327 - 5)


@pytest.mark.parametrize(("negotiations", "seller_opens"), [(1, 1), (2, 1), (7, 4), (1000, 500)])
def test_openers_alternate_and_the_seller_is_first(negotiations: int, seller_opens: int) -> None:
    quits = knows(Role.SELLER, {"s": 4}), knows(Role.BUYER, {"s": 0})
    for result in (
        evaluation.evaluate(ORIGINAL, *quits, rng(), negotiations),
        evaluation.evaluate_as_published(ORIGINAL, *quits, rng(), negotiations),
    ):
        assert result.totals.breakdowns_buyer == seller_opens
        assert result.totals.breakdowns_seller == negotiations - seller_opens
        last_opener = Role.BUYER if negotiations % 2 == 0 else Role.SELLER
        if result.rule == "corrected":
            assert result.last_negotiation.opener is last_opener


@pytest.mark.parametrize(
    ("opener", "paid"),
    [(Opener.ALTERNATE, 65 + 32 + 65), (Opener.SELLER, 3 * 65), (Opener.BUYER, 3 * 32)],
)
def test_static_strategies(opener: Opener, paid: int) -> None:
    legacy = replace(Scenario.of("legacy"), opener=opener)
    result = evaluation.evaluate(legacy, MIDPOINT, MIDPOINT, rng(), 3)
    assert result.totals == Totals(agreements_seller=3, paid=paid, rounds=15)
    assert result.to_dict()["seller_wallet"] == paid


class Deaf:
    """A policy that always believes to be in the start state."""

    def __init__(self, policy: TabularPolicy) -> None:
        self.policy = policy

    def act(self, position: Position, rng: np.random.Generator) -> int:
        return self.policy.act(Position(position.scenario, position.role), rng)


def totals(*played: Transcript) -> Totals:
    row = np.zeros(6, np.int64)
    for transcript in played:
        add_negotiation(row, transcript)
    return Totals(*row.tolist())


def decided(scenario: Scenario, seed: int) -> list[TabularPolicy]:
    """Two learners with one best action in each state."""
    tables = np.random.default_rng(seed).random((2, scenario.n_states, scenario.n_actions))
    return [greedy(scenario, role, tables[role]) for role in Role]


@given(scenarios(), seeds)
def test_the_same_as_turn_by_turn(scenario: Scenario, seed: int) -> None:
    seller, buyer = decided(scenario, seed)
    seats: list[tuple[TabularPolicy | Strategy, TabularPolicy | Strategy]] = [
        (seller, buyer),
        (MIDPOINT, buyer),
        (seller, MIDPOINT),
    ]
    for pair in seats:
        played = [negotiate(scenario, *pair, scenario.opener.role(n)) for n in range(3)]
        result = evaluation.evaluate(scenario, *pair, rng(), 3)
        assert result.totals == totals(*played)
        assert result.last_negotiation == played[-1]


@given(scenarios(), seeds)
def test_as_published_the_same_as_turn_by_turn(scenario: Scenario, seed: int) -> None:
    seller, buyer = decided(scenario, seed)
    deaf: list[tuple[Player, Player]] = [(Deaf(seller), buyer), (seller, Deaf(buyer))]
    first, second = (negotiate(scenario, *deaf[opener], opener) for opener in Role)
    result = evaluation.evaluate_as_published(scenario, seller, buyer, rng(), 3)
    assert result.totals == totals(first, first, second)
    assert first.outcome.closer is Role.BUYER  # the deaf opener never closes
