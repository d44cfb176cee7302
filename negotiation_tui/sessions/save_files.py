"""What `w` keeps: tables and transcripts, in files of one name that is still free."""

import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.runtime.files import written_beside
from negotiation_tui.sessions import transcript_writer
from negotiation_tui.sessions.snapshot import Snapshot


def keep(training: ConcurrentTraining, shown: Sequence[Snapshot]) -> str:
    """Write both tables and what was shown to the working directory; says what became of it."""
    stem, kept, ends = _free_stem(training), [], []
    try:
        if any(training.has_table(role) for role in Role):
            save_tables(f"{stem}.npz", TrainedTables.of(training))
            kept.append("tables")
            ends.append(".npz")
        written = list(transcript_writer.lines(shown))
        if len(written) > 1:
            with written_beside(f"{stem}.jsonl") as file:
                file.write("".join(written).encode())
            n = len(written) - 1
            kept.append(f"{n:,} transcript{'' if n == 1 else 's'}")
            ends.append(".jsonl")
    except BadInputError as error:
        return str(error)
    if not kept:
        return "nothing to save: no learner has taken a seat, and nothing was shown yet"
    return f"saved {' and '.join(kept)} to {stem}{' and '.join(ends)}"


def _free_stem(training: ConcurrentTraining) -> str:
    """A name with which neither file is there yet."""
    name = re.sub(r"[^\w.-]+", "-", training.scenario.name)
    stem = f"{name}-seed{training.seed}-after{training.episode}"
    numbered = (stem if n == 1 else f"{stem}-{n}" for n in count(1))
    return next(
        free for free in numbered if not any(Path(f"{free}{end}").exists() for end in _ENDS)
    )


_ENDS = (".npz", ".jsonl")
