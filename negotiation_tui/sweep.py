"""Sweeps: a grid of settings times seeds, one row a run, in a file that grows."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.file_digest import explain_mismatch
from negotiation_tui.runs import RESULTS, Job, carry_out
from negotiation_tui.runtime.result_file import ResultFile, fill, key_of
from negotiation_tui.settings import described, job


def grid(
    scenario: Scenario, values: Mapping[str, Sequence[str]], runs: int, seed: int
) -> list[Job]:
    """Every combination of values, each with the seeds `seed … seed + runs - 1`."""
    settings = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    jobs = [job(scenario, setting, seed + n) for setting in settings for n in range(runs)]
    keys = [key_of(described(each)) for each in jobs]
    if len(set(keys)) < len(keys):
        raise BadInputError("two settings of the sweep are the same, use each value once")
    return jobs


def run_file(path: Path, jobs: Sequence[Job]) -> ResultFile:
    """The file that holds the runs of these jobs, or will."""
    rows = [described(each) for each in jobs]
    return ResultFile(path, rows, RESULTS, explain_mismatch=explain_mismatch)


def sweep(
    jobs: Sequence[Job], file: ResultFile, workers: int, cluster: str | None
) -> Iterator[int]:
    """Carry out what is missing, yielding the number of each run when its row is written."""
    return fill(file, carry_out, jobs, workers, cluster)
