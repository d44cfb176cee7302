"""Every driver finds nothing in a few cases, and the command tells what was found."""

import sys
from pathlib import Path

import pytest

from tests import soak as folder
from tests.soak import __main__ as soak
from tests.support.without_numba import without_numba  # noqa: F401 - a fixture

MARKS = {
    "terminal": [pytest.mark.terminal],
    "kills": [pytest.mark.slow],
    "interrupts": [pytest.mark.slow],
    "same_bits": [pytest.mark.slow],  # it compiles the loop of markets
}
FOUND = """
def run(count, seed):
    return [f"--seed {n} --count 1: odd" for n in range(seed, seed + count) if n % 2]
"""


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
    assert driver.run(getattr(driver, "SMALL", 1), 1) == []


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a driver beside the others that finds something in every odd case."""
    for name, text in (("planted", FOUND), ("lacking", "import no_such_module")):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.delitem(sys.modules, f"tests.soak.{name}", raising=False)
    monkeypatch.setattr("tests.soak.__path__", [*folder.__path__, str(tmp_path)])


@pytest.mark.usefixtures("planted")
def test_what_is_found_is_printed_with_its_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"planted", "screen", "terminal", "kills", "same_bits"} <= set(soak.drivers())
    assert soak.main(["planted", "--count", "4", "--seed", "10"]) == 1
    out, err = capsys.readouterr()
    *found, head, row = out.splitlines()
    assert found == ["planted --seed 11 --count 1: odd", "planted --seed 13 --count 1: odd"]
    assert head.split() == ["driver", "cases", "seconds", "failures", "tried"]
    assert row.split() == ["planted", "4", "0", "2", "planted"]
    assert err.splitlines()[-1] == "planted: 4 in 0 s, 2 failed"


@pytest.mark.usefixtures("planted")
def test_no_failure_is_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["planted", "--count", "1", "--seed", "2"]) == 0
    assert soak.main(["planted", "--minutes", "0"]) == 0
    assert "planted" in capsys.readouterr().out


@pytest.mark.usefixtures("planted")
def test_a_driver_that_lacks_something_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["lacking"]) == 0
    assert "not tried: No module named 'no_such_module'" in capsys.readouterr().out


def test_an_unknown_driver_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        soak.main(["nonesuch"])
    assert end.value.code == 2
    assert "driver: expected" in capsys.readouterr().err
