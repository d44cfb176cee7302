"""The program in a real tmux."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.pty_session import DEADLINE, PROGRAM, environment

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(not shutil.which("tmux"), reason="needs tmux"),
]

COMMAND = " ".join([*PROGRAM, "--recipe", "published", "--seed", "7", "--paused"])
ASK_COLOUR = r"""
import os, select, sys, termios, tty
before = termios.tcgetattr(0)
tty.setcbreak(0)
os.write(1, b"\033]4;1;?\033\\")
answer = b""
while not answer.endswith((b"\a", b"\\")) and select.select([0], [], [], 5)[0]:
    answer += os.read(0, 100)
termios.tcsetattr(0, termios.TCSADRAIN, before)
print("colour is", answer.decode().strip("\033]\\\a"))
"""


class Tmux:
    """A tmux server of our own with one window, a shell in it."""

    def __init__(self, socket: Path, width: int, height: int) -> None:
        self._socket = socket
        config = socket.with_name("config")
        config.write_text(
            "set -g default-terminal tmux-256color\nset -g status off\nset -s escape-time 10\n"
        )
        size = ("-x", str(width), "-y", str(height))
        shell = "env PS1='prompt> ' bash --norc --noprofile"
        self("-f", os.fspath(config), "new-session", "-d", *size, shell)
        self.wait_for("prompt>")

    def __call__(self, *words: str) -> str:
        command = ["tmux", "-u", "-S", os.fspath(self._socket), *words]
        done = subprocess.run(
            command, capture_output=True, check=True, env=environment(), timeout=DEADLINE
        )
        return done.stdout.decode()

    def send(self, *keys: str) -> None:
        self("send-keys", *keys)

    @property
    def text(self) -> str:
        return self("capture-pane", "-p")

    def ask(self, what: str) -> str:
        """One of tmux's own variables."""
        return self("display-message", "-p", f"#{{{what}}}").strip()

    def wait(self, holds: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + DEADLINE
        while not holds():
            assert time.monotonic() < end, f"no {what} on\n{self.text}"
            time.sleep(0.03)

    def wait_for(self, words: str) -> None:
        self.wait(lambda: words in self.text, repr(words))


@pytest.fixture
def tmux() -> Iterator[Tmux]:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # a socket's name must be short
        server = Tmux(Path(folder) / "s", 80, 24)
        try:
            yield server
        finally:
            server("kill-server")


def test_start_keys_and_quit(tmux: Tmux) -> None:
    tmux.send(COMMAND, "Enter")
    tmux.wait_for("press space to begin")
    lines = tmux.text.splitlines()
    assert lines[0].startswith(" original 5×5")
    assert lines[0].endswith("‖ paused (4 offers/s)")
    assert "1 Price" in lines[1]
    assert "BUYER" in lines[4]
    assert "zone of possible agreement 1 … 5" in lines[6]
    assert "q quit" in lines[23]
    assert tmux.ask("alternate_on") == "1"
    assert tmux.ask("cursor_flag") == "0"
    assert tmux.ask("mouse_any_flag") == "0"
    tmux.send("n")
    tmux.wait_for("negotiation 1/100")
    tmux.send("F1")
    tmux.wait_for("Help")
    tmux.send("Escape")
    tmux.wait(lambda: "Help" not in tmux.text, "end of the help")
    tmux.send("q")
    tmux.wait(lambda: tmux.ask("alternate_on") == "0", "shell")
    tmux.send("echo status $? again", "Enter")
    tmux.wait_for("status 0 again")
    assert COMMAND[-20:] in tmux.text.replace("\n", "")  # what was there before
    assert tmux.ask("cursor_flag") == "1"
    assert tmux.ask("keypad_flag") == "0"


def test_palette_is_unchanged(tmux: Tmux, tmp_path: Path) -> None:
    script = tmp_path / "ask.py"
    script.write_text(ASK_COLOUR)
    ask = f"{sys.executable} {script}"
    tmux.send(r"clear; printf '\033]4;1;rgb:12/34/56\033\\'; " + ask, "Enter")
    tmux.wait_for("colour is")
    if "rgb:1212/3434/5656" not in tmux.text:
        pytest.skip("this tmux keeps no palette, or tells nobody")
    tmux.send(f"clear; {COMMAND}; clear; {ask}", "Enter")
    tmux.wait_for("press space to begin")
    tmux.send("c")
    tmux.wait_for("negotiation 100/100")
    tmux.send("q")
    tmux.wait_for("colour is")
    tmux.wait_for("rgb:1212/3434/5656")
