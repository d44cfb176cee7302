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


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["xterm-256color", "tmux-256color", "screen", "linux", "vt100", "xterm", "ansi"]
)
def test_kind(kind: str) -> None:
    if not known(kind):
        pytest.skip(f"no terminfo entry for {kind} here")
    with Session(PAUSED, env=environment(TERM=kind)) as session:
        session.wait_for("Price")
        session.wait_for("q quit")
        title, price = session.text.splitlines()[:2]
        assert "original" in title
        assert "paused" in title
        assert "1 Price" in price
        session.send("n")
        session.wait_for("negotiation 1/100")
        session.send("?")
        session.wait_for("Help")
        session.send("\x1b")
        session.wait(lambda: "Help" not in session.text, "end of the help", 5.0)
        session.send("q")
        assert session.status() == 0
        assert session.modes == session.modes_before


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["xterm-256color", "vt100", "xterm-mono", "linux", "ansi"])
def test_shift_tab_goes_back_and_esc_stays_esc(kind: str) -> None:
    if not known(kind):
        pytest.skip(f"no terminfo entry for {kind} here")
    with Session(PAUSED, env=environment(TERM=kind)) as session:
        session.wait_for("[2] Seller")
        session.send("\x1b[Z")
        session.wait_for("[1] Price")
        session.send("\x1b[Z")
        session.wait_for("[6] Offers")
        session.send("z?")
        session.wait_for("Help")
        session.send("\x1b")
        session.wait(lambda: "Help" not in session.text, "end of the help", 5.0)
        session.send("q")
        assert session.status() == 0


@pytest.mark.parametrize("kind", ["xterm-256color", "tmux-256color", "linux"])
def test_neither_palette_nor_mouse_is_touched(kind: str) -> None:
    if not known(kind):
        pytest.skip(f"no terminfo entry for {kind} here")
    endless = (
        *PAUSED,
        "--cycles",
        "50000",
        "--episodes",
        "5000",
    )  # its title says "flat out" until it is over
    with Session(endless, 120, 36, environment(TERM=kind)) as session:
        session.wait_for("Price")
        session.send("nc?\x1bz12345zt\x0c")
        session.wait_for("midpoint")
        session.resize(90, 30)
        session.send("+++++++ ")
        session.wait_for("flat out")
        session.send("q")
        assert session.status() == 0
        assert b"\x1b]" not in session.output  # OSC 4 and 104, and the console's own P and R
        assert not re.search(rb"\x1b\[\?(9|100\d|1015|1016)[hl]", session.output)


@pytest.mark.parametrize(
    ("term", "said"),
    [
        ("dumb", "'dumb' cannot place its cursor"),
        ("no-such-terminal", "'no-such-terminal' is unknown"),
        ("", "'' is unknown"),
        (None, "'' is unknown"),
    ],
)
def test_one_clear_line_where_there_can_be_no_screen(
    term: str | None, said: str, tmp_path: Path
) -> None:
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
    assert "original 5×5" in lines[0]
    assert "1 Price" in lines[1]
    assert lines[-1].startswith(" q quit")
    assert "\x1b" not in text
    return lines


@pytest.mark.parametrize("term", ["xterm-256color", "dumb", None])
def test_output_that_is_no_terminal_gets_one_frame(term: str | None) -> None:
    environ = without(environment(), ["TERM"]) if term is None else environment(TERM=term)
    done = subprocess.run(
        [*PAUSED, *FRAME],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env=environ,
        timeout=DEADLINE,
    )
    assert (done.returncode, done.stderr.decode()) == (0, HINT)
    lines = frame(done.stdout.decode())
    assert len(lines) == 36
    assert "negotiation 10/10" in lines[1]


def test_a_frame_of_the_size_that_the_environment_says() -> None:
    done = subprocess.run(
        [*PAUSED, *FRAME, "--once"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env=environment(COLUMNS="80", LINES="24"),
        timeout=DEADLINE,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    lines = frame(done.stdout.decode())
    assert len(lines) == 24
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("size", [{"COLUMNS": "80", "LINES": "24"}, {"COLUMNS": "400"}])
def test_a_reader_that_goes_away_is_no_crash(size: dict[str, str]) -> None:
    """True if the whole frame is written at the end, not some of it before."""
    command = ["bash", "-c", '"$@" --once | :; echo "${PIPESTATUS[0]}"', "bash", *PAUSED, *FRAME]
    done = subprocess.run(
        command, capture_output=True, check=False, env=environment(**size), timeout=DEADLINE
    )
    assert (done.stdout, done.stderr) == (b"1\n", b"")


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 36)])
def test_once_on_a_terminal_fills_it_and_leaves(width: int, height: int) -> None:
    with Session([*PAUSED, *FRAME, "--once"], width, height) as session:
        assert session.status() == 0
        lines = frame(session.output.decode().replace("\r\n", "\n"))
        assert len(lines) == height
        assert width - 2 <= max(map(len, lines)) <= width
        assert session.modes == session.modes_before
