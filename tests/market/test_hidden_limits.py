"""A market on a scenario with hidden limits: each agent draws one, and keeps it."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market import economics
from tests.support.cli import printed

HIDDEN = Scenario.with_hidden_limits()
WEIGHTED = Scenario.of(
    {
        "prices": 5,
        "rounds": 3,
        "seller": {"limits": [0, 2, 4], "weights": [1, 0, 3]},
        "buyer": {"reservation": 6},
    }
)


def reservations(market: nt.Market) -> dict[str, list[int]]:
    """The reservation prices of a market's agents, by role."""
    rows = market.accounts
    return {str(r): [row["reservation"] for row in rows if row["role"] == str(r)] for r in Role}


def test_each_agent_draws_a_limit_of_its_role_by_the_weights() -> None:
    found = reservations(nt.run_market(WEIGHTED, sellers=400, limit="negotiations=10"))
    counts = Counter(found["seller"])
    assert set(counts) == {0, 4}
    assert counts[4] / 400 == pytest.approx(0.75, abs=4 * (0.75 * 0.25 / 400) ** 0.5)
    assert set(found["buyer"]) == {6}


def test_what_the_roster_says_counts(tmp_path: Path) -> None:
    path = tmp_path / "agents.toml"
    path.write_text("[[seller]]\ncount = 3\nreservation = [-1, 1, 5]\n[[buyer]]\ncount = 40\n")
    found = reservations(nt.run_roster(path, HIDDEN, limit="negotiations=30"))
    assert found["seller"] == [-1, 1, 5]
    assert set(found["buyer"]) == set(range(1, 6))
    market = nt.run_market(HIDDEN, costs=-3, values=[4, 5], limit="negotiations=300")
    assert reservations(market) == {"seller": [-3] * 10, "buyer": [4, 5] * 5}
    assert np.flatnonzero(market.simulation.sold.sum(0))[0] == 0  # the lowest price of the grid


@pytest.mark.parametrize("seller", ["learned", "learned:sarsa", "boulware", "zero-intelligence"])
def test_nobody_trades_at_a_loss_and_the_economics_are_of_these_prices(seller: str) -> None:
    market = nt.run_market(HIDDEN, seller=seller, limit="negotiations=1000")
    assert all(row["surplus"] >= 0 for row in market.accounts)
    costs, values = reservations(market).values()
    assert market.summary["competitive_price"] == [*economics.competitive_range(costs, values)]
    assert market.summary["possible_surplus"] == 100 * economics.maximum_surplus(costs, values)


def test_without_any_overlap_there_are_no_deals(capsys: pytest.CaptureFixture[str]) -> None:
    apart = replace_limits([4, 5], [0, 1])
    market = nt.run_market(apart, limit="negotiations=200")
    assert market.summary["deals"] == market.summary["possible_surplus"] == 0
    words = "market", "--scenario", "hidden", "--limit", "negotiations=20", "--text"
    assert "efficiency" in printed(capsys, *words)


def replace_limits(seller: list[int], buyer: list[int]) -> Scenario:
    """The preset with other limits."""
    table = HIDDEN.to_dict()
    for role, values in (("seller", seller), ("buyer", buyer)):
        table[role] = {"limits": values}
    return Scenario.of(table)
