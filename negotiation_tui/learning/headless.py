"""A long training without a screen: compiled as soon as that pays, with a bar on stderr."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TextIO, TypeVar

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.backend import compile_backend, fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.runtime.jit import BackgroundCompiler
from negotiation_tui.runtime.progress_bar import BAR_AFTER, Bar

COMPILE_AFTER = 0.5


def train(
    training: ConcurrentTraining,
    stream: TextIO | None = None,
    look: Callable[[], None] | None = None,
    every: int = 1,
) -> None:
    """Run a training to its end; `look` is called after `every` so many cycles, and in the end.

    If that takes longer than a second and the stream (stderr) is a terminal, a bar shows how far
    it is.
    """
    between = every * training.parameters.episodes
    begun = time.monotonic()
    compiling = BackgroundCompiler(compile_backend)
    bar, chunk = Bar(sys.stderr if stream is None else stream, "episodes"), 1000
    while not training.finished:
        before = time.monotonic()
        left = training.parameters.total - training.episode
        if look is not None:
            left = min(left, between - training.episode % between)
        training.run_episodes(min(chunk, left))
        if look is not None and (training.finished or training.episode % between == 0):
            look()
        now = time.monotonic()
        # About ten looks a second at the clock and the compiler.
        chunk = max(1, int(chunk * min(4.0, 0.1 / max(now - before, 1e-6))))
        if now - begun > COMPILE_AFTER:
            compiling.begin()
        if compiling.done and training.backend is not compiling.done:
            training.use(compiling.done)
        if now - begun > BAR_AFTER:
            bar.show(training.episode, training.parameters.total, now - begun)
    bar.clear()


J = TypeVar("J")


@lru_cache(maxsize=2)
def trained_pair(scenario: Scenario, recipe: str, seed: int) -> tuple[TabularPolicy, TabularPolicy]:
    """What seller and buyer play in the end, the same wherever it is asked for.

    Their states say who opened, whatever the scenario's say: without, no recipe converges. Raises
    BadInputError where the scenario is too large for their tables.
    """
    scenario = replace(scenario, states=States.OPENER_AWARE)
    parameters = RECIPES[recipe](scenario)
    training = ConcurrentTraining(scenario, parameters, seed, backend=fastest_backend())
    training.run()
    seller, buyer = (greedy(scenario, role, training.q_table(role)) for role in Role)
    return seller, buyer
