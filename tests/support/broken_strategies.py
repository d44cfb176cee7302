"""Strategies that break one rule each, and the name of the check that finds it."""

from collections.abc import Sequence

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.conformance import check_strategy

ANSWERS = "answers in every position"


MEMORY = "keeps nothing from one position to the next"


COPY = "plays the same as a copy"


def broken(words: str, last: str = COPY, scenarios: Sequence[Scenario] = ()) -> dict[str, str]:
    """What breaks, by the name of its check, up to one of them; ELSEWHERE begins processes."""
    found = {}
    for check in check_strategy(words, scenarios):
        found[check.name] = check.broken
        if check.name == last:
            return {name: said for name, said in found.items() if said}
    raise AssertionError(f"there is no check {last!r}")
