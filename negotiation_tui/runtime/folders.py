"""The folder of the user's relative paths. Loaded at every start: it imports nothing slow."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_settled: list[Path] = []
"""The folder of relative paths; without one it is the present working directory."""


@contextmanager
def settled_folder() -> Iterator[None]:
    """Keep the folder of relative paths, wherever the user's code moves the working directory."""
    before = len(_settled)
    with suppress(OSError):  # the directory was removed
        _settled.append(Path.cwd())
    try:
        yield
    finally:
        del _settled[before:]


def folder_of_paths() -> Path | None:
    """Return the folder that `settled_folder` keeps; None outside of it."""
    return _settled[-1] if _settled else None


def settle_in(folder: Path) -> None:
    """Make a folder the one of relative paths for good, in a worker process."""
    os.chdir(folder)
    _settled.append(folder)


def located(path: str | os.PathLike[str]) -> Path:
    """Return the path of a file of the user, absolute within `settled_folder`."""
    return Path(_settled[-1], path) if _settled else Path(path)
