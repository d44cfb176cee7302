"""Train without a screen: compiled if that pays, with a progress bar on stderr."""

import time
from collections.abc import Callable, Iterator, Sequence

from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.compiling import fastest_backend, seconds_to_compile
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.runtime.output import BAR_AFTER, ProgressBar, TimeLeft, say


def train(training: ConcurrentTraining) -> None:
    """Run a training to its end, compiled if that pays; a bar shows the progress."""
    with ProgressBar("episodes") as bar:
        for left in steps(training, training.run_episodes):
            bar.show(training.episode, training.parameters.total, left)


def train_one_of(jobs: int, training: ConcurrentTraining) -> None:
    """Run one of `jobs` such trainings to its end; the others are work ahead too.

    A bar that is open shows how long a training will take that takes more than a second.
    """
    start, total = time.monotonic(), training.parameters.total
    for left in steps(training, training.run_episodes, jobs):
        if time.monotonic() - start > BAR_AFTER and not training.finished:
            so_far = f"{training.episode:,} of {total:,} episodes"
            say(f"this one of {jobs:,}: {so_far}, {left:.0f} s left")


def backend_for(
    seconds: float, occupants: Sequence[Occupant] = (), hidden: bool = False
) -> Backend:
    """Return the compiled backend if it is ready, or pays for `seconds` of the plain loop."""
    pays = seconds >= seconds_to_compile(occupants, hidden)
    return fastest_backend(occupants, hidden) if pays else PLAIN


def steps(
    training: ConcurrentTraining, run: Callable[[int], None], jobs: int = 1
) -> Iterator[float]:
    """Run one of `jobs` trainings to its end; yield the seconds left about ten times per second.

    They are those of the code in use: compiling is no training.
    """
    chunk, total, left = 1000, training.parameters.total, TimeLeft(training.episode)
    while not training.finished:
        before, used = time.monotonic(), training.seconds
        n_episodes = min(chunk, total - training.episode)
        run(n_episodes)
        ahead = (training.seconds - used) / n_episodes * (total * jobs - training.episode)
        now = time.monotonic()
        chunk = max(1, int(chunk * min(4.0, 0.1 / max(now - before, 1e-6))))
        if training.backend is PLAIN:
            needed = training.seated, training.scenario.hidden
            if ahead > seconds_to_compile(*needed):
                training.use(fastest_backend(*needed))
                chunk = 1000
                run(min(chunk, total - training.episode))  # lays the tables for the code
                left.restart(training.episode)
                continue
        yield left.seconds(training.episode, total)
