"""Read files with one-line errors, TOML too, and write files atomically."""

import io
import os
import re
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path, PureWindowsPath
from typing import IO, Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime import restricted
from negotiation_tui.runtime.folders import located
from negotiation_tui.runtime.signals import uninterrupted
from negotiation_tui.runtime.text import clip, quoted
from negotiation_tui.runtime.validate import refusal

MOST_TOML = 1_000_000  # bytes
_DEEPEST = 20  # levels of tables and lists
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = rf"(?<![\w-])(?:{_PART}){{{_DEEPEST}}}"
"""A key of many parts, such as `a.a.a`: the time to read it grows with the cube of their number."""
UNTOUCHED = 3600.0
"""Seconds without a change after which a temporary file is left behind, if no lock can tell."""
_NOT_ON_WINDOWS = r'.*[<>:"|?*\x00-\x1f].*|.*[. ]|(CON|PRN|AUX|NUL|(COM|LPT)[1-9¹²³]) *(\..*)?'
"""File names that Windows refuses, cuts, or takes for a device."""
_LONGEST_NAME = 100
"""Bytes of another name in a file name, which may have 255, or 143 if encrypted."""


def user_folder(kind: str, environ: Mapping[str, str] | None = None) -> Path | None:
    """Return the program's folder for the user's files of a kind: CACHE, CONFIG or STATE.

    Relative folders in the environment are ignored, as XDG demands. None without a home folder.
    """
    environ, windows = os.environ if environ is None else environ, sys.platform == "win32"
    on_windows = "APPDATA" if kind == "CONFIG" else "LOCALAPPDATA"
    base = Path(environ.get(on_windows if windows else f"XDG_{kind}_HOME", ""))
    if not base.is_absolute():
        usual = {"CACHE": "~/.cache", "CONFIG": "~/.config", "STATE": "~/.local/state"}[kind]
        try:
            base = Path(usual).expanduser()
        except RuntimeError:
            return None
    return base / "negotiation-tui"


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise BadInputError if `path` cannot be written, so that no long work is lost."""
    place, folder = located(path), Path(path).parent
    objection = restricted.objection(place, writing=True)
    with writing(path), suppress(FileNotFoundError, NotADirectoryError):
        if not objection:
            place.lstat()  # its name may be too long
    if not str(path):
        reason = "it is not a file name"
    elif sys.platform == "win32" and re.fullmatch(
        _NOT_ON_WINDOWS, PureWindowsPath(path).name, re.IGNORECASE | re.DOTALL
    ):
        reason = "Windows allows no such name; use letters, digits, '-' and '_'"
    elif objection:
        reason = objection
    elif not place.parent.is_dir():
        reason = f"there is no folder {quoted(folder)}"
    elif place.is_dir():
        reason = "it is a folder, not a file"
    elif place.exists() and not os.access(place, os.W_OK):
        reason = "it is write-protected"
    elif not is_device(place) and not os.access(place.parent, os.W_OK):
        reason = f"folder {quoted(folder)} is write-protected"
    else:
        return
    raise BadInputError(f"{quoted(path)} cannot be written: {reason}")


def open_file(path: str | os.PathLike[str]) -> io.BufferedReader:
    """Open a file to read. Raises BadInputError for a device or pipe, which might never end."""
    place = located(path)
    if place.exists() and not place.is_file() and str(path) != os.devnull:
        raise BadInputError("expected a file, got a folder, a device or a pipe")
    return place.open("rb")


def open_to_append(path: str | os.PathLike[str]) -> io.FileIO:
    """Open a file to be read and appended to, unbuffered, by one process at a time.

    Raises BadInputError if another one has it. A device or pipe is written to, and never read.
    """
    check_writable(path)
    place = located(path)
    with writing(path):
        file = io.FileIO(place, "ab" if is_device(place) else "a+b")
        if not is_device(place) and _lock(file) is False:
            file.close()
            raise BadInputError(f"{quoted(path)}: another process is writing it; wait for its end")
        if file.readable():
            file.seek(0)
    return file


def read_bytes(path: str | os.PathLike[str], most: int) -> bytes:
    with open_file(path) as file:
        contents = file.read(most + 1)
    if len(contents) > most:
        raise BadInputError(f"expected at most {most:,} bytes, got more")
    return contents


def refuse_file(what: str, name: str, expected: str) -> None:
    """Raise BadInputError if a name that means nothing here is that of a file."""
    if not restricted.objection(name) and os.path.isfile(name):  # noqa: PTH113 - it never raises
        raise refusal(what, name, expected, "it is a file of another kind")


@contextmanager
def reading(
    path: str | os.PathLike[str], what: str, written_by: str | None = None
) -> Iterator[None]:
    """Turn each error of reading a file into a one-line BadInputError that names the file.

    `what` is the kind of file, such as "tables". With `written_by`, for a format of this program,
    every other error becomes one too.
    """
    named = f"{what} {quoted(path)}"
    try:
        restricted.check_path(path)
        yield
    except OSError as error:
        reason = error.strerror or "it is cut short or damaged"
        raise BadInputError(f"{named} cannot be read: {reason}") from None
    except BadInputError as error:
        raise BadInputError(f"{named}: {clip(str(error), 500)}") from None
    except Exception as error:  # bytes of strangers make numpy, zipfile and json raise anything
        if written_by is not None:
            expected = f"expected a file that {written_by} wrote"
            raise BadInputError(f"{named}: {expected}, got other or damaged data") from None
        if isinstance(error, UnicodeDecodeError):
            raise BadInputError(f"{named} cannot be read: it is not text") from None
        raise


@contextmanager
def atomic_write(path: str | os.PathLike[str], private: bool = False) -> Iterator[IO[bytes]]:
    """Write a temporary file and rename it to `path` once it is complete.

    A symbolic link stays a link. A device or pipe, such as `/dev/stdout`, is written to. A private
    file is readable by its owner only, and named by the program. Raises BadInputError if the file
    cannot be written; an old file is then unchanged.
    """
    if not private:
        check_writable(path)
    place = located(path)
    target = Path(os.path.realpath(place))
    with writing(path):
        if is_device(place):
            contents = io.BytesIO()
            yield contents
            place.write_bytes(contents.getbuffer())
            return
        mask = os.umask(0)
        os.umask(mask)
        mode = target.stat().st_mode if target.exists() else 0o666 & ~mask
        with uninterrupted():
            _remove_leftovers(target)
            file = _temporary_beside(target)
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if sys.platform == "win32":
                    file.close()  # it renames no open file
                if not private:
                    Path(file.name).chmod(mode)
                Path(file.name).replace(target)
            finally:
                with suppress(OSError):  # the disk may have no room for the rest
                    file.close()
                Path(file.name).unlink(missing_ok=True)


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInputError(f"{quoted(path)} cannot be written: {error.strerror}") from None


@contextmanager
def new_files(name: str, details: str, *endings: str) -> Iterator[str]:
    """Create empty files in the user's folder, one per ending; yield their common stem.

    It is as much of `name` as a file name can hold, then `details`, and a number if one of the
    files, or a link of that name, exists. It begins with no dash, as an option does. Files that are
    still empty at the end are removed.
    """
    first = (_cut(re.sub(r"[^\w.-]+", "-", name)) + f"-{details}").lstrip("-")
    check_writable(first + endings[0])
    created: list[Path] = []
    try:
        for n in count(1):
            stem = first if n == 1 else f"{first}-{n}"
            with suppress(FileExistsError):  # unlike `exists`, "x" sees a link that leads nowhere
                for place in (located(stem + ending) for ending in endings):
                    place.open("x").close()
                    created.append(place)
                break
            while created:
                created.pop().unlink()
        yield stem
    finally:
        for path in created:
            if not path.stat().st_size:
                path.unlink()


def _cut(name: str) -> str:
    """Return as much of a name as leaves room for more in a file name."""
    return os.fsencode(name)[:_LONGEST_NAME].decode(errors="ignore")


def is_device(place: Path) -> bool:
    """True for a device or pipe (such as /dev/stdout), which must be written to, not replaced."""
    return place.exists() and (not place.is_file() or Path("/dev") in place.absolute().parents)


def _temporary_beside(target: Path) -> IO[bytes]:
    """Create a file for the owner only; it is locked, so that nobody takes it for left behind."""
    import tempfile

    while True:
        file: IO[bytes] = tempfile.NamedTemporaryFile(  # noqa: SIM115 - the caller closes it
            dir=target.parent, prefix=f".{_cut(target.name)}.", suffix=".part", delete=False
        )
        if _lock(file) is not False and Path(file.name).exists():
            return file
        file.close()


def _remove_leftovers(target: Path) -> None:
    """Remove the temporary files of `target` that this user's killed programs left behind."""
    pattern = re.compile(rf"\.{re.escape(_cut(target.name))}\.[a-z0-9_]{{8}}\.part")
    with suppress(OSError):
        for place in filter(lambda place: pattern.fullmatch(place.name), target.parent.iterdir()):
            with suppress(OSError):
                status = place.lstat()
                ours = sys.platform == "win32" or status.st_uid == os.geteuid()
                if not ours or not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                    continue
                with place.open("r+b") as file:
                    is_left = _lock(file)
                    if is_left:
                        place.unlink()  # while it is locked
                if is_left is None and time.time() - status.st_mtime > UNTOUCHED:
                    place.unlink()


def _lock(file: IO[bytes] | io.FileIO) -> bool | None:
    """Lock a file until it is closed: False if it is locked, None on a system without locks."""
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


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the table in a TOML file.

    Raises BadInputError if it is not TOML, or holds what no message could show: integers of more
    than 3,900 digits, or more than 20 levels.
    """
    text = read_bytes(path, MOST_TOML).decode("utf-8-sig")  # editors on Windows add a BOM
    import tomllib  # slow to import, and most users have no such file

    too_deep = BadInputError(f"expected at most {_DEEPEST} levels of tables and lists, got more")
    if re.search(_LONG_KEY, text):
        raise too_deep
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"it is not TOML: {error}") from None
    except ValueError:  # a number or date that Python refuses
        raise BadInputError("it is not TOML: a number or date is out of its limits") from None
    except RecursionError:
        raise too_deep from None
    level: list[tuple[str, Any]] = list(table.items())
    for _ in range(_DEEPEST):
        level = [inner for name, value in level for inner in _within(name, value)]
    if level:
        raise too_deep
    return table


def _within(name: str, value: object) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list):
        return [(name, each) for each in value]
    if isinstance(value, int) and value.bit_length() > 13_000:  # Python shows 4,300
        raise refusal(name, value, "an integer of at most 3,900 digits")
    return []


def to_toml(value: object) -> str:
    import json

    if isinstance(value, list | tuple):
        return f"[{', '.join(map(to_toml, value))}]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:g}" if isinstance(value, float) else str(value)
