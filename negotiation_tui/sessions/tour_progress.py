"""The user's progress through the tour, in a file of the user's state folder."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from negotiation_tui.runtime.files import atomic_write, read_bytes, reading, user_folder, writing
from negotiation_tui.runtime.validate import integer, refusal

FILE = "tour.json"
_MOST_BYTES = 1 << 16
_MOST = 1000


class Result(NamedTuple):
    """The predictions of a finished lesson."""

    right: int = 0
    asked: int = 0


Progress = Mapping[str, Result]  # the result of each finished lesson, by the lesson's name


def progress_path() -> Path | None:
    """Return the file of the progress; None without a place for it."""
    folder = user_folder("STATE")
    return folder and folder / FILE


def read(path: Path | None) -> Progress:
    """Return the progress in a file, which may be missing.

    Raises BadInputError if it cannot be read or was not written by `write`.
    """
    if path is None:
        return {}
    with reading(path, "progress", "the tour"):
        try:
            table = json.loads(read_bytes(path, _MOST_BYTES))
        except FileNotFoundError:
            return {}
        return {str(name): _result(values) for name, values in dict(table).items()}


def write(path: Path | None, progress: Progress) -> None:
    """Write the progress, complete or not at all. Raises BadInputError if that is impossible."""
    if path is None:
        return
    with writing(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps({name: result._asdict() for name, result in progress.items()}, indent=1)
    with atomic_write(path, private=True) as file:
        file.write(text.encode())


def forget(path: Path | None) -> None:
    """Remove the file, if there is one. Raises BadInputError if that is impossible."""
    if path is not None:
        with writing(path), suppress(FileNotFoundError):
            path.unlink()


def _result(values: Mapping[str, object]) -> Result:
    right, asked = (integer(name, values[name], 0, _MOST) for name in ("right", "asked"))
    if right > asked:
        raise refusal("right", right, f"at most {asked}")
    return Result(right, asked)
