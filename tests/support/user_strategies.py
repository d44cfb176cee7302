"""Files with strategies as a user writes them, and the checks that they fail."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

from negotiation_tui import Scenario, Strategy
from negotiation_tui.players.checks.strategy import check_strategy
from negotiation_tui.players.resolve import strategy_from_spec
from tests.support.paths import DOCS

EXAMPLE = str(DOCS / "my_strategy.py")
HEAD = "from negotiation_tui import Strategy\n"
PATIENT = """
class Patient(Strategy):
    name, summary, source = "patient", "waits", "here"
    depends_on = frozenset({depends_on})

    def support(self, position):
        scenario = position.scenario
        if position.last_decision:
            return [scenario.walk_away]
        {body}
"""
STUBBORN = "return [scenario.offers(position.role)[0]]"


def write(name: str, text: str) -> str:
    Path(name).write_text(dedent(text), encoding="utf-8")
    return name


def patient(body: str = STUBBORN, depends_on: str = "", name: str = "own.py") -> str:
    return write(name, HEAD + PATIENT.format(depends_on=depends_on, body=body))


def player_of(spec: str) -> Strategy:
    found = strategy_from_spec(spec)
    assert found is not None
    return found


ANSWERS = "plays every position without an error"
MEMORY = "has no memory"
COPY = "plays the same as a copy"


def broken(spec: str, last: str = COPY, scenarios: Sequence[Scenario] = ()) -> dict[str, str]:
    """Return the failures by the name of their check, up to the check `last`."""
    failures = {}
    for check in check_strategy(spec, scenarios):
        failures[check.name] = check.broken
        if check.name == last:
            return {name: text for name, text in failures.items() if text}
    raise AssertionError(f"there is no check {last!r}")
