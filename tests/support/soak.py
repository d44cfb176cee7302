"""Run numbered random cases, and collect what went wrong in them."""

import contextlib
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

Case = Callable[[Random], None]


def failures_of(case: Case, count: int, seed: int) -> list[str]:
    """Try the cases `seed … seed + count - 1`, each in a folder of its own."""
    return [text for number in range(seed, seed + count) for text in _failure(case, number)]


def _failure(case: Case, number: int) -> Iterator[str]:
    try:
        with a_folder():
            case(Random(number))
    except Exception as error:
        # KeyboardInterrupt goes on to the user, who ends the attack.
        yield failure(f"--seed {number} --count 1", error)


def failure(how_again: str, error: BaseException) -> str:
    """Describe a failure: how to see it again, its text, and the lines that led to it."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    led = (f"  {Path(frame.filename).name}:{frame.lineno} {frame.line}" for frame in frames)
    return "\n".join((f"{how_again}: {type(error).__name__}: {error}", *led))


@contextlib.contextmanager
def a_folder() -> Iterator[Path]:
    """Work in a new folder, which is removed at the end."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, contextlib.chdir(name):
        yield Path(name)


def leftovers(folder: Path, wanted: Iterable[str]) -> list[str]:
    """Return the files of a folder that nobody asked for."""
    return sorted({path.name for path in folder.iterdir()} - set(wanted))
