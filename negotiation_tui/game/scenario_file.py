"""The words of a scenario file: a TOML table in, the fields of a scenario out.

prices = 5                          # 1 … 5; or a list; or { min = 0, max = 100, step = 10 }
rounds = 5
opener = "alternate"                # or "seller", "buyer"
states = "published"                # or "opener-aware": states also say who opened
[seller]
min = 1
max = 5
reservation = 0                     # optional: what rewards are measured from
[buyer]
min = 1
max = 5
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.runtime.validate import integer, one_of, refusal

MAX_PRICES = 1000
MAX_ROUNDS = 1000
EARLIER_STATES = {"seated": "opener-aware"}
"""Words for states that version 0.1.0 wrote into files."""
MAX_AMOUNT = 10**9
_WORDS = ("name", "prices", "rounds", "seller", "buyer", "opener", "states")


def fields(table: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the scenario a table describes, to be `settled`.

    BadInputError names what is wrong.
    """
    _known(table, "entry", _WORDS)
    prices = _prices(table.get("prices"))
    seller, buyer = (_range(table, role, prices) for role in Role)
    stated = [_reservation(table, role) for role in Role]
    reservation = None
    if stated != [None, None]:
        reservation = (
            seller.minimum if stated[0] is None else stated[0],
            buyer.maximum if stated[1] is None else stated[1],
        )
    return {
        "name": table.get("name", "custom"),
        "prices": prices,
        "rounds": table.get("rounds"),
        "seller": seller,
        "buyer": buyer,
        "opener": table.get("opener", Opener.ALTERNATE),
        "reservation": reservation,
        "states": table.get("states", States.PUBLISHED),
    }


def settled(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a scenario as it keeps them, from whatever stands for them.

    Names are words for their members, prices as in a table, numbers those of numpy too.
    BadInputError names what is wrong.
    """
    held = given["reservation"]
    if held is not None:
        try:
            seller, buyer = held
        except (TypeError, ValueError):
            raise refusal("reservation", held, "the values of seller and buyer") from None
        held = (_amount("reservation", seller), _amount("reservation", buyer))
    return {
        "name": str(given["name"]),
        "prices": _prices(given["prices"]),
        "rounds": integer("rounds", given["rounds"], 1, MAX_ROUNDS),
        "opener": Opener.of(given["opener"]),
        "reservation": held,
        "states": States.of(given["states"]),
        **{str(role): _settled_range(given[str(role)], role) for role in Role},
    }


def _settled_range(held: object, role: Role) -> PriceRange:
    if not isinstance(held, PriceRange):
        raise refusal(str(role), held, "PriceRange(minimum, maximum)")
    return PriceRange(_amount(f"{role}.min", held.minimum), _amount(f"{role}.max", held.maximum))


def _known(table: Mapping[str, Any], where: str, names: Sequence[str]) -> None:
    for name in table:
        one_of(where, name, names)


def _amount(name: str, value: object) -> int:
    return integer(name, value, -MAX_AMOUNT, MAX_AMOUNT)


def _prices(value: object) -> tuple[int, ...]:
    if isinstance(value, Mapping):
        _known(value, "prices", ("min", "max", "step"))
        first = _amount("prices.min", value.get("min"))
        step = integer("prices.step", value.get("step", 1), 1, 2 * MAX_AMOUNT)
        last = _amount("prices.max", value.get("max"))
        if (last - first) % step:
            reached = last - (last - first) % step
            raise refusal("prices.max", last, f"{first} plus steps of {step}", f"use {reached}")
    elif isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(_amount("prices", price) for price in islice(value, MAX_PRICES + 1))
    else:
        first, last, step = 1, integer("prices", value, 2, MAX_PRICES), 1
    grid = range(first, last + 1, step)
    # One too many is enough to be refused; a hundred million would be slow to refuse.
    return tuple(grid[: MAX_PRICES + 1])


def _section(table: Mapping[str, Any], role: Role) -> Mapping[str, Any]:
    held = table.get(str(role), {})
    if not isinstance(held, Mapping):
        raise refusal(str(role), held, f"a table [{role}] with min and max")
    _known(held, f"[{role}]", ("min", "max", "reservation"))
    return held


def _range(table: Mapping[str, Any], role: Role, prices: tuple[int, ...]) -> PriceRange:
    """A role's range; the end that is not given is the end of the grid."""
    held = _section(table, role)
    minimum = _amount(f"{role}.min", held.get("min", min(prices, default=0)))
    maximum = _amount(f"{role}.max", held.get("max", max(prices, default=0)))
    if minimum > maximum:
        raise BadInputError(f"{role}: min {minimum} is above max {maximum}, swap them")
    return PriceRange(minimum, maximum)


def _reservation(table: Mapping[str, Any], role: Role) -> int | None:
    value = _section(table, role).get("reservation")
    return None if value is None else _amount(f"{role}.reservation", value)
