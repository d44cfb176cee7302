"""One-step actor–critic: as REINFORCE, but a critic judges each decision by the next state.

    δ       = r + γ·v(s') − v(s)
    v(s)    ← v(s) + β·δ                                 the critic
    θ(s, b) ← θ(s, b) + α·δ·([a = b] − π(b | s))         the actor, for each action b

where π(a | s) ∝ exp(θ(s, a)), and a was played in s.

Sutton and Barto 2018, section 13.5, without the factor γᵗ, as in `reinforce`. As that, it needs
random starts.
"""

from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import SelfExploringAlgorithm
from negotiation_tui.learning.algorithms.reinforce import climb, policy
from negotiation_tui.learning.algorithms.rows import DISCOUNT, OWN, RATE, Episode, Legal, Row
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting

CRITIC_RATE = OWN


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    preferences, critic = tables[0], tables[1]
    for k in range(episode.n):
        state = episode.states[k]
        at = state * legal.width
        target = episode.reward
        if k + 1 < episode.n:
            following = critic[episode.states[k + 1] * legal.width]
            target = settings[DISCOUNT] * following - episode.cost
        surprise = target - critic[at]
        critic[at] += settings[CRITIC_RATE] * surprise
        climb(preferences, state, episode.actions[k], settings[RATE] * surprise, legal, row)


@dataclass(frozen=True)
class ActorCritic(SelfExploringAlgorithm):
    name: ClassVar[str] = "actor-critic"
    summary: ClassVar[str] = "a critic values states, and the actor's chances follow it"
    source: ClassVar[str] = "Sutton and Barto 2018, section 13.5"
    policy = staticmethod(policy)
    learn = staticmethod(learn)

    learning_rate: float = setting(0.5, "α of the actor, from 0 to 1; 0: that of the training")
    critic_rate: float = setting(0.3, "β of the critic, from 0 to 1")
