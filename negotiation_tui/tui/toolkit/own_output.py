"""A descriptor for the screen alone: what other code writes to descriptor 1 stays off the screen.

curses writes to the descriptor of C's `stdout`, which it reads once, when it starts. Then
descriptor 1 can lead elsewhere. On Windows descriptor 1 stays: PDCurses has the console's handle
from it, which Windows would close.
"""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

_own: list[int] = []
"""The copy of descriptor 1, once there is one; curses keeps its number until the process ends."""


def screen_descriptor() -> int:
    """Return the descriptor that the screen is written to."""
    return _own[0] if _own else 1


@contextmanager
def stdout_of_its_own() -> Iterator[None]:
    """Let C's `stdout` lead to a copy of descriptor 1, as long as the context lasts."""
    variable = _c_stdout()
    if variable is None:
        yield
        return
    if _own:  # a second screen: curses uses the number it knows
        os.dup2(1, _own[0], inheritable=False)
    else:
        _own.append(os.dup(1))
    before = variable.value
    variable.value = _stream(_own[0]) or before
    try:
        yield
    finally:
        variable.value = before


@contextmanager
def stdout_led_to_stderr() -> Iterator[None]:
    """Lead descriptor 1 to where descriptor 2 leads, if the screen has a descriptor of its own."""
    if not _own:
        yield
        return
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(_own[0], 1)


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
