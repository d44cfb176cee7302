"""Sweeps run in this process or as a program."""

import contextlib
import io
import re
import tempfile
from functools import cache
from pathlib import Path

from tests.support.cli import status_of


def swept(file: Path | str, *options: str, workers: int = 1) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    options = ("sweep", "--out", str(file), "--workers", str(workers), *options)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        return status_of(*options), out.getvalue(), err.getvalue()


def runs_done(file: Path | str, *options: str, workers: int = 1) -> int:
    status, out, err = swept(file, *options, workers=workers)
    assert (status, "Traceback" in err) == (0, False), err
    done = re.fullmatch(
        rf"(\d+) runs? done, {re.escape(str(file))} holds all \d+\n\nmeans.*", out, re.DOTALL
    )
    assert done, out
    return int(done[1])


@cache
def whole(suffix: str, *options: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"whole{suffix}"
        runs_done(file, *options)
        return file.read_bytes()


LONG = ("--set", "cycles=100,1500", "--runs", "15")
"""Thirty runs: the first are soon done, and the others take long enough to be interrupted."""
