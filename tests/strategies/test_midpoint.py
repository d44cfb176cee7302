"""The original's static strategy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.game.negotiation import Player, Position, negotiate
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.fixed_fraction import Midpoint
from negotiation_tui.strategies.registry import STRATEGIES
from tests.support.game import RandomPlayer, roles, scenarios, seeds

MIDPOINT = Midpoint()
RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("opener", "prices", "closer"),
    [
        ("seller", (100, 50, 75, 62, 68, 65, 66, 65, 65), Role.SELLER),
        ("buyer", (0, 50, 25, 37, 31, 34, 32, 33, 32, 32), Role.SELLER),
    ],
)
def test_the_published_negotiations(opener: str, prices: tuple[int, ...], closer: Role) -> None:
    played = negotiate(Scenario.legacy(), MIDPOINT, MIDPOINT, opener)
    assert played.prices == prices
    outcome = played.outcome
    assert (outcome.price, outcome.closer, outcome.round) == (prices[-1], closer, 4)


def test_it_is_on_the_list() -> None:
    assert isinstance(STRATEGIES["midpoint"], Midpoint)


@pytest.mark.parametrize(
    ("role", "own", "on_table", "answer"),
    [
        (Role.SELLER, None, None, 9),  # its best price
        (Role.BUYER, None, None, 1),
        (Role.SELLER, None, 1, 5),  # half-way from its best price
        (Role.BUYER, None, 9, 5),
        (Role.SELLER, 9, 2, 5),  # 5.5 rounds down
        (Role.SELLER, 8, 5, 8),  # 6 is not on the grid: upwards for the seller,
        (Role.BUYER, 3, 9, 5),
        (Role.BUYER, 5, 9, 5),  # 7 is not either: downwards for the buyer
    ],
)
def test_half_way_on_a_grid_with_gaps(
    role: Role, own: int | None, on_table: int | None, answer: int
) -> None:
    whole = PriceRange(1, 9)
    scenario = Scenario("gaps", (1, 2, 3, 5, 8, 9), 4, whole, whole)
    action = MIDPOINT.act(Position(scenario, role, 0, own, on_table), RNG)
    assert scenario.action_label(action) == str(answer)


@pytest.mark.parametrize(("role", "own", "on_table"), [(Role.SELLER, 5, 5), (Role.BUYER, 4, 4)])
def test_it_accepts_what_it_would_ask(role: Role, own: int, on_table: int) -> None:
    position = Position(Scenario.original(), role, 1, own, on_table)
    assert MIDPOINT.act(position, RNG) == position.scenario.accept


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position in which there is a price on the table."""
    scenario, role = draw(scenarios()), draw(roles)
    own = [scenario.prices[i] for i in scenario.offers(role)]
    return Position(
        scenario,
        role,
        draw(st.integers(0, scenario.rounds - 1)),
        draw(st.none() | st.sampled_from(own)),
        draw(st.sampled_from(scenario.prices)),
    )


@given(positions())
def test_anywhere(position: Position) -> None:
    scenario, on_table = position.scenario, position.standing_offer
    assert on_table is not None
    held = scenario.acceptable_range(position.role)
    mine = [price for price in scenario.prices if price in held]
    action = MIDPOINT.act(position, RNG)
    if position.time == scenario.rounds - 1:
        assert action == (scenario.accept if on_table in held else scenario.walk_away)
        return
    asked = on_table if action == scenario.accept else scenario.prices[action]
    assert (asked == on_table) == (action == scenario.accept)
    seller = position.role is Role.SELLER
    best = mine[-1] if seller else mine[0]
    half_way = (
        (best if position.own_last_offer is None else position.own_last_offer) + on_table
    ) // 2
    on_my_side = [price for price in mine if (price >= half_way if seller else price <= half_way)]
    nearest = min if seller else max
    # Where nothing of its own lies on its side it asks the end of its range.
    assert asked == (nearest(on_my_side) if on_my_side else (mine[-1] if seller else mine[0]))


@given(scenarios(), roles, seeds)
def test_it_keeps_to_its_range_whatever_the_other_does(
    scenario: Scenario, role: Role, seed: int
) -> None:
    players: dict[Role, Player] = {role: MIDPOINT, role.other: RandomPlayer()}
    rng = np.random.default_rng(seed)
    played = negotiate(scenario, players[Role.SELLER], players[Role.BUYER], rng=rng)
    for turn in played.turns:
        if turn.role is role and turn.price is not None:
            assert turn.price in scenario.acceptable_range(role)
