"""Parts of numba and llvmlite that their makers do not document, and may take away.

Each makes compiled code faster. Where one is missing, the code is compiled without it: slower,
with results equal to the bit.
"""

import inspect
from contextlib import suppress
from functools import cache
from typing import Any

_FIX_INDEX = ["context", "builder", "idxty", "idx", "size"]


def fast_options(allocates: bool) -> dict[str, Any]:
    """Return the options of `numba.njit` that this numba knows, of these two.

    `_nrt=False` leaves out reference counting: dozens of atomic instructions per call. A function
    that creates arrays or lists (`allocates`) needs it. `pipeline_class` is explained below.
    """
    options: dict[str, Any] = {}
    with suppress(Exception):
        if not allocates and _knows("_nrt"):
            options["_nrt"] = False
    with suppress(Exception):
        options["pipeline_class"] = _never_negative()
    return options


def _knows(option: str) -> bool:
    """True if numba accepts this option; otherwise it would say so only when it compiles."""
    import numba
    from numba.core import compiler

    inside: Any = compiler  # untyped
    dispatcher: Any = numba.njit(lambda: None)
    try:
        dispatcher.targetdescr.options.parse_as_flags(inside.Flags(), {option: False})
    except Exception:  # numba raises KeyError today
        return False
    return True


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
        """Compile a function with these flags."""

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
    """Return the compiled form of `learning.kernel.prefetch`: a hint to load a row early.

    Without llvmlite's part it does nothing, as in Python.
    """
    import numba
    from numba.core import types
    from numba.extending import intrinsic

    pointer = _pointer_to_prefetch()
    if pointer is None:

        def no_prefetch(row: Any, index: int) -> None:
            pass

        return numba.njit(no_prefetch)

    def prefetch(_: Any, row: Any, _index: Any) -> tuple[Any, Any]:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            begin = builder.ptrtoint(array.data, arguments[1].type)
            size = signature.args[0].dtype.bitwidth // 8  # a constant: array.itemsize is read
            address = builder.add(begin, builder.mul(arguments[1], arguments[1].type(size)))
            _emit_prefetch(builder, builder.inttoptr(address, pointer))
            return context.get_dummy_value()

        return types.void(row, types.int64), emit

    return intrinsic(prefetch)


def _emit_prefetch(builder: Any, address: Any) -> None:
    from llvmlite import ir

    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
    # Its name ends in the kind of pointer: p0i8 if pointers have types, otherwise p0.
    hint = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
    # 0: for reading, 3: into all caches, 1: data.
    builder.call(hint, [address, *(ir.Constant(number, n) for n in (0, 3, 1))])


def _pointer_to_prefetch() -> Any:
    """Return a type of pointers that LLVM can prefetch from, None if it can from none."""
    from llvmlite import ir

    types: Any = ir  # untyped
    for typed in (True, False):
        with suppress(Exception):
            pointer = types.IntType(8).as_pointer() if typed else types.PointerType()
            if _is_known(pointer):
                return pointer
    return None


def _is_known(pointer: Any) -> bool:
    """True if LLVM reads a function that prefetches, and knows the name that it calls."""
    import llvmlite.binding
    from llvmlite import ir

    llvm: Any = llvmlite.binding  # untyped
    module: Any = ir.Module()
    kind: Any = ir.FunctionType(ir.VoidType(), [pointer])
    function: Any = ir.Function(module, kind, "probe")
    builder: Any = ir.IRBuilder(function.append_basic_block())
    _emit_prefetch(builder, function.args[0])
    builder.ret_void()
    read = llvm.parse_assembly(str(module))
    read.verify()
    return "immarg" in str(read)  # LLVM adds what it knows of the arguments
