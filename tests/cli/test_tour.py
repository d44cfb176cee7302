"""`negotiation-tui tour` without its screen, and once in a terminal."""

import sys
from pathlib import Path

import pytest

from negotiation_tui.tui.tour import progress as files
from negotiation_tui.tui.tour.lessons import LESSONS
from negotiation_tui.tui.tour.progress import Result
from tests.support.cli import Captured, printed, program, status_of

STATE = Path("state/negotiation-tui/tour.json")


def test_the_list_is_printed_anywhere(capsys: Captured) -> None:
    files.write(STATE, {"buyer": Result(2, 2)})
    lines = printed(capsys, "tour", "--list").splitlines()
    assert [line.split()[0] for line in lines] == [f"{n}" for n in range(1, len(LESSONS) + 1)]
    assert [line for line in lines if "done" in line] == [lines[1]]
    assert "2 of 2 right" in lines[1]


def test_damaged_progress_is_empty_with_one_line(capsys: Captured) -> None:
    STATE.parent.mkdir(parents=True)
    STATE.write_text("{", encoding="utf-8")
    assert status_of("tour", "--list") == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == len(LESSONS)
    assert err.count("\n") == 1
    assert "tour.json" in err


@pytest.mark.skipif(sys.platform == "win32", reason="--restricted needs a Unix system")
def test_a_restricted_process_reads_and_keeps_no_progress(tmp_path: Path) -> None:
    folder, home = tmp_path / "own", tmp_path / "state"
    folder.mkdir()
    files.write(home / "negotiation-tui" / "tour.json", {"bar": Result(1, 2)})
    done = program("--restricted", str(folder), "tour", "--list", XDG_STATE_HOME=str(home))
    assert done.returncode == 0
    assert "done" not in done.stdout
    assert not list(folder.iterdir())
