"""A program in a pseudo-terminal of its own, read back by pyte; every wait has a deadline."""

import contextlib
import os
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import pyte
import pytest

from tests.support import processes

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)
import fcntl
import pty
import termios

PROGRAM = (sys.executable, "-m", "negotiation_tui")
DEADLINE = 20.0
LEFT = b"\x1b[?1049l"  # back to the earlier screen
STATUS = {"q": 0, "Ctrl-C": 130, **{each.name: 128 + each for each in signal.Signals}}
CRASH = ("Traceback", "Exception", "Fatal", "Segmentation", "Aborted", "terminate called", "rror:")
MISSING = [name for name in ("setsid", "bash") if not shutil.which(name)] + (
    [] if processes.HAS_PROC else ["/proc"]
)
TERMINAL = [
    pytest.mark.terminal,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}"),
]
SLOW_TERMINAL = [pytest.mark.slow, *TERMINAL]


class Emulator(pyte.Screen):
    """pyte's terminal with some missing features.

    Repeats the last character (REP), scrolls (SU, SD), goes by tabs (CHT, CBT), and erases as
    xterm does: to the background, nothing else.
    """

    _last = " "
    wraps = False
    """True if a character in the last column puts the cursor on the next row, as `ansi` says."""

    def draw(self, data: str) -> None:
        for each in data if self.wraps else [data]:
            super().draw(each)
            if self.wraps and self.cursor.x == self.columns and self.cursor.y < self.lines - 1:
                self.carriage_return()
                self.linefeed()
        self._last = data[-1:] or self._last

    def repeat(self, count: int = 1) -> None:
        self.draw(self._last * max(1, count))

    def scroll_up(self, count: int = 1) -> None:
        self._scroll(self.index, self._margins[1], count)

    def scroll_down(self, count: int = 1) -> None:
        self._scroll(self.reverse_index, self._margins[0], count)

    def tabs(self, count: int = 1) -> None:
        for _ in range(max(1, count)):
            self.tab()

    def back_tabs(self, count: int = 1) -> None:
        for _ in range(max(1, count)):
            self.cursor.x = max((stop for stop in self.tabstops if stop < self.cursor.x), default=0)

    @property
    def _margins(self) -> tuple[int, int]:
        return self.margins or (0, self.lines - 1)

    def _scroll(self, step: Callable[[], None], row: int, count: int) -> None:
        before, self.cursor.y = self.cursor.y, row
        for _ in range(max(1, count)):
            step()
        self.cursor.y = before

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:
        with self._background_alone():
            super().erase_in_line(how, private)

    def erase_in_display(self, how: int = 0, *arguments: Any, **options: Any) -> None:
        with self._background_alone():
            super().erase_in_display(how, *arguments, **options)

    def erase_characters(self, count: int | None = None) -> None:
        with self._background_alone():
            super().erase_characters(count)

    @contextlib.contextmanager
    def _background_alone(self) -> Iterator[None]:
        attributes = self.cursor.attrs
        self.cursor.attrs = self.default_char._replace(bg=attributes.bg)
        try:
            yield
        finally:
            self.cursor.attrs = attributes


class Stream(pyte.ByteStream):
    def __init__(self, screen: Emulator) -> None:
        more = {"b": "repeat", "S": "scroll_up", "T": "scroll_down", "I": "tabs", "Z": "back_tabs"}
        self.csi = {**pyte.ByteStream.csi, **more}
        self.events = frozenset({*pyte.ByteStream.events, *more.values()})
        super().__init__(screen)


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of a program on a colour terminal with UTF-8."""
    names = ("PATH", "HOME", "TMPDIR", "PYTHONPATH", "NEGOTIATION_TUI_CONFIG", "XDG_STATE_HOME")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    plain = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**kept, **plain, **changes}


class Session:
    """The leader of a new session on a new terminal; a context that cleans up at its end.

    A terminal that is not `controlling` sends no signals, neither for Ctrl-C nor at its end.
    """

    def __init__(
        self,
        command: Sequence[str],
        width: int = 80,
        height: int = 24,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        controlling: bool = True,
    ) -> None:
        self.output = b""
        self.screen = Emulator(width, height)
        self.screen.wraps = (env or {}).get("TERM") == "ansi"
        self._stream = Stream(self.screen)
        self.master, self.slave = pty.openpty()
        self._set_size(width, height)
        self.modes_before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            ["setsid", *(["--ctty"] if controlling else []), *command],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env=environment() if env is None else dict(env),
            cwd=cwd,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(DEADLINE)
        for descriptor in (self.master, self.slave):
            if descriptor >= 0:
                os.close(descriptor)

    @property
    def modes(self) -> list[Any]:
        return termios.tcgetattr(self.slave)

    @property
    def keeps_output(self) -> bool:
        return bool(self.modes[3] & termios.NOFLSH)

    @property
    def text(self) -> str:
        """The picture, without the blanks at the ends of the rows."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def read(self, seconds: float) -> bytes:
        """Return the next output of the program, empty if none comes within `seconds`."""
        if not select.select([self.master], [], [], max(0.0, seconds))[0]:
            return b""
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:
            return b""
        self.output += data
        self._stream.feed(data)
        return data

    def wait(self, holds: Callable[[], bool], what: str, deadline: float = DEADLINE) -> None:
        end = time.monotonic() + deadline
        while not holds():
            left = end - time.monotonic()
            assert left > 0, f"no {what} within {deadline} s on\n{self.text}"
            self.read(min(left, 0.05))

    def wait_for(self, words: str) -> None:
        self.wait(lambda: words in self.text, repr(words))

    def send(self, keys: str, until: str = "") -> None:
        os.write(self.master, keys.encode())
        if until:
            self.wait_for(until)

    def quit(self) -> None:
        self.end_by("q")

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size; the program gets a signal."""
        self.screen.resize(height, width)
        self._set_size(width, height)

    def feed(self, data: bytes) -> None:
        self._stream.feed(data)

    def status(self) -> int:
        self.wait(lambda: self.process.poll() is not None, "end of the program")
        while self.read(0):
            pass
        status = self.process.poll()
        assert status is not None
        return status

    def close_terminal(self) -> None:
        os.close(self.master)
        self.master = -1

    def processor_seconds(self) -> float:
        return processes.processor_seconds(self.process.pid)

    def assert_given_back(self) -> None:
        """Check that the terminal is restored: modes, earlier screen, cursor, no attribute left."""
        assert self.modes == self.modes_before
        for on, off in ((b"\x1b[?1049h", LEFT), (b"\x1b[?25l", b"\x1b[?25h")):
            assert self.output.rfind(off) >= self.output.rfind(on)  # vt100 has neither
        assert re.findall(rb"\x1b\[[\d;]*m", self.output)[-1:] in ([b"\x1b[m"], [b"\x1b[0m"], [])

    def assert_no_crash(self) -> None:
        text = self.output.decode(errors="replace")
        assert not [word for word in CRASH if word in text], text[-2000:]

    def end_by(self, kind: str) -> None:
        """End the program by a key or a signal, and check its status and the terminal."""
        if kind.startswith("SIG"):
            self.process.send_signal(signal.Signals[kind])
        else:
            self.send("\x03" if kind == "Ctrl-C" else kind)
        assert self.status() == STATUS[kind]
        self.assert_given_back()
        self.assert_no_crash()

    def _set_size(self, width: int, height: int) -> None:
        size = struct.pack("HHHH", height, width, 0, 0)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, size)
