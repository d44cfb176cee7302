"""Compiled code is cached: a second process loads it, a change of a source compiles it again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

SOURCES = {
    "numbers_known.py": "ADDED = 1\n",
    "inside.py": "def inside(x):\n    return 2 * x\n",
    "outside.py": """
from inside import inside
from numbers_known import ADDED

def outside(x):
    return inside(x) + ADDED
""",
    "run.py": """
from negotiation_tui.runtime.jit import cached_njit
import inside, outside

compiled = cached_njit(outside.outside, {"inside": cached_njit(inside.inside)})
print(compiled(5), sum(compiled.stats.cache_hits.values()))
""",
}


def ran(folder: Path) -> tuple[int, int]:
    """The result for 5 in a process of its own, and the number of functions loaded."""
    done = subprocess.run(
        [sys.executable, "-B", str(folder / "run.py")],
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder / "compiled")},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    result, hits = done.stdout.split()
    return int(result), int(hits)


def cached_files(folder: Path) -> dict[str, int]:
    return {str(file): file.stat().st_mtime_ns for file in (folder / "compiled").rglob("*.bin")}


@pytest.mark.slow
def test_a_second_process_loads_it_and_a_change_of_any_source_compiles_again(
    tmp_path: Path,
) -> None:
    for name, source in SOURCES.items():
        (tmp_path / name).write_text(source)
    assert ran(tmp_path) == (11, 0)
    files = cached_files(tmp_path)
    assert len(files) == 2
    assert ran(tmp_path) == (11, 1)
    assert cached_files(tmp_path) == files
    # First a called function, then a number of a third module; `outside` itself never changes.
    changes = [
        ("inside.py", SOURCES["inside.py"].replace("2", "3"), 16),
        ("numbers_known.py", "ADDED = 4\n", 19),
    ]
    for name, source, expected in changes:
        (tmp_path / name).write_text(source)
        before = cached_files(tmp_path)
        assert ran(tmp_path) == (expected, 0)
        assert set(cached_files(tmp_path)) - set(before), "compiled again"
    assert ran(tmp_path) == (expected, 1)
