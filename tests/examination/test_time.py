"""Marks that are short of time: wider bounds that hold the truth, in bounded memory."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import negotiation_tui as nt
from negotiation_tui import Role, strategy
from negotiation_tui.examination.marks import Examinee, Timed, disclosures, exploitability, regrets
from negotiation_tui.runtime import output
from tests.examination.test_marks import GAMES
from tests.runtime.test_output import Console
from tests.support.bots import bot
from tests.support.processes import HAS_PROC

ROUNDING = 1e-9
COUNTED = """import sys
from pathlib import Path
from negotiation_tui.cli.main import main
status = main(sys.argv[1:])
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
print(int(peak) // 1024, file=sys.stderr)  # `resource` counts the memory of the parent too
sys.exit(status)
"""


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("spec", ["conceder", "zero-intelligence"])
def test_late_marks_hold_the_truth(spec: str, role: Role) -> None:
    examinee = Examinee(GAMES["hidden"], role, strategy(spec))
    truth, late = exploitability(examinee), exploitability(examinee, late=True)
    assert late.least is not None
    assert late.most is not None
    assert late.least - ROUNDING <= truth.earned <= late.most + ROUNDING
    assert late.most - late.least > ROUNDING
    wide = regrets(examinee, timed=Timed(first_late=3))
    for n, (known, found) in enumerate(zip(regrets(examinee), wide, strict=True), 1):
        assert abs(known.regret.mean - found.regret.mean) <= found.regret.error + ROUNDING
        assert (known == found) is (n < 3)
    told = disclosures(examinee, timed=Timed(seconds=0))
    assert {(each.bits, each.bluffs, each.pretending) for each in told} == {(None, None, None)}


def test_a_bar_shows_the_marks_as_they_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Console()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(output, "BAR_AFTER", -1.0)
    nt.examine("conceder", "3x2", role="buyer")
    shown = [int(n) for n in re.findall(r"(\d+) of 13 marks as the buyer", terminal.getvalue())]
    assert shown
    assert shown == sorted(shown)
    assert terminal.getvalue().endswith(" \r")


def test_a_cassette_repeats_late_marks(tmp_path: Path) -> None:
    cassette = tmp_path / "bot.cassette"
    whole = nt.examine(bot(tmp_path, "draws"), role="seller", ask=4, cassette=str(cassette))
    text = cassette.read_text().replace('"late": null', '"late": 5')
    cassette.write_text(text, newline="\r\n")
    (late,), (marks,) = nt.examine(str(cassette)).marks, whole.marks
    assert (marks.late, late.late) == (False, True)
    assert late.yardstick == ()
    for one, other in zip(marks.regrets, late.regrets, strict=True):
        assert abs(one.regret.mean - other.regret.mean) <= other.regret.error
    assert "The time was over" in str(nt.examine(str(cassette)))


HALF = "min = 0, max = 50"
LIMITS = f"limits = {{{HALF}, step = 10}}"
SMALLER_BAZAAR = f"prices = {{{HALF}}}\nrounds = 10\nseller.{LIMITS}\nbuyer.{LIMITS}\n"
"""Half of the preset's prices and limits: examined in a fifth of the time."""


@pytest.mark.slow
@pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
@pytest.mark.parametrize(
    ("scenario", "late", "most"),
    [("bazaar.toml", False, 160), ("bazaar", True, 500), ("100x100", True, 500)],
)
def test_large_games_are_examined_in_bounded_memory(scenario: str, late: bool, most: int) -> None:
    Path("bazaar.toml").write_text(SMALLER_BAZAAR, encoding="utf-8")
    minutes = "0.1" if late else "10"
    command = ["examine", "boulware", "--scenario", scenario, "--minutes", minutes]
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *command], capture_output=True, text=True, check=True
    )
    *said, megabytes = done.stderr.splitlines()
    assert [line[:16] for line in said[:1]] == ["marks in at most"] * late
    assert int(megabytes) <= most
    assert ("The time was over" in done.stdout) is late
