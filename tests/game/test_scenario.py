"""Scenarios: prices, rounds, states and rewards, and their files."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Opener, PriceRange, Role, Scenario, States
from negotiation_tui.game.limits import Limits
from negotiation_tui.runtime.text import quoted
from tests.support.cli import message
from tests.support.game import EVERY_KEY, ORIGINAL, roles, scenarios

Pair = tuple[int, int]


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
    preset = Scenario.of(name)
    assert (preset.name, preset.prices, preset.rounds) == (name, tuple(prices), rounds)
    assert (preset.seller, preset.buyer) == tuple(PriceRange(*each) for each in ranges)
    assert preset.reservation_values == values
    assert preset.opener is (Opener.SELLER if name == "legacy" else Opener.ALTERNATE)
    plain, stated = preset.to_dict(), {"limits", "weights"} if preset.hidden else {"reservation"}
    assert Scenario.from_dict(plain) == preset
    for role in Role:
        assert plain[str(role)].keys() - {"min", "max"} == (set() if name == "legacy" else stated)


def test_labels_and_that_those_of_opener_aware_states_say_who_opened() -> None:
    labels = ["s", *(f"{p}.{t}" for t in range(5) for p in range(1, 6)), "d"]
    assert [ORIGINAL.state_label(state) for state in range(27)] == labels
    actions = [ORIGINAL.action_label(action) for action in range(7)]
    assert actions == ["1", "2", "3", "4", "5", "0", "-1"]
    seated = replace(ORIGINAL, states=States.OPENER_AWARE)
    assert seated.n_states == 52
    assert seated.state_label(seated.state_index(3, 2, opened=True)) == "o3.2"
    assert seated.state_label(seated.state_index(3, 2, opened=False)) == "r3.2"
    assert [seated.state_label(state) for state in (0, 1, 26, 51)] == ["s", "o1.0", "r1.0", "d"]


@given(scenarios())
def test_labels_of_actions_differ(scenario: Scenario) -> None:
    labels = [scenario.action_label(action) for action in range(scenario.n_actions)]
    words = {0, -1} & {*scenario.prices}
    closing = ["accept", "quit"] if words else ["0", "-1"]
    assert labels == [*map(str, scenario.prices), *closing]


@given(scenarios())
def test_states_are_numbered_by_seat_time_and_price_also_of_plain_values(
    scenario: Scenario,
) -> None:
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
    plain = json.loads(json.dumps(scenario.to_dict()))
    assert Scenario.from_dict(plain) == scenario


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
        ((20, 100), (0, 80), (20, 80), [2 / 3, 1 / 3]),
        ((60, 90), (60, 60), (60, 60), [0.0, 0.0]),
        ((70, 100), (0, 50), None, [-0.1, -0.1]),  # the grid is 100 wide
    ],
)
def test_zopa(seller: Pair, buyer: Pair, zopa: Pair | None, rewards_at_60: list[float]) -> None:
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
        ("prices", range(9667), r"prices: expected 2 to 1,000 of them, got 9,667$"),
        ("prices", iter(range(9667)), r"prices: expected .* got at least 1,001$"),
        ("prices", (1, 3, 3), r"prices: .* got 3 after 3"),
        ("rounds", 0, r"rounds: .* from 1 to 1,000, got 0$"),
        ("rounds", 1001, r"rounds: .* from 1 to 1,000, got 1001$"),
        ("states", "bogus", "states: expected published or opener-aware, got 'bogus'"),
        ("opener", "broker", "opener: expected seller, buyer or alternate, got 'broker'"),
        ("seller", PriceRange(6, 8), r"seller: .* 6 to 8.* 1 to 5"),
        ("seller", (1, 5), r"seller: expected PriceRange.*, got \(1, 5\)"),
        ("buyer", PriceRange(1, "5"), "buyer.max: expected an integer .*, got '5'"),  # type: ignore[arg-type]
        ("talk", "yes", "talk: expected true or false, got 'yes'"),
        ("reservation", 3, "reservation: expected the values of seller and buyer, got 3"),
    ],
)
def test_fields_that_cannot_be_used(field: str, given: object, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        replace(ORIGINAL, **{field: given})  # type: ignore[arg-type]


def test_talk_is_written_only_where_there_is_some(tmp_path: Path) -> None:
    talks = read(tmp_path, "talk = true\nprices = 5\nrounds = 5")
    assert talks.talk
    assert talks.to_dict() == {**replace(talks, talk=False).to_dict(), "talk": True}
    assert Scenario.from_dict(talks.to_dict()) == talks
    assert "talk" not in ORIGINAL.to_dict()


def test_words_for_roles() -> None:
    assert Role.of("Seller") is Role.SELLER
    assert Opener.of(Role.BUYER) is Opener.BUYER
    for word, turns in (("seller", "SSS"), ("buyer", "BBB"), ("alternate", "SBS")):
        assert "".join(Opener.of(word).role(k).name[0] for k in range(3)) == turns
    assert "role: expected seller or buyer, got 'broker'" in message(lambda: Role.of("broker"))


def test_another_is_made_in_words_and_with_numbers_of_numpy() -> None:
    words: dict[str, Any] = {"states": "opener-aware", "opener": "buyer"}
    numbers: dict[str, Any] = {"prices": np.arange(1, 6), "rounds": np.int64(5)}
    wanted = replace(ORIGINAL, states=States.OPENER_AWARE, opener=Opener.BUYER)
    assert replace(ORIGINAL, **words, **numbers) == wanted
    assert Scenario.of(wanted.to_dict() | numbers) == wanted


HIDDEN = Scenario.of("hidden")


def test_ranges_end_at_limits_that_are_given_and_others_are_the_best_for_a_deal() -> None:
    game = Scenario.of("legacy").with_limits({Role.BUYER: 55})
    assert game == replace(
        Scenario.of("legacy"), buyer=PriceRange(0, 55), reservation=(20, 55), limits=(None, None)
    )
    both, drawn = HIDDEN.with_limits({Role.SELLER: 3, Role.BUYER: 4}), HIDDEN.drawn(3, 3)
    assert (both.seller, both.buyer) == (drawn.seller, drawn.buyer)
    assert both.reservation_values == drawn.reservation_values == (3, 4)
    assert not both.hidden
    one, seen = HIDDEN.with_limits({Role.SELLER: 3}), HIDDEN.views[Role.SELLER][3]
    assert (one.seller, one.buyer) == (seen.seller, seen.buyer)
    assert (one.seller, one.buyer) == (PriceRange(3, 5), PriceRange(0, 5))
    assert one.reservation_values == (3, 5)
    with pytest.raises(BadInputError, match="seller: expected a range with a price of the grid"):
        ORIGINAL.with_limits({Role.SELLER: 9})


def test_all_amounts_of_a_moved_scenario_move() -> None:
    scenario = Scenario.from_dict(
        {"prices": [1, 2, 4], "rounds": 3, "seller": {"min": 2, "reservation": 1}}
        | {"buyer": {"max": 2, "limits": [1, 2], "weights": [3, 1]}}
    )
    moved = scenario.moved(10, -5)
    assert moved.to_dict() == scenario.to_dict() | {
        "prices": [5, 15, 35],
        "seller": {"min": 15, "max": 35, "reservation": 5},
        "buyer": {"min": 5, "max": 15, "limits": [5, 15], "weights": [3, 1]},
    }


def read(folder: Path, text: str) -> Scenario:
    path = folder / "shop.toml"
    path.write_text(text, encoding="utf-8")
    return Scenario.of(path)


def test_every_key_and_the_two_that_are_enough(tmp_path: Path) -> None:
    assert read(tmp_path, EVERY_KEY) == Scenario(
        "Flat",
        (100, 110, 120, 130),
        4,
        PriceRange(105, 130),
        PriceRange(100, 120),
        Opener.BUYER,
        (95, 125),
        States.OPENER_AWARE,
    )
    few, whole = read(tmp_path, "prices = 5\nrounds = 3"), PriceRange(1, 5)
    assert few == Scenario("shop", (1, 2, 3, 4, 5), 3, whole, whole, Opener.ALTERNATE)


@pytest.mark.parametrize(
    ("written", "prices"),
    [
        ("3", (1, 2, 3)),
        ("[2, 3, 5, 7]", (2, 3, 5, 7)),
        ("{ min = 10, max = 18, step = 4 }", (10, 14, 18)),
        ("{ min = -2, max = 0 }", (-2, -1, 0)),
    ],
)
def test_prices(tmp_path: Path, written: str, prices: tuple[int, ...]) -> None:
    assert read(tmp_path, f"prices = {written}\nrounds = 2").prices == prices


OF_LIMITS = (
    ("limits = []", "limits: expected 1 to 100 limits", "got 0"),
    (f"limits = {list(range(-100, 1))}", "limits: expected 1 to 100 limits", "got 101"),
    ("limits = [2, 3, 2]", "limits: expected limits that differ", "[2, 3, 2]"),
    ("limits = 3", "limits: expected a list of whole numbers or { min", "got 3"),
    ("limits = [{ min = 1 }]", "limits: expected an integer", "{'min': 1}"),
    (f"limits = {'[' * 99}{']' * 99}", "levels of tables and lists", "more"),
    ("limits = { from = 1, max = 4 }", "limits", "'from'"),
    ("limits = [5, 6]", "limits: expected at most 5", "got 6; otherwise it has no price"),
    ("limits = [1]\nreservation = 1", "expected limits or reservation", "both"),
    ("weights = [1]", "weights: expected limits beside it", "[1]"),
    ("limits = [1, 2]\nweights = [1]", "weights: expected 2 numbers", "got 1"),
    ("limits = [1, 2]\nweights = [2, -1]", "weights: expected a number from 0", "-1"),
    ("limits = [1, 2]\nweights = [0, 0.0]", "weights: expected at least one", "above 0"),
    ("limits = [1]\nweights = ['1']", "weights: expected a number", "'1'"),
)
"""A section of a role, and parts of its refusal."""


@pytest.mark.parametrize(
    ("text", "thing", "value"),
    [
        ("rounds = 2", "prices", "got nothing"),
        ("prices = { min = 5 }\nrounds = 2", "prices.max", "got nothing"),
        ("prices = 5\nrounds = 2\n[seller]\nmim = 1", "[seller]", "'mim'"),
        ("prices = { min = 1, max = 5, by = 2 }\nrounds = 2", "prices", "'by'"),
        ("prices = 'five'\nrounds = 2", "prices", "'five'"),
        ("prices = { min = 1, max = 5, step = 0 }\nrounds = 2", "prices.step", "0"),
        ("prices = { min = 1, max = 6, step = 2 }\nrounds = 2", "prices.max", "6; use 5"),
        ("prices = 5\nrounds = 2\nbuyer = 3", "buyer", "3"),
        ("prices = 5\nrounds = 2\n[buyer]\nreservation = 0.5", "buyer.reservation", "0.5"),
        ("prices = 5\nrounds = 2\n[seller]\nmin = 4\nmax = 3", "seller", "min 4 is above max 3"),
        ("prices = 5\nrounds = ?", "not TOML", "line 2"),
        *((f"prices = 5\nrounds = 2\n[seller]\n{section}", *said) for section, *said in OF_LIMITS),
        (
            "prices = 5\nrounds = 2\n[buyer]\nmin = 2\nlimits = [1, 4]",
            "buyer.limits: expected at least 2",
            "got 1; otherwise it has no price",
        ),
    ],
)
def test_the_message_names_the_entry(tmp_path: Path, text: str, thing: str, value: str) -> None:
    with pytest.raises(BadInputError) as error:
        read(tmp_path, text)
    file, _, message = str(error.value).partition("shop.toml': ")
    assert file.startswith("scenario '")
    assert "\n" not in message
    assert thing in message
    assert value in message


@pytest.mark.parametrize(
    ("written", "values", "weights"),
    [
        ("limits = [2, 0, 1]\nweights = [3, 0, 0.5]", (0, 1, 2), (0, 0.5, 3)),
        ("limits = { min = -3, max = 3, step = 3 }\nweights = [1, 2, 1]", (-3, 0, 3), (1, 2, 1)),
        (f"limits = {list(range(-99, 1))}", tuple(range(-99, 1)), (1,) * 100),
    ],
)
def test_limits(
    tmp_path: Path, written: str, values: tuple[int, ...], weights: tuple[float, ...]
) -> None:
    scenario = read(tmp_path, f"prices = 5\nrounds = 3\n[seller]\n{written}")
    limits, other = scenario.limits
    assert limits is not None
    assert (limits.values, limits.weights, other) == (values, weights, None)
    assert limits.chances.tolist() == pytest.approx([each / sum(weights) for each in weights])
    assert Scenario.from_dict(json.loads(json.dumps(scenario.to_dict()))) == scenario


def test_limits_are_sorted_and_checked_however_they_come() -> None:
    scenario = Scenario.of("hidden")
    unsorted = replace(scenario, limits=(Limits((3, 1), (1, 2)), None))
    assert unsorted.limits == (Limits((1, 3), (2, 1)), None)
    for wrong in (Limits((1, 1), (1, 1)), Limits((1, 2), (1,)), Limits((9,), (1,))):
        with pytest.raises(BadInputError, match=r"limits|weights"):
            replace(scenario, limits=(wrong, None))
    lists = {"limits": np.array([3, 1]), "weights": np.array([0.5, 1.0])}
    table = {"prices": 5, "rounds": 2, "seller": lists}
    assert Scenario.from_dict(table).limits == (Limits((1, 3), (1.0, 0.5)), None)
    for scalar in (np.array(3), np.float64(2), b"3"):
        with pytest.raises(BadInputError, match="a list"):
            Scenario.from_dict({**table, "seller": {"limits": scalar}})


def test_the_other_role_may_state_a_reservation_value_or_limits_too(tmp_path: Path) -> None:
    text = "prices = 9\nrounds = 2\n[seller]\nmin = 2\nlimits = [1, 4]\n[buyer]\n"
    one = read(tmp_path, text + "max = 7\nreservation = 8")
    assert one.reservation_values == (1, 8)
    assert [game.limit(Role.SELLER) for game in one.views[Role.SELLER]] == [1, 4]
    assert [game.limit(Role.BUYER) for game in one.views[Role.BUYER]] == [8]
    assert [list(game.offers(Role.SELLER)) for game in one.views[Role.SELLER]] == [
        list(range(1, 9)),  # no price below 2, though its limit is 1
        list(range(3, 9)),
    ]
    both = read(tmp_path, text + "limits = { min = 3, max = 5 }")
    assert both.reservation_values == (1, 5)
    for scenario in (one, both):
        assert Scenario.from_dict(scenario.to_dict()) == scenario


@pytest.mark.parametrize("text", ["reservation = 1" + 400 * "0", f"max = {10**9 + 1}"])
def test_amounts_too_large_to_count_with(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInputError, match=r"to 1,000,000,000, got -?\d{10,59}…?$"):
        read(tmp_path, f"prices = 5\nrounds = 2\n[buyer]\n{text}")


def test_a_file_that_is_not_there_and_one_that_is_not_text(tmp_path: Path) -> None:
    missing, noise = tmp_path / "nowhere.toml", tmp_path / "noise.toml"
    with pytest.raises(BadInputError, match=f"{re.escape(quoted(missing))} cannot be read"):
        Scenario.of(missing)
    noise.write_bytes(b"prices = \xff\xfe\x00")
    assert "not text" in message(lambda: Scenario.of(noise))


def test_a_scenario_by_object_name_mapping_or_file(tmp_path: Path) -> None:
    legacy = Scenario.of("legacy")
    path = tmp_path / "mine.toml"
    path.write_text("prices = 5\nrounds = 4\n")
    assert Scenario.of(legacy) is legacy
    assert Scenario.of("legacy") == Scenario.of(legacy.to_dict()) == legacy
    assert (
        Scenario.of(path)
        == Scenario.of(str(path))
        == replace(Scenario.of("5x4"), name="mine", reservation=None)
    )
