"""Functions compiled by numba, and kept on disk until their sources change.

Some parts of numba and llvmlite used here are not documented, and may be taken away: without one
the code is slower, with results equal to the bit. Code is stored as pickles, which run code when
they are read: so in a folder that no other user may write to.
"""

import inspect
import os
import pickle
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, TypeVar

from negotiation_tui.runtime.files import user_folder
from negotiation_tui.runtime.signals import uninterrupted

_SUFFIX = f".{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}.bin"
busy_seconds = time.perf_counter if sys.platform == "win32" else time.thread_time
"""A clock that tells if compiling pays; that of a thread has steps of 16 ms on Windows."""
_INNER = ".inner"  # ends the name of a function that only compiled code calls
_DIGEST = 32  # the number of bytes of a digest


def numba_compiles() -> bool:
    """True if numba is installed, and may compile, and need not check each index."""
    try:
        with uninterrupted():  # or numpy would report its import as failed
            import numba
    except ImportError:
        return False
    config: Any = numba.config
    return not (config.DISABLE_JIT or config.BOUNDSCHECK)  # NUMBA_DISABLE_JIT=1


def cached_njit(
    function: Callable[..., Any],
    overrides: Mapping[str, Any] | None = None,
    forceinline: bool = False,
    inner: bool = False,
) -> Any:
    """Return `function` compiled by numba; `overrides` replaces global names that it uses.

    No index may be below 0, and nothing divided by 0: neither is checked. It may create no array.
    Pass `forceinline=True` for a function that LLVM shall copy into its callers, `inner=True` for
    one that Python never calls: it compiles in less time.
    """
    import numba

    assert isinstance(function, FunctionType)
    overrides = dict(overrides or {})
    options = _fast_options(forceinline, inner)
    names = {**function.__globals__, **overrides}
    copy = FunctionType(function.__code__, names, function.__name__, None)
    copy.__annotations__ = function.__annotations__
    # Files and LLVM tell functions apart by name: one with other overrides has another.
    parts = ((name, _python(part)) for name, part in overrides.items())
    kind = repr([sorted(options.items()), *((n, p.__module__, p.__qualname__) for n, p in parts)])
    suffix = f"{_INNER * inner}_{_sha256(kind.encode()).hex()[:16]}"
    copy.__qualname__ = f"{function.__qualname__}{suffix}"
    njit: Any = numba.njit  # its stubs leave out some options
    compiled = njit(nogil=True, error_model="numpy", **options)(copy)
    folder = safe_folder(copy)
    if folder is not None and hasattr(compiled, "_cache"):
        stamp = _sha256(repr(list(_sources(copy))).encode())
        compiled._cache = _CodeCache(folder, copy, stamp)
    return compiled


def _python(part: Any) -> Any:
    return getattr(part, "py_func", None) or getattr(part, "_defn", part)


def _sources(part: Any) -> Iterator[object]:
    """Yield the sources of a function and of those that it calls, their constants and tuples."""
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


def _fast_options(forceinline: bool, inner: bool) -> dict[str, Any]:
    """Return the options of `numba.njit` that this numba knows, of these five.

    `_nrt=False` leaves out reference counting, dozens of atomic instructions per call, which only
    a function that creates arrays needs. Wrappers unpack each array of the arguments, for callers
    in Python and C: a third of the time to compile. `pipeline_class` is explained below.
    """
    from numba.core.cpu import CPUTargetOptions

    wrappers = {"no_cfunc_wrapper": True, "no_cpython_wrapper": inner}
    wanted = {"_nrt": False, "forceinline": forceinline, **wrappers}
    options: dict[str, Any] = {n: v for n, v in wanted.items() if hasattr(CPUTargetOptions, n)}
    with suppress(Exception):
        options["pipeline_class"] = _never_negative()
    return options


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
    parameters = ["context", "builder", "idxty", "idx", "size"]
    if list(inspect.signature(wrap_around).parameters) != parameters:
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
def compiled_prefetch() -> Any:
    """Return the compiled form of `learning.loop.prefetch`: a hint to load a row early.

    Without llvmlite's part it does nothing, as in Python.
    """
    from numba.core import types
    from numba.extending import intrinsic

    def prefetch(_: Any, row: Any, _index: Any) -> tuple[Any, Any]:
        def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            with suppress(Exception):
                array = context.make_array(row)(context, builder, arguments[0])
                _emit_prefetch(builder, array, row.dtype.bitwidth // 8, arguments[1])
            return context.get_dummy_value()

        return types.void(row, types.int64), emit

    return intrinsic(prefetch)


def _emit_prefetch(builder: Any, array: Any, size: int, index: Any) -> None:
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


def address(compiled: Any, signature: Any) -> int:
    """Return the address of the code of a compiled function for a signature."""
    code = compiled.get_compile_result(signature)
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


def by_address(signature: Any) -> Any:
    """Return what calls a function in compiled code: with its `address`, then its arguments.

    numba passes functions too, but looks for their addresses in each call, 0.08 ms per function.
    """
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    returned, kinds = signature.return_type, signature.args
    unpack: Any = cgutils.unpack_tuple  # untyped
    tuple_of: Any = types.StarArgTuple

    def call(_: Any, _address: Any, *_arguments: Any) -> tuple[Any, Any]:
        def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            pointer = context.call_conv.get_function_type(returned, kinds).as_pointer()
            function, arguments = builder.inttoptr(values[0], pointer), unpack(builder, values[1])
            call = context.call_conv.call_function
            return call(builder, function, returned, kinds, arguments)[1]

        return returned(types.int64, tuple_of(kinds)), emit

    return intrinsic(call)


LOADING = 0.4
"""Seconds of a processor to load kept code, most of it to import numba (docs/benchmarks.md)."""


def seconds_until_ready(
    function: Callable[..., Any], compiling: float, loading: float = LOADING, inner: bool = False
) -> float:
    """Return how long a compiled function is waited for: `loading` if its code is kept."""
    return loading if is_cached(function, inner) else compiling


C = TypeVar("C")


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

    @property
    def begun(self) -> bool:
        return self._thread is not None

    def _compile(self) -> None:
        self.done = self._compiler()

    @property
    def ended(self) -> bool:
        """True after `begin` once nothing compiles, even if `compiler` failed."""
        return self._thread is not None and not self._thread.is_alive()


def is_compiling() -> bool:
    """True while a BackgroundCompiler is compiling."""
    return any(thread.name == BackgroundCompiler.__name__ for thread in threading.enumerate())


class _CodeCache:
    """The code of one function: what numba calls its cache, with one file per signature.

    Each begins with a digest of the code and of all that it depends on (`stamp`): damaged and
    outdated files are written again.
    """

    def __init__(self, folder: Path, function: FunctionType, stamp: bytes) -> None:
        self.cache_path = str(folder)
        self._stem, self._stamp = folder / _stem(function), stamp

    def load_overload(self, signature: Any, context: Any) -> Any:
        from numba.core.compiler import CompileResult
        from numba.core.cpu import CPUTargetOptions

        rebuild: Any = CompileResult._rebuild  # untyped
        with suppress(Exception):
            if not hasattr(CPUTargetOptions, "_nrt"):  # the code counts references, by this:
                context.refresh()  # else not asked for, as it loads all of a compiler, and scipy
            path, kind = self._path(signature, context.codegen())
            content = path.read_bytes()
            digest, payload = content[:_DIGEST], content[_DIGEST:]
            if digest == self._digest(kind, payload):
                return rebuild(context, *pickle.loads(payload))  # noqa: S301 - from its owner
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write the code, unless it holds addresses of this process."""
        from numba.core import serialize

        dumps: Any = serialize.dumps  # untyped
        with suppress(Exception):  # a full disk, or another numba
            if not result.library.has_dynamic_globals:
                path, kind = self._path(signature, result.codegen)
                payload = dumps(result._reduce())
                partial = path.with_suffix(f".{os.getpid()}")
                try:
                    partial.write_bytes(self._digest(kind, payload) + payload)
                    partial.replace(path)
                finally:
                    partial.unlink(missing_ok=True)

    def flush(self) -> None:
        """Do nothing: numba asks for it when a function is to be compiled again."""

    def _path(self, signature: Any, codegen: Any) -> tuple[Path, str]:
        """Return the file of a signature, and what its code depends on beside the sources."""
        import numba

        # `magic_tuple` names the processor.
        kind = repr((signature, codegen.magic_tuple(), sys.version, numba.__version__))
        end = f"-{_sha256(kind.encode()).hex()[:16]}{_SUFFIX}"
        return self._stem.with_name(self._stem.name + end), kind

    def _digest(self, kind: str, payload: bytes) -> bytes:
        return _sha256(self._stamp + _sha256(kind.encode()) + payload)


def is_cached(function: Any, inner: bool = False) -> bool:
    """True if code of a function of this name, newer than its file, is kept for this Python.

    With `inner`, the code that only compiled code calls. It may be of another numba or processor:
    to import numba takes as long as a short training.
    """
    source = Path(function.__code__.co_filename).absolute()
    with suppress(OSError):
        written, stem = source.stat().st_mtime, _stem(function) + _INNER * inner
        files = (f for place in _folders(source) for f in place.glob(f"{stem}_*"))
        return any(f.name.endswith(_SUFFIX) and f.stat().st_mtime >= written for f in files)
    return False


def safe_folder(function: FunctionType) -> Path | None:
    """Return the best folder that only the user and the owner of the function's file may change.

    On Windows, where a new folder is the user's own, any is. None if there is no such folder.
    """
    source = Path(function.__code__.co_filename).absolute()
    for folder in _folders(source):
        with suppress(OSError, RuntimeError):  # a user may have no home
            folder.mkdir(0o700, parents=True, exist_ok=True)
            status, owners = folder.lstat(), {source.stat().st_uid, getattr(os, "geteuid", int)()}
            private = status.st_uid in owners and not status.st_mode & 0o022
            usable = stat.S_ISDIR(status.st_mode) and os.access(folder, os.W_OK | os.X_OK)
            if usable and sys.platform == "win32":
                return folder
            # As for OpenSSH, folders above the user's home do not matter.
            above = {*folder.absolute().parents, *folder.resolve().parents}
            above -= {*Path.home().parents}
            if usable and private and all(_only_for(owners, each) for each in above):
                return folder
    return None


def _only_for(owners: set[int], folder: Path) -> bool:
    """True if only root and `owners`, and in a user's home its group, may change a folder."""
    status, others = folder.lstat(), 0o002 if folder.is_relative_to(Path.home()) else 0o022
    fixed = stat.S_ISLNK(status.st_mode) or status.st_mode & stat.S_ISVTX
    return status.st_uid in {0, *owners} and bool(fixed or not status.st_mode & others)


def _stem(function: Any) -> str:
    return f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"


def _folders(source: Path) -> list[Path]:
    folder_name = f"{source.parent.name}-{_sha256(os.fsencode(source.parent)).hex()[:16]}"
    chosen, user = os.environ.get("NUMBA_CACHE_DIR"), user_folder("CACHE")
    folders = [Path(folder) / folder_name for folder in (chosen, user) if folder]
    return [*folders, source.parent / "__pycache__" / "compiled"]


def _sha256(data: bytes) -> bytes:
    from hashlib import sha256  # late, because most commands compile nothing

    return sha256(data).digest()
