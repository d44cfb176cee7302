"""Draw NashConv during a training for each recipe: `python docs/learning_curves.py` (extra `plot`).

Ten seeds each of `original`, with published and with opener-aware states. Writes
docs/findings-recipes.svg.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.solvers.best_response import nash_conv

SEEDS, EVALUATIONS, EPISODES = 10, 60, 48_000
COLOURS = {
    "published": "#888888",
    "corrected": "#b32d0c",
    "exploring-starts": "#0072b2",
    "reverse-curriculum": "#00b378",
}


def curve(scenario: Scenario, parameters: Parameters, seed: int) -> NDArray[np.float64]:
    """Return NashConv at EVALUATIONS equal steps of one training."""
    training = ConcurrentTraining(scenario, parameters, seed, backend=BACKEND)
    totals = []
    for _ in range(EVALUATIONS):
        training.run_episodes(EPISODES // EVALUATIONS)
        seller, buyer = (greedy(scenario, role, training.q_table(role)) for role in Role)
        totals.append(nash_conv(scenario, seller, buyer, parameters.discount_rate).total)
    return np.array(totals)


def main() -> None:
    """Draw one panel per kind of state."""
    figure = Figure(figsize=(12, 4.5), layout="constrained")
    episodes = np.arange(1, EVALUATIONS + 1) * EPISODES // EVALUATIONS
    for states, axes in zip(States, figure.subplots(1, 2, sharey=True), strict=True):
        scenario = replace(Scenario.original(), states=states)
        for name, colour in COLOURS.items():
            parameters = RECIPES[name](scenario)
            curves = [curve(scenario, parameters, seed) for seed in range(SEEDS)]
            axes.plot(episodes, np.mean(curves, axis=0), color=colour, label=name)
        axes.set(title=f"{states} states", xlabel="episodes", ylabel="NashConv")
    figure.axes[1].legend()
    path = Path(__file__).with_name("findings-recipes.svg")
    figure.savefig(path)
    print(path)


BACKEND = fastest_backend()

if __name__ == "__main__":
    run(main)
