"""Compiled functions that numba keeps on disk until anything they are made of has changed."""

import inspect
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any


def kept(
    function: Callable[..., Any],
    within: Mapping[str, Any] | None = None,
    allocates: bool = False,
) -> Any:
    """`function` compiled by numba, where the global names `within` mean something else.

    numba looks at a function's own file to see whether what it kept is still right, not at those
    of the functions it calls. So what is kept goes by a name with a digest of them all, and of the
    numbers that `function` knows by name, which may be another module's. Where
    there is no folder to keep it in, it is compiled anew in every process. Whoever makes rows
    or lists `allocates`; for the others numba need not count who holds each row they are
    handed, which it does with atomic instructions, dozens of them a call.
    """
    import numba

    assert isinstance(function, FunctionType)
    named = dict(within or {})
    own = FunctionType(
        function.__code__, {**function.__globals__, **named}, function.__name__, None
    )
    own.__qualname__ = f"{function.__qualname__}_{_digest(function, named)}"
    compiling: Any = numba.njit  # its stubs leave out `_nrt`
    try:
        return compiling(nogil=True, cache=True, _nrt=allocates)(own)
    except RuntimeError:  # numba finds no folder
        return compiling(nogil=True, _nrt=allocates)(own)


def _digest(function: FunctionType, within: Mapping[str, Any]) -> str:
    """Of the source files of functions, and of what those that are compiled were made of."""
    known = function.__globals__
    names = [
        name for name in function.__code__.co_names if isinstance(known.get(name), int | float)
    ]
    found = sha256(repr([(name, known[name]) for name in names]).encode())
    for part in (function, *within.values()):
        source = inspect.unwrap(part)
        found.update(source.__qualname__.encode())
        found.update(Path(inspect.getfile(source)).read_bytes())
    return found.hexdigest()[:16]
