"""The equilibrium against best responses in every position, and known cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, TieBreak, solve
from negotiation_tui.strategies.base import tabulate
from negotiation_tui.strategies.rational import SubgamePerfect
from tests.support.game import positions, scenarios
from tests.support.plans import discounts, value

ORIGINAL = Scenario.original()


@given(scenarios(), discounts, st.sampled_from(TieBreak))
def test_every_action_is_the_best_answer_to_the_others(
    scenario: Scenario, rate: float, rule: TieBreak
) -> None:
    """Also after mistakes; of equally good ones the best price, and closing by the rule."""
    first = scenario.accept if rule is TieBreak.ACCEPT else scenario.walk_away
    seller, buyer = (tabulate(scenario, role, SubgamePerfect(rate, rule)) for role in Role)
    found = nash_conv(scenario, seller, buyer, rate)
    assert found.total == pytest.approx(0, abs=1e-12)
    for role, table in zip(Role, (seller, buyer), strict=True):

        def liking(action: int, sign: int = 1 if role is Role.SELLER else -1) -> int:
            if action >= scenario.accept:
                return 1000 if action == first else -1000
            return sign * action

        for at in positions(scenario, role):
            assert table.support(at) == [max(found.responses[role].best(at), key=liking)], at
        for opener in Role:
            expected = solve(scenario, opener, rate, rule).values[role]
            assert found.responses[role].values[opener] == pytest.approx(expected, abs=1e-12)
    for opener in Role:
        expected = solve(scenario, opener, rate, rule).values[Role.SELLER]
        worth = value(scenario, Role.SELLER, seller, buyer, opener, rate)
        assert worth == pytest.approx(expected, abs=1e-12)


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
    legacy = Scenario.of("legacy")
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
