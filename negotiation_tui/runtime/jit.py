"""Functions compiled by numba, and kept on disk until their sources change."""

import inspect
import threading
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, TypeVar

from negotiation_tui.runtime.kept_code import keep_code, may_be_kept


def cached_njit(
    function: Callable[..., Any],
    overrides: Mapping[str, Any] | None = None,
    allocates: bool = False,
) -> Any:
    """Return `function` compiled by numba; `overrides` replaces global names that it uses.

    Code is kept by name. The name therefore contains a digest of the function's file, of all
    overriding functions and of the global numbers used.

    Pass `allocates=True` for a function that creates arrays or lists. For all others numba's
    reference counting is switched off: it costs dozens of atomic instructions per call.
    """
    import numba

    assert isinstance(function, FunctionType)
    overrides = dict(overrides or {})
    names = {**function.__globals__, **overrides}
    copy = FunctionType(function.__code__, names, function.__name__, None)
    copy.__qualname__ = f"{function.__qualname__}_{_digest(function, overrides)}"
    njit: Any = numba.njit  # its stubs leave out `_nrt`
    compiled = njit(nogil=True, _nrt=allocates)(copy)
    keep_code(compiled, copy)
    return compiled


def _digest(function: FunctionType, overrides: Mapping[str, Any]) -> str:
    """Hash the source files of all functions, and the global numbers that `function` uses."""
    values = function.__globals__
    names = [
        name for name in function.__code__.co_names if isinstance(values.get(name), int | float)
    ]
    digest = sha256(repr([(name, values[name]) for name in names]).encode())
    for part in (function, *overrides.values()):
        source = inspect.unwrap(part)
        digest.update(source.__qualname__.encode())
        digest.update(Path(inspect.getfile(source)).read_bytes())
    return digest.hexdigest()[:16]


@cache
def prefetch() -> Any:
    """Return the compiled form of `learning.kernel.prefetch`: a hint to load a row early."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    tools: Any = cgutils  # untyped

    def prefetch(_: Any, row: Any, _index: Any) -> tuple[Any, Any]:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            address = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
            kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            hint = tools.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            # 0: for reading, 3: into all caches, 1: data.
            builder.call(hint, [address, *(ir.Constant(number, n) for n in (0, 3, 1))])
            return context.get_dummy_value()

        return types.void(row, types.int64), emit

    return intrinsic(prefetch)


LOADING = 0.6
"""Seconds of a processor to load kept code, most of it to import numba (docs/benchmarks.md)."""


def seconds_until_ready(function: Callable[..., Any], compiling: float) -> float:
    """Return how long a compiled function is waited for: `compiling` unless its code is kept."""
    return LOADING if may_be_kept(function) else compiling


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
