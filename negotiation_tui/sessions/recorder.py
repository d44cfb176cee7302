"""A recorder that writes each negotiation of a running session to a file."""

from pathlib import Path
from typing import Any

from negotiation_tui.errors import BadInputError, Refusal
from negotiation_tui.runtime.files import check_writable, writing
from negotiation_tui.runtime.text import quoted
from negotiation_tui.sessions import transcript_writer
from negotiation_tui.sessions.paced_session import PacedSession
from negotiation_tui.sessions.snapshot import Snapshot


class Recorder:
    """A session that writes one line per published negotiation to a file.

    Raises BadInputError if the file exists or cannot be written. If it cannot be written later, the
    recording ends with a notice, and the session goes on.
    """

    def __init__(self, session: PacedSession[Snapshot], path: Path) -> None:
        check_writable(path)
        if path.exists():
            raise BadInputError(f"recording: expected a new file, but {quoted(path)} exists")
        self._session, self._path = session, path
        self._written: Snapshot | None = None
        self._ended = False
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
        """Carry out a command and append its negotiation, if any."""
        self._session.handle(command)
        self._write()

    def report(self, refusal: Refusal) -> None:
        """Let the session publish the refusal of a command or a step."""
        self._session.report(refusal)

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
        snapshot = self._session.snapshot
        negotiation = snapshot.negotiation
        if self._ended or negotiation is None or not negotiation.transcript.over:
            return
        if self._written and self._written.negotiation is negotiation:
            return
        try:
            self._append(transcript_writer.line(snapshot, self._written))
        except BadInputError as error:
            self._ended = True
            self._session.report(BadInputError(f"the recording ends here: {error}"))
        self._written = snapshot

    def _append(self, line: str) -> None:
        with writing(self._path), self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line)
