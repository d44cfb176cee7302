"""Files that a session writes: its recording, and what the user saves."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from negotiation_tui.errors import BadInputError, Refusal
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.files import atomic_write, check_writable, new_files, writing
from negotiation_tui.runtime.folders import located
from negotiation_tui.runtime.text import joined, plural, quoted
from negotiation_tui.sessions import transcripts
from negotiation_tui.sessions.commands import Save
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.timeline import RunTimeline


class _Recorded(Protocol):
    snapshot: Snapshot
    record: Any  # a function, see `PacedSession.record`

    @property
    def timeline(self) -> RunTimeline: ...

    def report(self, refusal: Refusal) -> None: ...


R = TypeVar("R", bound=_Recorded)


def record_to(session: R, path: Path) -> R:
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
                append(transcripts.heading(run))
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


def save_run(run: Run, training: ConcurrentTraining, save: Save, here: Snapshot) -> str:
    """Write tables, transcripts and the screen to the working directory; return a notice."""
    details = f"seed{training.seed}-after{training.episode}"
    details += f"-at{here.key[1].number}" if save.here else ""
    saved: dict[str, str] = {}  # by the ending of its file
    endings = (".npz", ".jsonl", *dict(save.screen))
    with new_files(training.scenario.name, details, *endings) as stem:
        if training.latest_learners:
            save_tables(f"{stem}.npz", TrainedTables.of(training))
            saved[".npz"] = "tables"
        if n := sum(map(transcripts.has_line, save.shown)):
            lines = transcripts.lines(run, training.episode, save.shown)
            write_texts(stem, ((".jsonl", "".join(lines)),))
            saved[".jsonl"] = plural(n, "transcript")
        write_texts(stem, save.screen)
        saved |= dict.fromkeys(dict(save.screen), "the screen")
    if not saved:
        return "nothing to save: no learner took part, and no negotiation was shown"
    things, (ending, *more) = [*dict.fromkeys(saved.values())], saved
    again = _opens(f"{stem}.jsonl", here) * (".jsonl" in saved)
    return f"saved {joined(things)} to {stem}{'.*' if more else ending}{again}"


def save_screen(recording: str, here: Snapshot, screen: Sequence[tuple[str, str]]) -> str:
    """Write the screen of a recording to the working directory; return a notice."""
    with new_files(here.scenario.name, f"at{here.key[1].number}", *dict(screen)) as stem:
        write_texts(stem, screen)
    return f"saved the screen to {stem}.*{_opens(recording, here)}"


def _opens(file: str, here: Snapshot) -> str:
    cycle, game = divmod(here.key[1].number, here.parameters.episodes)
    at = f"{cycle}:{game}" if game else f"{cycle}"
    return f"; replay {file} --at {at} opens this moment"


def write_texts(stem: str, texts: Iterable[tuple[str, str]]) -> None:
    """Write texts to files with a common stem, each complete or not at all."""
    for ending, text in texts:
        with atomic_write(f"{stem}{ending}") as file:
            file.write(text.encode())
