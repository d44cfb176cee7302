"""Every driver finds nothing in a few cases."""

import pytest

from tests.soak import __main__ as soak
from tests.support.soak import failures_of

MARKS = {
    "terminal": [pytest.mark.terminal],
    **{name: [pytest.mark.slow] for name in ("hostile", "interrupts", "restricted")},
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=MARKS.get(name, ())) for name in soak.drivers()]
)
def test_the_driver_finds_nothing(name: str, request: pytest.FixtureRequest) -> None:
    if name == "screen":  # it would compile the loop of markets, for a few keys
        request.getfixturevalue("without_numba")
    try:
        driver = soak.load(name)
    except ImportError as error:
        pytest.skip(str(error))
    assert failures_of(driver.attack, getattr(driver, "SMALL", 1), 1) == []
