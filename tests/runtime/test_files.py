"""Each error of reading a file is one line that names the file.

A save removes the temporary files that a kill left behind, and no other file.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from random import Random

import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime import files
from negotiation_tui.runtime.files import (
    UNTOUCHED,
    atomic_write,
    check_writable,
    new_files,
    reading,
)
from negotiation_tui.runtime.folders import settled_folder
from negotiation_tui.runtime.result_file import ResultFile, ResultRow, Work
from tests.support.bots import bot
from tests.support.cli import Captured, status_of

NOT_TEXT = UnicodeDecodeError("utf-8", b"", 0, 1, "")
BY = "expected a file that 'this' wrote, got other or damaged data"


@pytest.mark.parametrize(
    ("error", "written_by", "message"),
    [
        (FileNotFoundError(2, "No such file"), None, "things 'a' cannot be read: No such file"),
        (OSError(), "'this'", "things 'a' cannot be read: it is cut short or damaged"),
        (BadInputError("x: expected 1, got 2"), None, "things 'a': x: expected 1, got 2"),
        (NOT_TEXT, None, "things 'a' cannot be read: it is not text"),
        (NOT_TEXT, "'this'", f"things 'a': {BY}"),
        (EOFError(), "'this'", f"things 'a': {BY}"),
    ],
)
def test_errors_of_a_file(error: Exception, written_by: str | None, message: str) -> None:
    with pytest.raises(BadInputError) as caught, reading(Path("a"), "things", written_by):
        raise error
    assert str(caught.value) == message
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        *(("", "not a file name"), (".", "is a folder"), ("no/x", "no folder"), ("here", "")),
        *((f"{'x' * 256}{inside}", "cannot be written: ") for inside in ("", "/a")),
    ],
)
def test_a_path_is_checked_before_long_work(path: str, reason: str) -> None:
    with pytest.raises(BadInputError, match=reason) if reason else nullcontext():
        check_writable(path)
    assert not list(Path().iterdir())


@pytest.mark.parametrize("name", ["what?.npz", "ab:c.npz", "x.", "x ", "CON", "nul.npz", "com1 .x"])
def test_names_that_windows_refuses(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.name != "nt":
        check_writable(name)
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(BadInputError, match="Windows allows no such name"):
        check_writable(name)
    for fine in ("console.npz", "com.npz", ".x", "a b.npz", "é.npz"):
        check_writable(fine)


def test_files_of_the_key_w_stay_where_the_program_began(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = Path.cwd()
    (begun / "other").mkdir()
    with settled_folder():
        monkeypatch.chdir("other")
        with new_files("game", "seed1", ".txt") as stem, atomic_write(f"{stem}.txt") as file:
            file.write(b"the screen")
    with atomic_write("own.txt") as file:  # in Python: the present folder
        file.write(b"a table")
    assert {path.name for path in begun.iterdir()} == {"other", "game-seed1.txt"}
    assert [path.name for path in Path().iterdir()] == ["own.txt"]


@pytest.mark.parametrize("name", ["é" * 121, "x" * 255])
def test_long_names_are_written(name: str) -> None:
    with atomic_write(name):
        assert len([*Path().iterdir()]) == 1
    assert [*Path().iterdir()] == [Path(name)]


def test_no_name_is_like_an_option() -> None:
    for name in ("-x", "***"):
        with new_files(name, "games", ".txt") as stem:
            assert stem[0] in "xg"


FILES = {
    "train --cycles 20 --save x.npz": "breakdowns",
    "market --text --limit steps=200 --out x.csv": "efficiency",
    "examine boulware --save x.npz": "against            best reply",
    "examine BOT --ask 2 --role seller --cassette x.cassette": "",  # before anything is paid
}


@pytest.mark.skipif(os.name == "nt", reason="needs a limit on files")
@pytest.mark.parametrize("words", FILES)
def test_results_outlive_a_full_disk(words: str, tmp_path: Path, capsys: Captured) -> None:
    import resource

    spec, before = bot(tmp_path, "holds out").spec, resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, before[1]))
    try:
        status = status_of(*(spec if word == "BOT" else word for word in words.split()))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    out, err = capsys.readouterr()
    assert (status, FILES[words] in out) == (2, True), err
    assert err.splitlines()[-1].endswith("cannot be written: File too large")
    assert {path.name for path in Path().iterdir()} <= {"bot.py", "x.cassette"}


def test_an_error_of_the_program_is_not_one_of_the_file() -> None:
    with pytest.raises(KeyError), reading("a", "things"):
        raise KeyError


posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
WRITER = """
import sys
from negotiation_tui.runtime.files import atomic_write
with atomic_write("m.npz") as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    sys.stdin.read()
    file.write(b" and half")
"""
LONG_AGO = time.time() - 2 * UNTOUCHED


def writer() -> subprocess.Popen[str]:
    """A program that stands in the middle of a save of `m.npz`."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    return process


def save(content: bytes = b"whole") -> set[str]:
    """Save `m.npz` in this process; return the names in the folder."""
    with atomic_write("m.npz") as file:
        file.write(content)
    assert Path("m.npz").read_bytes() == content
    return {place.name for place in Path().iterdir()}


@posix
def test_the_next_save_removes_what_killed_ones_left() -> None:
    for _ in range(3):
        with writer() as killed:
            killed.send_signal(signal.SIGKILL)
    assert len(list(Path().iterdir())) == 1, "the second and third have removed one each"
    assert save() == {"m.npz"}


def test_two_programs_save_one_file_and_the_last_one_stays() -> None:
    with writer() as process:
        (unfinished,) = (place.name for place in Path().iterdir())
        assert save() == {"m.npz", unfinished}
        process.communicate("")
        assert process.returncode == 0
    assert [place.name for place in Path().iterdir()] == ["m.npz"]
    assert Path("m.npz").read_bytes() == b"half and half"


def test_without_locks_a_file_is_left_behind_after_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_lock", lambda _: None)
    name = ".m.npz.abcd_ef8.part"
    Path(name).touch(0o600)
    assert save() == {"m.npz", name}, "its program may live"
    os.utime(name, (LONG_AGO, LONG_AGO))
    assert save() == {"m.npz"}


def test_nothing_else_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [
        *("m.npz.abcd_ef8.part", ".m.npz.abcd_ef8", ".m.npz.abcd_ef8x.part"),
        *(".m.npz.my notes.part", ".other.npz.abcd_ef8.part", ".mxnpz.abcd_ef8.part"),
    ]
    for name in (".m.npz.zzz_last.part", *names):
        Path(name).touch(0o600)
        os.utime(name, (LONG_AGO, LONG_AGO))  # Windows has no locks
    Path(".m.npz.a_folder.part").mkdir()
    names.append(".m.npz.a_folder.part")
    if os.name != "nt":
        os.mkfifo(".m.npz.pipepipe.part")
        Path(".m.npz.linklink.part").symlink_to("m.npz.abcd_ef8.part")
        names += [".m.npz.pipepipe.part", ".m.npz.linklink.part"]
    found = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda folder: iter(sorted(found(folder))))
    assert save() == {"m.npz", *names}


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="needs root")
def test_one_of_another_user_stays() -> None:
    name = ".m.npz.abcd_ef8.part"
    Path(name).touch(0o600)
    os.chown(name, 12345, -1)
    assert save() == {"m.npz", name}


ROWS = 2000


class Numbers(Work):
    name = "sweep"
    results = ("result",)

    @property
    def described(self) -> list[ResultRow]:
        return [{"job": n} for n in range(ROWS)]


def add_all(file: ResultFile, seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds)
    for number in file.missing:
        file.add(number, {"result": number})


def test_a_blank_line_hides_no_row_after_it() -> None:
    Path("rows.csv").write_text("job,result\n0,5\n\n1,7\n", encoding="utf-8")
    rows = ResultFile(Numbers(), Path("rows.csv")).rows()
    assert rows == [{"job": 0, "result": 5}, {"job": 1, "result": 7}]


def test_a_removed_file_is_written_whole() -> None:
    path = Path("rows.csv")
    file = ResultFile(Numbers(), path)
    for number in range(3):
        path.unlink(missing_ok=True)
        file.add(number, {"result": number})
        assert len(ResultFile(Numbers(), path).rows()) == number + 1
    path.write_text("job,result\n", encoding="utf-8")
    for change in (partial(file.add, 3, {"result": 3}), file.put_in_order):
        with pytest.raises(BadInputError, match="another program changed it"):
            change()


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_the_line_after_ctrl_c_counts_the_rows_of_the_file() -> None:
    random, path = Random(1), Path("rows.csv")
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        for _ in range(100):
            path.unlink(missing_ok=True)
            file = ResultFile(Numbers(), path)
            with pytest.raises(KeyboardInterrupt):
                add_all(file, random.uniform(0.001, 0.003))
            rows = max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0
            assert file.how_to_go_on.startswith(f"rows.csv holds {rows:,} of 2,000 runs;")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
