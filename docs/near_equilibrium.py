"""Make the table of 20 games in docs/hidden_limits.md: `python docs/near_equilibrium.py`.

Trains learners with themselves in games with hidden limits that were not used to choose their
settings, five of them with time costs, and judges them exactly. All have as many negotiations as
`sampled-mmd`. Takes about eight minutes of one processor.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from negotiation_tui.game.roles import pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.learning.nash_conv_series import nash_conv_of
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.runtime.text import between, table

GAMES = 20
DELTAS = 0.95, 0.9, 0.98, 0.8, 0.93  # of the last games
ITERATIONS = 1000  # of learners that compute
NAMES = ["sampled-mmd", "q-learning", "wolf-phc", "actor-critic", "mmd", "cfr"]
COMPUTE = {"mmd": "mmd:", "cfr": "cfr:plus=true,schedule=together,"}


def games() -> Iterator[Scenario]:
    """Yield games of 3 to 8 prices, 2 to 6 rounds, and 2 to 5 limits a side with uneven weights."""
    for number in range(GAMES):
        rng = np.random.default_rng(100 + number)
        n = int(rng.integers(3, 9))
        sides = []
        for lowest in (0, 1):
            k = int(rng.integers(2, min(5, n - 1) + 1))
            limits = np.sort(rng.choice(np.arange(lowest, lowest + n - 1), k, replace=False))
            sides.append({"limits": limits.tolist(), "weights": rng.integers(1, 6, k).tolist()})
        rounds, last = int(rng.integers(2, 7)), number - (GAMES - len(DELTAS))
        rules = {"prices": {"min": 0, "max": n - 1}, "rounds": rounds, "states": "opener-aware"}
        costs = {"delta": DELTAS[last]} if last >= 0 else {}
        seller, buyer = sides
        yield Scenario.from_dict(rules | costs | {"seller": seller, "buyer": buyer})


def distance(game: Scenario, name: str) -> tuple[float, float]:
    """Return the bounds of NashConv of a learner with itself, discounted as in its training."""
    total = RECIPES["on-policy"](game).total
    spec, recipe = name, "on-policy" if name == "sampled-mmd" else "annealing"
    if name in COMPUTE:
        spec = f"{COMPUTE[name]}counts_as={max(1, total // ITERATIONS)}"
    usual, one = RECIPES[recipe](game), learner(spec)
    each = max(1, round(total / usual.cycles))
    decay = usual.exploration_decay * usual.total / (usual.cycles * each)
    parameters = replace(usual, episodes=each, exploration_decay=decay)
    backend = fastest_backend((one, one), game.hidden)
    training = ConcurrentTraining(game, parameters, 0, seller=one, buyer=one, backend=backend)
    training.run()
    found = nash_conv_of(training)
    assert found is not None
    return pair(found.bounds)


def main() -> None:
    rows = [("learner", "middle", "greatest")]
    for name in NAMES:
        bounds = sorted((distance(game, name) for game in games()), key=lambda each: each[1])
        least, most = max(low for low, _ in bounds), bounds[-1][1]
        middle = float(np.median([high for _, high in bounds]))
        rows.append((f"`{name}`", f"{middle:.4f}", between(least, most, 4)))
    print("\n".join(table(rows, "<")))


if __name__ == "__main__":
    run(main)
