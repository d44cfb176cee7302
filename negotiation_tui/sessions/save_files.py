"""What `w` keeps: tables and transcripts, in files of one name that is still free."""

import re
from collections.abc import Sequence

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.runtime.files import atomic_write, free_stem
from negotiation_tui.sessions import transcript_writer
from negotiation_tui.sessions.snapshot import Snapshot


def save_run(training: ConcurrentTraining, shown: Sequence[Snapshot]) -> str:
    """Write both tables and what was shown to the working directory; says what became of it."""
    name = re.sub(r"[^\w.-]+", "-", training.scenario.name)
    stem = f"{name}-seed{training.seed}-after{training.episode}"
    stem, kept, ends = free_stem(stem, ".npz", ".jsonl"), [], []
    try:
        if any(training.has_table(role) for role in Role):
            save_tables(f"{stem}.npz", TrainedTables.of(training))
            kept.append("tables")
            ends.append(".npz")
        written = list(transcript_writer.lines(shown))
        if len(written) > 1:
            with atomic_write(f"{stem}.jsonl") as file:
                file.write("".join(written).encode())
            n = len(written) - 1
            kept.append(f"{n:,} transcript{'' if n == 1 else 's'}")
            ends.append(".jsonl")
    except BadInputError as error:
        return str(error)
    if not kept:
        return "nothing to save: no learner has taken a seat, and nothing was shown yet"
    return f"saved {' and '.join(kept)} to {stem}{' and '.join(ends)}"
