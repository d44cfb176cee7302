"""Compiled code on disk, for its owner only; code that cannot be loaded is compiled again.

numba stores it as pickles, which run code when they are read. So its folder must be one that no
other user may write to.
"""

import os
import pickle
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

_SUFFIX = f".{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}.bin"
_DIGEST = 32
"""The number of bytes of a digest."""


class CodeCache:
    """The code of one function: what numba calls its cache, with one file per signature.

    Each begins with a digest of all that the code depends on (`stamp`) and of the code. So damaged
    and outdated files are written again.
    """

    def __init__(self, folder: Path, function: FunctionType, stamp: bytes) -> None:
        self.cache_path = str(folder)
        self._stem, self._stamp = folder / _stem(function), stamp

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the code for a signature; None if there is none that can be loaded."""
        from numba.core.compiler import CompileResult

        rebuild: Any = CompileResult._rebuild  # untyped
        with suppress(Exception):
            context.refresh()
            path, kind = self._path(signature, context.codegen())
            content = path.read_bytes()
            digest, payload = content[:_DIGEST], content[_DIGEST:]
            if digest == self._digest(kind, payload):
                return rebuild(context, *pickle.loads(payload))  # noqa: S301 - from its owner
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write the code for a signature, unless it holds addresses of this process."""
        from numba.core import serialize

        dumps: Any = serialize.dumps  # untyped
        with suppress(Exception):  # a full disk, or another numba
            if not result.library.has_dynamic_globals:
                path, kind = self._path(signature, result.codegen)
                payload = dumps(result._reduce())
                partial = path.with_suffix(f".{os.getpid()}")
                partial.write_bytes(self._digest(kind, payload) + payload)
                partial.replace(path)

    def flush(self) -> None:
        """Do nothing: numba asks for it when a function is to be compiled again."""

    def _path(self, signature: Any, codegen: Any) -> tuple[Path, str]:
        """Return the file of a signature, and what its code depends on beside the sources."""
        import numba

        # `magic_tuple` names the processor.
        kind = repr((signature, codegen.magic_tuple(), sys.version, numba.__version__))
        end = f"-{sha256(kind.encode()).hexdigest()[:16]}{_SUFFIX}"
        return self._stem.with_name(self._stem.name + end), kind

    def _digest(self, kind: str, payload: bytes) -> bytes:
        return sha256(self._stamp + sha256(kind.encode()).digest() + payload).digest()


def is_cached(function: Any) -> bool:
    """True if code of a function of this name, newer than its file, is kept for this Python.

    A look at the folders, because importing numba alone takes as long as a short training. So it
    may be of another numba or processor.
    """
    source = Path(function.__code__.co_filename).absolute()
    with suppress(OSError):
        written = source.stat().st_mtime
        files = (f for place in _folders(source) for f in place.glob(f"{_stem(function)}_*"))
        return any(f.name.endswith(_SUFFIX) and f.stat().st_mtime >= written for f in files)
    return False


def safe_folder(function: FunctionType) -> Path | None:
    """Return the folder for a function's code, made if necessary: None if there is no safe one."""
    source = Path(function.__code__.co_filename).absolute()
    return next((folder for folder in _folders(source) if _is_safe(folder, source)), None)


def _stem(function: Any) -> str:
    """Return the begin of a function's file names; modules in one folder may share its name."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"


def _folders(source: Path) -> Iterator[Path]:
    """The folders in which code may be kept, the best first."""
    own = f"{source.parent.name}-{sha256(os.fsencode(source.parent)).hexdigest()[:16]}"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen) / own
    yield source.parent / "__pycache__" / "compiled"
    yield _user_folder() / own


def _user_folder() -> Path:
    chosen = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    return Path(chosen or Path.home() / ".cache") / "negotiation-tui"


def _is_safe(folder: Path, source: Path) -> bool:
    """True for a folder that only the user and the owner of the sources may write to.

    On Windows, where a new folder is the user's own, True for any folder.
    """
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        status, owner = folder.lstat(), source.stat().st_uid
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode) or not os.access(folder, os.W_OK | os.X_OK):
        return False
    if sys.platform == "win32":
        return True
    return status.st_uid in {owner, os.geteuid()} and not status.st_mode & 0o022
