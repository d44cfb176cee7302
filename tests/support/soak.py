"""Run numbered random cases, and collect what went wrong in them."""

import contextlib
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

Case = Callable[[Random], None]


def failures_of(case: Case, count: int, seed: int) -> list[str]:
    """Try the cases `seed … seed + count - 1`, each in a folder of its own.

    Return how to see each failure again, its text, and the lines that led to it.
    """
    failures = []
    for number in range(seed, seed + count):
        try:
            with a_folder():
                case(Random(number))
        except Exception as error:  # KeyboardInterrupt goes on to the user, who ends the attack
            frames = traceback.extract_tb(error.__traceback__)[-4:]
            led = (f"  {Path(each.filename).name}:{each.lineno} {each.line}" for each in frames)
            text = f"--seed {number} --count 1: {type(error).__name__}: {error}"
            failures.append("\n".join((text, *led)))
    return failures


@contextlib.contextmanager
def a_folder() -> Iterator[Path]:
    """Work in a new folder, which is removed at the end."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, contextlib.chdir(name):
        yield Path(name)
