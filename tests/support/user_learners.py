"""Files with learners as a user writes them."""

from tests.support.paths import DOCS

EXAMPLE = str(DOCS / "my_learner.py")
TABLE = """
import numpy as np
from negotiation_tui import Learner

class Table(Learner):
    schedule = "{schedule}"

    def __init__(self, scenario, role, rng, rate=0.1):
        super().__init__(scenario, role, rng)
        self.rate = rate
        self.q = np.zeros((scenario.n_states, scenario.n_actions))

    def probabilities(self, position):
        row = np.full(self.scenario.n_actions, -np.inf)
        row[list(position.legal)] = self.q[position.state][list(position.legal)]
        return (row == row.max()) / (row == row.max()).sum()

    def values(self, position):
        return self.q[position.state]

    def learn(self, episode):
        for each in episode:
            target = each.reward
            if each.next_position is not None:
                after = each.next_position
                target = 0.99 * self.q[after.state][list(after.legal)].max()
            q = self.q[each.position.state]
            q[each.action] += self.rate * (target - q[each.action])

    def state(self):
        return {{"q": self.q}}

    def restore(self, state):
        self.q = state["q"].copy()
"""
"""Q-learning, written as its author would."""

UNIFORM = """
import random, time
import numpy as np
from negotiation_tui import Learner

class Mine(Learner):
    calls = 0
    shared = []

    def probabilities(self, position):
        row = np.zeros(self.scenario.n_actions)
        row[list(position.legal)] = 1 / len(position.legal)
        return row

    def learn(self, episode):
        self.calls += 1

    {change}
"""


def table(schedule: str = "alternate") -> str:
    return TABLE.format(schedule=schedule)


def changed(change: str) -> str:
    """Return the source of a learner that plays at random, with another method."""
    return UNIFORM.format(change=change.strip().replace("\n", "\n    "))
