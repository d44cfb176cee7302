"""The trainer in the background: commands go in by a queue, snapshots come out."""

import queue
import signal
import threading

from negotiation_tui.commands import Command
from negotiation_tui.trainer import Trainer


class TrainerThread:
    """A trainer at work in the background; commands go in, `latest` is the newest snapshot."""

    def __init__(self, trainer: Trainer) -> None:
        self.latest = trainer.snapshot
        self.failure: BaseException | None = None
        self._trainer = trainer
        self._commands: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._main, name="trainer", daemon=True)
        self._thread.start()

    def send(self, command: Command) -> None:
        """Have a command carried out soon, after those sent before."""
        self._commands.put(command)

    def close(self) -> None:
        """Let the trainer finish what it is doing and end."""
        self._commands.put(None)
        self._thread.join(timeout=2)

    def _main(self) -> None:
        if hasattr(signal, "pthread_sigmask"):  # signals are the screen's affair
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self._serve()
        except Exception as error:  # whatever it was, the screen must hear of it
            self.failure = error

    def _serve(self) -> None:
        rest: float | None = None
        self._trainer.look()
        self.latest = self._trainer.snapshot
        while True:
            try:
                command = self._commands.get(block=rest != 0, timeout=rest)
            except queue.Empty:
                pass
            else:
                if command is None:
                    return
                self._trainer.handle(command)
                self.latest = self._trainer.snapshot
                if self._commands.empty():
                    self._trainer.look()
            rest = self._trainer.work() if self._trainer.running else None
            self.latest = self._trainer.snapshot
