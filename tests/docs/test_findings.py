"""What docs/findings.md says, exactly or with a few seeds; its scripts measure as `sweep` does."""

import runpy

import numpy as np
import pytest

from negotiation_tui import Position, Role
from negotiation_tui.experiments.sweep import train_and_test
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from tests.support.paths import DOCS

ORIGINAL = Scenario.original()


def insisting(scenario: Scenario, role: Role, price: int) -> TabularPolicy:
    """Tables of the published states that ask one price for ever, and accept none worse.

    A limit that gains nothing at this price asks its extreme price, and accepts nothing.
    """
    at = scenario.prices.index(price)
    tables = []
    for view in scenario.views[role]:
        offers = view.offers(role)
        q = np.zeros((scenario.n_states, scenario.n_actions))
        for state in range(scenario.final_state):
            action = at if at in offers else offers[-1] if role is Role.SELLER else offers[0]
            if state != START:
                offered = scenario.offer_and_time(state)[0]
                if at in offers and (offered >= at if role is Role.SELLER else offered <= at):
                    action = scenario.accept
                elif at not in offers or at not in view.legal_actions(state, role):
                    action = scenario.walk_away
            q[state, action] = 1
        tables.append(q)
    return greedy(scenario, role, np.concatenate(tables))


@pytest.mark.parametrize("price", ORIGINAL.prices)
def test_published_states_can_hold_a_nash_equilibrium_at_any_price(price: int) -> None:
    seller, buyer = (insisting(ORIGINAL, role, price) for role in Role)
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


HIDDEN = Scenario.of("hidden")


@pytest.mark.parametrize("price", [2, 3])
@pytest.mark.parametrize("rate", [0.99, 1.0])
def test_tables_that_insist_on_a_price_are_equilibria(price: int, rate: float) -> None:
    seller, buyer = (insisting(HIDDEN, role, price) for role in Role)
    assert nash_conv(HIDDEN, seller, buyer, rate).total == 0
    assert expected_play(HIDDEN, seller, buyer).efficiency == pytest.approx(30 / 35)


@pytest.mark.usefixtures("without_numba")
def test_one_training_gives_the_wallets_of_a_run_of_each_length() -> None:
    pytest.importorskip("matplotlib")
    wallets = runpy.run_path(str(DOCS / "first_trained.py"))
    counts, seed, first = (2, 3), 5, Role.BUYER
    rows = [
        train_and_test(Run(Scenario.original(), Parameters(cycles=n), seed, train_agent=first))
        for n in counts
    ]
    assert wallets["wallets"](wallets["Job"](range(1), counts), seed, first) == [
        (
            row["corrected_seller_wallet"],
            row["as_published_seller_wallet"] - row["last_cycle_seller_wallet"],
            row["last_cycle_seller_wallet"],
        )
        for row in rows
    ]
