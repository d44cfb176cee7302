"""What a policy from outside is shown where it must act, in an environment or in a seat."""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.scenario import Scenario


class Observation(TypedDict):
    """A state and what is legal there, by the names that PettingZoo gives them."""

    observation: np.int64
    """The row of one's own Q-table, 0 … n_states − 1."""
    action_mask: NDArray[np.int8]
    """Shape (n_actions,): 1 where the rules allow the action, else 0."""


def observed(position: Position) -> Observation:
    """What the party that must act is shown."""
    return seen(position.scenario, position.state, position.legal)


def seen(scenario: Scenario, state: int, legal: Sequence[int] = ()) -> Observation:
    """A state with these actions; none of them where one has nothing to decide."""
    mask = np.zeros(scenario.n_actions, np.int8)
    mask[list(legal)] = 1
    return {"observation": np.int64(state), "action_mask": mask}
