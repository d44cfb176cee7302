"""Compiled code kept on disk: for its owner only, and compiled again if it is damaged.

numba stores it as pickles, which run code when they are read. So they are the one thing of which
the owner counts, and each begins with a digest, which is checked before anything else.
"""

import os
import pickle
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import atomic_write

_DIGEST = 32
"""The number of bytes of a digest."""
_PYTHON = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"


def kept_name(function: Callable[..., Any]) -> str:
    """Return the name of a function's files, in front of a digest: that of its module and its own.

    Functions of several modules in a folder may have one name.
    """
    return f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"


def may_be_kept(function: Callable[..., Any]) -> bool:
    """True if code of a function of this name, newer than its file, is kept for this Python.

    A look at the folders, because importing numba alone takes as long as a short training. So it
    may be of another numba or processor.
    """
    assert isinstance(function, FunctionType)
    source = Path(function.__code__.co_filename).absolute()
    with suppress(OSError):
        written = source.stat().st_mtime
        names = f"{kept_name(function)}_*.{_PYTHON}.bin"
        kept = (file for folder in _folders(source) for file in folder.glob(names))
        return any(file.stat().st_mtime >= written for file in kept)
    return False


def keep_code(compiled: Any, function: FunctionType) -> None:
    """Let `compiled`, numba's form of `function`, load its code and keep it for later processes.

    Nothing is kept without a folder that is safe, nor by a numba of which the inside is another.
    """
    with suppress(Exception):  # numba documents none of this: any of it may change
        source = Path(function.__code__.co_filename).absolute()
        owners = None
        if sys.platform != "win32":
            owners = {source.stat().st_uid, os.geteuid()}
        folder = next((f for f in _folders(source) if _is_safe_folder(f, owners)), None)
        if folder is not None and hasattr(compiled, "_cache"):
            compiled._cache = _KeptCode(folder, function.__qualname__, source, owners)


class _KeptCode:
    """The code of one function, one file for each signature: what numba calls its cache."""

    def __init__(self, folder: Path, name: str, source: Path, owners: set[int] | None) -> None:
        self.cache_path = str(folder)
        self._folder, self._name, self._source, self._owners = folder, name, source, owners

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the code for a signature; None if there is none that is whole and safe."""
        from numba.core.compiler import CompileResult

        try:
            context.refresh()
            path, identity = self._path(signature, context.codegen())
            content = _read_safe(path, self._owners)
            digest, payload = content[:_DIGEST], content[_DIGEST:]
            if digest != _digest(identity, payload):
                return None
            parts = pickle.loads(payload)  # noqa: S301 - from its owner, and not damaged
            rebuild: Any = CompileResult._rebuild  # untyped
            return rebuild(context, *parts)
        except Exception:  # no file, or one of which numba can make nothing: it is compiled again
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the code for a signature, unless it holds addresses of this process."""
        from numba.core import serialize

        with suppress(Exception):  # a full disk, or another numba: it is not kept
            if result.library.has_dynamic_globals:
                return
            path, identity = self._path(signature, result.codegen)
            numba_pickle: Any = serialize.dumps  # untyped
            payload = numba_pickle(result._reduce())
            with suppress(BadInputError), atomic_write(path, private=True) as file:
                file.write(_digest(identity, payload) + payload)
            self._remove_older()

    def _remove_older(self) -> None:
        """Remove what this function's earlier sources left; a process that reads it goes on.

        Equal names may have code of two kinds, so only files older than the source are removed.
        """
        function = self._name.rpartition("_")[0]
        of_function = re.compile(rf"{re.escape(function)}_[0-9a-f]{{16}}-[0-9a-f]{{16}}\..+\.bin")
        written = self._source.stat().st_mtime
        for file in self._folder.iterdir():
            if of_function.fullmatch(file.name) and not file.name.startswith(f"{self._name}-"):
                with suppress(OSError):  # another process was faster, or Windows has it open
                    if file.stat().st_mtime < written:
                        file.unlink()

    def flush(self) -> None:
        """Do nothing: numba asks for it when a function is to be compiled again."""

    def _path(self, signature: Any, codegen: Any) -> tuple[Path, str]:
        """Return the file of a signature, and all that its code depends on beside the sources."""
        import numba

        kind = repr((signature, codegen.magic_tuple()))  # the second names the processor
        path = self._folder / f"{self._name}-{sha256(kind.encode()).hexdigest()[:16]}.{_PYTHON}.bin"
        return path, repr((self._name, kind, sys.version, numba.__version__))


def _digest(identity: str, payload: bytes) -> bytes:
    return sha256(sha256(identity.encode()).digest() + payload).digest()


def _folders(source: Path) -> Iterator[Path]:
    """The folders in which code may be kept, the best first."""
    own = f"{source.parent.name}-{sha256(os.fsencode(source.parent)).hexdigest()[:16]}"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen) / own
    yield source.parent / "__pycache__" / "compiled"
    yield _user_folder() / own


def _user_folder() -> Path:
    """The user's folder for what can be made again."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(home) / "negotiation-tui" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "negotiation-tui"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "negotiation-tui"


def _is_safe_folder(folder: Path, owners: set[int] | None) -> bool:
    """True for a folder, made if necessary, that this user and no other may write to."""
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    writable = os.access(folder, os.W_OK | os.X_OK)
    return stat.S_ISDIR(status.st_mode) and writable and _is_safe(status, owners)


def _read_safe(path: Path, owners: set[int] | None) -> bytes:
    with path.open("rb") as file:
        if not _is_safe(os.fstat(file.fileno()), owners):
            return b""
        return file.read()


def _is_safe(status: os.stat_result, owners: set[int] | None) -> bool:
    """True if only these owners can have written it; on Windows a folder guards what is in it."""
    return owners is None or (status.st_uid in owners and not status.st_mode & 0o022)
