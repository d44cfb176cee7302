"""Completion, in the shells themselves."""

import shutil
import subprocess
from pathlib import Path

import pytest

from negotiation_tui.cli.main import SUBCOMMANDS
from negotiation_tui.tui.toolkit.theme import THEMES
from tests.support.cli import Captured, printed

pytest.importorskip("shtab")

CASES = [
    ("wat", "watch"),
    ("watch --theme li", "light"),
    ("--pa", "--pace"),
    ("train --seller boulw", "boulware"),
    ("train --seller learned:wo", "learned:wolf-phc"),
    ("play --against midp", "midpoint"),
    ("solve --scenario hid", "hidden"),
    ("tournament tit", "tit-for-tat"),
    ("test my-tab", "my-tables.npz"),
    ("train --save my-tab", "my-tables.npz"),
]
"""What was typed, and the word that it is completed to."""
_BASH = r"""
source "$1"
COMP_WORDS=(negotiation-tui "${@:2}")
COMP_CWORD=$(($# - 1))
function=$(complete -p negotiation-tui | sed 's/.*-F \([^ ]*\).*/\1/')
"$function" negotiation-tui "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(shell), reason=f"needs {shell}")


def ran(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=30)
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def scripts(tmp_path: Path, capsys: Captured) -> Path:
    for shell in ("bash", "zsh", "fish"):
        (tmp_path / f"_{shell}").write_text(printed(capsys, "completion", shell), encoding="utf-8")
    (tmp_path / "my-tables.npz").touch()
    return tmp_path


def in_bash(scripts: Path, line: str) -> list[str]:
    words = [*line.split(), *([""] if line.endswith(" ") or not line else [])]
    return ran("bash", "--norc", "-c", _BASH, "bash", str(scripts / "_bash"), *words).splitlines()


def in_fish(scripts: Path, line: str) -> list[str]:
    code = f'source {scripts / "_fish"}; complete -C "negotiation-tui {line}"'
    return [found.split("\t")[0] for found in ran("fish", "--no-config", "-c", code).splitlines()]


@needs("bash")
def test_bash(scripts: Path) -> None:
    assert {line: in_bash(scripts, line) for line, _ in CASES} == {
        line: [word] for line, word in CASES
    } | {"tournament tit": ["tit-for-tat"], "--pa": ["--pace", "--paused"]}
    assert in_bash(scripts, "watch --theme ") == [*THEMES]
    assert {*SUBCOMMANDS} <= {*in_bash(scripts, "")}


@needs("fish")
def test_fish(scripts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for line, word in CASES:
        assert word in in_fish(scripts, line), line
    assert [*THEMES] == in_fish(scripts, "watch --theme ")


@needs("zsh")
@pytest.mark.terminal
def test_zsh(scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pty_session = pytest.importorskip("tests.support.pty_session", reason="no terminals here")
    if pty_session.MISSING:
        pytest.skip(f"needs {', '.join(pty_session.MISSING)}")
    (scripts / "_zsh").rename(scripts / "_negotiation-tui")
    begin = "PS1='ready> '; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -d dump; clear"
    with pty_session.Session(["zsh", "-f"], 100, 30) as session:
        session.send(f"{begin}\r")
        session.wait(lambda: session.text.strip() == "ready>", "prompt")
        for line, word in CASES:
            if line != "--pa":  # there are two
                session.send(f"negotiation-tui {line}\t")
                *before, _ = line.split(" ")
                session.wait_for(" ".join(["ready> negotiation-tui", *before, word]))
                session.send("\x15\x0c")  # empties the line and the screen
                session.wait(lambda: session.text.strip() == "ready>", "empty line")
