"""Signals that end the program: at once, or as an exception in a section that allows it."""

import os
from pathlib import Path

import pytest

from tests.support.cli import python
from tests.support.modules import loaded_by

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
HEAD = """
import signal, sys, time
from negotiation_tui.runtime.interrupts import Interruptible, handle
"""


def ended(code: str) -> tuple[int, str, str]:
    done = python("-c", HEAD + code)
    return done.returncode, done.stdout, done.stderr


def test_nothing_is_loaded_before_signals_are_handled() -> None:
    loaded = loaded_by("import negotiation_tui.__main__") - loaded_by("")
    assert loaded == {
        "negotiation_tui",
        "negotiation_tui.__main__",
        "negotiation_tui.runtime",
        "negotiation_tui.runtime.interrupts",
    }


@pytest.mark.parametrize(
    ("name", "status"),
    [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129), ("SIGQUIT", 131), ("SIGUSR1", 138)],
)
def test_a_signal_ends_the_program_at_once_and_in_a_section_by_an_exception(
    name: str, status: int
) -> None:
    code = f"handle()\ntry: signal.raise_signal(signal.{name})\nexcept BaseException: print('no')"
    assert ended(code) == (status, "", "")
    code = f"""
handle()
try:
    with Interruptible():
        try:
            signal.raise_signal(signal.{name})
        finally:
            signal.raise_signal(signal.{name})
            print("put in order")
except KeyboardInterrupt:
    signal.raise_signal(signal.{name})
    sys.exit(130)
"""
    assert ended(code) == (status, "put in order\n", "")


ENDS = {
    "the third ends a program whose user catches everything": (
        """
from negotiation_tui.runtime import interrupts

interrupts.GRACE = 0.0
handle()
with Interruptible():
    for _ in range(9):
        try:
            signal.raise_signal(signal.SIGINT)
        except BaseException:
            print("caught", flush=True)
""",
        (130, "caught\ncaught\n", ""),
    ),
    "after a section it ends the program again": (
        "handle()\nwith Interruptible(): pass\nsignal.raise_signal(signal.SIGINT)\nprint('no')",
        (130, "", ""),
    ),
    "it is not lost in a destructor": (
        """
class Breaking:
    def __del__(self): signal.raise_signal(signal.SIGINT)

handle()
try:
    with Interruptible():
        Breaking()
        for _ in range(100): time.sleep(0.1)
        print("lost")
except KeyboardInterrupt:
    sys.exit(130)
""",
        (130, "", ""),
    ),
    "nobody else's handlers are replaced": (
        """
before = signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGHUP, lambda *_: print("mine"))
handle()
for number in (signal.SIGINT, signal.SIGHUP): signal.raise_signal(number)
""",
        (0, "mine\n", ""),
    ),
    "a script ends in silence": (
        "from negotiation_tui.runtime.interrupts import run; run(lambda: signal.raise_signal(2))",
        (130, "", ""),
    ),
    "without the program Ctrl-C is as everywhere in Python": (
        "try: signal.raise_signal(signal.SIGINT)\nexcept KeyboardInterrupt: print('as usual')",
        (0, "as usual\n", ""),
    ),
}


@pytest.mark.parametrize(("code", "end"), ENDS.values(), ids=ENDS)
def test_the_end_of_a_program(code: str, end: tuple[int, str, str]) -> None:
    assert ended(code) == end


def test_a_file_is_written_to_its_end(tmp_path: Path) -> None:
    code = f"""
from negotiation_tui.runtime.files import atomic_write
handle()
with atomic_write({str(tmp_path / "f")!r}) as file:
    file.write(b"begun")
    signal.raise_signal(signal.SIGTERM)
    file.write(b" and done")
print("no")
"""
    assert ended(code) == (143, "", "")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"f": b"begun and done"}
