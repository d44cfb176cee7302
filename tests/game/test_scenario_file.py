"""Scenarios as TOML files and as plain values."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.limits import Limits
from negotiation_tui.game.roles import Opener, PriceRange, Role
from negotiation_tui.game.scenario import PRESETS, Scenario
from negotiation_tui.runtime.text import quoted
from tests.support.game import scenarios

EVERY_KEY = """
name = "Flat"
prices = { min = 100, max = 130, step = 10 }
rounds = 4
opener = "buyer"
[seller]
min = 105
max = 130
reservation = 95
[buyer]
min = 100
max = 120
reservation = 125
"""


def read(folder: Path, text: str) -> Scenario:
    path = folder / "shop.toml"
    path.write_text(text, encoding="utf-8")
    return Scenario.from_file(path)


def test_every_key(tmp_path: Path) -> None:
    assert read(tmp_path, EVERY_KEY) == Scenario(
        "Flat",
        (100, 110, 120, 130),
        4,
        PriceRange(105, 130),
        PriceRange(100, 120),
        Opener.BUYER,
        reservation=(95, 125),
    )


def test_prices_and_rounds_are_enough(tmp_path: Path) -> None:
    whole = PriceRange(1, 5)
    assert read(tmp_path, "prices = 5\nrounds = 3") == Scenario(
        "shop", (1, 2, 3, 4, 5), 3, whole, whole, Opener.ALTERNATE
    )


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
    ("section", "thing", "value"),
    [
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
    ],
)
def test_the_message_names_the_entry_of_hidden_limits(
    tmp_path: Path, section: str, thing: str, value: str
) -> None:
    text = f"prices = 5\nrounds = 2\n[seller]\n{section}"
    test_the_message_names_the_entry(tmp_path, text, thing, value)


def test_a_buyer_with_a_limit_below_all_prices(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"buyer\.limits: expected at least 2, got 1; other"):
        read(tmp_path, "prices = 5\nrounds = 2\n[buyer]\nmin = 2\nlimits = [1, 4]")


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
    scenario = Scenario.with_hidden_limits()
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
        Scenario.from_file(missing)
    noise.write_bytes(b"prices = \xff\xfe\x00")
    with pytest.raises(BadInputError, match="not text"):
        Scenario.from_file(noise)


@given(scenarios())
def test_plain_values_and_back(scenario: Scenario) -> None:
    plain = json.loads(json.dumps(scenario.to_dict()))
    assert Scenario.from_dict(plain) == scenario


@pytest.mark.parametrize("name", PRESETS)
def test_presets_as_plain_values(name: str) -> None:
    preset = PRESETS[name]()
    assert Scenario.from_dict(preset.to_dict()) == preset
    stated = {"limits", "weights"} if preset.hidden else {"reservation"}
    if name == "legacy":  # it counts from its ranges
        stated = set()
    for role in Role:
        assert preset.to_dict()[str(role)].keys() == {"min", "max"} | stated


def test_a_scenario_by_object_name_mapping_or_file(tmp_path: Path) -> None:
    legacy = Scenario.legacy()
    path = tmp_path / "mine.toml"
    path.write_text("prices = 5\nrounds = 4\n")
    assert Scenario.of(legacy) is legacy
    assert Scenario.of("legacy") == Scenario.of(legacy.to_dict()) == legacy
    assert Scenario.of(path) == Scenario.of(str(path)) == Scenario.from_file(path)
