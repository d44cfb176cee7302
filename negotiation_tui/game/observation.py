"""Observations for external policies, in PettingZoo's format."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario


class Observation(TypedDict):
    """A state and its legal actions, under PettingZoo's names."""

    observation: np.int64
    """The row of the agent's own Q-table, 0 … n_states − 1."""
    action_mask: NDArray[np.int8]
    """Shape (n_actions,): 1 where the rules allow the action, else 0."""
    limit: NotRequired[np.int64]
    """With hidden limits, the index of the agent's own in increasing order, from 0."""


def observe(position: Position) -> Observation:
    """Return the observation of the agent that must act."""
    return observation_of(position.scenario, position.role, position.state, position.legal)


def observation_of(
    scenario: Scenario, role: Role, state: int, legal: Sequence[int] = ()
) -> Observation:
    """Return the observation of a state; no action is legal for an agent that need not act."""
    mask = np.zeros(scenario.n_actions, np.int8)
    mask[list(legal)] = 1
    seen: Observation = {"observation": np.int64(state), "action_mask": mask}
    if scenario.origin.hidden:
        seen["limit"] = np.int64(scenario.limit_index(role))
    return seen
