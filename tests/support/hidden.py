"""Scenarios with hidden limits of several shapes, and all that can happen in them."""

from collections.abc import Iterator

import numpy as np

from negotiation_tui import PriceRange, Role, Scenario
from negotiation_tui.game.limits import Limits
from negotiation_tui.game.negotiation import Player, Position, Transcript, play_out
from tests.support.game import game

_GAPS = (1, 2, 4, 8, 16)
HIDDEN = {
    "hidden": Scenario.of("hidden"),
    "one side": game(5, 3, name="one", seller={"limits": [1, 3, 4]}),
    "narrowed": Scenario(
        "narrowed",
        _GAPS,
        3,
        PriceRange(2, 16),
        PriceRange(1, 9),
        limits=(Limits.of("seller", [-3, 3, 8], [1, 0, 2]), Limits.of("buyer", [5, 17])),
    ),
    "no overlap": game(
        6,
        2,
        name="apart",
        states="opener-aware",
        seller={"limits": [5, 6]},
        buyer={"limits": [1, 2, 3]},
    ),
}
"""The preset, one side alone, gaps and ranges that narrow limits off the grid, and no deal."""


def games(scenario: Scenario, role: Role) -> Iterator[Scenario]:
    """A game with each limit of a role, and some limit of the other."""
    for own in range(scenario.n_tables(role)):
        other = (own + 1) % scenario.n_tables(role.other)
        yield scenario.drawn(own, other) if role is Role.SELLER else scenario.drawn(other, own)


def meeting(
    player: Player, role: Role, game: Scenario, opener: Role, seed: int, wild: bool = False
) -> Transcript:
    """A negotiation of a player against random play; `wild` play offers any price of the grid."""
    others, own = np.random.default_rng(seed), np.random.default_rng(seed + 1)

    def choose(position: Position) -> int:
        if position.role is role:
            return player.act(position, own)
        if wild and not position.last_decision:
            return int(others.integers(game.n_prices))
        return int(others.choice(np.array(position.legal)))

    return play_out(game, opener, choose)


def positions_of(role: Role, transcript: Transcript) -> list[tuple[Position, int]]:
    plies = [n for n, turn in enumerate(transcript.turns) if turn.role is role]
    found = [(transcript.first(n).position, transcript.turns[n].action) for n in plies]
    return [(position, action) for position, action in found if position is not None]
