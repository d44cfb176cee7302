"""What docs/findings.md says of the published states, exactly."""

import numpy as np
import pytest

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve

ORIGINAL = Scenario.original()


def take_it_or_leave_it(role: Role, price: int) -> TabularPolicy:
    """A table of the published states that asks one price for ever, and accepts none worse."""
    q = np.zeros((ORIGINAL.n_states, ORIGINAL.n_actions))
    for state in range(ORIGINAL.final_state):
        legal = ORIGINAL.legal_actions(state, role)
        action = price - 1 if price - 1 in legal else ORIGINAL.walk_away
        if state != START:
            offered = ORIGINAL.prices[ORIGINAL.offer_and_time(state)[0]]
            if offered >= price if role is Role.SELLER else offered <= price:
                action = ORIGINAL.accept
        q[state, action] = 1
    return greedy(ORIGINAL, role, q)


@pytest.mark.parametrize("price", ORIGINAL.prices)
def test_published_states_can_hold_a_nash_equilibrium_at_any_price(price: int) -> None:
    seller, buyer = (take_it_or_leave_it(role, price) for role in Role)
    found = nash_conv(ORIGINAL, seller, buyer)
    assert found.total == 0
    assert found.values == pytest.approx((price / 5, 1 - price / 5))


@pytest.mark.parametrize("rule", TieBreak)
def test_published_states_cannot_hold_a_subgame_perfect_one(rule: TieBreak) -> None:
    """In 1.3 the seller that opened must ask more, and the seller that did not must accept."""
    position = {
        opened: Position(ORIGINAL, Role.SELLER, 3, None, 1, opened) for opened in (True, False)
    }
    assert position[True].state == position[False].state
    as_opener = solve(ORIGINAL, Role.SELLER, 1.0, rule).action(position[True])
    as_responder = solve(ORIGINAL, Role.BUYER, 1.0, rule).action(position[False])
    assert ORIGINAL.action_label(as_opener) in {"4", "5"}
    if rule is TieBreak.ACCEPT:
        assert as_responder == ORIGINAL.accept
    else:
        assert as_responder != as_opener
