"""Read files with one-line errors, and write files atomically."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.temporary_file import temporary_beside


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise BadInputError if `path` cannot be written, so that no long work is lost."""
    place, folder = Path(path), Path(path).parent
    if not str(path):
        reason = "it is not a file name"
    elif not folder.is_dir():
        reason = f"there is no folder {str(folder)!r}"
    elif place.is_dir():
        reason = "it is a folder, not a file"
    elif place.exists() and not os.access(path, os.W_OK):
        reason = "it is write-protected"
    elif not _is_device(path) and not os.access(folder, os.W_OK):
        reason = f"folder {str(folder)!r} is write-protected"
    else:
        return
    raise BadInputError(f"{str(path)!r} cannot be written: {reason}")


@contextmanager
def reading(
    path: str | os.PathLike[str], what: str, written_by: str | None = None
) -> Iterator[None]:
    """Turn each error of reading a file into a one-line BadInputError that names the file.

    `what` is the kind of file, such as "tables". Pass `written_by` for a file format of this
    program: every other error then becomes BadInputError too.
    """
    named = f"{what} {str(path)!r}"
    try:
        yield
    except OSError as error:
        reason = error.strerror or "it is cut short or damaged"
        raise BadInputError(f"{named} cannot be read: {reason}") from None
    except BadInputError as error:
        raise BadInputError(f"{named}: {error}") from None
    except Exception as error:  # bytes of strangers make numpy, zipfile and json raise anything
        if written_by is not None:
            raise BadInputError(
                f"{named}: expected a file that {written_by} wrote, got other or damaged data"
            ) from None
        if isinstance(error, UnicodeDecodeError):
            raise BadInputError(f"{named} cannot be read: it is not text") from None
        raise


@contextmanager
def atomic_write(path: str | os.PathLike[str], private: bool = False) -> Iterator[IO[bytes]]:
    """Write a temporary file and rename it to `path` once it is complete.

    A symbolic link stays a link. A device or pipe, such as `/dev/stdout`, is written to. A private
    file is readable by its owner only. Raises BadInputError if the file cannot be written; an old
    file is then unchanged.
    """
    check_writable(path)
    try:
        to_device = _is_device(path)
        with _write_to_device(path) if to_device else _replace_file(path, private) as file:
            yield file
    except OSError as error:
        raise BadInputError(f"{str(path)!r} cannot be written: {error.strerror}") from None


def free_stem(stem: str, *endings: str) -> str:
    """Return the stem, numbered if necessary, so that no file has this stem and an ending."""
    numbered = (stem if n == 1 else f"{stem}-{n}" for n in count(1))
    return next(
        free for free in numbered if not any(Path(f"{free}{end}").exists() for end in endings)
    )


def _is_device(path: str | os.PathLike[str]) -> bool:
    """True for a device or pipe (such as /dev/stdout), which must be written to, not replaced."""
    place = Path(path)
    return place.exists() and (not place.is_file() or Path("/dev") in place.absolute().parents)


@contextmanager
def _write_to_device(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as file:
        yield file
        file.seek(0)
        with Path(path).open("wb") as device:
            shutil.copyfileobj(file, device)


@contextmanager
def _replace_file(path: str | os.PathLike[str], private: bool) -> Iterator[IO[bytes]]:
    target = Path(os.path.realpath(path))
    mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
    with temporary_beside(target) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
        file.close()  # Windows renames no open file
        if not private:
            Path(file.name).chmod(mode)
        Path(file.name).replace(target)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
