"""Transcripts of a session, written to a file negotiation by negotiation while it goes on."""

from pathlib import Path
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import check_writable
from negotiation_tui.sessions import transcript_writer
from negotiation_tui.sessions.session import Session
from negotiation_tui.sessions.snapshot import Snapshot


class Recorder:
    """A session whose every published negotiation becomes a line of a file.

    Raises BadInputError if the file exists or cannot be written.
    """

    def __init__(self, session: Session, path: Path) -> None:
        check_writable(path)
        if path.exists():
            raise BadInputError(f"{str(path)!r} is there already: use a new name for the recording")
        self._session, self._path = session, path
        self._written: Snapshot | None = None
        self._append(transcript_writer.heading(session.snapshot))

    @property
    def snapshot(self) -> Any:
        """The snapshot of the session."""
        return self._session.snapshot

    @property
    def running(self) -> bool:
        """True if the session is running."""
        return self._session.running

    def handle(self, command: Any) -> None:
        """Carry out a command and append the negotiation that it led to."""
        self._session.handle(command)
        self._write()

    def idle(self) -> None:
        """Idle as the session does."""
        self._session.idle()

    def step(self) -> float:
        """Let the session work for a moment and append the newest negotiation."""
        rest = self._session.step()
        self._write()
        return rest

    def close(self) -> None:
        """Close the session."""
        self._session.close()

    def _write(self) -> None:
        newest: Snapshot = self._session.snapshot
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
