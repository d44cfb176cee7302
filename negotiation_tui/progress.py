"""A long training without a screen: compiled as soon as that pays, with a bar on stderr."""

import sys
import threading
import time
from typing import TextIO

from negotiation_tui.learning import Backend, ConcurrentTraining, compile_backend

BAR_AFTER = 1.0
COMPILE_AFTER = 0.5
_WIDTH = 30


def train(training: ConcurrentTraining, stream: TextIO | None = None) -> None:
    """Run a training to its end.

    If that takes longer than a second and the stream (stderr) is a terminal, a bar shows how far
    it is.
    """
    begun = time.monotonic()
    compiled: list[Backend | None] = []
    compiler: threading.Thread | None = None
    bar, chunk = _Bar(sys.stderr if stream is None else stream), 1000
    while not training.finished:
        before = time.monotonic()
        left = training.parameters.total - training.episode
        training.run_episodes(min(chunk, left))
        now = time.monotonic()
        # About ten looks a second at the clock and the compiler.
        chunk = max(1, int(chunk * min(4.0, 0.1 / max(now - before, 1e-6))))
        if compiler is None and now - begun > COMPILE_AFTER:
            compiler = threading.Thread(
                target=lambda: compiled.append(compile_backend()), daemon=True
            )
            compiler.start()
        if compiled and compiled[0] and training.backend is not compiled[0]:
            training.use(compiled[0])
        if now - begun > BAR_AFTER:
            bar.show(training.episode, training.parameters.total, now - begun)
    bar.clear()
    if compiler:
        compiler.join()


class _Bar:
    def __init__(self, stream: TextIO) -> None:
        self._stream, self._wanted = stream, stream.isatty()
        self._shown = False

    def show(self, done: int, total: int, seconds: float) -> None:
        if not self._wanted:
            return
        full = _WIDTH * done // total
        left = seconds * (total - done) / done if done else 0.0
        self._stream.write(
            f"\r[{'#' * full}{'.' * (_WIDTH - full)}] {done:,} of {total:,} episodes,"
            f" {left:.0f} s left \x1b[K"
        )
        self._stream.flush()
        self._shown = True

    def clear(self) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
