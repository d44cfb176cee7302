"""Standard output or error that is closed or full, or whose reader has gone."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.support.cli import ENVIRONMENT, MODULE, program

if os.name == "nt":
    pytest.skip("needs a shell of Unix", allow_module_level=True)
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
TRAIN = "train --cycles 2 --episodes 5 --seed 1 --save tables.npz"
OTHERS = [
    "market --limit steps=3 --seed 1 --out rows.csv",
    "--once --cycles 1 --episodes 5 --seed 1",
    "test tables.npz --negotiations 5",
    "solve",
    "replay run.jsonl --once",
    "completion bash",
    "tournament midpoint random --negotiations 2 --workers 1 --text --out rows.csv",
]
NO_SPACE = "negotiation-tui: cannot write standard output: No space left on device\n"
CLOSED = "negotiation-tui: cannot write standard output: it is closed\n"
STATES = {"": (0, ""), "2>&-": (0, ""), ">/dev/full": (1, NO_SPACE), ">&- 2>&-": (1, "")}
MORE = {
    **STATES,
    ">&-": (1, CLOSED),
    "<&-": (0, ""),
    "2>/dev/full": (0, ""),
    ">/dev/full 2>/dev/full": (1, ""),
    "<&- >&- 2>&-": (1, ""),
}


def check_states(line: str, folder: Path, states: dict[str, tuple[int, str]]) -> None:
    """Run a command line in every state at once, each in a folder of its own."""
    if line.startswith("completion"):
        pytest.importorskip("shtab")
    needed = {"tables.npz": TRAIN, "run.jsonl": "--once --seed 1 --record run.jsonl"}
    for name, made_by in needed.items():
        if name in line and line != made_by:
            assert program(*made_by.split()).returncode == 0
    started = {}
    for number, state in enumerate(states):
        own = folder / str(number)
        own.mkdir()
        for name in needed:
            if (folder / name).exists():
                (own / name).write_bytes((folder / name).read_bytes())
        started[state] = subprocess.Popen(
            ["sh", "-c", f"exec {shlex.join(MODULE)} {line} {state}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
            cwd=own,
        )
    told = {state: process.communicate(timeout=120) for state, process in started.items()}
    usual, notes = told[""]
    for number, (state, (status, message)) in enumerate(states.items()):
        out, err = told[state]
        assert (started[state].returncode, out) == (status, "" if status else usual), state
        assert err == ("" if "2>" in state else notes + message), state
        made = sorted(path.name for path in (folder / str(number)).iterdir())
        assert made == sorted(path.name for path in (folder / "0").iterdir()), state


@needs_full
@pytest.mark.slow
@pytest.mark.parametrize("line", [TRAIN, *OTHERS])
def test_a_state_of_the_streams(line: str, tmp_path: Path) -> None:
    check_states(line, tmp_path, MORE if line == TRAIN else STATES)


NOISY = """
import os
diary = open("diary.txt", "w")
for stream in (1, 2):
    try:
        os.write(stream, b"noise")
    except OSError:
        pass
os._exit(0)
"""


def test_no_file_becomes_a_stream(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(NOISY, encoding="utf-8")
    line = f"{shlex.join(MODULE)} train --seller noisy.py <&- >&- 2>&-"
    ended = subprocess.run(["sh", "-c", line], env=ENVIRONMENT, check=False, timeout=60)
    assert ended.returncode == 0
    assert (tmp_path / "diary.txt").read_bytes() == b""


@pytest.mark.parametrize(
    ("line", "unbuffered"), [("train --cycles 2", "1"), ("train --json", ""), ("--help", "1")]
)
def test_a_reader_that_has_gone_is_no_drama(line: str, unbuffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = program(*line.split(), stdout=writer, PYTHONUNBUFFERED=unbuffered)
    finally:
        os.close(writer)
    said = ended.stderr.replace("not a terminal: printing one frame of text, as with --once\n", "")
    assert (ended.returncode, said) == (1, "")


@needs_full
@pytest.mark.parametrize(
    "words",
    [f"{TRAIN} --save", "market --limit steps=1 --save", "sweep --set cycles=1 --workers 1 --out"],
)
def test_a_file_that_cannot_be_written_is_named(words: str, tmp_path: Path) -> None:
    (tmp_path / "full.csv").symlink_to("/dev/full")
    ended = program(*words.split(), "full.csv")
    assert ended.returncode == 2
    assert re.fullmatch(r"negotiation-tui: 'full.csv' .*\n", ended.stderr)
