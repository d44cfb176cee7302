"""The rules: states, actions, what is legal and what a deal is worth."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import PRESETS, Scenario
from tests.support.game import roles, scenarios

ORIGINAL = Scenario.original()


@pytest.mark.parametrize(
    ("name", "prices", "rounds", "ranges", "values"),
    [
        ("original", range(1, 6), 5, ((1, 5), (1, 5)), (0, 5)),
        ("legacy", range(101), 10, ((20, 100), (0, 80)), (20, 80)),
        ("fine", range(1, 21), 20, ((1, 20), (1, 20)), (0, 20)),
        ("hidden", range(6), 5, ((0, 5), (0, 5)), (0, 5)),
        ("bazaar", range(101), 10, ((0, 100), (0, 100)), (0, 100)),
    ],
)
def test_presets(name: str, prices: range, rounds: int, ranges: Any, values: Any) -> None:
    preset = PRESETS[name]()
    assert (preset.name, preset.prices, preset.rounds) == (name, tuple(prices), rounds)
    assert (preset.seller, preset.buyer) == tuple(PriceRange(*each) for each in ranges)
    assert preset.reservation_values == values
    assert preset.opener is (Opener.SELLER if name == "legacy" else Opener.ALTERNATE)


def test_labels_of_the_original() -> None:
    labels = ["s", *(f"{p}.{t}" for t in range(5) for p in range(1, 6)), "d"]
    assert [ORIGINAL.state_label(state) for state in range(27)] == labels
    actions = [ORIGINAL.action_label(action) for action in range(7)]
    assert actions == ["1", "2", "3", "4", "5", "0", "-1"]


@given(scenarios())
def test_states_are_numbered_by_seat_time_and_price(scenario: Scenario) -> None:
    numbered = [
        scenario.state_index(price, time, opened)
        for opened in ((True, False) if scenario.opener_aware else (False,))
        for time in range(scenario.rounds)
        for price in scenario.prices
    ]
    assert [0, *numbered, scenario.final_state] == list(range(scenario.n_states))
    for state in numbered:
        i, time = scenario.offer_and_time(state)
        opened = state <= scenario.n_prices * scenario.rounds
        assert scenario.state_index(scenario.prices[i], time, opened) == state


def test_seated_labels_say_who_opened() -> None:
    seated = replace(ORIGINAL, states=States.OPENER_AWARE)
    assert seated.n_states == 52
    assert seated.state_label(seated.state_index(3, 2, opened=True)) == "o3.2"
    assert seated.state_label(seated.state_index(3, 2, opened=False)) == "r3.2"
    assert [seated.state_label(state) for state in (0, 1, 26, 51)] == ["s", "o1.0", "r1.0", "d"]


def test_a_state_that_is_not_there() -> None:
    for price, time, said in ((6, 0, "6"), (3, 5, "5"), (3, -1, "-1")):
        with pytest.raises(BadInputError, match=said):
            ORIGINAL.state_index(price, time)
    for state in (0, 26):  # no price on the table
        with pytest.raises(BadInputError, match=str(state)):
            ORIGINAL.offer_and_time(state)


@given(scenarios(), roles)
def test_legal_actions_follow_the_rules(scenario: Scenario, role: Role) -> None:
    held = scenario.acceptable_range(role)
    offers = [i for i, price in enumerate(scenario.prices) if held.minimum <= price <= held.maximum]
    assert list(scenario.legal_actions(0, role)) == offers
    for time in range(scenario.rounds):
        for i, price in enumerate(scenario.prices):
            expected = [] if time == scenario.rounds - 1 else offers.copy()
            if i in offers:
                expected.append(scenario.accept)
            expected.append(scenario.walk_away)
            state = scenario.state_index(price, time)
            assert list(scenario.legal_actions(state, role)) == expected


@given(scenarios(), st.data())
def test_rewards_count_from_the_reservation_values(scenario: Scenario, data: st.DataObject) -> None:
    price = data.draw(st.sampled_from(scenario.prices))
    a, b = scenario.reservation or (scenario.seller.minimum, scenario.buyer.maximum)
    width = b - a if b > a else scenario.prices[-1] - scenario.prices[0]
    expected = float(Fraction(price - a, width)), float(Fraction(b - price, width))
    got = scenario.reward(Role.SELLER, price), scenario.reward(Role.BUYER, price)
    assert got == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("seller", "buyer", "zopa", "rewards_at_60"),
    [
        ((20, 100), (0, 80), (20, 80), (2 / 3, 1 / 3)),
        ((60, 90), (60, 60), (60, 60), (0.0, 0.0)),
        ((70, 100), (0, 50), None, (-0.1, -0.1)),  # the grid is 100 wide
    ],
)
def test_zopa(
    seller: tuple[int, int],
    buyer: tuple[int, int],
    zopa: tuple[int, int] | None,
    rewards_at_60: tuple[float, float],
) -> None:
    prices = tuple(range(0, 101, 10))
    scenario = Scenario("simple", prices, 3, PriceRange(*seller), PriceRange(*buyer))
    assert scenario.zopa == zopa
    low, high = zopa or (1, 0)
    assert [prices[n] for n in scenario.possible_deals] == list(range(low, high + 1, 10))
    assert [scenario.reward(role, 60) for role in Role] == pytest.approx(rewards_at_60)


@pytest.mark.parametrize(
    ("field", "given", "said"),
    [
        ("prices", (7,), r"prices: expected 2 to 1,000 of them, got 1$"),
        ("prices", (1, 3, 3), r"prices: .* got 3 after 3"),
        ("rounds", 0, r"rounds: .* from 1 to 1,000, got 0$"),
        ("rounds", 1001, r"rounds: .* from 1 to 1,000, got 1001$"),
        ("states", "bogus", "states: expected published or opener-aware, got 'bogus'"),
        ("opener", "broker", "opener: expected seller, buyer or alternate, got 'broker'"),
        ("seller", PriceRange(6, 8), r"seller: .* 6 to 8.* 1 to 5"),
        ("seller", (1, 5), r"seller: expected PriceRange.*, got \(1, 5\)"),
        ("buyer", PriceRange(1, "5"), "buyer.max: expected an integer .*, got '5'"),  # type: ignore[arg-type]
        ("reservation", 3, "reservation: expected the values of seller and buyer, got 3"),
    ],
)
def test_fields_that_cannot_be_used(field: str, given: object, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        replace(ORIGINAL, **{field: given})  # type: ignore[arg-type]


def test_openers() -> None:
    for word, turns in (("seller", "SSS"), ("buyer", "BBB"), ("alternate", "SBS")):
        assert "".join(Opener.of(word).role(k).name[0] for k in range(3)) == turns


def test_words_for_roles() -> None:
    assert Role.of("Seller") is Role.SELLER
    assert Opener.of(Role.BUYER) is Opener.BUYER
    with pytest.raises(BadInputError, match=r"role: expected seller or buyer, got 'broker'"):
        Role.of("broker")


def test_another_is_made_in_words_and_with_numbers_of_numpy() -> None:
    words: dict[str, Any] = {"states": "opener-aware", "opener": "buyer"}
    numbers: dict[str, Any] = {"prices": np.arange(1, 6), "rounds": np.int64(5)}
    wanted = replace(ORIGINAL, states=States.OPENER_AWARE, opener=Opener.BUYER)
    assert replace(ORIGINAL, **words, **numbers) == wanted
    assert Scenario.of(wanted.to_dict() | numbers) == wanted


HIDDEN = Scenario.with_hidden_limits()


def test_ranges_end_at_limits_that_are_given() -> None:
    game = Scenario.legacy().with_limits({Role.BUYER: 55})
    assert game == replace(
        Scenario.legacy(), buyer=PriceRange(0, 55), reservation=(20, 55), limits=(None, None)
    )
    both = HIDDEN.with_limits({Role.SELLER: 3, Role.BUYER: 4})
    drawn = HIDDEN.drawn(3, 3)
    assert (both.seller, both.buyer) == (drawn.seller, drawn.buyer)
    assert both.reservation_values == drawn.reservation_values == (3, 4)
    assert not both.hidden


def test_a_hidden_limit_that_is_not_given_is_the_best_for_a_deal() -> None:
    game = HIDDEN.with_limits({Role.SELLER: 3})
    seen = HIDDEN.views[Role.SELLER][3]
    assert (game.seller, game.buyer) == (PriceRange(3, 5), PriceRange(0, 5))
    assert (game.seller, game.buyer) == (seen.seller, seen.buyer)
    assert game.reservation_values == (3, 5)


def test_a_limit_must_leave_a_price() -> None:
    with pytest.raises(BadInputError, match="seller: expected a range with a price of the grid"):
        Scenario.original().with_limits({Role.SELLER: 9})
