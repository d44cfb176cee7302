"""Give memory back to the system that the program has freed."""

import ctypes
from contextlib import suppress

_MMAP_THRESHOLD, _LARGE = -3, 1 << 20  # an option of glibc, and its value in bytes


def return_large() -> None:
    """Have the C library give back each array of a megabyte or more when it is freed.

    By itself glibc keeps arrays of up to 32 MB for each thread, with gaps between them, once one
    was freed. Other libraries give back by themselves.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)
