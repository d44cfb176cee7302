"""A progress bar on stderr for long work, if stderr is a terminal."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

BAR_AFTER = 1.0
"""Seconds of work before the bar appears."""
_WIDTH = 30
T = TypeVar("T")


_SHOWN: "list[Bar]" = []


def say(notice: str) -> None:
    """Show a notice in the place of the bar until the next result; an empty one removes it."""
    for bar in _SHOWN:
        bar.say(notice)


def with_progress(results: Iterable[T], total: int, unit: str) -> Iterator[T]:
    """Yield the results, and show a bar on stderr if the work takes longer than a second."""
    start, bar = time.monotonic(), Bar(sys.stderr, unit)
    _SHOWN.append(bar)
    try:
        for done, result in enumerate(results, 1):
            yield result
            if time.monotonic() - start > BAR_AFTER:
                bar.show(done, total, time.monotonic() - start)
    finally:
        _SHOWN.remove(bar)
        bar.clear()


class Bar:
    """A progress bar; nothing is written unless the stream is a terminal."""

    def __init__(self, stream: TextIO, unit: str) -> None:
        self._stream, self._is_terminal, self._unit = stream, stream.isatty(), unit
        self._shown, self._shown_at = False, 0.0
        self._notice = ""

    def show(self, done: int, total: int, seconds: float) -> None:
        """Draw `done` of `total` units, and the time left at the pace so far."""
        if not self._is_terminal:
            return
        now = time.monotonic()
        if now < self._shown_at + 0.1 and done < total:
            return
        self._shown_at, self._notice = now, ""
        full = _WIDTH * done // total
        left = seconds * (total - done) / done if done else 0.0
        self._stream.write(
            f"\r[{'#' * full}{'.' * (_WIDTH - full)}] {done:,} of {total:,} {self._unit},"
            f" {left:.0f} s left \x1b[K"
        )
        self._stream.flush()
        self._shown = True

    def say(self, notice: str) -> None:
        """Show a notice instead, until `show` draws again; an empty one removes the last."""
        if self._is_terminal and notice != self._notice:
            self._stream.write(f"\r{notice}\x1b[K")
            self._stream.flush()
            self._shown, self._notice = True, notice

    def clear(self) -> None:
        """Remove the bar."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
