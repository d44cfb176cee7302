"""Two folders, one of which a restricted program may use, and command lines that are run in it."""

import json
import os
from pathlib import Path

from tests.support.cli import python
from tests.support.sample_files import sample

EVIL = "from pathlib import Path\nPath('../outside/taken').touch()\nmake = Boulware = Path\n"
FEW = "--cycles 2 --episodes 5"
DRIVER = """
import contextlib, io, json, sys
from negotiation_tui.cli.main import main

done, written = [], sys.stdout
for words in json.load(sys.stdin):
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(words)
        except SystemExit as ending:
            status = ending.code
    done.append((status, *(each.buffer.getvalue().decode() for each in (out, err))))
json.dump(done, written)
"""


def run_confined(lines: list[list[str]]) -> list[tuple[int, str, str]]:
    """Run command lines in one process, which the first restricts; return status, output, errors.

    This is quicker than one process for each.
    """
    done = python("-c", DRIVER, sent=json.dumps(lines), timeout=120)
    assert done.returncode == 0, done.stderr
    return [(status, out, err) for status, out, err in json.loads(done.stdout)]


def contents(place: Path) -> dict[str, bytes]:
    files = (Path(top) / name for top, _, names in os.walk(place) for name in names)
    files = (file for file in files if ".cache" not in file.parts)  # of matplotlib and numba
    return {str(file): file.read_bytes() for file in files if file.is_file()}


def two_folders(top: Path) -> Path:
    """Make two folders: `inside` is the user's, with what could lead out of it."""
    top = top.resolve()
    inside, outside = top / "inside", top / "outside"
    for folder in (inside, outside, inside / ".ssh"):
        folder.mkdir()
    for folder in (inside, outside):
        (folder / "tables.npz").write_bytes(sample("tables.npz"))
        (folder / "evil.py").write_text(EVIL, encoding="utf-8")
    for name in ("secret", "secret.csv", "secret.toml", "secret.jsonl"):
        (outside / name).write_text("the secret\n", encoding="utf-8")
    (inside / "run.jsonl").write_bytes(sample("recording.jsonl"))
    (outside / "config.toml").write_text('theme = "the secret"\n', encoding="utf-8")
    agents = '[[seller]]\nstrategy = "evil.py"\n[[buyer]]\nstrategy = "micro"\n'
    (inside / "agents.toml").write_text(agents, encoding="utf-8")
    (inside / "way").symlink_to(outside)
    (inside / "link.npz").symlink_to(outside / "tables.npz")
    (inside / "dangling.npz").symlink_to(outside / "new.npz")
    (inside / "hard.npz").hardlink_to(outside / "secret")
    os.mkfifo(inside / "pipe")
    return top
