"""Compiled code that is kept: used by a second process, made anew when its sources change."""

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
    """In a process of its own: what comes of 5, and how often compiled code was found."""
    done = subprocess.run(
        [sys.executable, "-B", str(folder / "run.py")],
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder / "compiled")},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found, hits = done.stdout.split()
    return int(found), int(hits)


def kept_files(folder: Path) -> dict[str, int]:
    return {
        str(file): file.stat().st_mtime_ns
        for file in (folder / "compiled").rglob("*.nbc")  # the code, without the indices
    }


@pytest.mark.slow
def test_a_second_process_uses_it_and_a_change_to_any_source_makes_it_anew(tmp_path: Path) -> None:
    for name, source in SOURCES.items():
        (tmp_path / name).write_text(source)
    assert ran(tmp_path) == (11, 0)
    files = kept_files(tmp_path)
    assert len(files) == 2
    assert ran(tmp_path) == (11, 1)
    assert kept_files(tmp_path) == files
    # What is called, then a number of a third module: the file of `outside` stays as it is.
    changes = [
        ("inside.py", SOURCES["inside.py"].replace("2", "3"), 16),
        ("numbers_known.py", "ADDED = 4\n", 19),
    ]
    for name, source, expected in changes:
        (tmp_path / name).write_text(source)
        before = kept_files(tmp_path)
        assert ran(tmp_path) == (expected, 0)
        assert set(before) < set(kept_files(tmp_path))
    assert ran(tmp_path) == (expected, 1)
