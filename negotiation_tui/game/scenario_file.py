"""Scenarios as a user writes them: names, sizes, and tables as in TOML files.

A TOML file of a scenario:

    prices = 5            # 1 … 5; or a list; or { min = 0, max = 100, step = 10 }
    rounds = 5
    opener = "alternate"  # or "seller", "buyer"
    states = "published"  # or "opener-aware": a state also contains the opener
    delta = 0.9           # optional: what is left of a reward after one more offer
    talk = true           # optional: each side hears what the other says
    [seller]
    min = 1
    max = 5
    reservation = 0       # optional: the price of reward 0
    [buyer]
    min = 1
    max = 5
    limits = [3, 4, 5]    # optional instead of `reservation`: hidden limits, of which one is
    weights = [1, 2, 1]   # drawn per negotiation; or { min = 3, max = 5 }
    delta = 0.5           # optional: of this role alone
"""

import re
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.limits import Limits, amount, parse_amounts
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.runtime.files import read_toml, reading
from negotiation_tui.runtime.validate import (
    entries,
    integer,
    number,
    one_of,
    parse_number,
    refusal,
    unknown_name,
)

T = TypeVar("T")
MAX_PRICES = 1000
_LEAST = 1e-300  # a δ above it can be divided by
_ENTRIES = "name", "prices", "rounds", *map(str, Role), "opener", "states", "delta", "talk"
_SECTION = "min", "max", "reservation", "limits", "weights", "delta"


def _whole_grid(prices: int, rounds: int) -> dict[str, Any]:
    sides = {"seller": {"reservation": 0}, "buyer": {"reservation": prices}}
    return {"prices": range(1, prices + 1), "rounds": rounds, **sides}


_TENS = {"limits": range(0, 101, 10)}
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "original": _whole_grid(5, 5),
    "legacy": {
        "prices": range(101),
        "rounds": 10,
        "opener": "seller",
        "seller": {"min": 20},
        "buyer": {"max": 80},
    },
    "fine": _whole_grid(20, 20),
    "hidden": {
        "prices": range(6),
        "rounds": 5,
        "seller": {"limits": range(5)},
        "buyer": {"limits": range(1, 6)},
    },
    "bazaar": {"prices": range(101), "rounds": 10, "seller": _TENS, "buyer": _TENS},
    "patience": {"prices": range(101), "rounds": 20, "delta": 0.9},
    "impatience": {
        "prices": range(11),
        "rounds": 6,
        "seller": {"delta": 0.9},
        "buyer": {"delta": 0.6},
    },
}
"""The original's learning game, its static game and its "further research"; hidden limits on a
small and on a fine grid; time costs, equal and unequal. Keys are those of a file."""


def read(scenario: object, make: Callable[[Mapping[str, Any]], T]) -> T:
    """Return what `make` makes of the table of a preset's name, a size, a TOML file or a mapping.

    Raises BadInputError for anything else; an error of `make` then names the file.
    """
    if isinstance(scenario, Mapping):
        return make(scenario)
    presets = ", ".join(PRESETS)
    if not isinstance(scenario, str | PathLike):
        raise refusal("scenario", scenario, f"{presets}, a size such as 10x7, a file or a mapping")
    if isinstance(scenario, str) and scenario in PRESETS:
        return make({"name": scenario, **PRESETS[scenario]})
    size = re.fullmatch(r"(\d{1,4})x(\d{1,4})", str(scenario))
    if size and not Path(scenario).exists():
        return make({"name": size[0], **_whole_grid(int(size[1]), int(size[2]))})
    if Path(scenario).stem == str(scenario) and not Path(scenario).exists():
        names = *PRESETS, "a size such as 10x7", "a file"
        raise unknown_name("scenario", str(scenario), names)
    with reading(scenario, "scenario"):
        return make({"name": Path(scenario).stem, **read_toml(scenario)})


def fields_of(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the scenario of a table, or raise BadInputError."""
    for key in table:
        one_of("entry", key, _ENTRIES, "it belongs below [seller] or [buyer]" * (key in _SECTION))
    prices, ranges, stated, limits = price_grid(table.get("prices")), [], [], []
    delta = [*deltas(table.get("delta", 1.0))]
    for role in Role:
        section = table.get(str(role), {})
        if not isinstance(section, Mapping):
            raise refusal(str(role), section, f"a table [{role}] with min and max")
        for key in section:
            one_of(f"[{role}]", key, _SECTION, "it belongs above [seller]" * (key in _ENTRIES))
        # A missing end is the end of the grid.
        ends = (section.get(each.__name__, each(prices, default=0)) for each in (min, max))
        ranges.append(own := price_range(role, PriceRange(*ends)))
        if own.minimum > own.maximum and "max" not in section:
            raise refusal(f"{role}.min", own.minimum, f"at most {own.maximum}, the highest price")
        if own.minimum > own.maximum and "min" not in section:
            raise refusal(f"{role}.max", own.maximum, f"at least {own.minimum}, the lowest price")
        if own.minimum > own.maximum:
            raise BadInputError(f"{role}: min {own.minimum} is above max {own.maximum}; swap them")
        stated.append(section.get("reservation"))
        limits.append(_limits(section, role))
        if "delta" in section:
            delta[role] = number(f"{role}.delta", section["delta"], _LEAST, 1, above=True)
    if stated != [None, None]:
        worst = ranges[Role.SELLER].minimum, ranges[Role.BUYER].maximum
        both = zip(stated, worst, strict=True)
        stated = [end if value is None else value for value, end in both]
    found: dict[str, Any] = {"name": "custom", "rounds": None, **table, "prices": prices}
    found |= zip(map(str, Role), ranges, strict=True)
    found |= {"reservation": None if None in stated else stated, "limits": limits, "delta": delta}
    return found


def deltas(value: object, name: str = "delta") -> tuple[float, float]:
    """Return δ of seller and buyer from a number for both or from two, also as text: `0.9,0.8`."""
    expected = "one number, or those of seller and buyer"
    given = value.replace("+", ",").split(",") if isinstance(value, str) else value
    each = entries(name, given, 2, expected) if isinstance(given, Iterable) else [given]
    if not 1 <= len(each) <= len(Role):
        raise refusal(name, value, expected)
    check: Callable[..., float] = parse_number if isinstance(value, str) else number
    found = [float(check(name, one, _LEAST, 1, above=True)) for one in each]
    return found[0], found[-1]


def price_range(role: Role, stated: PriceRange) -> PriceRange:
    if not isinstance(stated, PriceRange):
        raise refusal(str(role), stated, "PriceRange(minimum, maximum)")
    return PriceRange(amount(f"{role}.min", stated.minimum), amount(f"{role}.max", stated.maximum))


def price_grid(value: object) -> tuple[int, ...]:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return parse_amounts("prices", value, 2, MAX_PRICES, "of them")
    return tuple(range(1, integer("prices", value, 2, MAX_PRICES) + 1))


def _limits(section: Mapping[str, Any], role: Role) -> Limits | None:
    if "limits" not in section:
        if "weights" in section:
            raise refusal(f"{role}.weights", section["weights"], "limits beside it")
        return None
    if "reservation" in section:
        raise BadInputError(
            f"{role}: expected limits or reservation, got both; a limit is a reservation price"
        )
    return Limits.of(str(role), section["limits"], section.get("weights"))
