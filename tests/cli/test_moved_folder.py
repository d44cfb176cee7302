"""Code of the user moves the working directory: no file of the command line moves with it."""

from pathlib import Path

import pytest

from tests.support.cli import program

MOVER = """
import os
from negotiation_tui.strategies.concession import Midpoint

os.chdir("..")

class Mover(Midpoint):
    name = "mover"

    def support(self, position):
        os.chdir("..")
        return super().support(position)
"""
FEW = "--cycles 2 --episodes 5 --seed 1"
COMMANDS = {
    f"train --seller mover.py {FEW} --save a.npz": {"a.npz"},
    f"watch --once --seller mover.py {FEW} --svg a.svg --record a.jsonl": {"a.svg", "a.jsonl"},
    "tournament mover.py midpoint --text --out a.csv --workers 1": {"a.csv"},
    "sweep --set seller=mover.py --set cycles=2 --runs 3 --workers 2 --out a.csv": {"a.csv"},
    "market --seller mover.py --limit steps=20 --seed 1 --text --save a.npz --out a.csv": {
        "a.npz",
        "a.csv",
    },
}


@pytest.mark.parametrize("command", COMMANDS)
def test_files_are_written_where_the_command_was_given(command: str) -> None:
    Path("mover.py").write_text(MOVER, encoding="utf-8")
    done = program(*command.split())
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
    written = {str(path) for path in Path().iterdir()} - {"mover.py"}
    assert written == COMMANDS[command]
