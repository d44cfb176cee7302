"""Saving of tables and transcripts to new files with a common name."""

import re
from collections.abc import Sequence

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.runtime.files import atomic_write, free_stem
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions import transcript_writer
from negotiation_tui.sessions.snapshot import Snapshot


def save_run(training: ConcurrentTraining, shown: Sequence[Snapshot]) -> str:
    """Write the tables and the transcripts of `shown` to the working directory.

    Return a notice for the user: the files, or the reason if nothing was saved.
    """
    name = re.sub(r"[^\w.-]+", "-", training.scenario.name)
    stem = f"{name}-seed{training.seed}-after{training.episode}"
    stem, saved, endings = free_stem(stem, ".npz", ".jsonl"), [], []
    try:
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
    except BadInputError as error:
        return str(error)
    if not saved:
        return "nothing to save: no learner took part, and no negotiation was shown"
    return f"saved {' and '.join(saved)} to {stem}{' and '.join(endings)}"
