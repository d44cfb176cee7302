"""The legal actions of all states of a role, as masks."""

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario

Ints = NDArray[np.int32]
Mask = NDArray[np.bool_]


def legal_actions(scenario: Scenario, offers: range) -> Mask:
    """Return the legal actions of a role with these offers, shape (n_states, n_actions)."""
    masks, kinds = kinds_of_states(scenario, offers)
    legal: Mask = masks[kinds]
    return legal


def legal_rows(scenario: Scenario, role: Role) -> Mask:
    """Return the legal actions of all tables of a role, end to end, shape (n_rows, n_actions)."""
    views = scenario.views[role]
    masks = [legal_actions(view, view.offers(role)) for view in views]
    return masks[0] if len(masks) == 1 else np.concatenate(masks)


def kinds_of_states(scenario: Scenario, offers: range) -> tuple[Mask, Ints]:
    """Return the legal actions of six kinds of states, and the kind of each state.

    0: the start. 1, 2: before the last round, with a standing offer that may be accepted or not.
    3, 4: in the last round. 5: the end.
    """
    P, T = scenario.n_prices, scenario.rounds
    masks = np.zeros((6, scenario.n_actions), bool)
    masks[:3, offers.start : offers.stop] = True
    masks[[1, 3], scenario.accept] = True
    masks[1:5, scenario.walk_away] = True
    kinds = np.zeros(scenario.n_states, np.int32)
    ply_states = kinds[1:-1].reshape(-1, T, P)  # again for each opener
    ply_states[:] = 2
    ply_states[:, :, offers.start : offers.stop] = 1
    ply_states[:, -1] += 2
    kinds[-1] = 5
    return masks, kinds
