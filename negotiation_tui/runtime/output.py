"""Standard output and error: text that is safe for a terminal, and errors of writing.

Everything that the command line prints goes through `safe_streams`, by whatever way: `print`,
argparse, warnings, loggers, the user's own code. The screens draw through `Canvas` instead.
"""

import errno
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from negotiation_tui.runtime import progress_bar
from negotiation_tui.runtime.text import one_line, printable

LONGEST = 500
"""The largest number of characters of a message; its middle is cut out."""
_END = 150


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
        progress_bar.wipe()
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
        progress_bar.wipe()
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
