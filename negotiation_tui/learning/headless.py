"""Train without a screen: compiled if that pays, with a progress bar on stderr."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TextIO

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.backend import PLAIN, fastest_backend, seconds_to_compile
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.runtime.progress_bar import BAR_AFTER, Bar

COMPILING_RESPONSES = 0.8
"""Seconds more for a best responder, whose loop is compiled each time (docs/benchmarks.md)."""


def train(
    training: ConcurrentTraining,
    stream: TextIO | None = None,
    run: Callable[[int], None] | None = None,
) -> None:
    """Run a training to its end; `run` plays a number of its episodes, by default itself.

    It waits for compiled code if the work ahead takes the plain loop longer; shorter work begins
    to compile nothing. A training of more than a second shows a progress bar if the stream
    (default: stderr) is a terminal.
    """
    run = run or training.run_episodes
    start = time.monotonic()
    chunk = 1000
    with Bar(sys.stderr if stream is None else stream, "episodes") as bar:
        while not training.finished:
            before, used = time.monotonic(), time.thread_time()
            left = training.parameters.total - training.episode
            n_episodes = min(chunk, left)
            run(n_episodes)
            ahead = (time.thread_time() - used) / n_episodes * (left - n_episodes)
            now = time.monotonic()
            # About ten checks of the clock per second.
            chunk = max(1, int(chunk * min(4.0, 0.1 / max(now - before, 1e-6))))
            if training.backend is PLAIN and ahead > _seconds_to_compile(training):
                fastest = fastest_backend()
                if fastest is not PLAIN:
                    training.use(fastest)
            if now - start > BAR_AFTER:
                bar.show(training.episode, training.parameters.total, now - start)


def _seconds_to_compile(training: ConcurrentTraining) -> float:
    seats = [training.strategy(role) for role in Role]
    responds = any(strategy and strategy.needs_opponent for strategy in seats)
    return seconds_to_compile() + (COMPILING_RESPONSES if responds else 0.0)


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
