"""What other code writes while a screen is shown: kept off it, and told once it has gone."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress

LINES = 20
"""So many of the last lines are told."""
_CHUNK = 1 << 16
_KEPT = 2 * _CHUNK


@contextmanager
def capture_stderr() -> Iterator[None]:
    """Keep what goes to stderr, and by Python to stdout, off the terminal; its end goes to stderr.

    A strategy of the user's may log, and a library may warn, at any time. Where stderr is no
    terminal it spoils nothing, and gets all at once.
    """
    with redirect_stdout(sys.stderr):
        if sys.stderr is None or not sys.stderr.isatty():
            yield
            return
        listener, terminal = _Listener(), os.dup(2)
        os.dup2(listener.writing, 2)
        try:
            yield
        finally:
            sys.stderr.flush()
            os.dup2(terminal, 2)
            os.close(terminal)
            _tell(listener.heard_to_the_end())


def _tell(text: str) -> None:
    lines = [line for line in text.splitlines() if line.strip()]
    if lines:
        which = f"the last {LINES} of the lines" if len(lines) > LINES else "what was"
        shown = "".join(f"  {line}\n" for line in lines[-LINES:])
        heading = f"negotiation-tui: {which} written while the screen was shown:\n"
        with suppress(OSError):  # the terminal may be gone
            sys.stderr.write(heading + shown)
            sys.stderr.flush()


class _Listener:
    """Reads a pipe and remembers the end of it.

    In a thread of its own: nobody who writes there waits, nor fills a disk.
    """

    def __init__(self) -> None:
        self._reading, self.writing = os.pipe()
        self._heard, self._end = b"", os.urandom(16)
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while self._end not in self._heard:
            self._heard = (self._heard + os.read(self._reading, _CHUNK))[-_KEPT:]

    def heard_to_the_end(self) -> str:
        """What was written last; the pipe is closed, whoever else may still hold it."""
        os.write(self.writing, self._end)
        self._thread.join()
        os.close(self.writing)
        os.close(self._reading)
        return self._heard.partition(self._end)[0].decode(errors="replace")
