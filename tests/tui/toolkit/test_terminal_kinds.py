"""Every kind of terminal, and what is none."""

import functools
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.support.pty_session import DEADLINE, MISSING, PROGRAM, Session, environment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.terminal,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}"),
]

PAUSED = (*PROGRAM, "--recipe", "published", "--seed", "7", "--paused")
FRAME = ("--cycles", "2", "--episodes", "10")
HINT = "not a terminal: printing one frame of text, as with --once\n"


@functools.cache
def known(kind: str) -> bool:
    """True if this machine has a description of a kind of terminal."""
    if not shutil.which("infocmp"):
        return False
    answer = subprocess.run(["infocmp", kind], capture_output=True, check=False, timeout=DEADLINE)
    return answer.returncode == 0


def without(environ: dict[str, str], names: Iterable[str]) -> dict[str, str]:
    return {name: value for name, value in environ.items() if name not in names}


@pytest.mark.parametrize(
    "kind", ["xterm-256color", "tmux-256color", "screen", "linux", "vt100", "xterm-mono", "ansi"]
)
def test_kind(kind: str) -> None:
    """Esc and Shift-Tab are told apart, the palette stays, reports of the mouse end."""
    if not known(kind):
        pytest.skip(f"no terminfo entry for {kind} here")
    back_tab = kind not in {"screen", "tmux-256color"}
    with Session(PAUSED, env=environment(TERM=kind)) as session:
        session.wait_for("Seller's Q-table")
        session.wait_for("q quit")
        title, price = session.text.splitlines()[:2]
        assert "prices 1 to 5" in title
        assert "paused" in title
        assert "1 Price" in price
        session.send("n")
        session.wait_for("negotiation 1/100")
        if back_tab:
            session.send("\x1b[Z")
            session.wait_for("━ 1 Price")
        session.resize(90, 30)
        session.send("cz?")
        session.wait_for("Help")
        session.send("\x1b")
        session.wait(lambda: "Help" not in session.text, "end of the help", 5.0)
        session.send("q")
        assert session.status() == 0
        assert session.modes == session.modes_before
        assert b"\x1b]" not in session.output  # OSC 4 and 104, and the console's own P and R
        asked = re.findall(rb"\x1b\[\?(\d+)([hl])", session.output)
        mouse = [end for number, end in asked if number in {b"1000", b"1002", b"1006"}]
        assert mouse == [b"h"] * 3 + [b"l"] * 3, "reports of the mouse end with the program"


@pytest.mark.parametrize(
    ("term", "said"),
    [
        ("dumb", "'dumb' cannot place its cursor"),
        ("no-such-terminal", "'no-such-terminal' is unknown"),
        (None, "'' is unknown"),
    ],
)
def test_one_clear_line_if_there_is_no_screen(term: str | None, said: str, tmp_path: Path) -> None:
    errors = tmp_path / "errors"
    environ = without(environment(), ["TERM"]) if term is None else environment(TERM=term)
    command = ["sh", "-c", 'exec 2>"$0" "$@"', str(errors), *PAUSED]
    with Session(command, env=environ) as session:
        assert session.status() == 2
        assert session.output == b""
        assert session.modes == session.modes_before
    text = errors.read_text(encoding="utf-8")
    assert text.startswith("negotiation-tui: ")
    assert said in text
    assert text.count("\n") == 1
    assert "Traceback" not in text


def frame(text: str) -> list[str]:
    """The lines of one frame of text, which begins with the title and ends with the keys."""
    lines = text.rstrip("\n").split("\n")
    assert "prices 1 to 5" in lines[0]
    assert "1 Price" in lines[1]
    assert lines[-1].startswith(" q quit")
    assert "\x1b" not in text
    return lines


def run(*command: str, **environ: str) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [*command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env=environment(**environ),
        timeout=DEADLINE,
    )
    return done.returncode, done.stdout, done.stderr


def test_output_that_is_no_terminal_gets_one_frame() -> None:
    status, out, said = run(*PAUSED, *FRAME, TERM="dumb")
    assert (status, said.decode()) == (0, HINT)
    lines = frame(out.decode())
    assert len(lines) == 36
    assert "negotiation 10/10" in lines[1]
    status, out, said = run(*PAUSED, *FRAME, "--once", COLUMNS="80", LINES="24")
    assert (status, said) == (0, b"")
    lines = frame(out.decode())
    assert len(lines) == 24
    assert max(map(len, lines)) <= 80


def test_a_reader_that_goes_away_is_no_crash() -> None:
    command = ["bash", "-c", '"$@" --once | :; echo "${PIPESTATUS[0]}"', "bash", *PAUSED, *FRAME]
    assert run(*command, COLUMNS="400")[1:] == (b"1\n", b"")


def test_once_on_a_terminal_fills_it_and_leaves() -> None:
    with Session([*PAUSED, *FRAME, "--once"], 120, 36) as session:
        assert session.status() == 0
        lines = frame(session.output.decode().replace("\r\n", "\n"))
        assert len(lines) == 36
        assert 118 <= max(map(len, lines)) <= 120
        assert session.modes == session.modes_before
