"""Writing down what a worker publishes, negotiation by negotiation, while it goes on."""

from pathlib import Path
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import check_writable
from negotiation_tui.sessions import transcript_writer
from negotiation_tui.sessions.background import Worker
from negotiation_tui.sessions.snapshot import Snapshot


class Recorder:
    """A worker as before, whose every published negotiation becomes a line of a file.

    Raises BadInputError where the file is there already or cannot be written.
    """

    def __init__(self, worker: Worker, path: Path) -> None:
        check_writable(path)
        if path.exists():
            raise BadInputError(f"{str(path)!r} is there already: use a new name for the recording")
        self._worker, self._path = worker, path
        self._written: Snapshot | None = None
        self._append(transcript_writer.heading(worker.snapshot))

    @property
    def snapshot(self) -> Any:
        """The worker's."""
        return self._worker.snapshot

    @property
    def running(self) -> bool:
        """Whether the worker is."""
        return self._worker.running

    def handle(self, command: Any) -> None:
        """Have the worker carry it out, and write down what came of it."""
        self._worker.handle(command)
        self._write()

    def look(self) -> None:
        """As the worker does."""
        self._worker.look()

    def work(self) -> float:
        """Have the worker go on, and write down what came of it."""
        rest = self._worker.work()
        self._write()
        return rest

    def close(self) -> None:
        """As the worker does."""
        self._worker.close()

    def _write(self) -> None:
        newest: Snapshot = self._worker.snapshot
        shown = newest.negotiation
        if shown is None or not shown.transcript.over:
            return
        if self._written and self._written.negotiation is shown:
            return
        self._append(transcript_writer.line(newest, self._written))
        self._written = newest

    def _append(self, line: str) -> None:
        try:
            with self._path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(line)
        except OSError as error:
            raise BadInputError(
                f"{str(self._path)!r} cannot be written: {error.strerror}"
            ) from None
