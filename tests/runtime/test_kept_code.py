"""Kept code that is damaged or another user's is compiled again; only its owner may read it."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.cli import program
from tests.support.sweeps import whole

pytest.importorskip("numba")
pytestmark = pytest.mark.slow
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has other owners and modes")
root = pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="needs root")

TWICE = "def twice(x):\n    return 2 * x\n"
RUN = """
import os, pathlib, sys
import twice
from negotiation_tui.runtime.jit import cached_njit

os.umask(int(os.environ.get("MASK", "022"), 8))
compiled = cached_njit(twice.twice)
print(compiled(5), sum(compiled.stats.cache_hits.values()))
"""
TRAP = """
import pathlib
from numba.core import serialize

class Trap:
    def __reduce__(self):
        return pathlib.Path.touch, (pathlib.Path("sprung"),)

whole = serialize.dumps
serialize.dumps = lambda _: whole(Trap())
"""
"""A pickle in the place of the code: it makes a file when it is read."""
OTHER_NUMBA = "import numba\nnumba.__version__ = '0.1'\n"
FRESH, LOADED = "10 0", "10 1"


@pytest.fixture(autouse=True)
def sources(tmp_path: Path) -> None:
    Path("twice.py").write_text(TWICE)


def ran(before: str = "", **changes: str) -> str:
    """Double 5 in a process of its own: the result, and the number of functions loaded."""
    done = subprocess.run(
        [sys.executable, "-B", "-c", before + RUN],
        env=os.environ | {"NUMBA_CACHE_DIR": "kept", "XDG_CACHE_HOME": "user"} | changes,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def kept(folder: str = "kept") -> Path:
    """The one file of code."""
    (file,) = Path(folder).rglob("*.bin")
    return file


def flipped(content: bytes) -> bytes:
    """A byte in the middle of the machine code is another."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: os.urandom(len(content)),
        flipped,
        lambda content: pickle.dumps({"something": "else"}),
        lambda content: content[:32] + pickle.dumps({"something": "else"}),
    ],
    ids=["empty", "cut", "noise", "a bit", "pickle", "its head"],
)
def test_damaged_code_is_compiled_anew_once(damage: Callable[[bytes], bytes]) -> None:
    assert ran() == FRESH
    good = kept().read_bytes()
    kept().write_bytes(damage(good))
    assert ran() == FRESH
    assert len(kept().read_bytes()) == len(good)
    assert ran() == LOADED


def test_what_another_numba_kept_is_compiled_anew() -> None:
    assert ran(OTHER_NUMBA) == FRESH
    assert ran() == FRESH
    assert ran() == LOADED


def test_what_numba_cannot_use_is_compiled_anew() -> None:
    """Its digest is right: the trap shows that pickles are read, and that no error leaves."""
    assert ran(TRAP) == FRESH
    assert ran() == FRESH
    assert Path("sprung").exists()
    assert ran() == LOADED


@pytest.mark.parametrize("damage", [lambda content: content[:-1], flipped])
def test_a_sweep_mends_it_in_every_process(damage: Callable[[bytes], bytes]) -> None:
    words = ("--set", "cycles=10000", "--runs", "4")  # long enough to compile
    here = os.fspath(Path("kept").absolute())
    for n in range(2):
        swept = program(
            "sweep", "--workers", "2", "--out", f"{n}.csv", *words, NUMBA_CACHE_DIR=here
        )
        assert (swept.returncode, swept.stderr) == (0, "")
        assert Path(f"{n}.csv").read_bytes() == whole(".csv", *words)
        files = sorted(Path("kept").rglob("*.bin"))
        sizes = [len(file.read_bytes()) for file in files]
        if n == 0:
            before = sizes
            for file in files:
                file.write_bytes(damage(file.read_bytes()))
    assert sizes == before != []
    trained = program("train", "--seed", "7", "--cycles", "2000", NUMBA_CACHE_DIR=here)
    assert (trained.returncode, trained.stderr) == (0, "")


@posix
@root
def test_code_of_another_user_is_not_read() -> None:
    assert ran(TRAP) == FRESH
    os.chown(kept(), 12345, -1)
    assert ran() == FRESH
    assert not Path("sprung").exists()
    assert kept().stat().st_uid == 0, "it was replaced"
    assert ran() == LOADED


@posix
@root
def test_a_folder_of_another_user_is_neither_read_nor_written() -> None:
    assert ran(TRAP) == FRESH
    os.chown(kept().parent, 12345, -1)
    before = kept().read_bytes()
    assert ran() == FRESH
    assert ran() == LOADED, "from the next folder"
    assert kept().read_bytes() == before
    assert not Path("sprung").exists()
    assert kept("__pycache__").parent.name == "compiled"


@posix
@root
def test_code_of_the_owner_of_the_package_is_read() -> None:
    assert ran() == FRESH
    for place in (Path("twice.py"), kept(), kept().parent):
        os.chown(place, 12345, -1)
    assert ran() == LOADED


@posix
@pytest.mark.parametrize("place", ["file", "folder"])
def test_what_others_may_write_is_not_read(place: str) -> None:
    assert ran(TRAP) == FRESH
    (kept() if place == "file" else kept().parent).chmod(0o777)
    assert ran() == FRESH
    assert ran() == LOADED
    assert not Path("sprung").exists()


@posix
@pytest.mark.parametrize("mask", ["000", "002", "077"])
def test_it_is_for_its_owner_only_whatever_the_umask(mask: str) -> None:
    for folder in ("kept", ""):
        assert ran(MASK=mask, NUMBA_CACHE_DIR=folder) == FRESH
        file = kept(folder or "__pycache__")
        assert oct(file.stat().st_mode)[-3:] == "600"
        assert oct(file.parent.stat().st_mode)[-3:] == "700"
        assert ran(MASK=mask, NUMBA_CACHE_DIR=folder) == LOADED


@posix
@root
def test_without_a_safe_folder_it_is_compiled_each_time() -> None:
    Path("kept").touch()
    Path("__pycache__").touch()
    assert ran() == FRESH
    assert ran() == LOADED, "from the user's own folder"
    assert kept("user").parent.parent.name == "negotiation-tui"
    changes = {"XDG_CACHE_HOME": os.fspath(Path("kept").absolute())}
    assert [ran(**changes), ran(**changes)] == [FRESH, FRESH]


@pytest.mark.parametrize(
    "change",
    [
        "from numba.core import compiler\ndel compiler.CompileResult._reduce\n",
        "from numba.core.codegen import CPUCodegen\ndel CPUCodegen.magic_tuple\n",
    ],
    ids=["results", "processors"],
)
def test_with_another_numba_inside_it_is_compiled_each_time(change: str) -> None:
    assert [ran(change), ran(change)] == [FRESH, FRESH]


def test_code_of_older_sources_is_removed_when_new_code_is_kept() -> None:
    assert ran() == FRESH
    old = kept()
    names = "twice.bin", old.name.replace("twice_", "thrice_"), "notes"
    others = [old.with_name(name) for name in names]
    for file in (old, *others):
        file.touch()
        os.utime(file, (0, 0))
    source = Path("twice.py")
    source.write_text(TWICE.replace("2 * x", "x + x"))
    assert ran() == FRESH
    assert not old.exists()
    assert all(file.exists() for file in others)
    (new,) = set(old.parent.iterdir()) - set(others)
    source.write_text(TWICE)
    os.utime(source, (0, 0))
    assert ran() == FRESH
    assert new.exists(), "it may be of this source too"
    assert ran() == LOADED
