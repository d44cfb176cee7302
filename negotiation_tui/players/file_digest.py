"""Digests of the files that strategies come from, so that no job is done with a changed file."""

import json
from collections.abc import Sequence
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
from negotiation_tui.runtime.text import quoted

FileDigests = tuple[str | None, str | None]
"""The digests of both roles' files, seller first; None if a strategy comes from no file."""

EARLIER_WORDS = {
    **EARLIER_STATES,
    **EARLIER_NAMES,
    **{
        f"{test}_{earlier}_{role}": f"{test}_{now}_{role}"
        for test in ("train", "corrected", "as_published")
        for earlier, now in (("validated", "agreements"), ("rejected", "breakdowns"))
        for role in Role
    },
    "equilibrium:indifferent=reject": "equilibrium:tie_break=reject",
}
"""Names of columns and cells in files of version 0.1.0, with today's names."""


def digest_of(spec: str | None) -> str | None:
    """Return the digest of the file that a spec's strategy comes from; None if there is none.

    Modules that the file imports are not included. Raises BadInputError if it cannot be read.
    """
    file = None if spec is None else file_of(spec)
    if file is None:
        return None
    try:
        status = Path(file).stat()
        return _digest(file, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise BadInputError(f"{quoted(file)} cannot be read: {error.strerror}") from None


def check_digests(specs: Sequence[str | None], digests: FileDigests) -> None:
    """Raise BadInputError if the file of a spec has another digest.

    Call it after loading the players, so that a file that changes meanwhile is refused too.
    """
    for spec, digest in zip(specs, digests, strict=True):
        if spec is not None and digest_of(spec) != digest:
            raise BadInputError(
                f"{quoted(file_of(spec) or spec)} changed since this run started:"
                " restore it, or start a new run"
            )


@lru_cache(maxsize=64)
def _digest(file: str, _age: int, _size: int) -> str:
    """Return the digest of a file; the cache reads it once per run."""
    return sha256(Path(file).read_bytes()).hexdigest()


def explain_mismatch(row: Row, differing: list[str]) -> str | None:
    """Explain a row that differs from a job in its rules only; None if other columns differ too."""
    if differing != ["rules"]:
        return None
    files = dict.fromkeys(filter(None, map(file_of, (row["seller"], row["buyer"]))))
    causes = [f"other contents of {' or '.join(files)}"] if files else []
    return f"was played with {', or '.join([*causes, 'other rules'])}"


def rules(scenario: Scenario, digests: FileDigests) -> str:
    """Return a 12-digit hash of the scenario and of both roles' files."""
    # Uses the names of version 0.1.0, so that its result files can be continued.
    table, earlier = scenario.to_dict(), {now: then for then, now in EARLIER_STATES.items()}
    table["states"] = earlier.get(table["states"], table["states"])
    digest = sha256(json.dumps(table).encode())
    for each in filter(None, digests):
        digest.update(bytes.fromhex(each))
    return digest.hexdigest()[:12]
