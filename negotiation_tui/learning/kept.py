"""Compiled functions that numba keeps on disk until anything they are made of has changed."""

import inspect
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any


def kept(function: Callable[..., Any], **within: Any) -> Any:
    """`function` compiled by numba, where the global names `within` mean these instead.

    numba looks at a function's own file to see whether what it kept is still right, not at those
    of the functions it calls. So what is kept goes by a name with a digest of them all. Where
    there is no folder to keep it in, it is compiled anew in every process.
    """
    import numba

    assert isinstance(function, FunctionType)
    named = {**function.__globals__, **within}
    own = FunctionType(function.__code__, named, function.__name__, function.__defaults__)
    own.__qualname__ = f"{function.__qualname__}_{_digest([function, *within.values()])}"
    try:
        return numba.njit(nogil=True, cache=True)(own)
    except RuntimeError:  # numba finds no folder
        return numba.njit(nogil=True)(own)


def _digest(parts: list[Any]) -> str:
    """Of the source files of functions, and of what those that are compiled were made of."""
    found = sha256()
    for part in parts:
        source = inspect.unwrap(part)
        found.update(source.__qualname__.encode())
        found.update(Path(inspect.getfile(source)).read_bytes())
    return found.hexdigest()[:16]
