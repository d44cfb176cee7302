"""Tests that compile nothing, as if numba were not installed."""

import sys
from collections.abc import Iterator

import pytest

from negotiation_tui.learning.compiling import fastest_backend, new_backend


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide numba, and the code that was compiled before, which would ask for it."""
    monkeypatch.setitem(sys.modules, "numba", None)
    _forget()
    yield
    _forget()


def _forget() -> None:
    """Let the backend be made again: compiled code that is called while numba is hidden crashes."""
    fastest_backend.cache_clear()
    new_backend.cache_clear()
