"""Give memory back to the system that the program has freed."""

import ctypes
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_SECONDS = 1.0  # at least, between two calls of `release`; one takes milliseconds
_last = [0.0]


def release() -> None:
    """Give back what the C library keeps of freed arrays, at most once per second.

    glibc keeps up to 64 MB for each thread. Other libraries give back by themselves.
    """
    if time.monotonic() - _last[0] > _SECONDS:
        _last[0] = time.monotonic()
        with suppress(AttributeError, OSError, TypeError):
            ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def released() -> Iterator[None]:
    """Call `release` before and after work that needs much memory."""
    release()
    yield
    release()
