"""Compiled code is kept while its sources are the same, for its owner only; no damaged code runs.

It does without each part of numba and llvmlite that may be taken away.
"""

import importlib
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation_tui.runtime import jit
from negotiation_tui.runtime.jit import cached_njit
from tests.support.cli import python

numba = pytest.importorskip("numba")
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has other owners and modes")
root = pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="needs root")
SOURCES = {
    "numbers_known": "ADDED = 1\n",
    "inside": """
from typing import NamedTuple

class Pair(NamedTuple):
    a: float
    b: float

def inside(pair: Pair):
    return 2 * pair.a
""",
    "outside": """
from inside import Pair, inside
from numbers_known import ADDED

def outside(x):
    return inside(Pair(x, -1)) + ADDED
""",
}
FRESH, LOADED = (11.0, False), (11.0, True)


@pytest.fixture(autouse=True)
def sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "kept")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name, source in SOURCES.items():
        Path(f"{name}.py").write_text(source)


def ran() -> tuple[float, bool]:
    """Import the sources and run them: the result for 5, and True if their code was loaded."""
    modules = {}
    for name in SOURCES:
        sys.modules.pop(name, None)
    for name in SOURCES:
        modules[name] = importlib.import_module(name)
    inner = cached_njit(modules["inside"].inside, forceinline=True)
    compiled = cached_njit(modules["outside"].outside, {"inside": inner})
    result = compiled(5.0)
    return result, bool(sum(compiled.stats.cache_hits.values()))


def kept(folder: str = "kept") -> Path:
    (file,) = Path(folder).rglob("outside.*.bin")
    return file


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("outside", "+", "-", 9.0),
        ("inside", "2 *", "3 *", 16.0),
        ("numbers_known", "1", "4", 14.0),
        ("inside", "a: float\n    b: float", "b: float\n    a: float", -1.0),
    ],
    ids=["source", "called", "constant", "fields"],
)
def test_a_changed_source_compiles_again(name: str, old: str, new: str, expected: float) -> None:
    assert [ran(), ran()] == [FRESH, LOADED]
    assert os.name == "nt" or kept().parent.stat().st_mode & 0o777 == 0o700
    Path(f"{name}.py").write_text(SOURCES[name].replace(old, new))
    assert [ran(), ran()] == [(expected, False), (expected, True)]
    assert kept().exists(), "the old code was replaced"


def outer(x: float) -> float:
    return inner(x)


def inner(x: float) -> float:
    return x


def other(x: float) -> float:
    return -x


def test_other_overrides_give_other_code() -> None:
    for n in range(2):
        for called, expected in ((inner, 3.0), (other, -3.0)):
            compiled = cached_njit(outer, {"inner": cached_njit(called)})
            assert compiled(3.0) == expected
            assert sum(compiled.stats.cache_hits.values()) == n


def test_code_is_expected_until_its_source_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    ran()
    outside = sys.modules["outside"].outside
    assert jit.is_cached(outside)
    assert jit.seconds_until_ready(outside, 9.0) == jit.LOADING
    os.utime(kept(), (0, 0))
    assert not jit.is_cached(outside)
    assert jit.seconds_until_ready(outside, 9.0) == 9.0
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert not jit.is_cached(outside)


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [lambda content: b"", lambda content: content[:-1], flipped, lambda _: pickle.dumps({})],
    ids=["empty", "cut", "a bit", "pickle"],
)
def test_damaged_code_is_compiled_again_once(damage: Callable[[bytes], bytes]) -> None:
    assert ran() == FRESH
    kept().write_bytes(damage(kept().read_bytes()))
    assert [ran(), ran()] == [FRESH, LOADED]


class Trap:
    """A pickle in the place of the code: it makes a file when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("sprung"),)


@pytest.fixture
def trap(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("numba.core.serialize.dumps", lambda _: pickle.dumps(Trap()))
        assert ran() == FRESH


@pytest.mark.usefixtures("trap")
def test_what_numba_cannot_use_is_compiled_again() -> None:
    """Its digest is right: the trap shows that pickles are read, and that no error leaves."""
    assert ran() == FRESH
    assert Path("sprung").exists()
    assert ran() == LOADED


@posix
@root
@pytest.mark.usefixtures("trap")
def test_a_folder_of_another_user_is_neither_read_nor_written() -> None:
    os.chown(kept().parent, 12345, -1)
    before = kept().read_bytes()
    assert [ran(), ran()] == [FRESH, LOADED], "from the next folder"
    assert kept().read_bytes() == before
    assert kept("user").parent.parent.name == "negotiation-tui"
    assert not Path("sprung").exists()


@posix
@root
def test_code_of_the_owner_of_the_package_is_read() -> None:
    assert ran() == FRESH
    for place in (Path("outside.py"), kept(), kept().parent):
        os.chown(place, 12345, -1)
    assert ran() == LOADED


@posix
@pytest.mark.usefixtures("trap")
def test_a_folder_that_others_may_write_to_is_not_read() -> None:
    kept().parent.chmod(0o777)
    assert [ran(), ran()] == [FRESH, LOADED]
    assert not Path("sprung").exists()


@posix
@root
@pytest.mark.usefixtures("trap")
@pytest.mark.parametrize(
    ("owner", "mode"), [(12345, 0o755), (0, 0o777), (0, 0o770), (12345, 0o1777), (12345, None)]
)
def test_nor_one_below_another_users(owner: int, mode: int | None) -> None:
    above = Path("kept")
    if mode is None:
        above.rename("mine").chmod(0o755)
        above.symlink_to("mine")
    else:
        above.chmod(mode)
    os.chown(above, owner, 12345, follow_symlinks=False)
    assert [ran(), ran()] == [FRESH, LOADED], "from the next folder"
    assert not Path("sprung").exists()


@posix
@root
def test_one_below_a_safe_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for mode, home in ((0o1777, "user"), (0o770, ".")):  # as /tmp; a group's in the user's home
        monkeypatch.setenv("HOME", str(Path(home).absolute()))
        ran()
        Path("kept").chmod(mode)
        assert ran() == LOADED
        assert not Path("user").exists()


@posix
@root
def test_without_a_safe_folder_it_is_compiled_each_time() -> None:
    for name in ("kept", "user"):
        Path(name).touch()
    assert [ran(), ran()] == [FRESH, LOADED], "from beside its file"
    kept("__pycache__").parent.chmod(0o777)
    assert [ran(), ran()] == [FRESH, FRESH]


def test_it_is_kept_in_the_users_folder_not_in_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("LOCALAPPDATA", str(Path("user").absolute()))
    assert [ran(), ran()] == [FRESH, LOADED]
    assert kept("user").parent.parent.name == "negotiation-tui"
    assert not Path("__pycache__").exists()


@pytest.mark.parametrize(
    "name", ["compiler.CompileResult._reduce", "codegen.CPUCodegen.magic_tuple"]
)
def test_another_numba_compiles_each_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(f"numba.core.{name}")
    assert [ran(), ran()] == [FRESH, FRESH]


def doubled(row: Any, n: int) -> int:
    row[0] *= 2.0
    return n + 1


def through(function: int, row: Any) -> int:
    return int(called(function, row, 6))


def called(function: Any, row: Any, n: int) -> Any:
    return function(row, n)


def test_a_function_is_called_by_its_address() -> None:
    row = np.ones(2)
    signature = numba.int64(numba.typeof(row), numba.int64)
    compiled = cached_njit(through, {"called": jit.by_address(signature)})
    assert compiled(jit.address(cached_njit(doubled), signature), row) == 7
    assert row.tolist() == [2.0, 1.0]


ROW = np.arange(5.0)


def entry(row: Any, index: int) -> Any:
    prefetch(row, index)
    return row[index]


def prefetch(row: Any, index: int) -> None:
    """Stand for the compiled hint."""


@pytest.mark.parametrize("inner", [False, True])
def test_code_that_only_compiled_code_calls_has_no_wrappers(inner: bool) -> None:
    compiled = cached_njit(outer, {"inner": cached_njit(other, inner=True)}, inner=inner)
    signature = numba.float64(numba.float64)
    functions = compiled.get_compile_result(signature).library.get_defined_functions()
    names = [each.name for each in functions]
    assert any("cpython" in name for name in names) is not inner
    assert not any("cfunc" in name for name in names)
    assert inner or compiled(3.0) == -3.0


def code_of_entry() -> str:
    compiled = cached_njit(entry, {"prefetch": jit.compiled_prefetch.__wrapped__()})
    assert [compiled(ROW, index) for index in range(5)] == list(ROW)
    return str(next(iter(compiled.inspect_llvm().values()))).split("define")[1]


def test_all_parts_are_in_the_code() -> None:
    code = code_of_entry()
    assert "llvm.prefetch.p0" in code
    assert " mul " not in code, "the size of a number is a constant"
    assert "icmp slt" not in code, "no index wraps around"
    assert "NRT_incref" not in code
    usual = numba.njit(lambda row, index: row[index])
    assert usual(ROW, -1) == 4.0, "only in functions of this program"
    assert "icmp slt" in next(iter(usual.inspect_llvm().values()))


@pytest.mark.parametrize("part", ["_nrt", "fix_integer_index", "declare_intrinsic"])
def test_each_may_be_taken_away(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from llvmlite import ir
    from numba.core.cpu import CPUTargetOptions
    from numba.np import arrayobj

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))  # no code is kept there
    if part == "fix_integer_index":
        jit._never_negative.cache_clear()
        usual: Any = arrayobj.fix_integer_index

        def other(*arguments: Any) -> Any:
            return usual(*arguments)

        monkeypatch.setattr(arrayobj, part, other)
    else:
        owner = ir.Module if part == "declare_intrinsic" else CPUTargetOptions.__mro__[1]
        monkeypatch.delattr(owner, part)
    code = code_of_entry()
    assert ("prefetch" in code) == (part != "declare_intrinsic")
    assert ("icmp slt" in code) == (part == "fix_integer_index")


@pytest.mark.parametrize("variable", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_numba_that_may_not_compile_so(variable: str) -> None:
    """Otherwise sarsa reads beyond an array, and the market multiplies numbers of Python."""
    code = """
from negotiation_tui import learner
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.market.headless import warm
print(fastest_backend([learner("sarsa")] * 2).name, warm())
"""
    done = python("-c", code, **{variable: "1"})  # type: ignore[arg-type]
    assert (done.stdout, done.stderr) == ("plain None\n", "")
