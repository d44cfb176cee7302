"""Without NegMAS a line says how to get it, and nothing else needs it."""

import sys

import pytest

from negotiation_tui.cli.main import main
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.integrations.negmas import mechanism, negotiator, utility
from negotiation_tui.players.resolve import resolve_trusted, strategy_from_spec
from negotiation_tui.tui.widgets.words import short

LINE = r"NegMAS is not installed: pip install 'negotiation-tui\[negmas\]'"


@pytest.fixture(autouse=True)
def no_negmas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "negotiation_tui.players.negmas_mechanism", raising=False)
    monkeypatch.delattr("negotiation_tui.players.negmas_mechanism", raising=False)
    for name in [name for name in sys.modules if name.partition(".")[0] == "negmas"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "negmas", None)


@pytest.mark.parametrize("command", ["train --buyer", "play --against", "test t.npz --seller"])
def test_the_command_line_says_how_to_get_it(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        main([*command.split(), "negmas:MiCRONegotiator"])
    assert raised.value.code == 2
    error = capsys.readouterr().err
    assert "pip install 'negotiation-tui[negmas]'" in error
    assert error.count("\n") == 1


def test_so_do_the_functions() -> None:
    scenario = Scenario.original()
    with pytest.raises(BadInputError, match=LINE):
        strategy_from_spec("negmas:MiCRONegotiator")
    with pytest.raises(BadInputError, match=LINE):
        mechanism(scenario)
    with pytest.raises(BadInputError, match=LINE):
        utility(scenario, "seller")
    with pytest.raises(BadInputError, match=LINE):
        negotiator("midpoint", "seller", scenario)


def test_no_file_imports_it() -> None:
    with pytest.raises(BadInputError, match="negmas:MiCRONegotiator is not built in and runs"):
        resolve_trusted("negmas:MiCRONegotiator")


@pytest.mark.parametrize(
    ("words", "shown"), [("negmas:MiCRONegotiator", "MiCRONegotiator"), ("negmas:a.b.Mine", "Mine")]
)
def test_the_screen_shows_the_class(words: str, shown: str) -> None:
    assert short(words) == shown
