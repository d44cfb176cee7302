"""A long training without a screen: compiled as soon as that pays, with a bar on stderr."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO, TypeVar

from negotiation_tui.learning import ConcurrentTraining, compile_backend
from negotiation_tui.learning.compiling import Compiling

BAR_AFTER = 1.0
COMPILE_AFTER = 0.5
_WIDTH = 30


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
    compiling = Compiling(compile_backend)
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
T = TypeVar("T")


def counted(ready: Iterable[T], total: int, unit: str) -> Iterator[T]:
    """Hand on what is ready, with a bar on stderr once it has taken longer than a second."""
    begun, bar = time.monotonic(), Bar(sys.stderr, unit)
    try:
        for done, value in enumerate(ready, 1):
            yield value
            if time.monotonic() - begun > BAR_AFTER:
                bar.show(done, total, time.monotonic() - begun)
    finally:
        bar.clear()


class Bar:
    """How far a long work is; nothing unless the stream is a terminal."""

    def __init__(self, stream: TextIO, unit: str) -> None:
        self._stream, self._wanted, self._unit = stream, stream.isatty(), unit
        self._shown, self._shown_at = False, 0.0

    def show(self, done: int, total: int, seconds: float) -> None:
        """Say so, and how much time is left at the pace so far."""
        if not self._wanted:
            return
        now = time.monotonic()
        if now < self._shown_at + 0.1 and done < total:
            return
        self._shown_at = now
        full = _WIDTH * done // total
        left = seconds * (total - done) / done if done else 0.0
        self._stream.write(
            f"\r[{'#' * full}{'.' * (_WIDTH - full)}] {done:,} of {total:,} {self._unit},"
            f" {left:.0f} s left \x1b[K"
        )
        self._stream.flush()
        self._shown = True

    def clear(self) -> None:
        """Take it away again."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
