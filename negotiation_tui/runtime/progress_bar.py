"""A progress bar on stderr for long work, if stderr is a terminal."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Self, TextIO, TypeVar

from negotiation_tui.runtime.interrupts import Interruptible

BAR_AFTER = 1.0
"""Seconds of work before the bar appears."""
_WIDTH = 30
T = TypeVar("T")


def with_progress(results: Iterable[T], total: int, unit: str) -> Iterator[T]:
    """Yield the results, and show a bar on stderr if the work takes longer than a second."""
    start = time.monotonic()
    with Bar(sys.stderr, unit) as bar:
        for done, result in enumerate(results, 1):
            yield result
            if time.monotonic() - start > BAR_AFTER:
                bar.show(done, total, time.monotonic() - start)


class Bar:
    """A progress bar, removed at the end of the context; a signal interrupts the work inside.

    Nothing is written unless the stream is a terminal.
    """

    def __init__(self, stream: TextIO, unit: str) -> None:
        self._stream, self._is_terminal, self._unit = stream, stream.isatty(), unit
        self._shown, self._shown_at = False, 0.0
        self._interruptible = Interruptible()

    def __enter__(self) -> Self:
        self._interruptible.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self.clear()
        finally:
            self._interruptible.__exit__()

    def show(self, done: int, total: int, seconds: float) -> None:
        """Draw `done` of `total` units, and the time left at the pace so far."""
        if not self._is_terminal:
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
        """Remove the bar."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
