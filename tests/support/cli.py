"""Run the command line in this process or as a program."""

import os
import subprocess
import sys
from typing import IO

from negotiation_tui.cli.main import main

MODULE = (sys.executable, "-m", "negotiation_tui")


ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def status_of(*words: str) -> int:
    """The exit status of a command line, whichever way it ends."""
    try:
        return main(words)
    except SystemExit as end:
        return int(end.code or 0)


def program(
    *words: str, stdout: IO[str] | int = subprocess.PIPE, **changes: str
) -> subprocess.CompletedProcess[str]:
    """The whole program, in an environment with changes."""
    return subprocess.run(
        [*MODULE, *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
        env={**ENVIRONMENT, **changes},
    )
