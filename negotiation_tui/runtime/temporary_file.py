"""Temporary files beside the file that they will replace, and those that a kill left behind."""

import os
import platform
import re
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

UNTOUCHED = 3600.0
"""Seconds without a change after which a file counts as left behind, where no lock can tell."""
_RANDOM = "[a-z0-9_]{8}"
_MIXED = rf"(?=.*[0-9])(?=.*[a-z_]){_RANDOM}"
"""The random part of a name of version 0.1.0; words and dates are no such part."""


@contextmanager
def temporary_beside(target: Path) -> Iterator[IO[bytes]]:
    """Create a file for the owner only, and remove it at the end unless it was renamed.

    It is locked until then, so that nobody takes it for left behind. Files that were, are removed.
    """
    remove_leftovers(target)
    file = _locked(target)
    lock = os.dup(file.fileno()) if sys.platform != "win32" else None  # outlives a closed file
    try:
        with file:
            yield file
    finally:
        Path(file.name).unlink(missing_ok=True)
        if lock is not None:
            os.close(lock)


def remove_leftovers(target: Path) -> None:
    """Remove the temporary files of `target` that no living program writes.

    The lock of this host's kernel tells. It says nothing of other hosts and of version 0.1.0: their
    files must be unchanged for an hour. Nothing is removed but regular files of this user.
    """
    name = re.escape(target.name)
    pattern = re.compile(rf"\.{name}\.(?:(?P<host>[0-9a-f]{{8}})-{_RANDOM}|{_MIXED})")
    with suppress(OSError), os.scandir(target.parent) as entries:
        found = [(Path(entry.path), pattern.fullmatch(entry.name)) for entry in entries]
        for place, match in found:
            if match:
                with suppress(OSError):
                    _remove_if_left(place, match["host"])


def _remove_if_left(place: Path, host: str | None) -> None:
    status = place.lstat()
    is_file = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
    if not is_file or (hasattr(os, "geteuid") and status.st_uid != os.geteuid()):
        return
    if host is None and os.name != "nt" and stat.S_IMODE(status.st_mode) != 0o600:
        return  # version 0.1.0 kept it so until it was complete
    if sys.platform != "win32" and host == _host():
        with place.open("r+b") as file:
            is_left = _lock(file)
            if is_left:
                place.unlink()  # while it is locked
        if is_left is not None:
            return
    if time.time() - status.st_mtime > UNTOUCHED:
        place.unlink()


def _locked(target: Path) -> IO[bytes]:
    """Create a temporary file and lock it; another if somebody took that for left behind."""
    while True:
        file: IO[bytes] = tempfile.NamedTemporaryFile(  # noqa: SIM115 - the caller closes it
            dir=target.parent, prefix=f".{target.name}.{_host()}-", delete=False
        )
        if _lock(file) is not False and Path(file.name).exists():
            return file
        file.close()


def _lock(file: IO[bytes]) -> bool | None:
    """Lock a file until all its descriptors are closed.

    False if another program holds the lock, None if the system or its file system has no locks.
    """
    if sys.platform == "win32":
        return None
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def _host() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"
