"""Functions compiled by numba, and kept on disk until their sources change.

Some parts of numba and llvmlite used here are not documented, and may be taken away. Each makes
compiled code faster. Without one the code is slower, with results equal to the bit.
"""

import inspect
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, TypeVar

from negotiation_tui.runtime.code_cache import CodeCache, is_cached, safe_folder

_FIX_INDEX = ["context", "builder", "idxty", "idx", "size"]


def cached_njit(
    function: Callable[..., Any],
    overrides: Mapping[str, Any] | None = None,
    allocates: bool = False,
    forceinline: bool = False,
) -> Any:
    """Return `function` compiled by numba; `overrides` replaces global names that it uses.

    No index may be below 0, and nothing divided by 0: neither is checked. Pass `allocates=True`
    for a function that creates arrays or lists, `forceinline=True` for one that LLVM shall copy
    into its callers.
    """
    import numba

    assert isinstance(function, FunctionType)
    overrides = dict(overrides or {})
    options = _fast_options(allocates, forceinline)
    names = {**function.__globals__, **overrides}
    copy = FunctionType(function.__code__, names, function.__name__, None)
    copy.__annotations__ = function.__annotations__
    # Files and LLVM tell functions apart by name: one with other overrides has another.
    kind = repr([sorted(options), *((name, _name(part)) for name, part in overrides.items())])
    copy.__qualname__ = f"{function.__qualname__}_{sha256(kind.encode()).hexdigest()[:16]}"
    njit: Any = numba.njit  # its stubs leave out some options
    compiled = njit(nogil=True, error_model="numpy", **options)(copy)
    folder = safe_folder(copy)
    if folder is not None and hasattr(compiled, "_cache"):
        stamp = sha256(repr(list(_sources(copy))).encode()).digest()
        compiled._cache = CodeCache(folder, copy, stamp)
    return compiled


def _python(part: Any) -> Any:
    """Return the function that numba compiled, and anything else as it is."""
    return getattr(part, "py_func", None) or getattr(part, "_defn", part)


def _name(part: Any) -> object:
    """Return the name of a function or class, with a digest of its own overrides."""
    if isinstance(part, tuple):
        return [_name(each) for each in part]
    part = _python(part)
    return (part.__module__, part.__qualname__) if callable(part) else part


def _sources(part: Any) -> Iterator[object]:
    """Yield what the code of a function depends on, in it and in the functions that it calls.

    These are the sources of functions, the values of global constants, and the fields of tuples.
    """
    part = _python(part)
    used: Iterator[Any] | list[Any] = []
    if isinstance(part, FunctionType):
        yield part.__qualname__, Path(part.__code__.co_filename).read_bytes()
        values = map(part.__globals__.get, part.__code__.co_names)
        used = [*part.__annotations__.values(), *values]
    elif isinstance(part, type) and hasattr(part, "_fields"):
        yield part.__qualname__, part._fields
        used = list(inspect.get_annotations(part).values())
    elif isinstance(part, tuple):
        used = list(part)
    elif isinstance(part, int | float | str):
        yield part
    for each in used:
        if not isinstance(each, FunctionType):  # not compiled, so not called
            yield from _sources(each)


def _fast_options(allocates: bool, forceinline: bool) -> dict[str, Any]:
    """Return the options of `numba.njit` that this numba knows, of these three.

    `_nrt=False` leaves out reference counting: dozens of atomic instructions per call. A function
    that creates arrays or lists (`allocates`) needs it. `pipeline_class` is explained below.
    """
    options: dict[str, Any] = {}
    if not allocates and _known("_nrt"):
        options["_nrt"] = False
    if forceinline and _known("forceinline"):
        options["forceinline"] = True
    with suppress(Exception):
        options["pipeline_class"] = _never_negative()
    return options


def _known(option: str) -> bool:
    from numba.core import cpu

    return hasattr(cpu.CPUTargetOptions, option)


@cache
def _never_negative() -> Any:
    """Return a compiler for functions that use no index below 0, so that it wraps none around.

    Only functions with its flags are compiled so. Raises an exception if numba's inside differs.
    """
    from numba.core import targetconfig, types
    from numba.core.compiler import Compiler, Flags
    from numba.np import arrayobj

    arrays: Any = arrayobj  # untyped, as the stack
    stack: Any = targetconfig.ConfigStack
    wrap_around = arrays.fix_integer_index
    if list(inspect.signature(wrap_around).parameters) != _FIX_INDEX:
        raise NotImplementedError("numba fixes indices in another way")

    class NeverNegative(Flags):
        """Mark a function, while numba compiles it."""

    class NeverNegativeCompiler(Compiler):
        def __init__(self, *parts: Any, **named: Any) -> None:
            compiler: Any = super()  # untyped
            compiler.__init__(*parts, **named)
            self.state.flags = mark(self.state.flags)

    def fix_integer_index(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
        if not isinstance(stack.top_or_none(), NeverNegative):
            return wrap_around(context, builder, idxty, idx, size)
        return context.cast(builder, idx, idxty, types.intp if idxty.signed else types.uintp)

    mark: Any = NeverNegative
    mark()  # would fail now rather than in the middle of compiling
    arrays.fix_integer_index = fix_integer_index
    return NeverNegativeCompiler


@cache
def prefetch() -> Any:
    """Return the compiled form of `learning.loop.prefetch`: a hint to load a row early.

    Without llvmlite's part it does nothing, as in Python.
    """
    from numba.core import types
    from numba.extending import intrinsic

    def prefetch(_: Any, row: Any, _index: Any) -> tuple[Any, Any]:
        def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            with suppress(Exception):
                _emit_prefetch(
                    builder,
                    context.make_array(row)(context, builder, arguments[0]),
                    row.dtype.bitwidth // 8,
                    arguments[1],
                )
            return context.get_dummy_value()

        return types.void(row, types.int64), emit

    return intrinsic(prefetch)


def _emit_prefetch(builder: Any, array: Any, size: int, index: Any) -> None:
    """Call LLVM's hint for an index of an array with numbers of `size` bytes."""
    from llvmlite import ir
    from numba.core import cgutils

    pointer: Any = cgutils.voidptr_t
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
    # Its name ends in the kind of pointer: p0i8 if pointers have types, otherwise p0.
    hint = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
    offset = builder.mul(index, index.type(size))  # a constant, because array.itemsize is read
    address = builder.add(builder.ptrtoint(array.data, index.type), offset)
    # 0: for reading, 3: into all caches, 1: data.
    builder.call(hint, [builder.inttoptr(address, pointer), *map(number, (0, 3, 1))])


LOADING = 0.6
"""Seconds of a processor to load kept code, most of it to import numba (docs/benchmarks.md)."""


def seconds_until_ready(
    function: Callable[..., Any], compiling: float, loading: float = LOADING
) -> float:
    """Return how long a compiled function is waited for: `loading` if its code is kept."""
    return loading if is_cached(function) else compiling


C = TypeVar("C")


def is_compiling() -> bool:
    """True while a BackgroundCompiler is compiling."""
    return any(thread.name == BackgroundCompiler.__name__ for thread in threading.enumerate())


class BackgroundCompiler(Generic[C]):
    """Call `compiler` in a thread of its own, for example to compile the inner loop."""

    def __init__(self, compiler: Callable[[], C | None]) -> None:
        self.done: C | None = None
        """The result of `compiler`; None until it is ready, and always without numba."""
        self._compiler = compiler
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        if self._thread is None:
            name = BackgroundCompiler.__name__
            self._thread = threading.Thread(target=self._compile, name=name, daemon=True)
            self._thread.start()

    def _compile(self) -> None:
        self.done = self._compiler()
