"""A program that is asked and answers line by line, and ends with everything that it started.

Two threads move the lines, so that no program can block this one: not by silence, by output without
end, or by reading nothing. The program leads a process group of its own (on Windows a job), which
ends with it. A keeper, a shell that waits, ends the group when the seat is closed, or this process
is gone. On Linux it finds processes that left the group by a mark in their environment.
"""

import codecs
import contextlib
import itertools
import os
import signal
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.folders import folder_of_paths
from negotiation_tui.runtime.text import clip, one_line, plural, printable, quoted

_LONGEST = 1 << 16  # the most bytes of a line
MOST_LINES = 1000  # the most lines that may wait to be read
_LOGGED = 200  # characters of the last line of its log, which tells why it ended
_PATIENCE = 0.3  # seconds in which a program may end by itself
TICK = 0.05  # seconds between two calls of `meanwhile`
KEEPER_SECONDS = 5.0  # for the end of all processes
_MARK = "NEGOTIATION_TUI_SEAT"
_KEEP = """read group && read _
none=
[ "$group" ] && kill -KILL -"$group"
for _ in 1 2 3 4 5 6; do
    found=$(grep -lsF "$1" /proc/[0-9]*/environ)
    [ "$found" ] || none=$none.
    [ "$none" = .. ] && exit # one look can miss a process that forks and ends
    for each in $found; do
        each=${each%/environ}
        kill -KILL "${each#/proc/}"
    done
done"""
_numbers = itertools.count()


class _Waiting(threading.local):
    """The function that this thread calls while it waits for answers; raising ends the wait."""

    meanwhile: Callable[[], None] | None = None


of_waiting = _Waiting()


class ChildError(Exception):
    """The reason why a program gives no answer."""


class NoProgramError(BadInputError):
    """A program that cannot be started, or says nothing at the start."""


class Child:
    """A running program."""

    def __init__(self, words: Sequence[str], farewell: str = "") -> None:
        """Start a program; `farewell` is its last line. Raises NoProgramError if that fails."""
        mark = f"{os.getpid()}-{next(_numbers)}."
        windows = sys.platform == "win32"
        try:
            keeper = None if windows else _keeper(mark)  # first, so that no moment is without
            self._process = process = _started(
                words,
                True,
                env={**os.environ, _MARK: mark},
                cwd=folder_of_paths(),
                start_new_session=not windows,
                creationflags=0x200 if windows else 0,  # a process group of its own
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise NoProgramError(f"{quoted(words[0])} cannot be started: {reason}") from None
        self._written: SimpleQueue[bytes | None] = SimpleQueue()
        self._chunks: SimpleQueue[list[bytes] | str] = SimpleQueue()
        self._lines: deque[bytes] = deque()  # that came and were not received
        self._over: str | None = None  # the reason for the end of the output, "" for none
        self._begun = False
        end = _job(process) if windows else partial(_end_group, process.pid, keeper)
        self._log = bytearray()  # the end of its standard error
        work = partial(_log, process.stderr, self._log)
        self._logging = threading.Thread(target=work, name="seat", daemon=True)
        self._logging.start()
        last, ends = f"{farewell}\n".encode(), (end, self._logging)
        self.close = weakref.finalize(self, _end, os.getpid(), process, self._written, last, *ends)
        """End the program, and all that it started; at the latest when this object is gone."""
        if keeper:
            with contextlib.suppress(OSError):  # somebody ended it
                keeper.stdin.write(f"{process.pid}\n".encode())
        for work in (
            partial(_read, process.stdout, self._chunks),
            partial(_write, process.stdin, self._written),
        ):
            threading.Thread(target=work, name="seat", daemon=True).start()

    def send(self, line: str) -> None:
        """Send a line; all that the program wrote before, but for the first line, is forgotten."""
        with contextlib.suppress(Empty):
            while self._begun:
                self._take(0.0)
        self._lines.clear()
        self._begun = True
        self._written.put(f"{line}\n".encode())

    def receive(self, seconds: float) -> str:
        """Return the next line; raise ChildError if none comes in time."""
        meanwhile, until = of_waiting.meanwhile, time.monotonic() + seconds
        while not self._lines:
            if self._over is not None:
                raise ChildError(self._over or self._ended())
            left = until - time.monotonic()
            try:
                self._take(max(0.0, min(left, TICK)))
            except Empty:
                if left <= 0:
                    raise ChildError("no answer in time; did it flush its output?") from None
                if meanwhile:
                    meanwhile()
        line = self._lines.popleft().decode(errors="replace")
        return line.rstrip("\r").removeprefix("\ufeff")

    def _take(self, seconds: float) -> None:
        """Take what the program wrote; raise Empty if nothing comes in time."""
        match self._chunks.get(timeout=seconds):
            case str(reason):
                self._over = reason
            case lines:
                self._lines += lines

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
            time.sleep(_PATIENCE / 100)

    def _ended(self) -> str:
        status = _waited(self._process, _PATIENCE)
        if status is None:
            return "it closed its output"
        if status < 0:
            return f"it was killed by signal {-status}"
        self._logging.join(_PATIENCE)
        lines = self._log.decode(errors="replace").split("\n") if status else []
        why = [clip(printable(one_line(line)), _LOGGED) for line in lines if line.strip()][-1:]
        return ": ".join([f"it ended with {status}", *why])


def _started(words: Sequence[str], heard: bool, **options: Any) -> Any:
    """Start a process with a pipe to its input, and from its output and log if it is heard."""
    import subprocess  # a screen without a program starts without it

    options["stdout"] = options["stderr"] = subprocess.PIPE if heard else subprocess.DEVNULL
    return subprocess.Popen(words, stdin=subprocess.PIPE, bufsize=0, **options)  # noqa: S603


def _waited(process: Any, seconds: float) -> int | None:
    """Return the status of a process; None if it goes on for some seconds."""
    from subprocess import TimeoutExpired

    with contextlib.suppress(TimeoutExpired):
        return int(process.wait(seconds))
    return None


def _read(out: Any, chunks: SimpleQueue[list[bytes] | str]) -> None:
    """Move lines from a program; last comes a text: the reason, empty for the end of the output."""
    rest, reason = b"", ""
    with out:
        while not reason and (chunk := os.read(out.fileno(), _LONGEST)):
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > _LONGEST or any(len(line) > _LONGEST for line in lines):
                reason = f"it wrote more than {_LONGEST // 1024} kB without the end of a line"
            elif chunks.qsize() > MOST_LINES:
                reason = f"it wrote more than {plural(MOST_LINES, 'line')} for one question"
            if lines:
                chunks.put(lines)  # all at once: it depends on no chance which were there
    chunks.put(reason)


def _log(out: Any, end: bytearray) -> None:
    """Move a program's log to that of this process, cleaned for a terminal, and hold its end."""
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    encoding = getattr(sys.stderr, "encoding", None) or "ascii"
    with out:
        while chunk := os.read(out.fileno(), _LONGEST):
            end[:] = (end + chunk)[-_LONGEST:]
            text = decode(chunk).replace("\r\n", "\n").replace("\r", "\n")
            shown = printable(text).encode(encoding, "backslashreplace")
            with contextlib.suppress(OSError):  # that is closed
                os.write(2, shown if os.isatty(2) else chunk)


def _write(to: Any, lines: SimpleQueue[bytes | None]) -> None:
    with contextlib.suppress(OSError), to:  # the program reads no more
        while line := lines.get():
            while line:
                line = line[to.write(line) :]


def _end(
    owner: int,
    process: Any,
    written: SimpleQueue[bytes | None],
    last: bytes,
    end: Callable[[], object],
    logging: threading.Thread,
) -> None:
    """End a program: the end of its input first, then by force; then what it started."""
    if os.getpid() != owner:  # a copy of the process that started it
        return
    written.put(last)
    written.put(None)
    _waited(process, _PATIENCE)
    end()
    _waited(process, _PATIENCE)
    logging.join(_PATIENCE)


def _keeper(mark: str) -> Any:
    """Start a shell that ends a group, and all that bear a mark, when it is told or we are gone."""
    words = ["/bin/sh", "-c", _KEEP, "keeper", f"{_MARK}={mark}"]
    return _started(words, heard=False, start_new_session=True)


def _end_group(group: int, keeper: Any) -> None:
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            os.killpg(group, signal.SIGKILL)
    with contextlib.suppress(OSError), keeper.stdin:
        keeper.stdin.write(b"\n")
        _waited(keeper, KEEPER_SECONDS)


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
    return lambda: (kernel.TerminateJobObject(job, 1), kernel.CloseHandle(job))
