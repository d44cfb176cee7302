"""The program's behaviour towards any kind of terminal, its user and the machine."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import processes
from tests.support.pty_session import DEADLINE, LEFT, PROGRAM, SLOW_TERMINAL, Session, environment
from tests.support.screen_driver import Screen

pytestmark = SLOW_TERMINAL

PLAY = (*PROGRAM, "--recipe", "published", "--seed", "7")
PAUSED = (*PLAY, "--paused")
SHELL = ("bash", "-mc", '"$@"; echo "status $?"; read line; fg; echo "status $?"', "bash")
"""Runs a program as a job, and brings it back on Enter; leaves the modes of the terminal alone."""
BROKEN = """
import sys
from negotiation_tui.strategies.concession import Midpoint
from negotiation_tui.strategies import registry

class Broken(Midpoint):
    name = "broken"

    def support(self, position):
        raise RuntimeError("this rule has a hole")

registry.STRATEGIES = {"broken": Broken(), "midpoint": Midpoint()}
from negotiation_tui.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def settled(*keys: str, width: int = 80, height: int = 24) -> str:
    """The screen of the paused program after these keys, when nothing moves any more."""
    screen = Screen(width=width, height=height).press(*keys).settle()
    return "\n".join(line.rstrip() for line in screen.text().splitlines())


ENDS = [("q", "playing"), ("Ctrl-C", "paused"), ("Ctrl-C", "flat out"), ("SIGTERM", "flat out"),
        ("SIGHUP", "playing"), ("SIGQUIT", "flat out"), ("SIGUSR1", "paused"),
        ("SIGUSR2", "paused"), ("SIGALRM", "playing"), ("SIGXCPU", "paused")]  # fmt: skip


@pytest.mark.parametrize(("kind", "state"), ENDS)
def test_end(kind: str, state: str) -> None:
    words = {"playing": ("--pace", "16"), "flat out": ("--pace", "flat")}.get(state, ("--paused",))
    with Session([*PLAY, *words]) as session:
        session.wait_for("1 Price")
        session.wait_for("paused" if state == "paused" else "PRACTICE")
        # The end of a colour, for one: a terminal throws it away at Ctrl-C unless told not to.
        assert session.keeps_output
        session.end_by(kind)


def test_a_paused_program_does_nothing() -> None:
    seconds = 1.0
    with Session(PAUSED) as session:
        session.wait_for("q quit")
        session.send("n. ", "▶ 4 offers")
        session.send(".")  # pauses again
        session.wait_for("paused")

        def idle() -> bool:
            before, end = session.processor_seconds(), time.monotonic() + seconds
            while (left := end - time.monotonic()) > 0:
                if session.read(left):
                    return False
            used = round(session.processor_seconds() - before, 2)  # ticks of a hundredth
            return used <= 0.005 * seconds

        session.wait(idle, "silent second")


def seconds_of(session: Session, frames: int) -> float:
    """How long a bar in motion takes to be another so often.

    What is read late makes it look shorter, by a frame at either end.
    """
    begun = time.monotonic()
    for _ in range(frames):
        before = session.text
        session.wait(lambda before=before: session.text != before, "frame")  # type: ignore[misc]
    return time.monotonic() - begun


@pytest.mark.parametrize("fps", [3, 30])
def test_as_many_frames_as_asked_for(fps: int) -> None:
    with Session([*PLAY, "--pace", "16", "--fps", str(fps)], 120, 36) as session:
        session.wait_for("PRACTICE")
        if fps == 3:
            session.wait(lambda: seconds_of(session, 4) >= 2 / 3, "3 a second bring no more")
        else:
            session.wait(lambda: seconds_of(session, 8) < 6 / 5, "more than 5 a second bring")


def test_esc_closes_the_help_at_once() -> None:
    with Session(PAUSED) as session:
        session.wait_for("1 Price")

        def prompt() -> bool:
            session.send("?", "Help")
            begun = time.monotonic()
            session.send("\x1b")
            session.wait(lambda: "Help" not in session.text, "end of the help")
            return time.monotonic() - begun < 0.7

        session.wait(prompt, "help that Esc closes at once")


def test_unknown_sequences_and_broken_input_do_not_quit() -> None:
    with Session(PAUSED) as session:
        session.wait_for("1 Price")
        session.send("\x1b" * 5 + "y", "no such key: y")
        picture = settled().splitlines()[:-1]
        for sequence in ("\x1b[1;5A", "\x1b[113;3u", "\x1bOz", "\x1b[5;3$z", "\x1c"):
            session.send(sequence, "no such key: ")
            session.wait(lambda: session.text.splitlines()[:-1] == picture, "picture as before")
            session.send("\x0c")
            session.wait(lambda: "no such key" not in session.text, "end of the message")
        session.send("\x00\x7f\x01é漢\U0001f600?", "Help")
        session.send("\x1b[200~no key\x1b[201~\x1b[I\x1bOz", "Help: no key_")
        # ncurses may take more than a hundred bytes for the rest of the broken glyph.
        os.write(session.master, b"\xff\xfe\xc3" + b"\x1b" * 200)
        session.wait(lambda: "Help" not in session.text, "end of the help")
        session.quit()


REPLY = "\x1b]11;rgb:2a2a/2e2e/3636\x1b\\"


def test_what_a_terminal_reports_is_no_key() -> None:
    with Session(PAUSED) as session:
        session.wait_for("1 Price")
        picture = settled().splitlines()[:-1]
        for report in (REPLY, "\x1bPr\x1b\\", "\x1b[?1;2c\x1b[I\x1b[O", "\x1b[200~rn\x1b[201~"):
            session.send(report[:4])
            session.read(0.02)
            session.send(report[4:] + "y", "no such key: y")
            session.wait(lambda: session.text.splitlines()[:-1] == picture, "picture as before")
            session.send("\x0c")
            session.wait(lambda: "no such key" not in session.text, "end of the message")
        session.send("\x1b_without an end")  # which a second of silence ends
        ends = time.monotonic() + 1.5
        session.wait(lambda: time.monotonic() > ends, "silence")
        session.send("?", "Help")


@pytest.mark.parametrize(
    ("keys", "status"),
    [("\x1b[63;2u\x1b[27u\x1b[113;129u", 0), ("\x1b[99;5u", 130), ("\x1b[27;5;99~", 130)],
)
def test_keys_as_kitty_and_xterm_write_them(keys: str, status: int) -> None:
    with Session([*PROGRAM, "play", "--against", "boulware", "--seed", "7"]) as session:
        session.wait_for("round 1 of 5   seller asks 5   Enter offers 1")
        session.send(REPLY + "\x1b[13u", "round 2 of 5")
        session.send(keys + ("q" if not status else ""))
        assert session.status() == status
        session.assert_given_back()


LOGS = """#!/bin/sh
printf 'log \\033]0;owned\\007 \\342\\200\\256 \\302\\2331m\\rnext\\n' >&2
echo ready 1; read -r _
"""


def test_what_a_program_logs_is_cleaned(tmp_path: Path) -> None:
    (tmp_path / "bot.sh").write_text(LOGS, encoding="ascii")
    with Session([*PROGRAM, "check", f"cmd:sh {tmp_path / 'bot.sh'}"], 200) as session:
        session.status()
        assert "log \\u001b]0;owned\\u0007 \\u202e \\u009b1m\nnext\n" in session.text
        assert b"\x1b]" not in session.output


def test_a_suspended_program_comes_back_in_another_size() -> None:
    with Session([*SHELL, *PAUSED]) as session:
        session.wait_for("q quit")
        session.send("n")
        picture = settled("n")
        session.wait(lambda: session.text == picture, f"picture:\n{picture}")
        program = os.tcgetpgrp(session.master)
        assert program != session.process.pid
        session.send("\x1a", "status 148")
        assert processes.fields(program)[0] == "T"
        session.assert_given_back()
        session.resize(100, 30)
        session.send("\n")
        picture = settled("n", width=100, height=30)
        session.wait(lambda: session.text == picture, f"larger picture:\n{picture}")
        assert processes.fields(program)[0] != "T"
        session.send("\x1c", "no such key: Ctrl-\\")
        session.send("?", "Help")
        session.send("?q", "status 0")
        assert session.status() == 0
        session.assert_given_back()


@pytest.mark.skipif(not processes.HAS_PROC, reason="needs /proc")
def test_no_moment_in_which_suspending_is_ignored() -> None:
    """As ncurses does while it draws, if it starts before the program catches the signal."""
    stop = 1 << (signal.SIGTSTP - 1)
    with Session([*SHELL, *PLAY, "--pace", "flat"]) as session:
        session.wait_for("q quit")
        status = Path(f"/proc/{os.tcgetpgrp(session.master)}/status")
        for _ in range(1000):
            session.read(0.0)
            ignored = status.read_text(encoding="ascii").split("SigIgn:")[1].split()[0]
            assert not int(ignored, 16) & stop
        session.send("q")


@pytest.mark.parametrize(("controlling", "pace"), [(True, "16"), (False, "flat")])
def test_terminal_closed(controlling: bool, pace: str) -> None:
    with Session([*PLAY, "--pace", pace], controlling=controlling) as session:
        session.wait_for("1 Price")
        session.close_terminal()
        assert session.process.wait(DEADLINE) == (129 if controlling else 0)


@pytest.mark.parametrize(("kind", "seconds"), [("q", 0.0), ("Ctrl-C", 0.6)])
def test_end_while_compiling(kind: str, seconds: float, tmp_path: Path) -> None:
    environ = environment(NUMBA_CACHE_DIR=os.fspath(tmp_path))
    with Session([*PAUSED, "--pace", "flat", "--cycles", "100000"], env=environ) as session:
        session.wait_for("paused")
        session.send(" ")
        if seconds:
            session.wait_for("▶ flat out")
            end = time.monotonic() + seconds
            session.wait(lambda: time.monotonic() > end, "time to be some way into it")
        session.end_by(kind)


def test_a_large_market_compiles_behind_its_first_frame(tmp_path: Path) -> None:
    environ = environment(NUMBA_CACHE_DIR=os.fspath(tmp_path), XDG_CACHE_HOME=os.fspath(tmp_path))
    words = ("market", "--sellers", "5000", "--buyers", "5000", "--seed", "7")
    with Session([*PROGRAM, *words], env=environ) as session:
        session.wait_for("compiling the market; it is kept for the next time")
        assert "Nobody has met yet" in session.text
        assert not list(tmp_path.rglob("tick_loop.trade*"))
        session.quit()


def test_a_strategy_that_fails(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(BROKEN, encoding="utf-8")
    with Session([sys.executable, os.fspath(program), *PAUSED[3:]]) as session:
        session.wait_for("1 Price")
        session.send("sn")
        assert session.status() == 1
        session.assert_given_back()
        after = session.output[session.output.rfind(LEFT) :].decode()
        assert "RuntimeError: this rule has a hole" in after


NOISY = """
import logging, os, sys
said = 0
def policy(scenario, role):
    def act(seen):
        global said
        said += 1
        logging.getLogger().error("logged %d", said)
        sys.stdout.write(f"written {said}\\n")
        os.write(2, f"straight {said}\\n".encode())
        os.write(1, f"bare {said}\\n".encode())
        os.system("echo program")
        return int(seen["action_mask"].argmax())
    return act
"""
SAID = ("logged", "written", "straight", "bare", "program")


@pytest.mark.parametrize("to_file", [False, True])
def test_a_noisy_policy_is_heard_after_the_screen(to_file: bool) -> None:
    Path("noisy.py").write_text(NOISY, encoding="utf-8")
    words = [*PROGRAM, "--seed", "7", "--opener", "seller", "--paused", "--buyer", "noisy:policy"]
    shell = ["sh", "-c", f"exec {shlex.join(words)} 2>errors"]
    with Session(shell if to_file else words, cwd=Path.cwd()) as session:
        session.wait_for("press space to begin")
        for _ in range(3):
            before = session.text
            session.send("n")
            session.wait(lambda before=before: session.text != before, "game")  # type: ignore[misc]
        assert not [word for word in SAID if word.encode() in session.output]
        session.quit()
        told = Path("errors").read_text(encoding="utf-8") if to_file else session.text
    if not to_file:
        heading, _, told = told.partition(" while the screen was shown:\n")
        assert "negotiation-tui: " in heading
        told, _, _ = told.partition("negotiation-tui --")  # the command of the moment
    assert {line.split()[0] for line in told.splitlines() if line} == {*SAID}


def test_a_terminal_beyond_all_bounds_shows_the_screen_in_its_corner() -> None:
    """curses would take more than a gigabyte, and hear no key for minutes."""
    shell = ("sh", "-c", 'stty cols 20000 rows 2000; exec "$@"', "sh")
    with Session([*shell, *PAUSED]) as session:
        session.wait(lambda: b"quit" in session.output, "keys in the last line")
        assert processes.most_memory(session.process.pid) < 400e6
        session.resize(30_000, 24)
        session.send("?")
        session.wait(lambda: b"Help" in session.output, "help")
        session.send("?")
        session.quit()
        rows = [int(row) for row in re.findall(rb"\x1b\[(\d+);\d+H", session.output)]
        assert max(rows) <= 400


FRAME = ("--cycles", "2", "--episodes", "10")
HINT = "not a terminal: printing one frame of text, as with --once\n"


@pytest.mark.parametrize(
    "kind", ["xterm-256color", "tmux-256color", "screen", "linux", "vt100", "xterm-mono", "ansi"]
)
def test_kind(kind: str) -> None:
    """Esc, Shift-Tab and arrows are told apart, the palette stays, reports of the mouse end."""
    if not shutil.which("infocmp") or run("infocmp", kind)[0]:
        pytest.skip(f"no terminfo entry for {kind} here")
    back_tab = kind not in {"screen", "tmux-256color"}
    with Session(PAUSED, env=environment(TERM=kind)) as session:
        session.wait_for("Seller's Q-table")
        session.wait_for("q quit")
        title, price = session.text.splitlines()[:2]
        assert "5 coins to divide" in title
        assert "paused" in title
        assert "1 Price" in price
        session.send("n", "PRACTICE")
        if back_tab:
            session.send("\x1b[Z", "━ 3 Wallets")
        session.resize(90, 30)
        session.send("cz1?", "▸q ")
        for down, up in (("\x1b[B", "\x1bOA"), ("\x1bOB", "\x1b[A")):
            session.send(down, "▸? ")
            session.send(up, "▸q ")
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
    environ = environment(TERM=term or "")
    if term is None:
        del environ["TERM"]
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
    lines = text.rstrip("\n").split("\n")
    assert "5 coins to divide" in lines[0]
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
    assert "PRACTICE" in lines[1]


@pytest.mark.parametrize(
    ("width", "height", "bounds"), [(80, 24, (80, 24)), (70_000, 70_000, (1000, 400))]
)
def test_a_frame_has_the_size_of_the_environment(
    width: int, height: int, bounds: tuple[int, int]
) -> None:
    words = (*PAUSED, *FRAME, "--once")
    status, out, said = run(*words, COLUMNS=str(width), LINES=str(height))
    assert (status, said) == (0, b"")
    lines = frame(out.decode())
    assert len(lines) == bounds[1]
    assert max(map(len, lines)) <= bounds[0]


def test_once_on_a_terminal_prints_a_frame_of_its_size() -> None:
    with Session([*PAUSED, *FRAME, "--once"], 120, 36) as session:
        assert session.status() == 0
        lines = frame(session.output.decode().replace("\r\n", "\n"))
        assert len(lines) == 36
        assert 118 <= max(map(len, lines)) <= 120
        assert session.modes == session.modes_before


@pytest.mark.parametrize("mouse", [True, False])
def test_the_terminal_reports_the_mouse_unless_it_should_not(mouse: bool) -> None:
    with Session([*PAUSED, *["--no-mouse"] * (not mouse)], 100, 30) as session:
        session.wait_for("press space to begin")
        if mouse:
            session.send("\x1b[<0;70;20M\x1b[<0;70;20m", "━ 5 Buyer")
        session.quit()
        assert (b"\x1b[?1006h" in session.output) is mouse
        assert (b"\x1b[?1006l" in session.output) is mouse
