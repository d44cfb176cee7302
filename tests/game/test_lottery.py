"""One place cuts a range at a limit: for limits that were drawn, and for the agents of a market."""

from dataclasses import replace

import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario

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
