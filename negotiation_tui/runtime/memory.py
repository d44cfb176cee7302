"""Give memory back to the system that the program has freed."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def released() -> Iterator[None]:
    """Give back what the C library keeps of freed arrays, before and after work that needs much.

    glibc keeps up to 64 MB for each thread. Other libraries give back by themselves.
    """
    _release()
    yield
    _release()


def _release() -> None:
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
