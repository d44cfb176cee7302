"""Files that a session writes: its recording, and what the user saves."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.runtime.files import atomic_write, check_writable, new_files, writing
from negotiation_tui.runtime.folders import located
from negotiation_tui.runtime.text import joined, plural, quoted
from negotiation_tui.sessions import transcripts
from negotiation_tui.sessions.commands import Save
from negotiation_tui.sessions.paced_session import PacedSession
from negotiation_tui.sessions.snapshot import Snapshot

S = TypeVar("S", bound=PacedSession[Snapshot])


def record_to(session: S, path: Path) -> S:
    """Return a session that writes one line per published negotiation to a file.

    Raises BadInputError if the file exists or cannot be written; later that ends the recording.
    """
    check_writable(path)
    if located(path).exists():
        raise BadInputError(f"recording: expected a new file, but {quoted(path)} exists")
    written, first = session.snapshot, True  # at first that of the heading

    def append(line: str) -> None:
        with writing(path), located(path).open("a", encoding="utf-8", newline="\n") as file:
            file.write(line)

    def record(snapshot: Snapshot) -> None:
        nonlocal written, first
        negotiation = snapshot.negotiation
        if negotiation is None or not negotiation.transcript.over:
            return
        if not first and written.negotiation is negotiation:
            return
        try:
            append(transcripts.line(snapshot, written, first))
        except BadInputError as error:
            del session.record
            session.report(BadInputError(f"the recording ends here: {error}"))
        written, first = snapshot, False

    append(transcripts.heading(written))
    session.record = record
    return session


def save_run(training: ConcurrentTraining, save: Save) -> str:
    """Write tables, transcripts and the screen to the working directory; return a notice."""
    details = f"seed{training.seed}-after{training.episode}"
    details += "" if save.moment is None else f"-at{save.moment}"
    saved: dict[str, str] = {}  # by the ending of its file
    endings = (".npz", ".jsonl", *dict(save.screen))
    with new_files(training.scenario.name, details, *endings) as stem:
        if training.latest_learners:
            save_tables(f"{stem}.npz", TrainedTables.of(training))
            saved[".npz"] = "tables"
        lines = list(transcripts.lines(save.shown))
        if len(lines) > 1:
            write_texts(stem, ((".jsonl", "".join(lines)),))
            saved[".jsonl"] = plural(len(lines) - 1, "transcript")
        write_texts(stem, save.screen)
        saved |= dict.fromkeys(dict(save.screen), "the screen")
    if not saved:
        return "nothing to save: no learner took part, and no negotiation was shown"
    things, (ending, *more) = [*dict.fromkeys(saved.values())], saved
    line = sum(map(transcripts.has_line, save.shown[: save.at + 1]))
    again = f"; replay {stem}.jsonl --at {line} opens this moment" * (".jsonl" in saved)
    return f"saved {joined(things)} to {stem}{'.*' if more else ending}{again}"


def save_screen(name: str, details: str, screen: Sequence[tuple[str, str]]) -> str:
    with new_files(name, details, *dict(screen)) as stem:
        write_texts(stem, screen)
    return f"saved the screen to {stem}.*"


def write_texts(stem: str, texts: Iterable[tuple[str, str]]) -> None:
    """Write texts to files with a common stem, each complete or not at all."""
    for ending, text in texts:
        with atomic_write(f"{stem}{ending}") as file:
            file.write(text.encode())
