"""Capture what other code prints while a screen is shown, and print it after the screen closes."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress

from negotiation_tui.runtime.output import LONGEST
from negotiation_tui.runtime.text import clip

LINES = 20
"""Number of last lines that are printed."""
_CHUNK = 1 << 16
_KEPT = 2 * _CHUNK


@contextmanager
def capture_stderr() -> Iterator[None]:
    """Capture stderr, and Python's stdout, and print the last lines to stderr at the end.

    `Terminal` leads descriptor 1 to where 2 leads, so this captures that output too. A user's
    strategy may log, and a library may warn, at any time. If stderr is not a terminal, it gets
    everything at once, because this cannot spoil the screen.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        with redirect_stdout(sys.stderr):
            yield
        return
    listener, terminal = _Listener(), os.dup(2)
    os.dup2(listener.writing, 2)
    try:
        # A stream that Windows opened for a console cannot write to a pipe: it needs a new one.
        with (
            os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False) as stream,
            redirect_stdout(stream),
            redirect_stderr(stream),
        ):
            yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)
        _print_end(listener.close())


def _print_end(text: str) -> None:
    lines = [line for line in text.splitlines() if line.strip()]
    if lines:
        which = f"the last {LINES} lines of the output" if len(lines) > LINES else "output"
        shown = "".join(f"  {clip(line, LONGEST)}\n" for line in lines[-LINES:])
        heading = f"negotiation-tui: {which} while the screen was shown:\n"
        with suppress(OSError):  # the terminal may be gone
            sys.stderr.write(heading + shown)
            sys.stderr.flush()


class _Listener:
    """Reads a pipe and keeps its last bytes.

    Reads in a thread, so that a writer never waits; keeps nothing on disk.
    """

    def __init__(self) -> None:
        self._reading, self.writing = os.pipe()
        self._heard, self._end = b"", os.urandom(16)
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while self._end not in self._heard:
            self._heard = (self._heard + os.read(self._reading, _CHUNK))[-_KEPT:]

    def close(self) -> str:
        """Close the pipe and return its last text; other processes may still have it open."""
        os.write(self.writing, self._end)
        self._thread.join()
        os.close(self.writing)
        os.close(self._reading)
        return self._heard.partition(self._end)[0].decode(errors="replace")
