"""Restrict the process to one folder, for people who may do nothing else on the machine.

`restrict` cannot be undone: its audit hook sees every file that Python opens by name or changes,
every program that it starts and every connection. Each refusal is an `OSError`, as of the system.
"""

import errno
import os
import signal
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.text import quoted

MOST_WORKERS = 1  # the number of worker processes of a restricted process
MAX_FILE_BYTES = 1 << 28  # the size of the largest file that a restricted process can write
_KEPT = {"COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "PATH", "TERM", "TZ"}
"""Environment variables that stay; all others could name files or change libraries."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
_CHANGES = {
    **dict.fromkeys(("os.remove", "os.rmdir"), 1),
    **dict.fromkeys(("os.chmod", "os.link", "os.mkdir", "os.rename", "os.symlink"), 2),
    **dict.fromkeys(("os.chown", "os.truncate", "os.utime"), 3),
}
"""Audit events of changes, each with the index of its folder descriptors, -1 if not used."""
_REFUSED = {
    *("os.exec", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn"),
    *("subprocess.Popen", "socket.bind", "socket.connect", "socket.getaddrinfo", "socket.sendto"),
}
_restriction: list[str] = []


def restrict(folder: str) -> None:
    """Restrict this process to files in a folder, which becomes its working and home folder."""
    if sys.platform == "win32":
        raise BadInputError("--restricted needs a Unix system")
    if _restriction:
        raise BadInputError("--restricted: this process is restricted already")
    import resource

    try:
        os.chdir(folder)
    except OSError as error:
        reason = f"folder {quoted(folder)} cannot be used: {error.strerror}"
        raise BadInputError(f"--restricted: {reason}") from None
    root = str(Path.cwd())
    for name in set(os.environ) - _KEPT:
        del os.environ[name]
    os.environ.update(HOME=root, TMPDIR=root, PYTHONSAFEPATH="1")
    sys.path[:] = [
        place for place in sys.path if place and (_is_ours(place) or not _is_in(place, root))
    ]
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # without a shell nobody could continue it
    for kind, most in ((resource.RLIMIT_FSIZE, MAX_FILE_BYTES), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)  # no memory is written to disk after a crash
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (limit, limit))
    _restriction.append(root)
    sys.addaudithook(_hook(root))


def folder() -> str | None:
    return _restriction[0] if _restriction else None


def forbid(what: str) -> None:
    if _restriction:
        raise BadInputError(f"{what} is not allowed: this session is restricted to its folder")


def objection(path: str | os.PathLike[str], writing: bool = False) -> str | None:
    """Return the reason for which a restricted process must not use a file, None if it may.

    Links count as what they lead to. Nothing whose name begins with a dot is written.
    """
    return None if not _restriction else _objection(path, _restriction[0], writing, writing)


def check_path(path: str | os.PathLike[str]) -> None:
    if reason := objection(path):
        raise PermissionError(errno.EACCES, reason)


def _objection(path: str | os.PathLike[str], root: str, changing: bool, named: bool) -> str | None:
    real = os.path.realpath(path)
    if not _is_in(real, root):
        return "it is outside your folder"
    if changing and any(_is_in(home, root) and _is_in(real, home) for home in _homes()):
        return "it belongs to the program"
    if named and any(part.startswith(".") for part in Path(real).relative_to(root).parts):
        return "its name begins with a dot"
    with suppress(OSError):  # there is no such file yet
        status = Path(real).stat()
        if not stat.S_ISDIR(status.st_mode) and (
            not stat.S_ISREG(status.st_mode) or status.st_nlink > 1
        ):
            return "it is not an ordinary file with one name"
    return None


def _is_in(path: str, root: str) -> bool:
    return os.path.commonpath([root, os.path.realpath(path)]) == root


def _is_ours(place: str) -> bool:
    """True if a folder is of the program's own environment, which may lie inside the folder."""
    package = Path(__file__).parents[2]
    return Path(place).resolve() == package or any(_is_in(place, home) for home in _homes())


def _homes() -> set[str]:
    return {sys.prefix, sys.base_prefix, str(Path(__file__).parents[1])}


def _hook(root: str) -> Callable[[str, tuple[Any, ...]], None]:
    """Return an audit hook that keeps changes within a folder."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            changed = [path] if flags & _WRITING and path != os.devnull else []
        elif event in _CHANGES and set(arguments[_CHANGES[event] :]) <= {-1}:
            changed = [*arguments]
        elif event in _CHANGES or event in _REFUSED:
            raise PermissionError(errno.EACCES, f"{event} is not allowed in a restricted session")
        else:
            return
        for path in changed:
            if isinstance(path, str | bytes | os.PathLike):
                reason = _objection(os.fsdecode(path), root, True, False)
                if reason is not None:
                    raise PermissionError(errno.EACCES, reason, path)

    return hook
