"""Compiled functions that numba keeps on disk until anything they are made of has changed."""

import inspect
import threading
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, TypeVar


def cached_njit(
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


@cache
def prefetch() -> Any:
    """What `kernel.prefetch` stands for once it is compiled: an instruction that only hints."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    tools: Any = cgutils  # untyped

    def prefetch(_: Any, row: Any, _index: Any) -> tuple[Any, Any]:
        def emit(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, given[0])
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            place = builder.bitcast(builder.gep(array.data, [given[1]]), byte)
            kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            hint = tools.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            # To read, to be kept in all caches, data.
            builder.call(hint, [place, *(ir.Constant(number, n) for n in (0, 3, 1))])
            return context.get_dummy_value()

        return types.void(row, types.int64), emit

    return intrinsic(prefetch)


C = TypeVar("C")


_AT_WORK: set[threading.Thread] = set()


def at_work() -> bool:
    """Whether anything is being compiled at this moment."""
    return any(thread.is_alive() for thread in _AT_WORK)


class BackgroundCompiler(Generic[C]):
    """What `compiled` gives, once it was begun and is ready: the inner loop, say."""

    def __init__(self, compiled: Callable[[], C | None]) -> None:
        self.done: C | None = None
        """None until it is ready, and for ever without numba."""
        self._compiled = compiled
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Compile, unless that was begun before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._compile, daemon=True)
            self._thread.start()
            _AT_WORK.add(self._thread)

    def _compile(self) -> None:
        self.done = self._compiled()
        _AT_WORK.discard(threading.current_thread())
