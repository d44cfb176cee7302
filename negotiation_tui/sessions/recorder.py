"""The recording of a session in a file, line by line."""

from pathlib import Path

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import check_writable, writing
from negotiation_tui.runtime.folders import located
from negotiation_tui.runtime.text import quoted
from negotiation_tui.sessions import transcripts
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.training_session import TrainingSession


def record_to(session: TrainingSession, path: Path) -> TrainingSession:
    """Return a session that writes its run, the changes and each published game to a file.

    Raises BadInputError if the file exists or cannot be written; later that ends the recording.
    """
    check_writable(path)
    if located(path).exists():
        raise BadInputError(f"recording: expected a new file, but {quoted(path)} exists")
    written, run = session.snapshot, session.timeline.run

    def append(text: str) -> None:
        with writing(path), located(path).open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def record(snapshot: Snapshot) -> None:
        nonlocal written, run
        before, old, written, run = written, run, snapshot, session.timeline.run
        try:
            if snapshot.line != before.line:
                append(transcripts.heading(run, snapshot.negotiations))
            else:
                for change in run.changes[len(old.changes) :]:
                    append(transcripts.change_line(change))
            if transcripts.has_line(snapshot) and snapshot.negotiation is not before.negotiation:
                append(transcripts.line(snapshot))
        except BadInputError as error:
            del session.record
            session.report(BadInputError(f"the recording ends here: {error}"))

    append(transcripts.heading(run))
    session.record = record
    return session
