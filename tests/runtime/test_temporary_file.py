"""A save removes the temporary files that a kill left behind, and no other file."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from negotiation_tui.runtime.files import atomic_write
from negotiation_tui.runtime.temporary_file import UNTOUCHED

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


@pytest.mark.parametrize("name", [".m.npz.abcd_ef8", ".m.npz.12345678-abcdefgh"])
def test_one_of_version_0_1_0_or_another_host_goes_after_an_hour(name: str) -> None:
    Path(name).touch(0o600)
    assert save() == {"m.npz", name}, "its program may live"
    os.utime(name, (LONG_AGO, LONG_AGO))
    assert save() == {"m.npz"}


def test_nothing_else_is_removed() -> None:
    names = [
        "m.npz.abcd_ef8",
        ".m.npz.abcd_ef8x",
        ".m.npz.original",
        ".m.npz.20260131",
        ".other.npz.abcd_ef8",
        ".mxnpz.abcd_ef8",
        ".m.npz.1234567-abcdefgh",
    ]
    for name in names:
        Path(name).touch(0o600)
    Path(".m.npz.folder_1").mkdir()
    names.append(".m.npz.folder_1")
    if os.name != "nt":
        Path(".m.npz.v2backup").touch(0o644)
        os.mkfifo(".m.npz.12345678-pipepipe")
        Path(".m.npz.12345678-linklink").symlink_to("m.npz.abcd_ef8")
        names += [".m.npz.v2backup", ".m.npz.12345678-pipepipe", ".m.npz.12345678-linklink"]
    for name in names:
        os.utime(name, (LONG_AGO, LONG_AGO))
    assert save() == {"m.npz", *names}


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="needs root")
def test_one_of_another_user_stays() -> None:
    name = ".m.npz.12345678-abcdefgh"
    Path(name).touch(0o600)
    os.utime(name, (LONG_AGO, LONG_AGO))
    os.chown(name, 12345, -1)
    assert save() == {"m.npz", name}
