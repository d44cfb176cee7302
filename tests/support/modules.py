"""The modules that code loads, and those that are missing."""

import sys
from functools import cache

import pytest

from tests.support.cli import python


@cache
def loaded_by(code: str) -> frozenset[str]:
    """Return the names of the modules that a fresh interpreter has loaded after this code."""
    code = (
        f"import atexit, sys\natexit.register(lambda: print(*sys.modules, file=sys.stderr))\n{code}"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
    return frozenset(done.stderr.split())


def hide(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a package be missing, however much of it is loaded."""
    monkeypatch.delitem(sys.modules, "negotiation_tui.players.negmas_mechanism", raising=False)
    monkeypatch.delattr("negotiation_tui.players.negmas_mechanism", raising=False)
    for name in [*sys.modules, package]:
        if name.partition(".")[0] == package:
            monkeypatch.setitem(sys.modules, name, None)
