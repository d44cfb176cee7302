"""Strategies that break one rule each, and the name of the check that finds it."""

from collections.abc import Sequence

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.checks import check_strategy

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
