"""The equilibrium against a plain recursion over every decision, and known cases."""

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, Equilibrium, TieBreak, solve
from tests.support.game import roles, scenarios

ORIGINAL = Scenario.original()
CLOSE = 1e-12
Payoffs = tuple[float, float]
"""Of seller and buyer, counted from the opening: γ^(own decisions − 1)·reward."""

tiny = scenarios(largest=4, rounds=3)
rules = st.sampled_from(TieBreak)
discounts = st.sampled_from([1.0, DISCOUNT, 0.9, 0.5])


def closed(scenario: Scenario, opener: Role, ply: int, price: int | None, rate: float) -> Payoffs:
    """The payoffs of a deal at a ply; None for the price means walking away."""
    if price is None:
        return 0.0, 0.0
    made = {opener: ply // 2 + 1, opener.other: (ply + 1) // 2}
    seller, buyer = (rate ** (made[role] - 1) * scenario.reward(role, price) for role in Role)
    return seller, buyer


def position_at(scenario: Scenario, opener: Role, ply: int, price: int | None) -> Position:
    """The position at a ply, ignoring the player's own last price."""
    role = opener if ply % 2 == 0 else opener.other
    return Position(scenario, role, max(0, ply - 1) // 2, None, price, role is opener)


def outcomes(
    scenario: Scenario, opener: Role, rate: float, follow: Callable[[int, int], Payoffs]
) -> Callable[[int, int | None], dict[int, Payoffs]]:
    """The payoffs of each legal action; `follow(ply, price)` returns those after an offer."""

    def of(ply: int, price: int | None) -> dict[int, Payoffs]:
        position = position_at(scenario, opener, ply, price)
        found = {}
        for action in scenario.legal_actions(position.state, position.role):
            if action < scenario.accept:
                found[action] = follow(ply + 1, scenario.prices[action])
            else:
                agreed = price if action == scenario.accept else None
                found[action] = closed(scenario, opener, ply, agreed, rate)
        return found

    return of


def enumerated(
    scenario: Scenario, opener: Role, rate: float, rule: TieBreak
) -> Callable[[int, int | None], tuple[int, Payoffs]]:
    """The action and the payoffs at every ply and standing offer, by recursion."""

    def liking(role: Role, action: int) -> int:
        """Among equally good actions: the dearest (cheapest) offer, and closing by the rule."""
        first = scenario.accept if rule is TieBreak.ACCEPT else scenario.walk_away
        if action >= scenario.accept:
            return 1000 if action == first else -1000
        return action if role is Role.SELLER else -action

    @cache
    def best(ply: int, price: int | None) -> tuple[int, Payoffs]:
        role = opener if ply % 2 == 0 else opener.other
        found = outcomes(scenario, opener, rate, lambda *at: best(*at)[1])(ply, price)
        top = max(payoffs[role] for payoffs in found.values())
        equal = [action for action, payoffs in found.items() if payoffs[role] >= top - CLOSE]
        chosen = max(equal, key=lambda action: liking(role, action))
        return chosen, found[chosen]

    return best


def reachable(scenario: Scenario, opener: Role) -> list[tuple[int, int | None]]:
    """Every ply with every possible standing offer."""
    places: list[tuple[int, int | None]] = [(0, None)]
    for ply in range(1, 2 * scenario.rounds):
        other = opener if ply % 2 else opener.other
        places += [(ply, scenario.prices[i]) for i in scenario.offers(other)]
    return places


def action_of(found: Equilibrium, ply: int, price: int | None) -> int:
    return found.action(position_at(found.scenario, found.opener, ply, price))


@given(tiny, roles, discounts, rules)
def test_decisions_by_recursion(
    scenario: Scenario, opener: Role, rate: float, rule: TieBreak
) -> None:
    found = solve(scenario, opener, rate, rule)
    best = enumerated(scenario, opener, rate, rule)
    for place in reachable(scenario, opener):
        assert action_of(found, *place) == best(*place)[0], place
    assert found.values == pytest.approx(best(0, None)[1], abs=CLOSE)


@pytest.mark.parametrize("rate", [1.0, DISCOUNT])
@pytest.mark.parametrize(
    ("opener", "rule", "price"),
    [
        (Role.SELLER, TieBreak.ACCEPT, 5),
        (Role.SELLER, TieBreak.REJECT, 4),
        (Role.BUYER, TieBreak.ACCEPT, 1),
        (Role.BUYER, TieBreak.REJECT, 1),
    ],
)
def test_original(opener: Role, rule: TieBreak, price: int, rate: float) -> None:
    found = solve(ORIGINAL, opener, rate, rule)
    if rate < 1:  # otherwise waiting costs nothing
        assert [turn.action for turn in found.path.turns] == [price - 1, ORIGINAL.accept]
    assert found.path.outcome.price == price
    assert found.values == pytest.approx((price / 5, 1 - price / 5))


def test_legacy_leaves_the_responder_its_reservation_value() -> None:
    legacy = Scenario.legacy()
    for opener, prices in ((Role.SELLER, (80, 79)), (Role.BUYER, (20, 21))):
        found = [solve(legacy, opener, tie_break=rule).path.outcome.price for rule in TieBreak]
        assert tuple(found) == prices


@pytest.mark.parametrize("opener", Role)
def test_large(opener: Role) -> None:
    whole, size = PriceRange(1, 1000), 1000
    grid = Scenario("grid", tuple(range(1, 1001)), size, whole, whole, reservation=(0, size))
    found = solve(grid, opener)
    assert found.actions.shape == (2 * size, size)
    top = size if opener is Role.SELLER else 1
    assert found.path.outcome.price == top
    assert found.values == pytest.approx((top / size, 1 - top / size))
