"""What docs/findings.md says of time as a budget, with a few seeds."""

from typing import Any

import pytest

from tests.support import documented


@pytest.fixture
def script() -> Any:
    return documented.script("market_findings")


@pytest.mark.slow
def test_tables_that_rank_walking_away_first_are_counted(script: Any) -> None:
    few = script.mistaken(script.Leaving(0.9, 0.005, 400), 0)
    assert 0 < few["first"] < 0.5
    assert few["free"] > 0
    assert few["accepting"] > few["leaving"]
