"""Mirror descent from play alone: as `mmd`, but values are learned from the learner's own returns.

    G = γᵐ·r                   if m own decisions followed
    q(s, a) ← q(s, a) + N(s, a)^(−κ)·(G − q(s, a))           for the action a that was played in s
    θ(s, b) ← (θ(s, b) + η·N(s)^(−κ)·q(s, b)) / (1 + η·N(s)^(−κ)·α)      for each action b

where π(b | s) ∝ exp(θ(s, b)), and N counts visits, with this one. The magnet is uniform. Its
strength α falls with ε of the training from `strongest` at 1 to `weakest` at 0, in equal ratios.

A state that is rarely passed takes few, great steps. One that is passed often takes small steps,
which average over the noise of the returns. While α is great, every action is tried. Nothing else
explores, so it needs a long training from the opening offer on, as by the recipe `on-policy`.

Sokota et al. 2023, section 4, equation 12, for values that are known. As with `mmd`, nothing
guarantees that the policies come to an equilibrium.
"""

import math
from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import TOGETHER, TabularAlgorithm, scheduled
from negotiation_tui.learning.algorithms.rows import DISCOUNT, OWN, Episode, Legal, Row, softmax
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting, within

STEP, FADING, STRONGEST, WEAKEST = range(OWN, OWN + 4)


def policy(tables: Any, settings: Any, epsilon: float, state: int, legal: Legal, row: Row) -> int:
    return softmax(tables[1], 1.0, state, legal, row)


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    q, logs, visits = tables[0], tables[1], tables[2]
    fading, weakest = settings[FADING], settings[WEAKEST]
    alpha = weakest * math.exp(episode.epsilon * math.log(settings[STRONGEST] / weakest))
    gain = episode.reward
    for k in range(episode.n - 1, -1, -1):
        at = episode.states[k] * legal.width
        entry, stop = at + episode.actions[k], at + legal.n_actions[episode.states[k]]
        visits[entry] += 1.0
        q[entry] += math.exp(-fading * math.log(visits[entry])) * (gain - q[entry])
        passed = 0.0
        for j in range(at, stop):
            passed += visits[at + legal.actions[j]]
        step = settings[STEP] * math.exp(-fading * math.log(passed))
        for j in range(at, stop):
            each = at + legal.actions[j]
            logs[each] = (logs[each] + step * q[each]) / (1.0 + step * alpha)
        gain = gain * settings[DISCOUNT] - episode.cost


@dataclass(frozen=True)
class SampledMmd(TabularAlgorithm):
    name: ClassVar[str] = "sampled-mmd"
    summary: ClassVar[str] = "as mmd, but it learns the values by playing"
    source: ClassVar[str] = "Sokota et al. 2023, section 4"
    prefers_opener: ClassVar[bool] = True
    recipe: ClassVar[str] = "on-policy"
    n_tables: ClassVar[int] = 3
    policy = staticmethod(policy)
    learn = staticmethod(learn)
    explores_itself: ClassVar[bool] = True

    schedule: str = scheduled(TOGETHER)
    learning_rate: float = setting(0.0, "not used: see fading")
    step: float = setting(
        1.0, "η, the size of the first step, above 0 to 100", within(0, 100, above=True)
    )
    fading: float = setting(0.5, "κ, from 0 to 1: steps fall with the number of visits N as N^(−κ)")
    strongest: float = setting(0.3, "α at ε = 1, from 0.00001 to 10", within(0.00001, 10))
    weakest: float = setting(0.006, "α at ε = 0, from 0.00001 to 10", within(0.00001, 10))
