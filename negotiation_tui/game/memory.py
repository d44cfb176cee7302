"""Memory of a policy: one number that stands for the offers so far.

A policy's actions depend on the state and on this number. Plain Python over rows of numbers, run
as it is or compiled with the inner loop. The offers of a role are a row: how many there are, how
many of them differ, and then the index of each in the grid.

With x a party's own last offer and P prices in the grid, the kinds of memory and their numbers are

    NOTHING            0
    OWN_LAST           1 + x, or 0 before any offer
    DIFFERENT          2·m, plus 1 if m > n: it made m different offers and received n
    LAGGED + 2·k       1 + x·P + y, with y received k + 1 offers before the standing one;
                       0 until there are x and y
    LAGGED + 2·k + 1   1 + (x·P + y)·P + z, with z received right after y
"""

from typing import Any

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario

NOTHING, OWN_LAST, DIFFERENT, LAGGED = 0, 1, 2, 3


def note(offers: Any, offer: int) -> None:
    """Append an offer to the offers of a role."""
    n, new = offers[0], 1
    for k in range(2, 2 + n):
        if offers[k] == offer:
            new = 0
    offers[2 + n] = offer
    offers[0] = n + 1
    offers[1] += new


def recall(kind: int, n_prices: int, own: Any, received: Any) -> int:
    """Return the number of a kind of memory, from a party's own offers and those it received."""
    number, n_own, n_received = 0, own[0], received[0]
    if kind == DIFFERENT:
        number = 2 * own[1] + (1 if own[1] > received[1] else 0)
    elif kind == OWN_LAST and n_own > 0:
        number = 1 + own[1 + n_own]
    elif kind >= LAGGED:
        lag = (kind - LAGGED) // 2 + 1
        if n_own > 0 and n_received > lag:
            number = own[1 + n_own] * n_prices + received[1 + n_received - lag]
            if (kind - LAGGED) % 2 == 1:
                number = number * n_prices + received[2 + n_received - lag]
            number += 1
    return number


def of(position: Position, kind: int) -> int:
    """Return the number of a kind of memory in a position."""
    scenario = position.scenario
    rows = [[0] * (scenario.rounds + 2) for _ in range(2)]
    for row, prices in zip(rows, (position.own_offers, position.opponent_offers), strict=True):
        for price in prices:
            note(row, scenario.prices.index(price))
    return recall(kind, scenario.n_prices, *rows)


def size(kind: int, scenario: Scenario, role: Role) -> int:
    """Return how many numbers a kind of memory has."""
    n_prices = scenario.n_prices
    if kind < DIFFERENT:
        return 1 + kind * n_prices
    if kind == DIFFERENT:
        return 2 * (1 + min(scenario.rounds, len(scenario.offers(role))))
    return int(1 + n_prices ** (2 + (kind - LAGGED) % 2))


def examples(
    kind: int, scenario: Scenario, role: Role, standing: int
) -> list[tuple[int, int | None, tuple[int, ...]]]:
    """Return for each number the own last price, and prices offered in turn that lead to it.

    The last of the prices is at index `standing`. Numbers that no offers of the role lead to are
    left out. With DIFFERENT the role begins with its best price and concedes one at a time.
    """
    found: list[tuple[int, int | None, tuple[int, ...]]] = []
    for number in range(size(kind, scenario, role)):
        own, received = _offers(kind, number, scenario, role, standing)
        if all(offer in scenario.offers(role) for offer in own):
            turns = [n for both in zip(received, own, strict=True) for n in both]
            prices = tuple(scenario.prices[n] for n in (*turns, standing))
            found.append((number, prices[-2] if own else None, prices))
    return found


def _offers(
    kind: int, number: int, scenario: Scenario, role: Role, standing: int
) -> tuple[list[int], list[int]]:
    n_prices = scenario.n_prices
    if kind == DIFFERENT:
        made, more = divmod(number, 2)
        offers = scenario.offers(role)
        own = list(offers[::-1] if role is Role.SELLER else offers)[:made]
        others = [] if more else [n for n in range(n_prices) if n != standing][: max(0, made - 1)]
        return own, others + [standing] * (len(own) - len(others))
    if number == 0:
        return [], []
    if kind == OWN_LAST:
        return [number - 1], [standing]
    lag, pair = divmod(kind - LAGGED, 2)
    rest, last = divmod(number - 1, n_prices)
    received = [last]
    if pair:
        rest, first = divmod(rest, n_prices)
        received = [first, last]
    received += [standing] * (lag + 1 - len(received))
    return [rest] * len(received), received
