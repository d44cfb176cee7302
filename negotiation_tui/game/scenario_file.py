"""Turn the TOML table of a scenario file into the fields of a scenario, and back.

prices = 5                          # 1 … 5; or a list; or { min = 0, max = 100, step = 10 }
rounds = 5
opener = "alternate"                # or "seller", "buyer"
states = "published"                # or "opener-aware": a state also contains the opener
[seller]
min = 1
max = 5
reservation = 0                     # optional: the price of reward 0
[buyer]
min = 1
max = 5
limits = [3, 4, 5]                  # optional instead of `reservation`: hidden limits, of which
weights = [1, 2, 1]                 # one is drawn per negotiation; or { min = 3, max = 5 }
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.limits import Limits
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.runtime.validate import integer, one_of, progression, refusal

MAX_PRICES = 1000
MAX_ROUNDS = 1000
MAX_AMOUNT = 10**9
_KEYS = ("name", "prices", "rounds", "seller", "buyer", "opener", "states")


def fields(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the scenario in a table, for `normalized`.

    Raises BadInputError if the table does not describe a scenario.
    """
    for key in table:
        one_of("entry", key, _KEYS)
    prices, stated, limits = _prices(table.get("prices")), [], []
    found = {
        "name": table.get("name", "custom"),
        "prices": prices,
        "rounds": table.get("rounds"),
        "opener": table.get("opener", Opener.ALTERNATE),
        "states": table.get("states", States.PUBLISHED),
    }
    for role in Role:
        section = table.get(str(role), {})
        if not isinstance(section, Mapping):
            raise refusal(str(role), section, f"a table [{role}] with min and max")
        for key in section:
            one_of(f"[{role}]", key, ("min", "max", "reservation", "limits", "weights"))
        # A missing end is the end of the grid.
        minimum = _amount(f"{role}.min", section.get("min", min(prices, default=0)))
        maximum = _amount(f"{role}.max", section.get("max", max(prices, default=0)))
        if minimum > maximum:
            raise BadInputError(f"{role}: min {minimum} is above max {maximum}; swap them")
        found[str(role)] = PriceRange(minimum, maximum)
        value = section.get("reservation")
        stated.append(None if value is None else _amount(f"{role}.reservation", value))
        limits.append(_limits(section, role))
    if stated != [None, None]:
        ends = found["seller"].minimum, found["buyer"].maximum
        found["reservation"] = tuple(
            end if value is None else value for value, end in zip(stated, ends, strict=True)
        )
    return found | {"limits": tuple(limits)}


def table(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of normalized fields, in plain values."""
    plain = {
        "name": values["name"],
        "prices": list(values["prices"]),
        "rounds": values["rounds"],
        "opener": values["opener"].value,
        "states": values["states"].value,
    }
    for role in Role:
        prices, reservation = values[str(role)], values["reservation"]
        plain[str(role)] = {"min": prices.minimum, "max": prices.maximum}
        limits = values["limits"][role]
        if limits is not None:
            plain[str(role)] |= {"limits": list(limits.values), "weights": list(limits.weights)}
        elif reservation is not None:
            plain[str(role)]["reservation"] = reservation[role]
    return plain


def normalized(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a scenario with their final types.

    Enumerations may be given by name, prices as in a file, numbers as numpy's. Raises
    BadInputError if a value cannot be converted.
    """
    reservation = values["reservation"]
    if reservation is not None:
        try:
            seller, buyer = reservation
        except (TypeError, ValueError):
            raise refusal("reservation", reservation, "the values of seller and buyer") from None
        reservation = (_amount("reservation", seller), _amount("reservation", buyer))
    return {
        "name": str(values["name"]),
        "prices": _prices(values["prices"]),
        "rounds": integer("rounds", values["rounds"], 1, MAX_ROUNDS),
        "opener": Opener.of(values["opener"]),
        "reservation": reservation,
        "states": States.of(values["states"]),
        "limits": _normalized_limits(values["limits"]),
        **{str(role): _normalized_range(values[str(role)], role) for role in Role},
    }


def _normalized_range(value: object, role: Role) -> PriceRange:
    if not isinstance(value, PriceRange):
        raise refusal(str(role), value, "PriceRange(minimum, maximum)")
    return PriceRange(_amount(f"{role}.min", value.minimum), _amount(f"{role}.max", value.maximum))


def _normalized_limits(values: object) -> tuple[Limits | None, ...]:
    limits = values if isinstance(values, tuple | list) else ()
    if len(limits) != len(Role) or not all(isinstance(one, Limits | None) for one in limits):
        raise refusal("limits", values, "the Limits of seller and buyer, or None")
    return tuple(
        one and Limits.of(str(role), one.values, one.weights)
        for role, one in zip(Role, limits, strict=True)
    )


def _amount(name: str, value: object) -> int:
    return integer(name, value, -MAX_AMOUNT, MAX_AMOUNT)


def _prices(value: object) -> tuple[int, ...]:
    if isinstance(value, Mapping):
        # One price too many is enough for the error; a hundred million would be slow.
        return tuple(progression("prices", value, MAX_AMOUNT)[: MAX_PRICES + 1])
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(_amount("prices", price) for price in islice(value, MAX_PRICES + 1))
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
