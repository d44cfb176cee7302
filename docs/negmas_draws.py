"""List the negotiators of `negmas.sao` that draw: `python docs/negmas_draws.py`.

Each plays both roles against OPPONENTS, opening and answering, while the global generators are
watched. Draws of NegMAS around it, for names or the order of steps, do not count. Takes about ten
seconds of processor time.
"""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.negmas_player import NegmasPlayer, from_spec
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.strategies.registry import strategy

SCENARIOS = (Scenario.original(), Scenario.of("fine"))
OPPONENTS = ("hardliner", "micro", "conceder", "random")


def states() -> tuple[Any, ...]:
    """Return the states of both global generators."""
    _, keys, *rest = np.random.get_state()  # noqa: NPY002
    return random.getstate(), keys.tobytes(), *rest  # type: ignore[union-attr]


def watched(kind: type, drawn: list[str]) -> type:
    """Return a class whose answers are those of `kind`, and that notes each answer with a draw."""

    def answer(self: Any, *args: Any, **named: Any) -> Any:
        before = states()
        try:
            return kind.__call__(self, *args, **named)
        finally:
            if states() != before:
                drawn.append(kind.__name__)

    return type(kind.__name__, (kind,), {"__call__": answer})


def draws(name: str) -> bool | None:
    """True if a negotiator draws while it answers; None if it cannot be created or fails."""
    drawn: list[str] = []
    try:
        found = from_spec(f"negmas:{name}")
        player = NegmasPlayer(found.spec, watched(found.kind, drawn))
        for scenario, other, role, opener in product(SCENARIOS, OPPONENTS, Role, Role):
            pair = player, strategy(other)
            seller, buyer = pair if role is Role.SELLER else pair[::-1]
            negotiate(scenario, seller, buyer, opener, np.random.default_rng(0))
    except BadInputError:
        return None
    return bool(drawn)


def negotiators() -> Iterator[str]:
    """Yield the name of each negotiator of `negmas.sao`, in order."""
    from negmas import sao
    from negmas.gb import GBNegotiator

    for name, kind in sorted(vars(sao).items()):
        if isinstance(kind, type) and issubclass(kind, GBNegotiator):
            yield name


def main() -> None:
    """Print who draws, who does not, and who was not watched to the end."""
    found = {name: draws(name) for name in negotiators()}
    for heading, kept in (("draws", True), ("draws nothing", False), ("not watched", None)):
        print(f"{heading}: {', '.join(name for name in found if found[name] is kept)}")


if __name__ == "__main__":
    run(main)
