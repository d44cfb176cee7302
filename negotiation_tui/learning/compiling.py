"""Compiling the inner loop in the background, while the plain one is at work."""

import threading

from negotiation_tui.learning.backend import Backend, compile_backend


class Compiling:
    """The compiled backend, once it was begun and is ready."""

    def __init__(self) -> None:
        self.backend: Backend | None = None
        """None until it is ready, and for ever without numba."""
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
        self.backend = compile_backend()
