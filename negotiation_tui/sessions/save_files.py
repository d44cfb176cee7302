"""Saving of tables and transcripts to new files with a common name."""

from collections.abc import Sequence

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.runtime.files import atomic_write, new_files
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions import transcript_writer
from negotiation_tui.sessions.snapshot import Snapshot


def save_run(training: ConcurrentTraining, shown: Sequence[Snapshot]) -> str:
    """Write the tables and the transcripts of `shown` to the working directory.

    Return a notice for the user. Raises BadInputError or OSError if that is not possible.
    """
    details, saved, endings = f"seed{training.seed}-after{training.episode}", [], []
    with new_files(training.scenario.name, details, ".npz", ".jsonl") as stem:
        if any(training.has_table(role) for role in Role):
            save_tables(f"{stem}.npz", TrainedTables.of(training))
            saved.append("tables")
            endings.append(".npz")
        lines = list(transcript_writer.lines(shown))
        if len(lines) > 1:
            with atomic_write(f"{stem}.jsonl") as file:
                file.write("".join(lines).encode())
            saved.append(plural(len(lines) - 1, "transcript"))
            endings.append(".jsonl")
    if not saved:
        return "nothing to save: no learner took part, and no negotiation was shown"
    return f"saved {' and '.join(saved)} to {stem}{' and '.join(endings)}"
