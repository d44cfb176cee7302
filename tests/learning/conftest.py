"""Fixtures for the tests of learning."""

import pytest

from negotiation_tui.learning.backend import PLAIN, Backend
from tests.support.game import compiled


@pytest.fixture(scope="session", params=["plain", "compiled"])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Run a test with the plain inner loop, and with the compiled one."""
    return PLAIN if request.param == "plain" else compiled()
