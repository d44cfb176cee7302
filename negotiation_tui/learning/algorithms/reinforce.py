"""REINFORCE: play with softmax of preferences, and climb the gradient of the reward.

    π(a | s) ∝ exp(θ(s, a))
    θ(s, b) ← θ(s, b) + α·(G − v(s))·([a = b] − π(b | s))      for each action b
    v(s)    ← v(s) + β·(G − v(s))

where a was played in s, and G = γᵐ·r if m own decisions followed. v is a baseline.

The baseline follows the mean of G; it makes steps smaller and changes no mean step. With β = 0
there is none.

Williams 1992; Sutton and Barto 2018, sections 13.3 and 13.4. Their factor γᵗ is left out: it
would make the steps of later decisions smaller, and each state has a row of its own.

Nothing but its chances explores, and they fall toward 0. So it needs random starts
(`curriculum_window`): without them it learns one path of play, and NashConv stays near 0.3 on
5 × 5. With them it is 0.08 after 200,000 negotiations of `original` (docs/findings.md).
"""

from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import SelfExploringAlgorithm
from negotiation_tui.learning.algorithms.rows import (
    DISCOUNT,
    OWN,
    RATE,
    Episode,
    Legal,
    Row,
    softmax,
)
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting

BASELINE_RATE = OWN


def policy(tables: Any, settings: Any, epsilon: float, state: int, legal: Legal, row: Row) -> int:
    return softmax(tables[0], 1.0, state, legal, row)


def climb(preferences: Any, state: int, action: int, amount: float, legal: Legal, row: Row) -> None:
    """Make an action more probable in a state if `amount` is above 0, less if below."""
    at = state * legal.width
    for k in range(softmax(preferences, 1.0, state, legal, row)):
        preferences[at + row.actions[k]] -= amount * row.weights[k]
    preferences[at + action] += amount


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    preferences, baselines = tables[0], tables[1]
    gain = episode.reward
    for k in range(episode.n - 1, -1, -1):
        state = episode.states[k]
        surprise = gain - baselines[state * legal.width]
        climb(preferences, state, episode.actions[k], settings[RATE] * surprise, legal, row)
        baselines[state * legal.width] += settings[BASELINE_RATE] * surprise
        gain = gain * settings[DISCOUNT] - episode.cost


@dataclass(frozen=True)
class Reinforce(SelfExploringAlgorithm):
    name: ClassVar[str] = "reinforce"
    summary: ClassVar[str] = "makes what was played likelier by the reward: policy gradient"
    source: ClassVar[str] = "Williams 1992; Sutton and Barto 2018, sections 13.3 and 13.4"
    policy = staticmethod(policy)
    learn = staticmethod(learn)

    learning_rate: float = setting(0.5, "α of the preferences, from 0 to 1; 0: the training's")
    baseline_rate: float = setting(0.1, "β of the baseline, from 0 to 1; 0: no baseline")
