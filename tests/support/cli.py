"""Run the command line in this process or as a program."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import pytest

from negotiation_tui import BadInputError
from negotiation_tui.cli.main import main

Captured = pytest.CaptureFixture[str]
MODULE = (sys.executable, "-m", "negotiation_tui")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def status_of(*words: str) -> int:
    """The exit status of a command line, whichever way it ends."""
    try:
        return main(words)
    except SystemExit as end:
        return int(end.code or 0)


def printed(capsys: Captured, *words: str) -> str:
    """Run a command line that succeeds without a warning; return the text that it prints."""
    assert status_of(*words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return str(out)


def refused(capsys: Captured, *words: str) -> str:
    """Run a command line that is refused with status 2; return the only line, on stderr."""
    assert status_of(*words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1), err
    return str(err)


def message(call: Callable[[], object]) -> str:
    with pytest.raises(BadInputError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def python(
    *words: str,
    stdout: IO[str] | int = subprocess.PIPE,
    cwd: Path | None = None,
    sent: str | None = None,
    timeout: float = 60,
    **changes: str,
) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own, with changes of its environment."""
    return subprocess.run(
        [sys.executable, *words],
        input=sent,
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
        timeout=timeout,
        cwd=cwd,
        env={**os.environ, "PYTHONUNBUFFERED": "", **changes},
    )


def program(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return python("-m", "negotiation_tui", *words, **more)


def started(words: Sequence[str], stdout: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    return subprocess.Popen(
        words,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        start_new_session=True,
    )


@contextlib.contextmanager
def running(*words: str, until: Callable[[int], bool]) -> Iterator[subprocess.Popen[str]]:
    """Start the program in a session of its own; go on when `until(process id)` is true.

    In the end every process of the session is killed, however the test ends.
    """
    if os.name == "nt":
        pytest.skip("needs sessions of processes")
    with started([*MODULE, *words], subprocess.PIPE) as process:
        try:
            deadline = time.monotonic() + 60
            while not until(process.pid):
                assert process.poll() is None, "the program ended early"
                assert time.monotonic() < deadline, "the program is late"
                time.sleep(0.01)
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def has_lines(file: Path, n: int) -> Callable[[int], bool]:
    """Return a condition for `running`: the program has written at least `n` lines to a file."""
    return lambda _: file.exists() and file.read_bytes().count(b"\n") >= n
