"""Files that a session writes: its recording, and what the user saves."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.runtime.files import atomic_write, check_writable, new_files, writing
from negotiation_tui.runtime.text import plural, quoted, together
from negotiation_tui.sessions import transcripts
from negotiation_tui.sessions.commands import Save
from negotiation_tui.sessions.paced_session import PacedSession
from negotiation_tui.sessions.session import OuterSession
from negotiation_tui.sessions.snapshot import Snapshot


class Recorder(OuterSession):
    """A session that writes one line per published negotiation to a file.

    Raises BadInputError if the file exists or cannot be written; later that ends the recording.
    """

    def __init__(self, session: PacedSession[Snapshot], path: Path) -> None:
        check_writable(path)
        if path.exists():
            raise BadInputError(f"recording: expected a new file, but {quoted(path)} exists")
        super().__init__(session)
        self._path = path
        self._written = session.snapshot  # at first that of the heading
        self._lines = 0
        self._ended = False
        self._append(transcripts.heading(self._written))

    def handle(self, command: Any) -> None:
        super().handle(command)
        self._write()

    def step(self) -> float:
        rest = super().step()
        self._write()
        return rest

    def _write(self) -> None:
        snapshot = self.snapshot
        negotiation = snapshot.negotiation
        if self._ended or negotiation is None or not negotiation.transcript.over:
            return
        if self._lines and self._written.negotiation is negotiation:
            return
        try:
            self._append(transcripts.line(snapshot, self._written, first=not self._lines))
        except BadInputError as error:
            self._ended = True
            self.report(BadInputError(f"the recording ends here: {error}"))
        self._written = snapshot
        self._lines += 1

    def _append(self, line: str) -> None:
        with writing(self._path), self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line)


def save_run(training: ConcurrentTraining, save: Save) -> str:
    """Write tables, transcripts and the screen to the working directory; return a notice."""
    details, saved, written = f"seed{training.seed}-after{training.episode}", [], []
    endings = (".npz", ".jsonl", *dict(save.screen))
    with new_files(training.scenario.name, details, *endings) as stem:
        if training.players.learners:
            save_tables(f"{stem}.npz", TrainedTables.of(training))
            saved.append("tables")
            written.append(".npz")
        lines = list(transcripts.lines(save.shown))
        if len(lines) > 1:
            write_texts(stem, ((".jsonl", "".join(lines)),))
            saved.append(plural(len(lines) - 1, "transcript"))
            written.append(".jsonl")
        if save.screen:
            write_texts(stem, save.screen)
            saved.append("the screen")
            written.extend(dict(save.screen))
    if not saved:
        return "nothing to save: no learner took part, and no negotiation was shown"
    return f"saved {together(saved)} to {stem}{written[0] if len(written) == 1 else '.*'}"


def save_screen(name: str, details: str, screen: Sequence[tuple[str, str]]) -> str:
    with new_files(name, details, *dict(screen)) as stem:
        write_texts(stem, screen)
    return f"saved the screen to {stem}.*"


def write_texts(stem: str, texts: Iterable[tuple[str, str]]) -> None:
    """Write texts to files with a common stem, each complete or not at all."""
    for ending, text in texts:
        with atomic_write(f"{stem}{ending}") as file:
            file.write(text.encode())
