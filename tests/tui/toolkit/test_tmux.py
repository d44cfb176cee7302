"""The program in a real tmux."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.pty_session import DEADLINE, PROGRAM, environment

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(not shutil.which("tmux"), reason="needs tmux"),
]

COMMAND = " ".join([*PROGRAM, "--recipe", "published", "--seed", "7", "--paused"])


class Tmux:
    """A tmux server of our own with one window, a shell in it."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        config = socket.with_name("config")
        config.write_text(
            "set -g default-terminal tmux-256color\nset -g status off\nset -s escape-time 10\n"
        )
        shell = "env PS1='prompt> ' bash --norc --noprofile"
        self("-f", str(config), "new-session", "-d", "-x", "80", "-y", "24", shell)
        self.wait_for("prompt>")

    def __call__(self, *words: str) -> str:
        command = ["tmux", "-u", "-S", str(self._socket), *words]
        done = subprocess.run(
            command, capture_output=True, check=True, env=environment(), timeout=DEADLINE
        )
        return done.stdout.decode()

    @property
    def text(self) -> str:
        return self("capture-pane", "-p")

    def ask(self, what: str) -> str:
        return self("display-message", "-p", f"#{{{what}}}").strip()

    def wait_for(self, words: str, there: bool = True) -> None:
        end = time.monotonic() + DEADLINE
        while (words in self.text) is not there:
            assert time.monotonic() < end, f"{words!r} is not {there} of\n{self.text}"
            time.sleep(0.03)


@pytest.fixture
def tmux() -> Iterator[Tmux]:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # a socket's name must be short
        server = Tmux(Path(folder) / "s")
        try:
            yield server
        finally:
            server("kill-server")


def test_start_keys_and_quit(tmux: Tmux) -> None:
    tmux("send-keys", COMMAND, "Enter")
    tmux.wait_for("press space to begin")
    lines = tmux.text.splitlines()
    assert lines[0].startswith(" prices 1 to 5")
    assert lines[0].endswith("‖ paused")
    assert "1 Price" in lines[1]
    assert "BUYER" in lines[4]
    assert "SELLER" in lines[6]
    assert "q quit" in lines[23]
    assert tmux.ask("alternate_on") == "1"
    assert tmux.ask("cursor_flag") == "0"
    assert tmux.ask("mouse_sgr_flag") == tmux.ask("mouse_button_flag") == "1"
    tmux("send-keys", "n")
    tmux.wait_for("negotiation 1/100")
    tmux("send-keys", "F1")
    tmux.wait_for("Help")
    tmux("send-keys", "Escape")
    tmux.wait_for("Help", there=False)
    tmux("send-keys", "q")
    tmux.wait_for("prompt>")
    assert tmux.ask("alternate_on") == tmux.ask("mouse_any_flag") == "0"
    tmux("send-keys", "echo status $? again", "Enter")
    tmux.wait_for("status 0 again")
    assert COMMAND[-8:] in tmux.text.replace("\n", "")  # what was there before
    assert tmux.ask("cursor_flag") == "1"
    assert tmux.ask("keypad_flag") == "0"
