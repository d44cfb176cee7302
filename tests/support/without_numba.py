"""Tests that compile nothing, as if numba were not installed."""

import sys
from collections.abc import Iterator

import pytest

from negotiation_tui.learning.compiling import fastest_backend


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide numba, and the code that was compiled before, which would ask for it."""
    monkeypatch.setitem(sys.modules, "numba", None)
    fastest_backend.cache_clear()
    yield
    fastest_backend.cache_clear()
