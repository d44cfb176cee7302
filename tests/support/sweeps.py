"""Sweeps run in this process or as a program."""

import contextlib
import io
import re
import tempfile
from functools import cache
from pathlib import Path

from tests.support import game  # noqa: F401 - its profile for hypothesis
from tests.support.cli import status_of


def swept(file: Path | str, *words: str, workers: int = 1) -> tuple[int, str, str]:
    """The exit status of a sweep, and what it prints and says."""
    out, err = io.StringIO(), io.StringIO()
    words = ("sweep", "--out", str(file), "--workers", str(workers), *words)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        return status_of(*words), out.getvalue(), err.getvalue()


def runs_done(file: Path | str, *words: str, workers: int = 1) -> int:
    """How many runs a sweep that ends well has carried out."""
    status, out, err = swept(file, *words, workers=workers)
    assert (status, "Traceback" in err) == (0, False), err
    done = re.fullmatch(rf"(\d+) runs? done, {re.escape(str(file))} holds all \d+\n", out)
    assert done, out
    return int(done[1])


@cache
def whole(suffix: str, *words: str) -> bytes:
    """The file of a sweep that was never broken off."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"whole{suffix}"
        runs_done(file, *words)
        return file.read_bytes()


LONG = ("--set", "cycles=100,150", "--runs", "15")
"""Thirty runs that take long enough to be broken off."""
