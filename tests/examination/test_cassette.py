"""A cassette: no answer is lost or asked twice, however often an examination is broken off."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import negotiation_tui as nt
from negotiation_tui.cli.main import main
from negotiation_tui.examination.desk import desk
from tests.support.bots import bot
from tests.support.cli import Captured, refused, status_of

TINY = {"name": "tiny", "prices": [1, 5, 9], "rounds": 2, "seller": {"limits": [0, 2]}}
FEW: dict[str, Any] = {"against": ["linear"], "ask": 4}
FILE = Path("a.cassette")
OLD = Path(__file__).parent.parent / "data" / "cassettes"


def known(examination: Any) -> dict[str, Any]:
    """Return all marks but those of time, and of the number of runs."""
    found: dict[str, Any] = json.loads(json.dumps(examination.to_dict()))
    for marks in found["marks"].values():
        for name in ("minutes", "runs"):
            del marks["answered"][name]
        for name in ("seconds", "longest", "stated", "why"):
            del marks["answered"]["manners"][name]
    return found


def units(text: str | None = None) -> list[dict[str, Any]]:
    lines = (text or FILE.read_text()).splitlines()
    return [entry for entry in map(json.loads, lines) if "of" in entry]


@pytest.fixture
def player(tmp_path: Path) -> Any:
    """A program that answers from the question alone; some answers are refused first."""
    return bot(tmp_path, "by question")


@pytest.mark.parametrize(
    ("copies", "talk"), [(2, False), pytest.param(3, True, marks=pytest.mark.slow)]
)
def test_it_goes_on_from_any_byte(player: Any, copies: int, talk: bool, capsys: Captured) -> None:
    game = {**TINY, "talk": talk}
    whole = nt.examine(player, game, "seller", **FEW, cassette=str(FILE))
    assert known(nt.examine(str(FILE))) == known(whole)
    bytes_of, rng = FILE.read_bytes(), Random(copies)
    end = bytes_of.rindex(b'{"late"')
    for n in range(3):
        FILE.write_bytes(bytes_of[: rng.randrange(1000 * n, end)])
        before, asked = units(FILE.read_text().rpartition("\n")[0] + "\n") if n else [], 0
        again = nt.examine(player, game, "seller", **FEW, cassette=str(FILE), copies=copies)
        assert known(again) == known(whole)
        assert again.to_dict() == nt.examine(str(FILE)).to_dict()
        asked = len(units()) - len(before)
        assert Counter(str(each["of"]) for each in units()).most_common(1)[0][1] == 1
        assert asked <= len(units(bytes_of.decode())) - len(before)
        seeds = [each["process"] for each in units() if "process" in each]
        assert len({*seeds}) == len(seeds)
    assert ("asked in 2 runs" in str(again)) is bool(before)
    assert "only the rest is asked" in capsys.readouterr().err


def test_a_damaged_line_costs_that_line(player: Any) -> None:
    whole = nt.examine(player, TINY, "seller", **FEW, cassette=str(FILE))
    lines = FILE.read_text().splitlines()
    lines[9] = lines[9].replace("ask round", "ask lines")
    lines[11] = lines[11][:30]
    FILE.write_text("\n".join(lines))
    (marks,) = nt.examine(str(FILE)).marks
    assert marks.unknown.startswith("not all was asked in time")
    again = nt.examine(player, TINY, "seller", **FEW, cassette=str(FILE))
    assert known(again) == known(whole)
    assert len(FILE.read_text().splitlines()) == len(lines) + 2 + 1  # and the settings


def test_more_times_use_every_answer(player: Any) -> None:
    nt.examine(player, TINY, "seller", **FEW, cassette=str(FILE))
    before = FILE.read_bytes()
    more = nt.examine(player, TINY, "seller", **FEW | {"ask": 9}, cassette=str(FILE))
    assert known(more) == known(nt.examine(player, TINY, "seller", **FEW | {"ask": 9}))
    assert FILE.read_bytes().startswith(before)


ABOUT = 'print("about model a", "about temperature 1", "ready 1", sep="\\n"'


def test_another_examination_is_refused(player: Any, tmp_path: Path, capsys: Captured) -> None:
    """No byte changes, also of a file whose last line was cut off."""
    file = tmp_path / "bot.py"
    text = file.read_text().replace('print("ready 1"', ABOUT)
    file.write_text(text)
    words = ["examine", player.spec, "--scenario", "2x1", "--role", "seller", "--ask", "4"]
    words += ["--cassette", str(FILE)]
    assert status_of(*words) == 0
    FILE.write_bytes(FILE.read_bytes()[:-200])
    capsys.readouterr()
    before = FILE.read_bytes()
    for more, reason in {
        ("--seed", "1"): "seed: expected 0 as in a.cassette, got 1; name another file",
        ("--ask", "2"): "ask: expected 4 or more as in a.cassette, got 2",
        ("--minutes", "0"): "minutes: expected 10.0 or more as in a.cassette, got 0",
        ("--role", "buyer"): "roles: expected seller as in a.cassette, got buyer",
        ("--scenario", "2x2"): "scenario: expected 2x1",
        ("--against", "linear"): "against: expected hardliner, boulware,",
    }.items():
        assert reason in refused(capsys, *words, *more)
    for old, new in (("model a", "model b"), ("temperature 1", "temperature 0")):
        file.write_text(text.replace(old, new))
        what, was, got = new[:-2], old[-1], new[-1]
        said = f"cassette: expected a program of {what} '{was}', got '{got}'; name another file"
        assert (status_of(*words), said in capsys.readouterr().err) == (2, True)
    file.write_text("raise SystemExit(1)")
    assert (status_of(*words), "expected ready" in capsys.readouterr().err) == (2, True)
    assert FILE.read_bytes() == before
    file.write_text(text)
    assert status_of(*words) == 0


def test_one_process_writes_a_cassette(player: Any, capsys: Captured) -> None:
    fcntl = pytest.importorskip("fcntl")
    with FILE.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        words = ("examine", player.spec, "--cassette", str(FILE))
        assert "another process is writing it" in refused(capsys, *words)
    FILE.write_text("my diary\n")
    assert "expected a file that examine --cassette wrote" in refused(capsys, *words)
    assert FILE.read_text() == "my diary\n"


def test_old_cassettes_are_judged_alike(tmp_path: Path, capsys: Captured) -> None:
    files = [str(shutil.copy(OLD / f"{name}.cassette", tmp_path)) for name in ("cut", "mixed")]
    mixed, cut = desk(files).rows
    assert (mixed["exploitability"], mixed["regret"]) == ([0.508, 0.75], [0.238, 0.534])
    assert (mixed["bits"], mixed["alike_p"], mixed["questions"]) == ([0.363, 0.956], 0.666, 91)
    assert (cut["exploitability"], cut["regret"], cut["questions"]) == (None, [-0.299, 0.299], 57)
    before = Path(files[0]).read_bytes()
    words = ("examine", bot(tmp_path, "draws").spec, "--cassette", files[0])
    assert "got an older one; it can be judged, but not continued" in refused(capsys, *words)
    assert Path(files[0]).read_bytes() == before


def test_a_cut_old_cassette_is_refused() -> None:
    old = (OLD / "mixed.cassette").read_text()
    for text, reason in (
        (
            old.replace("> game role seller", "> game role buyer"),
            "line 6: expected > game role sel",
        ),
        ("\n".join(old.split("\n")[:20]), "line 21: expected > ask round 1 "),
    ):
        FILE.write_text(text)
        with pytest.raises(nt.BadInputError, match=rf"a\.cassette, {reason}"):
            nt.examine(str(FILE))


def test_an_old_cassette_has_late_marks() -> None:
    whole = nt.examine(str(OLD / "mixed.cassette")).marks[0]
    FILE.write_text(f"{(OLD / 'mixed.cassette').read_text()}~ 1\n", newline="\r\n")
    (late,) = nt.examine(str(FILE)).marks
    assert (whole.late, late.late, late.yardstick) == (False, True, ())


def test_failures_are_asked_again(player: Any, tmp_path: Path) -> None:
    """A program whose account is empty after some answers, and filled up later."""
    file = tmp_path / "bot.py"
    whole = nt.examine(player, TINY, "seller", **FEW)
    code = "from pathlib import Path; Path('a.cassette').stat().st_size > 2000"
    code += " and not Path('full').exists() and sys.exit(3)"
    text = file.read_text().replace("        low, high", f"        {code}\n        low, high")
    file.write_text(text)
    words = {"cassette": str(FILE), **FEW}
    with pytest.raises(nt.BadInputError, match="stopped after 3 failures in a row"):
        nt.examine(player, TINY, "seller", **words)
    assert not any(line[0] == "!" for each in units() for line in each["lines"])
    assert 5 < len(units()) < 20
    Path("full").touch()
    assert known(nt.examine(player, TINY, "seller", **words)) == known(whole)


def test_twenty_illegal_answers_end_it(tmp_path: Path) -> None:
    player, file = bot(tmp_path, "names nothing"), tmp_path / "bot.py"
    file.write_text(file.read_text().replace('print("move walk"', 'print("move x"'))
    with pytest.raises(nt.BadInputError, match=r"stopped; 20 of 20 questions .* refused 'move x'"):
        nt.examine(player, "hidden", "seller", cassette=str(FILE))
    assert len(units()) == 20


ENDS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, getattr(signal, "SIGHUP", signal.SIGTERM)]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_killed_ones_end_the_same(player: Any, tmp_path: Path) -> None:
    """The file is ten answers longer, then the process is killed; so it goes on."""
    words = ["examine", player.spec, "--scenario", "2x2", "--ask", "4", "--copies", "3"]
    words += ["--cassette", str(FILE), "--against", "linear", "--json"]
    for end in (*ENDS, *ENDS):
        size = FILE.stat().st_size if FILE.exists() else 0
        process = subprocess.Popen([sys.executable, "-m", "negotiation_tui", *words])
        while process.poll() is None and (not FILE.exists() or FILE.stat().st_size < size + 2000):
            time.sleep(0.01)
        process.send_signal(end)
        assert process.wait(60) in {-end, 128 + end, 0}
    main(words)
    assert max(Counter(str(each["of"]) for each in units()).values()) == 1
    whole = nt.examine(player, "2x2", ask=4, against=["linear"])
    assert known(nt.examine(str(FILE))) == known(whole)
