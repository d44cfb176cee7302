"""A small whole file of each kind, as the program writes it, for tests that damage files."""

import io
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from negotiation_tui.cli.main import main
from tests.support.pinned import record

AWARE = "--states opener-aware --seed 3"
TOURNAMENT = f"tournament boulware learned --negotiations 10 {AWARE} --text"
_COMMANDS = {
    "tables.npz": "train --recipe reverse-curriculum --buyer equilibrium --cycles 4 --episodes 10"
    f" {AWARE} --save {{}}",
    "market.npz": "market --sellers 3 --buyers 3 --limit negotiations=300 --seed 7 --save {}",
    "tournament.csv": TOURNAMENT + " --out {}",
}


@cache
def sample(name: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        if name == "recording.jsonl":
            record(path)
        else:
            with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")):
                assert main(_COMMANDS[name].format(path).split()) == 0
        return path.read_bytes()
