"""Without NegMAS a line says how to get it, and nothing else needs it."""

import sys
from collections.abc import Callable

import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.integrations.negmas import mechanism, negotiator, utility
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.tui.widgets.words import short

LINE = r'NegMAS is not installed: pip install "\.\[negmas\]"'


@pytest.fixture(autouse=True)
def no_negmas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "negotiation_tui.players.negmas_mechanism", raising=False)
    monkeypatch.delattr("negotiation_tui.players.negmas_mechanism", raising=False)
    for name in [name for name in sys.modules if name.partition(".")[0] == "negmas"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "negmas", None)


def test_a_line_says_how_to_get_it() -> None:
    scenario = Scenario.original()
    calls: list[Callable[[], object]] = [
        lambda: strategy_from_spec("negmas:MiCRONegotiator"),
        lambda: mechanism(scenario),
        lambda: utility(scenario, "seller"),
        lambda: negotiator("midpoint", "seller", scenario),
    ]
    for call in calls:
        with pytest.raises(BadInputError, match=LINE):
            call()


def test_the_screen_shows_its_class() -> None:
    assert [short(f"negmas:{name}") for name in ("MiCRO", "a.b.Mine")] == ["MiCRO", "Mine"]
