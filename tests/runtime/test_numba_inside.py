"""Compiled code does without each part of numba's inside that may be taken away."""

from typing import Any

import numpy as np
import pytest

from negotiation_tui.runtime import numba_inside
from negotiation_tui.runtime.jit import cached_njit

numba = pytest.importorskip("numba")
OPTIONS = {"_nrt", "pipeline_class"}
ROW = np.arange(5.0)


def entry(row: Any, index: int) -> Any:
    return row[index]


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("negotiation_tui.runtime.jit.keep_code", lambda *_: None)


def gives_the_entry() -> bool:
    compiled = cached_njit(entry)
    return [compiled(ROW, index) for index in range(5)] == list(ROW)


def name_of(function: Any) -> str:
    return str(cached_njit(function).py_func.__qualname__)


def test_all_parts_are_there() -> None:
    assert set(numba_inside.fast_options(False)) == OPTIONS
    assert set(numba_inside.fast_options(True)) == OPTIONS - {"_nrt"}
    assert gives_the_entry()


def test_only_its_own_functions_are_compiled_without_wrapping_around() -> None:
    compiled, usual = cached_njit(entry), numba.njit(entry)
    assert compiled(ROW, 4) == usual(ROW, 4) == usual(ROW, -1)
    compares = [
        "icmp slt" in next(iter(each.inspect_llvm().values())).split("define")[1]
        for each in (compiled, usual)
    ]
    assert compares == [False, True]


def test_numba_may_refuse_to_leave_out_reference_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core.cpu import CPUTargetOptions

    known: Any = CPUTargetOptions.parse_as_flags
    whole = name_of(entry)

    def parse(cls: Any, flags: Any, options: dict[str, Any]) -> Any:
        if "_nrt" in options:
            raise KeyError("Unrecognized options: {'_nrt'}")
        return known.__func__(cls, flags, options)

    monkeypatch.setattr(CPUTargetOptions, "parse_as_flags", classmethod(parse))
    assert set(numba_inside.fast_options(False)) == OPTIONS - {"_nrt"}
    assert gives_the_entry()
    assert name_of(entry) != whole


@pytest.mark.parametrize("other", [None, lambda context, index: index])
def test_numba_may_fix_indices_in_another_way(monkeypatch: pytest.MonkeyPatch, other: Any) -> None:
    from numba.np import arrayobj

    with monkeypatch.context() as patch:
        if other is None:
            patch.delattr(arrayobj, "fix_integer_index")
        else:
            patch.setattr(arrayobj, "fix_integer_index", other)
        patch.setattr(numba_inside, "_never_negative", numba_inside._never_negative.__wrapped__)
        assert set(numba_inside.fast_options(False)) == {"_nrt"}
    monkeypatch.setattr(numba_inside, "_never_negative", lambda: 1 / 0)
    assert gives_the_entry()


def fetches(row: Any, index: int) -> Any:
    prefetch(row, index)
    return row[index]


def prefetch(row: Any, index: int) -> None:
    """Stand for the compiled hint."""


def prefetching() -> str:
    """Compile a function that prefetches, check its result, and return its code."""
    hint = numba_inside.prefetch.__wrapped__()
    compiled = cached_njit(fetches, {"prefetch": hint})
    assert compiled(ROW, 3) == 3.0
    return str(next(iter(compiled.inspect_llvm().values())))


def test_the_hint_is_in_the_code() -> None:
    code = prefetching()
    assert "llvm.prefetch.p0" in code
    assert " mul " not in code, "the size of a number is a constant"


def test_llvmlite_may_have_no_typed_pointers(monkeypatch: pytest.MonkeyPatch) -> None:
    from llvmlite import ir

    typed = ir.IntType(8).as_pointer()
    with monkeypatch.context() as patch:
        patch.setattr(ir, "IntType", _without_as_pointer(ir.IntType))
        found = numba_inside._pointer_to_prefetch()
    assert found is not None
    assert str(found) != str(typed)
    monkeypatch.setattr(numba_inside, "_pointer_to_prefetch", lambda: found)
    assert "llvm.prefetch.p0" in prefetching()


def _without_as_pointer(kind: Any) -> Any:
    """Return a maker of integers that cannot be pointed to with their type."""

    def make(bits: int) -> Any:
        if bits == 8:
            raise NotImplementedError("typed pointers")
        return kind(bits)

    return make


def test_llvm_may_not_know_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from llvmlite import ir

    declare = ir.Module.declare_intrinsic

    def renamed(self: Any, name: str, *parts: Any) -> Any:
        return declare(self, name.replace("prefetch", "fetchearly"), *parts)

    monkeypatch.setattr(ir.Module, "declare_intrinsic", renamed)
    assert numba_inside._pointer_to_prefetch() is None
    assert "fetchearly" not in prefetching()
