"""Usual slips of people who bring a program: the message has the words that would work."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import negotiation_tui as nt
from negotiation_tui.examination.marks import Regret
from negotiation_tui.examination.results import as_text
from negotiation_tui.runtime.estimate import Estimate
from tests.support.cli import Captured, printed, refused, status_of

PLAIN = {
    "for line in sys.stdin: pass": "code that reads its standard input",
    "input()": "code that reads its standard input",
    "sys.stdin.reconfigure(encoding='utf-8')": "code that reads its standard input",
    "sys.exit('no key')": "SystemExit: no key",
    "pass": "expected a strategy, got none",
}


@pytest.mark.parametrize("code", PLAIN)
def test_a_program_in_the_place_of_a_class(
    code: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("plain.py").write_text(f"import sys\n{code}\n")
    reading, writing = os.pipe()  # an input that stays open
    with os.fdopen(reading) as held:
        monkeypatch.setattr(sys, "stdin", held)
        err = refused(capsys, "check", "plain.py")
        assert sys.stdin is held
        os.close(writing)
    assert PLAIN[code] in err
    assert err.endswith("for a program write 'cmd:python3 plain.py'\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs sh")
@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("check cmd:python3 plain.py", "'cmd:python3 plain.py'"),
        ("examine cmd:python3 plain.py --fast", "'cmd:python3 plain.py --fast'"),
        ("watch --seller cmd:sh --fast --once", "'cmd:sh --fast'"),
        ("train --cycels 3 --seller cmd:sh", "did you mean --cycles?"),
    ],
)
def test_a_program_without_quotes(words: str, hint: str, capsys: Captured) -> None:
    assert refused(capsys, *words.split()).endswith(f"{hint}\n")


def test_tables_are_saved_with_the_ending_that_a_seat_needs(capsys: Captured) -> None:
    few = ("--cycles", "1", "--episodes", "8", "--no-verbose")
    assert printed(capsys, "train", *few, "--save", "out") == "tables saved to out.npz\n"
    assert printed(capsys, "test", "out.npz", "--negotiations", "2")
    assert status_of("examine", "boulware", "--role", "seller", "--save", "b") == 0
    assert capsys.readouterr().err == "tables saved to b.npz\n"
    assert Path("b.npz").exists()
    if sys.platform != "win32":
        assert "/dev/null\n" in printed(capsys, "train", *few, "--save", "/dev/null")
    for words in (("train", "--seller", "b.npz"), ("solve", "--seller=b.npz", "--buyer=linear")):
        assert "use --states opener-aware" in refused(capsys, *words)


def test_a_tournament_in_which_nobody_could_play_says_why(capsys: Captured) -> None:
    assert status_of("examine", "boulware", "--save", "b.npz") == 0
    Path("c.npz").write_bytes(Path("b.npz").read_bytes())
    capsys.readouterr()
    words = ("tournament", "b.npz", "c.npz", "--text", "--negotiations", "2")
    assert status_of(*words) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "× b.npz: expected 5 prices" in out
    assert "use --states opener-aware: b.npz with b.npz, c.npz" in out
    assert status_of(*words, "--states", "opener-aware") == 0
    assert "×" not in capsys.readouterr().out
    assert status_of("tournament", "b.npz", "linear", "--text", "--negotiations", "2") == 0


def test_a_negative_regret_is_explained() -> None:
    examination = nt.examine("linear", role="seller")
    (marks,), about = examination.marks, "no player earns more than the best reply"
    assert about not in str(examination)
    below = Regret("linear", 0.5, Estimate(-0.01, 0.03), ())
    assert about in as_text(examination.setup, (replace(marks, regrets=(below,)),))
