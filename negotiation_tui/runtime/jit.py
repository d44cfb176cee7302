"""Functions compiled by numba, and kept on disk until their sources change."""

import inspect
import threading
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, TypeVar

from negotiation_tui.runtime.kept_code import keep_code, kept_name, may_be_kept
from negotiation_tui.runtime.numba_inside import fast_options


def cached_njit(
    function: Callable[..., Any],
    overrides: Mapping[str, Any] | None = None,
    allocates: bool = False,
    **more: bool,
) -> Any:
    """Return `function` compiled by numba; `overrides` replaces global names that it uses.

    Code is kept by name. The name therefore contains a digest of the function's file, of all
    overriding functions, of the global numbers used and of the options.

    No index may be below 0, and nothing divided by 0: neither is checked. Pass `allocates=True`
    for a function that creates arrays or lists. `more` are other options of numba.
    """
    import numba

    assert isinstance(function, FunctionType)
    overrides = dict(overrides or {})
    names = {**function.__globals__, **overrides}
    copy = FunctionType(function.__code__, names, function.__name__, None)
    options = {"error_model": "numpy", **fast_options(allocates), **more}
    copy.__qualname__ = f"{kept_name(function)}_{_digest(function, overrides, options)}"
    njit: Any = numba.njit  # its stubs leave out some options
    compiled = njit(nogil=True, **options)(copy)
    keep_code(compiled, copy)
    return compiled


def _digest(function: FunctionType, overrides: Mapping[str, Any], options: Collection[str]) -> str:
    """Hash the sources of all functions, global numbers that `function` uses, names of options."""
    values = function.__globals__
    names = [
        name for name in function.__code__.co_names if isinstance(values.get(name), int | float)
    ]
    digest = sha256(repr([*((name, values[name]) for name in names), *options]).encode())
    for part in (function, *overrides.values()):
        source = inspect.unwrap(part)
        digest.update(source.__qualname__.encode())
        digest.update(Path(inspect.getfile(source)).read_bytes())
    return digest.hexdigest()[:16]


LOADING = 0.6
"""Seconds of a processor to load kept code, most of it to import numba (docs/benchmarks.md)."""


def seconds_until_ready(
    function: Callable[..., Any], compiling: float, loading: float = LOADING
) -> float:
    """Return how long a compiled function is waited for: `loading` if its code is kept."""
    return loading if may_be_kept(function) else compiling


C = TypeVar("C")
_COMPILING: set[threading.Thread] = set()


def is_compiling() -> bool:
    """True while a BackgroundCompiler is compiling."""
    return any(thread.is_alive() for thread in _COMPILING)


class BackgroundCompiler(Generic[C]):
    """Call `compiler` in a thread of its own, for example to compile the inner loop."""

    def __init__(self, compiler: Callable[[], C | None]) -> None:
        self.done: C | None = None
        """The result of `compiler`; None until it is ready, and always without numba."""
        self._compiler = compiler
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start the thread, unless it was started before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._compile, daemon=True)
            self._thread.start()
            _COMPILING.add(self._thread)

    def _compile(self) -> None:
        self.done = self._compiler()
        _COMPILING.discard(threading.current_thread())
