"""Train without a screen: compiled as soon as that pays, with a progress bar on stderr."""

import sys
import time
from dataclasses import replace
from functools import lru_cache
from typing import TextIO

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.backend import compile_backend, fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.runtime.jit import BackgroundCompiler
from negotiation_tui.runtime.progress_bar import BAR_AFTER, Bar

COMPILE_AFTER = 0.5


def train(training: ConcurrentTraining, stream: TextIO | None = None) -> None:
    """Run a training to its end.

    A training of more than a second shows a progress bar if the stream (default: stderr) is a
    terminal.
    """
    start = time.monotonic()
    compiling = BackgroundCompiler(compile_backend)
    chunk = 1000
    with Bar(sys.stderr if stream is None else stream, "episodes") as bar:
        while not training.finished:
            before = time.monotonic()
            training.run_episodes(min(chunk, training.parameters.total - training.episode))
            now = time.monotonic()
            # About ten checks of the clock and the compiler per second.
            chunk = max(1, int(chunk * min(4.0, 0.1 / max(now - before, 1e-6))))
            if now - start > COMPILE_AFTER:
                compiling.begin()
            if compiling.done and training.backend is not compiling.done:
                training.use(compiling.done)
            if now - start > BAR_AFTER:
                bar.show(training.episode, training.parameters.total, now - start)


@lru_cache(maxsize=2)
def trained_pair(scenario: Scenario, recipe: str, seed: int) -> tuple[TabularPolicy, TabularPolicy]:
    """Train seller and buyer by a recipe and return their greedy policies; cached.

    The states are opener-aware even if the scenario's are not, because otherwise no recipe
    converges. Raises BadInputError if the scenario is too large for Q-tables.
    """
    scenario = replace(scenario, states=States.OPENER_AWARE)
    parameters = RECIPES[recipe](scenario)
    training = ConcurrentTraining(scenario, parameters, seed, backend=fastest_backend())
    training.run()
    seller, buyer = (greedy(scenario, role, training.q_table(role)) for role in Role)
    return seller, buyer
