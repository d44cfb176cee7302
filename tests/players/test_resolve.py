"""Specs of players: what is wrong with one is one line, and no file runs what it names."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from negotiation_tui.learning.checkpoint import save_tables
from negotiation_tui.players.resolve import player_from_spec, resolve_trusted
from tests.support import user_learners
from tests.support.cli import message, printed, refused
from tests.support.trained_tables import trained
from tests.support.user_strategies import STUBBORN, patient

WRONG = {
    "none.py": "'none.py' cannot be read: No such file",
    "own.py::Other": "expected strategy Other, got none; use Patient",
    "own.py:beta=1": "own.py: setting: expected none, got 'beta'; Patient is no dataclass; w",
    "learned:mine.py:rat=1": "mine.py:Table: setting: expected rate, got 'rat'",
    "learned:mine.py:Other": "expected learner Other, got none; use Table",
    "learned:none.py": "learner 'none.py' cannot be read",
    "learned:mine:Other": "module mine has no 'Other'",
    "learned:json:loads": "expected a class that inherits from negotiation_tui.Learner",
    "learned:m\nine.py": "one line of text",
    "nowhere:x": "nowhere:x: ModuleNotFoundError: No module named 'nowhere'",
    "broken:x": "broken:x: ZeroDivisionError: division by zero (broken.py, line 2)",
    # names of ours and of the standard library come before files here
    "random:x": "expected setting=value, got 'x'",
    "json:x": "json:x: module json has no 'x'",
    "cmd:": "expected a program that can be run, got none",
    "cmd:./no-such-bot": "expected a program that can be run, got './no-such-bot'",
    "cmd:'": "cannot be split into words",
}


@pytest.mark.parametrize("spec", WRONG)
def test_what_is_wrong_is_said_in_a_line(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patient()
    texts = {"mine": user_learners.table(), "broken": "\n1 / 0"}
    for name in (*texts, "random", "json"):
        Path(f"{name}.py").write_text(texts.get(name, "raise SystemExit"), encoding="utf-8")
        if name in texts:
            monkeypatch.delitem(sys.modules, name, raising=False)
    assert WRONG[spec] in message(lambda: player_from_spec(spec))
    assert str(Path.cwd()) not in sys.path


TRAP = "import pathlib\npathlib.Path('ran').touch()\nx = 1\n"
CODE = ("trap.py", "trap.py::X", "trap:x", "negmas:trap.x", "cmd:touch ran")
FILES = ("test t.npz", "solve --policy t.npz", "watch --versus t.npz", "market agents.toml --text")


@pytest.mark.parametrize("spec", CODE)
def test_no_file_runs_what_it_names(
    spec: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("trap.py").write_text(TRAP, encoding="utf-8")
    save_tables("t.npz", replace(trained(), specs=(spec, "learned")))
    for name, text in {
        "agents": "[[seller]]\nstrategy = {}\n[[buyer]]",
        "own": "seller = {}",
    }.items():
        Path(f"{name}.toml").write_text(text.format(json.dumps(spec)), encoding="utf-8")
    for command in FILES:
        said = refused(capsys, *command.split())
        assert f"{spec} is not built in and runs only if you name it yourself" in said
    monkeypatch.setenv("NEGOTIATION_TUI_CONFIG", "own.toml")
    assert "entry" in refused(capsys, "config")
    assert not Path("ran").exists()


@pytest.mark.parametrize("spec", ["learned:trap.py", "learned:trap:X"])
def test_a_learner_that_a_file_names_is_no_strategy(spec: str) -> None:
    Path("trap.py").write_text(TRAP, encoding="utf-8")
    assert resolve_trusted(spec) is None
    assert not Path("ran").exists()


def test_what_code_prints_goes_only_where_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither over a screen nor into JSON."""
    said = "print('noise'); print('note', 1, sep='-', file=open('notes', 'a')); "
    texts = {
        patient(said + STUBBORN, "{'history'}"): Path("own.py").read_text(encoding="utf-8"),
        "learned:mine.py": user_learners.changed(f"def learn(self, episode):\n    {said}"),
    }
    for spec, text in texts.items():
        Path(spec.removeprefix("learned:")).write_text(f"print('begun')\n{text}", encoding="utf-8")
        words = ("train", "--cycles", "1", "--episodes", "9", "--no-verbose", "--json")
        assert json.loads(printed(capsys, *words, "--seller", spec))
        assert Path("notes").read_text(encoding="utf-8").startswith("note-1\n")
        Path("notes").unlink()
