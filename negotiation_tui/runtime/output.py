"""Standard output and error: safe text, errors of writing, and a progress bar for long work.

All that the command line prints goes through `safe_streams`; the screens draw through `Canvas`.
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
from negotiation_tui.runtime.text import duration, one_line, printable

LONGEST = 500  # the largest number of characters of a message; its middle is cut out
_END = 150
BAR_AFTER = 1.0  # seconds of work before the bar appears
_WHILE = 10.0  # seconds of work ahead that are worth a line
SOON = 10  # answers of a program, after which the time left is printed
_WIDTH = 30
_COLUMNS = 80  # width of a terminal that does not tell its own
T = TypeVar("T")


def notice(text: str) -> None:
    line = printable(one_line(text))
    if len(line) > LONGEST:
        line = f"{line[: LONGEST - _END - 1]}…{line[-_END:]}"
    if sys.stderr is not None:  # None for a caller without a console
        sys.stderr.write(f"{line}\n")


def complain(message: object, program: str = "negotiation-tui") -> None:
    notice(f"{program}: {message}")


@contextmanager
def safe_streams() -> Iterator[None]:
    """Make stdout and stderr safe to write to, until the end of the context.

    What may not reach a terminal is escaped. Standard output that cannot be written raises OSError;
    without standard error work goes on.
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
        self.bare, self._needed = stream, needed

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bare, name)

    def write(self, text: str) -> int:
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
            with suppress(OSError):  # a stream without a descriptor
                number, null = self.bare.fileno(), os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, number)
                os.close(null)
            if self._needed:
                closed = error.errno == errno.EBADF
                reason = "it is closed" if closed else error.strerror
                raise OSError(error.errno, f"cannot write standard output: {reason}") from None


def _open_closed() -> None:
    """Open the null device for closed standard streams: other files would get their numbers.

    Standard output is opened for reading: to write to it is an error.
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
    """Yield the results; a bar shows how many there are."""
    with ProgressBar(unit) as bar:
        for done, result in enumerate(results, 1):
            yield result
            bar.show(done, total)


def tell_left(seconds: float) -> None:
    """Print the time left, if that is a while."""
    if seconds >= _WHILE:
        notice(f"about {duration(seconds)} left")


class TimeLeft:
    """The time that work still takes, at its pace since `restart`, for example after compiling."""

    def __init__(self, done: int = 0) -> None:
        self.restart(done)

    def restart(self, done: int) -> None:
        self._begun, self._first = time.monotonic(), done

    def seconds(self, done: int, total: int) -> float:
        """Return the seconds left; 0 before anything is done."""
        since = done - self._first
        return (time.monotonic() - self._begun) * (total - done) / since if since else 0.0


class ProgressBar:
    """A progress bar on stderr, removed at the end of the context; a signal interrupts the work.

    It appears after BAR_AFTER seconds. Nothing is written unless stderr is a terminal. Only blanks
    and carriage returns are needed: the console of Windows may know no escape sequences.
    """

    def __init__(self, unit: str) -> None:
        self._stream: TextIO | None = getattr(sys.stderr, "bare", sys.stderr)
        self._is_terminal, self._unit = sys.stderr is not None and sys.stderr.isatty(), unit
        self._length, self._shown_at, self._notice = 0, 0.0, ""
        self._begun, self.left = time.monotonic(), TimeLeft()
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

    def show(self, done: int, total: int, left: float | None = None) -> None:
        """Draw the bar; the seconds left are those of its own pace unless they are given."""
        now = time.monotonic()
        soon = now - self._begun <= BAR_AFTER or (now < self._shown_at + 0.1 and done < total)
        if soon or not self._is_terminal:
            return
        self._shown_at, self._notice = now, ""
        full = _WIDTH * done // total
        left = self.left.seconds(done, total) if left is None else left
        bar = f"[{'#' * full}{'.' * (_WIDTH - full)}]"
        self._draw(f"{bar} {done:,} of {total:,} {self._unit}, {left:.0f} s left")

    def say(self, notice: str) -> None:
        """Show a notice instead, until `show` draws again; an empty one removes the last."""
        if self._is_terminal and notice != self._notice:
            self._notice = notice
            self._draw(notice)

    def clear(self) -> None:
        if self._length:
            self._draw("")
            self._length = 0

    def _draw(self, line: str) -> None:
        stream = self._stream
        assert stream is not None
        line = line[: columns_of(stream) - 1]
        self._length = max(len(line), self._length)
        with suppress(OSError):  # the terminal may be gone
            stream.write(f"\r{line.ljust(self._length)}\r")
            stream.flush()


def columns_of(stream: TextIO) -> int:
    """Return the user's COLUMNS, or the width of a terminal, as `shutil`, which loads slowly."""
    with suppress(OSError, ValueError):
        asked = os.environ.get("COLUMNS") or os.get_terminal_size(stream.fileno()).columns
        return int(asked) or _COLUMNS
    return _COLUMNS


_open: set[ProgressBar] = set()


def say(notice: str) -> None:
    """Show a notice in the place of the bar until the next result; an empty one removes it."""
    for bar in tuple(_open):
        bar.say(notice)


def wipe() -> None:
    """Remove the bar that is shown, if any, so that other text takes its place."""
    for bar in tuple(_open):
        bar.clear()
