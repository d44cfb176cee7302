"""Without NegMAS a line says how to get it, and nothing else needs it."""

import pytest

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.integrations.negmas import mechanism, negotiator, utility
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.tui.widgets.words import short
from tests.support.cli import message
from tests.support.modules import hide


def test_a_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hide("negmas", monkeypatch)
    scenario = Scenario.original()
    for call in (
        lambda: strategy_from_spec("negmas:MiCRONegotiator"),
        lambda: mechanism(scenario),
        lambda: utility(scenario, "seller"),
        lambda: negotiator("midpoint", "seller", scenario),
    ):
        assert 'NegMAS is not installed: pip install ".[negmas]"' in message(call)
    assert [short(f"negmas:{name}") for name in ("MiCRO", "a.b.Mine")] == ["MiCRO", "Mine"]
