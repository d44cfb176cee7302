"""Fetching memory into the cache ahead of its use, in compiled code."""

from functools import cache
from typing import Any


@cache
def fetch_ahead() -> Any:
    """What `kernel.fetch_ahead` stands for once it is compiled: an instruction that only hints."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    tools: Any = cgutils  # untyped

    def fetch_ahead(_: Any, row: Any, _index: Any) -> tuple[Any, Any]:
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

    return intrinsic(fetch_ahead)
