"""The program in a real tmux."""

import shutil
import subprocess
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


Tmux = Callable[..., str]


@pytest.fixture
def tmux() -> Iterator[Tmux]:
    """A tmux server of our own with one window, a shell in it: a call is one of its commands."""
    config = "set -g default-terminal tmux-256color\nset -g status off\nset -s escape-time 10\n"
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # a socket's name must be short
        (Path(folder) / "config").write_text(config)

        def server(*words: str) -> str:
            command = ["tmux", "-u", "-S", f"{folder}/s", "-f", f"{folder}/config", *words]
            return subprocess.check_output(
                command, env=environment(), timeout=DEADLINE, encoding="utf-8"
            )

        shell = "env PS1='prompt> ' bash --norc --noprofile"
        server("new-session", "-d", "-x", "80", "-y", "24", shell)
        try:
            yield server
        finally:
            server("kill-server")


def typed(tmux: Tmux, *keys: str, until: str, there: bool = True) -> str:
    """Type keys, and return the screen once it has these words, or has them no more."""
    tmux("send-keys", *keys)
    end = time.monotonic() + DEADLINE
    while (until in (text := tmux("capture-pane", "-p"))) is not there:
        assert time.monotonic() < end, f"{until!r} is not {there} of\n{text}"
        time.sleep(0.03)
    return text


def ask(tmux: Tmux, *names: str) -> str:
    wanted = " ".join(f"#{{{name}}}" for name in names)
    return tmux("display-message", "-p", wanted).strip()


def test_the_screen_has_the_window_until_the_shell_gets_it_back(tmux: Tmux) -> None:
    typed(tmux, until="prompt>")
    typed(tmux, COMMAND, "Enter", until="press space to begin")
    lines = typed(tmux, until="q quit").splitlines()  # the last row: the frame is whole
    assert lines[0].startswith(" 5 coins to divide")
    assert lines[0].endswith("‖ paused")
    assert "1 Price" in lines[1]
    assert "SELLER" in lines[4]
    assert "BUYER" in lines[5]
    assert "q quit" in lines[23]
    screen = "alternate_on", "cursor_flag", "mouse_sgr_flag", "mouse_button_flag"
    assert ask(tmux, *screen) == "1 0 1 1"
    tmux("set-buffer", "qq")
    tmux("paste-buffer", "-p")
    typed(tmux, until="pasted text is not taken as keys")
    typed(tmux, "n", until="PRACTICE")
    typed(tmux, "F1", until="Help")
    typed(tmux, "Escape", until="Help", there=False)
    typed(tmux, "q", until="prompt>")
    assert ask(tmux, "alternate_on", "mouse_any_flag") == "0 0"
    text = typed(tmux, "echo status $? again", "Enter", until="status 0 again")
    assert COMMAND[-8:] in text.replace("\n", "")  # what was there before
    assert ask(tmux, "cursor_flag", "keypad_flag") == "1 0"
