"""One negotiation, turn by turn."""

import numpy as np
import pytest
from hypothesis import given

from negotiation_tui import Opener, PriceRange, Role, Scenario
from negotiation_tui.game.negotiation import IllegalActionError, Outcome, Transcript, negotiate
from tests.support.game import RandomPlayer, Script, roles, scenarios, seeds

FIVE = Scenario.original()
ACCEPT, REJECT = FIVE.accept, FIVE.walk_away
SELLER, BUYER = Role.SELLER, Role.BUYER
NARROW = Scenario("narrow", (1, 2, 3, 4, 5), 2, PriceRange(3, 5), PriceRange(1, 4))


def moves(played: Transcript) -> list[tuple[Role, int, str, str]]:
    scenario = played.scenario
    return [
        (t.role, t.round, scenario.state_label(t.state), scenario.action_label(t.action))
        for t in played.turns
    ]


@pytest.mark.parametrize(
    ("stated", "asked", "first"),
    [
        (Opener.ALTERNATE, None, SELLER),
        (Opener.BUYER, "seller", SELLER),
        (Opener.SELLER, Role.BUYER, BUYER),
        (Opener.BUYER, Opener.ALTERNATE, SELLER),
    ],
)
def test_who_opens(stated: Opener, asked: Opener | Role | str | None, first: Role) -> None:
    scenario = Scenario("open", FIVE.prices, 5, FIVE.seller, FIVE.buyer, stated)
    played = negotiate(scenario, RandomPlayer(), RandomPlayer(), asked)
    assert played.opener is played.turns[0].role is first


@pytest.mark.parametrize(
    ("seller", "buyer", "state"),
    [
        ([NARROW.accept], [], "s"),  # nothing to accept yet
        ([1], [], "s"),  # 2 is below the seller's range
        ([-1], [], "s"),
        ([4], [NARROW.accept], r"5\.0"),  # 5 is above the buyer's range
        ([2, 2], [0, 0], r"3\.1"),  # too late for another offer
    ],
)
def test_rules_cannot_be_broken(seller: list[int], buyer: list[int], state: str) -> None:
    with pytest.raises(IllegalActionError, match=f"not legal in state {state}; use one of"):
        negotiate(NARROW, Script(*seller), Script(*buyer), "seller")


@given(scenarios(), roles, seeds)
def test_random_players_obey_the_rules(scenario: Scenario, opener: Role, seed: int) -> None:
    players = RandomPlayer(), RandomPlayer()
    played = negotiate(scenario, *players, opener, np.random.default_rng(seed))
    asked = [iter(player.seen) for player in players]
    own: list[int | None] = [None, None]
    standing_offer: int | None = None
    for n, turn in enumerate(played.turns):
        role = Role((opener + n) % 2)
        position = next(asked[role])
        assert turn.role is position.role is role
        assert turn.round == n // 2 < scenario.rounds
        assert (position.own_last_offer, position.standing_offer) == (own[role], standing_offer)
        if standing_offer is None:
            assert turn.state == 0
        else:
            assert turn.state == scenario.state_index(standing_offer, (n - 1) // 2, n % 2 == 0)
        assert turn.action in scenario.legal_actions(turn.state, role)
        assert not turn.explored
        if turn.action < scenario.accept:
            standing_offer = own[role] = turn.price
            assert turn.price == scenario.prices[turn.action]
            assert turn is not played.turns[-1]
        else:
            assert turn.price == (standing_offer if turn.action == scenario.accept else None)
            assert turn is played.turns[-1]
            assert played.outcome == Outcome(turn.price, role, turn.round)


def test_without_a_generator_the_draws_are_those_of_seed_0() -> None:
    def played(*rng: np.random.Generator) -> Transcript:
        return negotiate(FIVE, RandomPlayer(), RandomPlayer(), None, *rng)

    assert played() == played() == played(np.random.default_rng(0))
    assert played() != played(np.random.default_rng(1))
