"""Compiling in the background, while plain Python is at work."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

C = TypeVar("C")


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

    def join(self) -> None:
        """Wait for what was begun."""
        if self._thread is not None:
            self._thread.join()

    def _compile(self) -> None:
        self.done = self._compiled()
