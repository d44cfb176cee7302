"""A program that is asked and answers line by line, and ends with everything that it started.

Two threads move the lines, so that no program can block this one: not by silence, by output without
end, or by reading nothing. The program leads a process group of its own (on Windows a job), which
ends with it. A keeper, a shell that waits, ends the group if this process is killed. On Linux
processes that left the group are found by a mark in their environment.
"""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.text import plural, quoted

LONGEST = 1 << 16  # the most bytes of a line
MOST_LINES = 1000  # the most lines that may wait to be read
PATIENCE = 0.3  # seconds in which a program may end by itself
TICK = 0.05  # seconds between two calls of `meanwhile`
_MARK = "NEGOTIATION_TUI_SEAT"
_numbers = itertools.count()
_waiting = threading.local()


def while_waiting(meanwhile: Callable[[], None]) -> None:
    """Have this thread call a function again and again while it waits for an answer.

    The function may raise an exception, which ends the wait.
    """
    _waiting.meanwhile = meanwhile


class ChildError(Exception):
    """The reason why a program gives no answer."""


class Child:
    """A running program; `failure` says why no more lines come."""

    def __init__(self, words: Sequence[str], farewell: str = "") -> None:
        """Start a program; `farewell` is its last line. Raises BadInputError if it cannot start."""
        self._mark = f"{os.getpid()}-{next(_numbers)}"
        windows = sys.platform == "win32"
        try:
            self._process = process = subprocess.Popen(  # noqa: S603 - the user named it
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env={**os.environ, _MARK: self._mark},
                start_new_session=not windows,
                creationflags=0x200 if windows else 0,  # a process group of its own
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise BadInputError(f"{quoted(words[0])} cannot be started: {reason}") from None
        self._written: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: SimpleQueue[bytes | str] = SimpleQueue()
        keeper = _job(process) if windows else _keeper(process.pid)
        for work in (
            lambda out=process.stdout, lines=self._lines: _read(out, lines),
            lambda to=process.stdin, lines=self._written: _write(to, lines),
        ):
            threading.Thread(target=work, name="seat", daemon=True).start()
        last = f"{farewell}\n".encode()
        self.close = weakref.finalize(self, _end, process, self._written, last, self._mark, keeper)
        """End the program, and all that it started; at the latest when this object is gone."""

    def send(self, line: str) -> None:
        self._written.put(f"{line}\n".encode())

    def receive(self, seconds: float) -> str:
        """Return the next line; raise ChildError if none comes in time."""
        meanwhile, until = getattr(_waiting, "meanwhile", None), time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            try:
                line = self._lines.get(timeout=max(0.0, min(left, TICK) if meanwhile else left))
            except Empty:
                if left <= 0:
                    raise ChildError("no answer in time; did it flush its output?") from None
                if meanwhile:
                    meanwhile()
                continue
            if isinstance(line, str):
                raise ChildError(line or self._ended())
            return line.decode(errors="replace").removesuffix("\r").removeprefix("\ufeff")

    def end_input(self) -> None:
        self._written.put(None)

    def goes_on(self, seconds: float) -> tuple[bool, bool]:
        """Wait for the end; return if the program goes on, and if its process group does."""
        until = time.monotonic() + seconds
        while True:
            itself = others = self._process.poll() is None
            if sys.platform != "win32":
                with contextlib.suppress(OSError):  # nobody is left
                    os.killpg(self._process.pid, 0)
                    others = True
            if not others or time.monotonic() > until:
                return itself, others
            time.sleep(PATIENCE / 100)

    def _ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = self._process.wait(PATIENCE)
            return f"it was killed by signal {-status}" if status < 0 else f"it ended with {status}"
        return "it closed its output"


def _read(out: Any, lines: SimpleQueue[bytes | str]) -> None:
    """Move lines from a program; last comes a text: the reason, empty for the end of the output."""
    rest, reason = b"", ""
    while not reason:
        try:
            chunk = os.read(out.fileno(), LONGEST)
        except (OSError, ValueError):  # closed in the meantime
            chunk = b""
        if not chunk:
            break
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            lines.put(line)
        if len(rest) > LONGEST or any(len(line) > LONGEST for line in whole):
            reason = f"it wrote more than {LONGEST // 1024} kB without the end of a line"
        elif lines.qsize() > MOST_LINES:
            reason = f"it wrote more than {plural(MOST_LINES, 'line')} for one question"
    lines.put(reason)


def _write(to: Any, lines: SimpleQueue[bytes | None]) -> None:
    with contextlib.suppress(OSError, ValueError):  # the program reads no more
        while (line := lines.get()) is not None:
            to.write(line)
    with contextlib.suppress(OSError):
        to.close()


def _end(
    process: Any, written: SimpleQueue[bytes | None], last: bytes, mark: str, keeper: Any
) -> None:
    """End a program: the end of its input first, then by force; then what it started."""
    written.put(last)
    written.put(None)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    if sys.platform == "win32":
        keeper()
    else:
        keeper.kill()
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        for number in _marked(f"{_MARK}={mark}".encode()):
            with contextlib.suppress(OSError):
                os.kill(number, signal.SIGKILL)
        keeper.wait()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    process.stdout.close()


def _marked(mark: bytes) -> list[int]:
    """Return the processes that have a mark in their environment; none without /proc."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in place.read_bytes().split(b"\0"):
                found.append(int(place.parent.name))
    return found


def _keeper(group: int) -> Any:
    """Start a shell that ends a process group once this process is gone."""
    return subprocess.Popen(  # noqa: S603
        ["/bin/sh", "-c", f"read _; kill -KILL -{group}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _job(process: Any) -> Callable[[], object]:
    """Put a process into a job of Windows, which ends with this process; return how to end it."""
    import ctypes

    kernel: Any = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    limits = (ctypes.c_uint32 * 36)()  # JOBOBJECT_EXTENDED_LIMIT_INFORMATION
    limits[4] = 0x2000  # LimitFlags: JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
    kernel.SetInformationJobObject(job, 9, ctypes.byref(limits), ctypes.sizeof(limits))
    kernel.AssignProcessToJobObject(job, ctypes.c_void_p(int(process._handle)))
    return lambda: kernel.TerminateJobObject(job, 1)
