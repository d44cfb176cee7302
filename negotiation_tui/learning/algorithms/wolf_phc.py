"""WoLF-PHC: climb to the better policy, slowly while winning, fast while losing.

Values are those of Q-learning. Then the policy π moves by a step δ toward the action b with the
greatest value, the first of them in the table's order:

    π(s, a) ← π(s, a) − min(π(s, a), δ / (n − 1))      for each of the n − 1 others
    π(s, b) ← π(s, b) + all that was taken from them

δ is `delta_win` if π earns more than the average policy π̄ by the present values, else `delta_lose`:

    π̄(s, ·) ← π̄(s, ·) + (π(s, ·) − π̄(s, ·)) / C(s)
    win  ⇔  Σ π(s, a)·Q(s, a) > Σ π̄(s, a)·Q(s, a)

where C(s) is the number of visits so far, with this one.

Bowling and Veloso 2002, table 2. There all this follows each decision, here each negotiation; no
state comes twice in one, so both are equal.
"""

from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import AT_BEST, TOGETHER, TabularAlgorithm, scheduled
from negotiation_tui.learning.algorithms.q_learning import learn as learn_values
from negotiation_tui.learning.algorithms.rows import OWN, Episode, Legal, Row, proportional
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting

DELTA_WIN, DELTA_LOSE = OWN, OWN + 1


def policy(tables: Any, settings: Any, epsilon: float, state: int, legal: Legal, row: Row) -> int:
    return proportional(tables[1], state, legal, row)


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    learn_values(tables, settings, legal, row, episode)
    q, pi, average, visits = tables[0], tables[1], tables[2], tables[3]
    for k in range(episode.n):
        state = episode.states[k]
        at, n = state * legal.width, legal.n_actions[state]
        if visits[at] == 0.0:
            for j in range(at, at + n):
                pi[at + legal.actions[j]] = average[at + legal.actions[j]] = 1.0 / n
        visits[at] += 1.0
        now, usual, top = 0.0, 0.0, legal.actions[at]
        for j in range(at, at + n):
            entry = at + legal.actions[j]
            average[entry] += (pi[entry] - average[entry]) / visits[at]
            now += pi[entry] * q[entry]
            usual += average[entry] * q[entry]
            if q[entry] > q[at + top]:
                top = legal.actions[j]
        step = settings[DELTA_WIN] if now > usual else settings[DELTA_LOSE]
        moved = 0.0
        for j in range(at, at + n):
            entry = at + legal.actions[j]
            if legal.actions[j] != top:
                less = min(pi[entry], step / max(n - 1, 1))
                pi[entry] -= less
                moved += less
        pi[at + top] += moved


@dataclass(frozen=True)
class WolfPhc(TabularAlgorithm):
    name: ClassVar[str] = "wolf-phc"
    summary: ClassVar[str] = "moves its chances toward the better action: fast when losing"
    source: ClassVar[str] = "Bowling and Veloso 2002, table 2"
    n_tables: ClassVar[int] = 4
    policy = staticmethod(policy)
    learn = staticmethod(learn)
    toward: ClassVar[str] = AT_BEST
    at_end: ClassVar[bool] = True

    schedule: str = scheduled(TOGETHER)
    delta_win: float = setting(0.01, "step of the policy while winning, from 0 to 1")
    delta_lose: float = setting(0.04, "step of the policy while losing, from 0 to 1")
