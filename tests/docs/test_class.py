"""The script that gives a class accounts refuses what it cannot do, before it does anything."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.support.paths import DOCS

WORDS = ("", "remov", "add", "add ../home", "add -x", "accounts x", "accounts 0", "accounts 3x")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize("words", WORDS)
def test_class_refuses_what_cannot_be(words: str, tmp_path: Path) -> None:
    line = ["/bin/sh", str(DOCS / "class.sh"), *words.split()]
    nothing = {"PATH": str(tmp_path)}  # no command that could change the machine
    run = partial(subprocess.run, check=False, capture_output=True, text=True, timeout=60)
    done = run(line, env=nothing)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "expected" in done.stderr
