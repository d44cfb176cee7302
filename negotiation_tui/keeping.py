"""What `w` keeps: tables and transcripts, each in a file of a name that is still free."""

import re
from pathlib import Path

from negotiation_tui.errors import BadInputError
from negotiation_tui.learning import ConcurrentTraining
from negotiation_tui.roles import Role
from negotiation_tui.snapshot import Snapshot
from negotiation_tui.storage import TrainedTables, save_tables


def keep(training: ConcurrentTraining, shown: tuple[Snapshot, ...]) -> str:
    """Write both tables and what was shown to the working directory; says what became of it."""
    if not any(training.has_table(role) for role in Role):
        return "nothing to save: no learner has taken a seat yet"
    path = _free(training, ".npz")
    try:
        save_tables(path, TrainedTables.of(training))
    except BadInputError as error:
        return str(error)
    return f"tables saved to {path}"


def _free(training: ConcurrentTraining, suffix: str) -> Path:
    """A name where no file is yet."""
    name = re.sub(r"[^\w.-]+", "-", training.scenario.name)
    stem = f"{name}-seed{training.seed}-after{training.episode}"
    path, n = Path(stem + suffix), 1
    while path.exists():
        n += 1
        path = Path(f"{stem}-{n}{suffix}")
    return path
