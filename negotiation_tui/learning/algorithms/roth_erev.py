"""Roth–Erev reinforcement: an action is played in proportion to what it has earned so far.

    π(a | s) = q(s, a) / Σ q(s, ·)
    q(s, b) ← (1 − φ)·q(s, b) + R·(1 − ε)           for the action b = a that was played in s
    q(s, b) ← (1 − φ)·q(s, b) + R·ε / (M − 1)       for the M − 1 others

where M is the number of legal actions, and R = γᵐ·r if m own decisions followed.

All propensities q begin at `initial`, and a greater one makes early rewards count less. The least
possible reward is taken from R if that is below 0. R is at least 0, also where time costs more.

Roth and Erev 1995; Erev and Roth 1998, whose three parameters these are, in the form for actions
without an order. They reinforce whole plans; here each state has propensities of its own, as in
Laslier and Walliser 2005. Erev and Roth fit φ = 0.1 and ε = 0.2 to people, who go on trying: with
these NashConv stays near 0.2 in a game of 3 × 2. The defaults are made for learning the game. Their
propensities begin at S·X/M, of a fitted strength S and the mean absolute payoff X of the game; here
`initial` is the same in every state and game.
"""

from typing import Any, ClassVar

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import SelfExploringAlgorithm
from negotiation_tui.learning.algorithms.rows import (
    DISCOUNT,
    OWN,
    Episode,
    Legal,
    Row,
    proportional,
)
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting, within

FORGETTING, EXPERIMENTATION = OWN, OWN + 1


def policy(tables: Any, settings: Any, epsilon: float, state: int, legal: Legal, row: Row) -> int:
    return proportional(tables[0], state, legal, row)


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    propensities, least = tables[0], tables[1][episode.states[0] * legal.width]
    remaining, tried = 1.0 - settings[FORGETTING], settings[EXPERIMENTATION]
    reward = episode.reward
    for k in range(episode.n - 1, -1, -1):
        at, n = episode.states[k] * legal.width, legal.n_actions[episode.states[k]]
        gain = max(0.0, reward - least)
        for j in range(at, at + n):
            share = 1.0 - tried
            if legal.actions[j] != episode.actions[k]:
                share = tried / max(n - 1, 1)
            entry = at + legal.actions[j]
            propensities[entry] = remaining * propensities[entry] + share * gain
        reward = reward * settings[DISCOUNT] - episode.cost


@dataclass(frozen=True)
class RothErev(SelfExploringAlgorithm):
    name: ClassVar[str] = "roth-erev"
    summary: ClassVar[str] = "plays what has earned in proportion: a model of how people learn"
    source: ClassVar[str] = "Roth and Erev 1995; Erev and Roth 1998"
    first: ClassVar[tuple[str, ...]] = ("initial",)
    policy = staticmethod(policy)
    learn = staticmethod(learn)

    learning_rate: float = setting(0.0, "not used: see forgetting")
    forgetting: float = setting(0.005, "φ, from 0 to 1: the share of a propensity that is lost")
    experimentation: float = setting(0.001, "ε, from 0 to 1: the share that the others get")
    initial: float = setting(
        1.0,
        "first propensity of each action, above 0, at most 1,000,000",
        within(0, 1_000_000, above=True),
    )

    def write_first(self, tables: Floats, scenario: Scenario, role: Role, value: float) -> None:
        super().write_first(tables, scenario, role, value)
        tables[0] = self.initial
        prices = (scenario.prices[k] for k in scenario.offers(role))
        tables[1] = min(0.0, *(scenario.reward(role, price) for price in prices))
