"""Saving of tables, transcripts and the screen to new files with a common name."""

from collections.abc import Iterable, Sequence

from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.runtime.files import atomic_write, new_files
from negotiation_tui.runtime.text import plural, together
from negotiation_tui.sessions import transcript_writer
from negotiation_tui.sessions.commands import Save


def save_run(training: ConcurrentTraining, save: Save) -> str:
    """Write tables, transcripts and the screen to the working directory; return a notice.

    Raises BadInputError or OSError if that is not possible.
    """
    details, saved, written = f"seed{training.seed}-after{training.episode}", [], []
    endings = (".npz", ".jsonl", *dict(save.screen))
    with new_files(training.scenario.name, details, *endings) as stem:
        if training.occupants.learners:
            save_tables(f"{stem}.npz", TrainedTables.of(training))
            saved.append("tables")
            written.append(".npz")
        lines = list(transcript_writer.lines(save.shown))
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
    """Write the screen alone to new files; return a notice.

    Raises BadInputError or OSError if that is not possible.
    """
    with new_files(name, details, *dict(screen)) as stem:
        write_texts(stem, screen)
    return f"saved the screen to {stem}.*"


def write_texts(stem: str, texts: Iterable[tuple[str, str]]) -> None:
    """Write texts to files with a common stem, each complete or not at all."""
    for ending, text in texts:
        with atomic_write(f"{stem}{ending}") as file:
            file.write(text.encode())
