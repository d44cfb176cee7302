"""`tournament` without a screen: text, JSON, files, and what it refuses."""

import csv
import json
import os
import signal
from pathlib import Path

import pytest

from tests.support.cli import has_lines, running, status_of

Captured = pytest.CaptureFixture[str]
ENTRANTS = ("midpoint", "random", "boulware:beta=0.1")
FEW = (*ENTRANTS, "--negotiations", "20", "--workers", "1")


def played(capsys: Captured, *words: str) -> str:
    assert status_of("tournament", *words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_text(capsys: Captured) -> None:
    lines = played(capsys, *FEW).splitlines()
    assert lines[0].startswith("original: 3 entrants")
    assert "as buyer, 20 negotiations per pairing" in lines[0]
    assert "as buyer, 1 negotiation per pairing" in played(capsys, *FEW, "--negotiations", "1")
    assert "seed 0" in lines[0]
    ranked = [line.split()[:2] for line in lines[4:7]]
    assert [rank for rank, _ in ranked] == ["1", "2", "3"]
    assert {name for _, name in ranked} == {"midpoint", "random", "boulware:beta=0.1"}
    assert lines[3].endswith("rounds  pairings")
    assert [line.split()[-1] for line in lines[4:7]] == ["5", "5", "5"]
    assert lines[8].startswith("mean price, seller down, buyer across")
    assert lines[11].split()[:2] == ["1", "midpoint"]


def test_ascii_shades_are_ascii(capsys: Captured) -> None:
    assert "░" in played(capsys, *FEW)
    assert played(capsys, *FEW, "--ascii").isascii()


@pytest.mark.slow
def test_json_is_the_same_for_any_workers(capsys: Captured) -> None:
    one, other = (played(capsys, *FEW, "--json", "--workers", n) for n in ("1", "2"))
    assert one == other
    found = json.loads(one)
    assert found["entrants"] == ["midpoint", "random", "boulware:beta=0.1"]
    assert len(found["pairings"]) == 9
    assert [len(row) for row in found["matrices"]["mean_price"]] == [3, 3, 3]
    assert [each["rank"] for each in found["leaderboard"]] == [1, 2, 3]


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl"])
def test_a_file_is_filled_and_read_again(name: str, capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / name
    without = played(capsys, *FEW, "--json")
    assert played(capsys, *FEW, "--json", "--out", str(file)) == without
    before = file.read_bytes()
    assert played(capsys, *FEW, "--json", "--out", str(file)) == without
    assert file.read_bytes() == before
    if name.endswith("csv"):
        rows = list(csv.DictReader(file.open(encoding="utf-8")))
        assert [row["seller"] for row in rows[::3]] == ["midpoint", "random", "boulware:beta=0.1"]
    assert status_of("tournament", *FEW, "--seed", "1", "--out", str(file)) == 2
    assert "is not a file of this tournament" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_ctrl_c_leaves_whole_rows(tmp_path: Path, capsys: Captured) -> None:
    words = ("tit-for-tat", "micro", "averaged-tit-for-tat", "--negotiations", "1000")
    again = (*words, "--workers", "1", "--json")
    whole = played(capsys, *again)
    for workers in ("1", "2"):
        file = tmp_path / f"{workers}.csv"
        break_off(file, *words, "--workers", workers)
        assert played(capsys, *again, "--out", str(file)) == whole


def break_off(file: Path, *words: str) -> None:
    command = ("tournament", *words, "--out", str(file))
    with running(*command, until=has_lines(file, 3)) as process:
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=20)
    rows = file.read_bytes().count(b"\n") - 1
    assert (process.returncode, out) == (130, "")
    assert err == f"{file} holds {rows} of 9 pairings; resume with the same command\n"
