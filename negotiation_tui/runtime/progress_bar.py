"""A progress bar on stderr for long work, if stderr is a terminal."""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Self, TextIO, TypeVar

from negotiation_tui.runtime.interrupts import Interruptible

BAR_AFTER = 1.0
"""Seconds of work before the bar appears."""
_WIDTH = 30
_COLUMNS = 80
"""Width of a terminal that does not tell its own."""
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

    Nothing is written unless the stream is a terminal. Only blanks and carriage returns are needed,
    because the console of Windows may know no escape sequences.
    """

    def __init__(self, stream: TextIO | None, unit: str) -> None:
        self._stream: TextIO | None = getattr(stream, "bare", stream)  # see runtime/output.py
        self._is_terminal, self._unit = stream is not None and stream.isatty(), unit
        self._length, self._shown_at, self._notice = 0, 0.0, ""
        self._interruptible = Interruptible()

    def __enter__(self) -> Self:
        self._interruptible.__enter__()
        _open.add(self)
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self.clear()
            _open.discard(self)
        finally:
            self._interruptible.__exit__()

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
        line = (
            f"[{'#' * full}{'.' * (_WIDTH - full)}] {done:,} of {total:,} {self._unit},"
            f" {left:.0f} s left"
        )
        self._draw(line)

    def say(self, notice: str) -> None:
        """Show a notice instead, until `show` draws again; an empty one removes the last."""
        if self._is_terminal and notice != self._notice:
            self._notice = notice
            self._draw(notice)

    def clear(self) -> None:
        if self._length:
            self._draw("")

    def _draw(self, line: str) -> None:
        """Overwrite the bar; the cursor stays at its start, where `^C` is overwritten too."""
        line = line[: self._columns() - 1]
        before, self._length = self._length, max(len(line), self._length)
        assert self._stream is not None
        with suppress(OSError):  # the terminal may be gone
            self._stream.write(f"\r{line.ljust(before)}\r")
            self._stream.flush()
        self._length = len(line)

    def _columns(self) -> int:
        with suppress(OSError, ValueError):
            assert self._stream is not None
            return os.get_terminal_size(self._stream.fileno()).columns or _COLUMNS
        return _COLUMNS


_open: set[Bar] = set()


def say(notice: str) -> None:
    """Show a notice in the place of the bar until the next result; an empty one removes it."""
    for bar in tuple(_open):
        bar.say(notice)


def wipe() -> None:
    """Remove the bar that is shown, if any, so that other text takes its place."""
    for bar in tuple(_open):
        bar.clear()
