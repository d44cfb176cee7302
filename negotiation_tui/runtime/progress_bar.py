"""A progress bar on stderr for long work, if stderr is a terminal."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

BAR_AFTER = 1.0


_WIDTH = 30


T = TypeVar("T")


def with_progress(ready: Iterable[T], total: int, unit: str) -> Iterator[T]:
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
