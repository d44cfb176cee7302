"""What docs/findings.md says of time as a budget, with a few seeds."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market.agents import population
from negotiation_tui.market.headless import warm
from negotiation_tui.market.run_length import BY_NEGOTIATIONS, BY_STEPS, RunLength
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.market.tick_loop import ALL_ROUNDS, DEAL_ROUNDS, NEGOTIATIONS
from tests.support.paths import ROOT

SEEDS, EACH = 3, 50_000


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The program of the page."""
    spec = spec_from_file_location("market_findings", ROOT / "docs" / "market_findings.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "market_findings", module)  # for its dataclasses
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("longer", [1, 10])
@pytest.mark.parametrize(("spread", "wanted"), [(0.01, 24), (0.2, 72), (0.5, 432)])
def test_a_row_gets_the_seeds_that_its_spread_needs(
    script: Any, spread: float, wanted: int, longer: int
) -> None:
    setting = script.Setting("steps", 10, 10, longer=longer)
    other = script.replace(setting, unit="negotiations")
    part = [{"to deal": 1.5 + spread * (-1) ** k} for k in range(24)]
    rows = {setting: part, other: part}
    assert script.seeds_wanted({setting: part[:9], other: part}, setting) == 24
    assert script.seeds_wanted(rows, setting) == script.seeds_wanted(rows, other) == wanted
    many = dict.fromkeys(rows, part * (wanted // 24))
    *_, seen, n = script.compared(*([row["to deal"] for row in many[each]] for each in many))
    assert float(seen) <= script.SMALLEST
    assert int(n) == wanted


@pytest.mark.slow
def test_tables_that_rank_walking_away_first_are_counted(script: Any) -> None:
    few = script.mistaken(script.Leaving(0.9, 0.005, 400), 0)
    assert 0 < few["first"] < 0.5
    assert few["free"] > 0
    assert few["accepting"] > few["leaving"]


@pytest.mark.slow
def test_two_agents_hurry_too_at_a_high_discount_factor(script: Any) -> None:
    if warm() is None:
        pytest.skip("needs numba")
    usual, timed = (
        [
            script.late_of(script.Setting(unit, 1, 1, discount_rate=0.99), k)["to deal"]
            for k in range(240)
        ]
        for unit in (BY_NEGOTIATIONS, BY_STEPS)
    )
    assert np.mean(timed) < np.mean(usual) - 3 * script.standard_error(usual, timed)


def room(unit: str, agents: int, seed: int, decay: float) -> MarketSimulation:
    """As docs/market_findings.py has it."""
    backend = warm()
    if backend is None:
        pytest.skip("needs numba")
    rng = np.random.default_rng(0)
    learning = {"discount_rate": 0.9, "exploration_end": 0.01, "exploration_decay": decay}
    people = [
        *population(Role.SELLER, "seller", agents, 0, rng, learning=learning),
        *population(Role.BUYER, "buyer", agents, 5, rng, learning=learning),
    ]
    scenario = Scenario.from_dict({"prices": 5, "rounds": 5, "states": "opener-aware"})
    amount = EACH * 2 if unit == BY_STEPS else EACH * agents
    one = MarketSimulation(scenario, people, RunLength(unit, amount), seed, backend=backend)
    one.run()
    return one


def rounds_to_a_deal(unit: str, decay: float) -> float:
    totals = np.zeros(2)
    for seed in range(SEEDS):
        one = room(unit, 10, seed, decay)
        late = slice(-len(one.history) // 10, None)
        deals = one.sold[late].sum()
        assert one.history[late, DEAL_ROUNDS].sum() <= one.history[late, ALL_ROUNDS].sum()
        assert deals <= one.history[late, NEGOTIATIONS].sum()
        totals += one.history[late, DEAL_ROUNDS].sum(), deals
    return float(totals[0] / totals[1])


@pytest.mark.slow
def test_where_exploration_fades_fast_deals_close_earlier_if_time_is_the_budget() -> None:
    usual, timed = (rounds_to_a_deal(unit, 0.002) for unit in (BY_NEGOTIATIONS, BY_STEPS))
    assert timed < usual - 0.2
