"""Asking a strategy move by move, as one would at a table."""

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import strategy

_WHOLE = PriceRange(1, 9)
SCENARIOS = {
    "original": Scenario.original(),
    "legacy": Scenario.legacy(),
    "gaps": Scenario("gaps", (1, 2, 3, 5, 8, 9), 4, _WHOLE, _WHOLE),
}


def position_of(
    scenario: Scenario, role: Role, offers: tuple[int, ...], opened: bool | None = None
) -> Position:
    """Where a role stands after these offers; who opened follows from their number."""
    n = len(offers)
    return Position(
        scenario,
        role,
        max(0, n - 1) // 2,
        offers[-2] if n > 1 else None,
        offers[-1] if n else None,
        n % 2 == 0 if opened is None else opened,
        offers,
    )


def answers(held: Strategy | str, where: str | Scenario, role: str, opens: bool, heard: str) -> str:
    """What it does each time, in words, hearing these offers; stops where it closes.

    `4|3` are two choices, of which the first is taken; 0 accepts, -1 quits.
    """
    rule = strategy(held) if isinstance(held, str) else held
    scenario = SCENARIOS[where] if isinstance(where, str) else where
    theirs = [int(price) for price in heard.split()]
    offers: list[int] = []
    said = []
    while True:
        if len(offers) % 2 == (0 if opens else 1):
            choices = rule.support(position_of(scenario, Role.of(role), tuple(offers)))
            said.append("|".join(map(scenario.action_label, choices)))
            if choices[0] >= scenario.accept:
                break
            offers.append(scenario.prices[choices[0]])
        elif theirs:
            offers.append(theirs.pop(0))
        else:
            break
    return " ".join(said)
