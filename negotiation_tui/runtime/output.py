"""Standard output and error: safe text, errors of writing, and a progress bar for long work.

Everything that the command line prints goes through `safe_streams`, by whatever way: `print`,
argparse, warnings, loggers, the user's own code. The screens draw through `Canvas` instead.
"""

import errno
import io
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self, TextIO, TypeVar, cast

from negotiation_tui.runtime.interrupts import Interruptible
from negotiation_tui.runtime.text import one_line, printable

LONGEST = 500
"""The largest number of characters of a message; its middle is cut out."""
_END = 150
BAR_AFTER = 1.0
"""Seconds of work before the bar appears."""
_WIDTH = 30
_COLUMNS = 80
"""Width of a terminal that does not tell its own."""
T = TypeVar("T")


def notice(text: str) -> None:
    line = printable(one_line(text))
    if len(line) > LONGEST:
        line = f"{line[: LONGEST - _END - 1]}…{line[-_END:]}"
    if sys.stderr is not None:  # None for a caller without a console
        sys.stderr.write(f"{line}\n")


def complain(message: object, program: str = "negotiation-tui") -> None:
    """Print an error or a warning in one line on stderr."""
    notice(f"{program}: {message}")


@contextmanager
def safe_streams() -> Iterator[None]:
    """Make stdout and stderr safe to write to, until the end of the context.

    What may not reach a terminal is escaped. Standard output that cannot be written raises OSError;
    standard error is for information only, and work goes on without it.
    """
    _open_closed()
    os.environ["PYTHON_COLORS"] = "0"  # from Python 3.13 on; its escape sequences would be escaped
    before = sys.stdout, sys.stderr
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # ε and × may not exist in its encoding
    sys.stdout = cast(TextIO, _SafeStream(sys.stdout, needed=True))
    sys.stderr = cast(TextIO, _SafeStream(sys.stderr, needed=False))
    try:
        yield
    finally:
        wipe()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):  # Python would fail to flush it at exit
                stream.flush()
        sys.stdout, sys.stderr = before


class _SafeStream:
    """A text stream that escapes what is unsafe; once it fails, the rest is discarded."""

    def __init__(self, stream: TextIO, needed: bool) -> None:
        self.bare = stream
        """The stream itself, for the progress bar."""
        self._needed = needed

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bare, name)

    def write(self, text: str) -> int:
        """Write text in place of a progress bar."""
        wipe()
        with self._failure():
            self.bare.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        with self._failure():
            self.bare.flush()

    @contextmanager
    def _failure(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._discard()
            if self._needed:
                closed = error.errno == errno.EBADF
                reason = "it is closed" if closed else error.strerror
                raise OSError(error.errno, f"cannot write standard output: {reason}") from None

    def _discard(self) -> None:
        with suppress(OSError):  # a stream without a descriptor
            number = self.bare.fileno()
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, number)
            os.close(null)


def _open_closed() -> None:
    """Open the null device in place of standard streams that are closed.

    Otherwise the next file that is opened gets the number of such a stream, and what a library or
    another process prints is written into it. Standard output is opened for reading: to write to it
    is an error.
    """
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)  # the lowest number that is free
    for name, number in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", closefd=False))


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
        self._stream: TextIO | None = getattr(stream, "bare", stream)
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
