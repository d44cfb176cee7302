"""What the files in the seats hold: told by a digest, so that no job is done with another file."""

import json
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.scenario_file import EARLIER_STATES
from negotiation_tui.learning.hyperparameters import EARLIER_NAMES
from negotiation_tui.players.resolve import file_of
from negotiation_tui.runtime.result_file import Row

FileDigests = tuple[str | None, str | None]
"""The digests of the files in both seats, None for what comes from no file; seller first."""


EARLIER_WORDS = {
    **EARLIER_STATES,
    **EARLIER_NAMES,
    **{
        f"{test}_{earlier}_{role}": f"{test}_{now}_{role}"
        for test in ("train", "corrected", "as_published")
        for earlier, now in (("validated", "agreements"), ("rejected", "breakdowns"))
        for role in Role
    },
}
"""Columns and cells of the rows that version 0.1.0 wrote, and how they are called now."""


def digest_of(words: str | None) -> str | None:
    """The digest of the file that an occupant comes from, None where it comes from none.

    What the file imports is not in it. Raises BadInputError where the file cannot be read.
    """
    file = None if words is None else file_of(words)
    if file is None:
        return None
    try:
        status = Path(file).stat()
        return _digest(file, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise BadInputError(f"{file!r} cannot be read: {error.strerror}") from None


def check_digest(words: str | None, contents: str | None) -> None:
    """Raise BadInputError where an occupant's file does not hold what it did; ask it once loaded.

    Thus a file that changes in between is refused too.
    """
    if words is not None and digest_of(words) != contents:
        raise BadInputError(
            f"{file_of(words)!r} is not what it was when the work began: put it back, or begin anew"
        )


@lru_cache(maxsize=64)
def _digest(file: str, _age: int, _size: int) -> str:
    """Read once for all the jobs of a run."""
    return sha256(Path(file).read_bytes()).hexdigest()


def explain_mismatch(row: Row, differing: list[str]) -> str | None:
    """The reason why a row with other rules is not of this job; None if more than them differs."""
    if differing != ["rules"]:
        return None
    files = dict.fromkeys(filter(None, map(file_of, (row["seller"], row["buyer"]))))
    others = [f"other contents of {' or '.join(files)}"] if files else []
    return f"was played with {', or '.join([*others, 'other rules'])}"


def rules(scenario: Scenario, contents: FileDigests) -> str:
    """A short word that is another for other rules, or other contents of the seats' files."""
    # Hashed with the words of version 0.1.0, so that its files can be gone on with.
    table, earlier = scenario.to_dict(), {now: then for then, now in EARLIER_STATES.items()}
    table["states"] = earlier.get(table["states"], table["states"])
    digest = sha256(json.dumps(table).encode())
    for each in filter(None, contents):
        digest.update(bytes.fromhex(each))
    return digest.hexdigest()[:12]
