"""Work in the background: commands go in by a queue, snapshots come out."""

import queue
import signal
import sys
import threading
from contextlib import closing
from typing import Any, Protocol


class Worker(Protocol):
    """Whatever works on its own and can be told things; a `Trainer` above all."""

    @property
    def snapshot(self) -> Any:
        """The newest that there is to show: an immutable value."""

    @property
    def running(self) -> bool:
        """Whether `work` has something to do."""

    def handle(self, command: Any) -> None:
        """Carry out one command and publish what came of it."""

    def look(self) -> None:
        """Do what is worth doing when nothing more was asked, such as judging."""

    def work(self) -> float:
        """Go on for a moment; returns the seconds to rest."""

    def close(self) -> None:
        """Give back what it holds; asked last, by whoever asked for the work."""


class Background:
    """A worker in a thread of its own; commands go in, `latest` is the newest snapshot."""

    def __init__(self, worker: Worker) -> None:
        self.latest = worker.snapshot
        self.failure: BaseException | None = None
        self._worker = worker
        self._commands: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._main, name="worker", daemon=True)
        self._thread.start()

    def send(self, command: Any) -> None:
        """Have a command carried out soon, after those sent before."""
        self._commands.put(command)

    def close(self) -> None:
        """Let the worker finish what it is doing and end."""
        self._commands.put(None)
        self._thread.join(timeout=2)

    def _main(self) -> None:
        if sys.platform != "win32":  # signals are the screen's affair
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            with closing(self._worker):
                self._serve()
        except BaseException as error:  # whatever it was, the screen must hear of it
            self.failure = error

    def _serve(self) -> None:
        rest: float | None = None
        self._worker.look()
        self.latest = self._worker.snapshot
        while True:
            try:
                command = self._commands.get(block=rest != 0, timeout=rest)
            except queue.Empty:
                pass
            else:
                if command is None:
                    return
                self._worker.handle(command)
                self.latest = self._worker.snapshot
                if self._commands.empty():
                    self._worker.look()
            rest = self._worker.work() if self._worker.running else None
            self.latest = self._worker.snapshot
