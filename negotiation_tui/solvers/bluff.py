"""Bluffs: offers by which a limit passes for a stronger one."""

from typing import NamedTuple

import numpy as np

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import Floats
from negotiation_tui.solvers.subgame_perfect import EQUAL


class Bluff(NamedTuple):
    """The stronger limits that a bluff shows, and its gain.

    A *bluff* of a limit is an offer that its own table does not play, while the table of a stronger
    limit of the role does, one that the opponent still holds possible. A higher limit of a seller
    is stronger, and a lower one of a buyer. So who is taken at its word shows a limit that it does
    not have.
    """

    limits: tuple[int, ...]
    """In increasing order."""
    gain: float
    """The value of a bluff less that of the best action that the limit's own table plays."""


def bluff(position: Position, values: Floats, plays: Floats, held: Floats) -> Bluff | None:
    """Return what bluffs show and gain in a position where all best actions are bluffs, else None.

    `values` are those of the actions, shape (P + 2,), −∞ for illegal ones. `plays` are the
    probabilities of the actions by the table of each limit of the role, shape (L, P + 2). `held` is
    what the opponent holds of these limits, shape (L,).
    """
    game, role = position.scenario, position.role
    hidden = game.lottery.limits[role] if game.lottery else None
    if hidden is None:
        return None
    own, played = game.limit_index(role), plays > 0
    limits = np.arange(len(held))
    stronger = (held > 0) & (limits > own if role is Role.SELLER else limits < own)
    bluffs = played[stronger].any(axis=0) & ~played[own]
    bluffs[game.accept :] = False
    best = values >= values.max() - EQUAL
    if not bluffs[best].all():
        return None
    shown = np.flatnonzero(stronger & played[:, best].any(axis=1))
    gain = values.max() - values[played[own]].max()
    return Bluff(tuple(hidden.values[index] for index in shown), float(gain))
