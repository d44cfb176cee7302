"""A descriptor for the screen alone: what other code writes to descriptor 1 stays off the screen.

curses writes to the descriptor of C's `stdout`, which it reads once, when it starts. Then
descriptor 1 can lead elsewhere. On Windows descriptor 1 stays: PDCurses has the console's handle
from it, which Windows would close.
"""

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from typing import TypeVar

from negotiation_tui.runtime.output import LONGEST
from negotiation_tui.runtime.text import clip

S = TypeVar("S")
_copies: list[int] = []
"""The copy of descriptor 1, once there is one; curses keeps its number until the process ends."""


def screen_descriptor() -> int:
    """Return the descriptor that the screen is written to."""
    return _copies[0] if _copies else 1


@contextmanager
def apart(start: Callable[[], S]) -> Iterator[S]:
    """Start curses on a copy of descriptor 1, which leads to where 2 leads until the end."""
    variable = _c_stdout()
    if variable is None:
        yield start()
        return
    if _copies:  # a second screen: curses uses the number it knows
        os.dup2(1, _copies[0], inheritable=False)
    else:
        _copies.append(os.dup(1))
    before = variable.value
    variable.value = _stream(_copies[0]) or before
    try:
        screen = start()
    finally:
        variable.value = before
    os.dup2(2, 1)
    try:
        yield screen
    finally:
        os.dup2(_copies[0], 1)


def _c_stdout() -> ctypes.c_void_p | None:
    """Return C's variable `stdout`; None if it cannot be set, as on Windows and with musl."""
    if sys.platform == "win32":
        return None
    try:
        library = ctypes.CDLL(None)
    except OSError:
        return None
    for name, sign in (("__stdoutp", "__stdoutp"), ("stdout", "gnu_get_libc_version")):
        if hasattr(library, sign):  # of macOS and BSD; of glibc
            return ctypes.c_void_p.in_dll(library, name)
    return None


@cache
def _stream(descriptor: int) -> int | None:
    """Return the address of a stream of C that is never closed; None without memory."""
    open_stream = ctypes.CDLL(None).fdopen
    open_stream.restype = ctypes.c_void_p
    address: int | None = open_stream(descriptor, b"w")
    return address


LINES = 20  # number of last lines that are printed
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
    reading, writing, terminal = *os.pipe(), os.dup(2)
    heard, end = b"", os.urandom(16)

    def listen() -> None:
        """Keep the last bytes of the pipe, in a thread, so that a writer never waits."""
        nonlocal heard
        while end not in heard:
            heard = (heard + os.read(reading, _CHUNK))[-_KEPT:]

    thread = threading.Thread(target=listen, name="listener", daemon=True)
    thread.start()
    os.dup2(writing, 2)
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
        os.write(writing, end)  # other processes may still have the pipe open
        thread.join()
        for descriptor in (terminal, reading, writing):
            os.close(descriptor)
        _print_end(heard.partition(end)[0].decode(errors="replace"))


def _print_end(text: str) -> None:
    lines = [line for line in text.splitlines() if line.strip()]
    if lines:
        which = f"the last {LINES} lines of the output" if len(lines) > LINES else "output"
        shown = "".join(f"  {clip(line, LONGEST)}\n" for line in lines[-LINES:])
        heading = f"negotiation-tui: {which} while the screen was shown:\n"
        with suppress(OSError):  # the terminal may be gone
            sys.stderr.write(heading + shown)
            sys.stderr.flush()
