"""Opening a market costs one look at each entry: work is counted, not timed."""

from collections import Counter
from pathlib import Path

import pytest

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market import roster
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation, population_generator
from negotiation_tui.players import user_strategy
from negotiation_tui.strategies import base

GAME = Scenario.original()


@pytest.mark.parametrize("agents", [8, 80])
def test_work_does_not_grow_with_the_entries(
    agents: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done: Counter[str] = Counter()

    def counted(module: object, name: str) -> None:
        called = getattr(module, name)

        def count(*arguments: object) -> object:
            done[name] += 1
            return called(*arguments)

        monkeypatch.setattr(module, name, count)

    base._cached_table.cache_clear()
    counted(roster, "resolve_trusted")
    counted(base, "tabulate")
    counted(user_strategy, "installed_names")
    kinds = ("learned", "boulware", "learned", "boulware:beta=0.5")
    entries = [
        f'[[{role}]]\nname = "{role}{n}"\nstrategy = "{kinds[n % 4]}"\nreservation = {worth}\n'
        for n in range(agents // 2)
        for role, worth in (("seller", 1), ("buyer", 4))
    ]
    path = tmp_path / "agents.toml"
    path.write_text("".join(entries))
    found = roster.from_file(path, GAME, population_generator(0))
    market = MarketSimulation(GAME, found, RunLength("negotiations", 1), 0)
    assert len(market.agents) == agents
    assert done == {"resolve_trusted": 3, "tabulate": 4}
