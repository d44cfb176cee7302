"""Compiling in the background, while plain Python is at work."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

C = TypeVar("C")
_AT_WORK: set[threading.Thread] = set()


def at_work() -> bool:
    """Whether anything is being compiled at this moment."""
    return any(thread.is_alive() for thread in _AT_WORK)


class Compiling(Generic[C]):
    """What `compiled` gives, once it was begun and is ready: the inner loop, say."""

    def __init__(self, compiled: Callable[[], C | None]) -> None:
        self.done: C | None = None
        """None until it is ready, and for ever without numba."""
        self._compiled = compiled
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Compile, unless that was begun before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._compile, daemon=True)
            self._thread.start()
            _AT_WORK.add(self._thread)

    def _compile(self) -> None:
        self.done = self._compiled()
        _AT_WORK.discard(threading.current_thread())
