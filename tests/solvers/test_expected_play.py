"""Play of two tables in games with hidden limits, against each pair of limits played out."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from negotiation_tui import Position, Role, Scenario, TabularPolicy
from negotiation_tui.solvers.expected_play import expected_play
from tests.support.game import game
from tests.support.lotteries import lottery, stack
from tests.support.plans import Plan

Deals = dict[tuple[int, int], float]


def deals_of(views: list[Scenario], plans: list[Plan], opener: Role) -> Deals:
    """The probability of a deal at each ply and price, by playing every history."""
    found: Deals = defaultdict(float)
    pending: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while pending:
        offers, reached = pending.pop()
        ply = len(offers)
        role = opener if ply % 2 == 0 else opener.other
        view = views[role]
        own, standing = offers[-2] if ply > 1 else None, offers[-1] if ply else None
        at = Position(view, role, max(0, ply - 1) // 2, own, standing, ply % 2 == 0, offers)
        for action, chance in plans[role](at).items():
            if action < view.accept:
                pending.append(((*offers, view.prices[action]), reached * chance))
            elif action == view.accept:
                found[ply, view.prices.index(offers[-1])] += reached * chance
    return found


@pytest.mark.parametrize("seed", range(16))
def test_all_pairs_of_limits_play_as_they_do_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scenario = lottery(rng, 4, 2, known=seed % 4 == 0)
    (seller, sellers), (buyer, buyers) = (stack(scenario, role, rng) for role in Role)
    play = expected_play(scenario, seller, buyer)
    chances = [scenario.chances(role) for role in Role]
    between = np.zeros_like(play.between)
    surplus, by_round = [], np.zeros((2, scenario.rounds, scenario.n_prices))
    for opener, k, j in product(Role, range(len(sellers)), range(len(buyers))):
        views = [scenario.views[0][k], scenario.views[1][j]]
        found = deals_of(views, [sellers[k], buyers[j]], opener)
        for (ply, price), chance in found.items():
            between[opener, k, j, price] += chance
            by_round[opener, ply // 2, price] += chances[0][k] * chances[1][j] * chance

            if opener in scenario.opener.roles:
                game, at = scenario.drawn(k, j), scenario.prices[price]
                both = sum(game.reward(role, at, ply - 1) for role in Role)
                surplus.append(chances[0][k] * chances[1][j] * chance * both)
    assert play.between == pytest.approx(between, abs=1e-12)
    for role in Role:
        assert play.opened_by(role).deals == pytest.approx(by_round[role], abs=1e-12)
    assert play.surplus == pytest.approx(sum(surplus) / len(scenario.opener.roles), abs=1e-12)
    openers = list(scenario.opener.roles)
    assert play.deal == pytest.approx(between.sum(axis=-1)[openers].mean(axis=0), abs=1e-12)


SCENARIO = game(
    [0, 1, 2, 3], 1, opener="seller", seller={"limits": [0, 1, 2]}, buyer={"limits": [3]}
)


def asking(*prices: int) -> TabularPolicy:
    dense = np.zeros((SCENARIO.n_rows(Role.SELLER), SCENARIO.n_actions))
    for limit, price in enumerate(prices):
        dense[limit * SCENARIO.n_states, price] = 1
        rows = dense[limit * SCENARIO.n_states + 1 : (limit + 1) * SCENARIO.n_states]
        rows[:, SCENARIO.walk_away] = 1
    return TabularPolicy.of_probabilities(SCENARIO, Role.SELLER, dense)


def accepting(*chances: float) -> TabularPolicy:
    dense = np.zeros((SCENARIO.n_rows(Role.BUYER), SCENARIO.n_actions))
    dense[0, 0] = 1
    for price, chance in enumerate(chances):
        dense[1 + price, SCENARIO.accept :] = chance, 1 - chance
    return TabularPolicy.of_probabilities(SCENARIO, Role.BUYER, dense)


def test_a_limit_gains_by_playing_a_table_that_asks_for_more() -> None:
    play = expected_play(SCENARIO, asking(1, 2, 3), accepting(1, 1, 0.75, 0))
    # Limit 0 earns 1/3, with the table of limit 1 it would earn 0.75 · 2/3.
    assert play.pretending(Role.SELLER) == pytest.approx([0.5 - 1 / 3, 0, 0])
    assert play.pretending(Role.BUYER).tolist() == [0]
    # Both limits that sell: 1 · 1 and 0.75 · 2/3 of surplus 1, 2/3 and 1/3.
    assert play.surplus == pytest.approx((1 + 0.75 * 2 / 3) / 3)
    assert play.efficiency == pytest.approx((1 + 0.75 * 2 / 3) / 2)


def test_beyond_its_limit_a_table_can_only_be_pretended_if_asked_for() -> None:
    play = expected_play(SCENARIO, asking(1, 3, 3), accepting(1, 1, 1, 0))
    assert play.pretending(Role.SELLER).tolist() == [0, 0, 0]
    assert play.pretending(Role.SELLER, beyond=True).tolist() == [0, 0, 0], "at a loss or at none"
    play = expected_play(SCENARIO, asking(2, 3, 3), accepting(1, 1, 1, 0))
    assert play.pretending(Role.SELLER).tolist() == [0, 0, 0]
    assert play.pretending(Role.SELLER, beyond=True) == pytest.approx([0, 1 / 3, 0])
