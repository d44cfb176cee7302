"""Sweeps, the original's four experiments and published claims, for notebooks and scripts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from os import PathLike

from negotiation_tui.contest.league import entrants_in
from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments import claims, reproduction
from negotiation_tui.experiments.settings import SETTING_NAMES, USUAL_RUNS
from negotiation_tui.experiments.sweep import Ending, Sweep, ending
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.learning.spec import learns
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.validate import integer, one_of, refusal

__all__ = ["endings", "reproduce", "run_sweep"]


def run_sweep(
    scenario: ScenarioLike = "original",
    values: Mapping[str, Iterable[object]] | None = None,
    *,
    runs: int = 1,
    seed: int = 0,
    workers: int = 1,
    out: str | PathLike[str] | None = None,
) -> list[ResultRow]:
    """Train every combination of values, and return a row per run, as `negotiation-tui sweep` does.

    `values` maps names of settings to lists of values. The column `learner` names who learns in a
    run. `workers` and `out` are as in `run_tournament`. Raises BadInputError for invalid input.
    """
    if not isinstance(values or {}, Mapping):
        raise refusal("values", values, "a mapping of settings to lists of values")
    texts: dict[str, list[str]] = {}
    for name, each in (values or {}).items():
        several = isinstance(each, Iterable) and not isinstance(each, str)
        texts[one_of("setting", name, SETTING_NAMES)] = [*map(str, each)] if several else []
        if not texts[name]:
            raise refusal(f"values: {name}", each, "a list of values")
    each_runs, first = integer("runs", runs, 1), integer("seed", seed, 0)
    return _rows(Sweep.of(Scenario.of(scenario), texts, each_runs, first), workers, out)


def endings(rows: Iterable[ResultRow]) -> Counter[Ending]:
    """Return the number of runs of a sweep by where they end, in coins of the seller.

    A place is the coins if the seller opens, and if the buyer opens; if one role always opens, the
    second is 0. Rows without tables, and with hidden limits, are left out.
    """
    return Counter(place for row in rows if (place := ending(row)) is not None)


def reproduce(
    claim: str | None = None,
    *,
    player: str | None = None,
    runs: int | None = None,
    seed: int = 0,
    workers: int = 1,
    out: str | PathLike[str] | None = None,
) -> list[ResultRow]:
    """Repeat the original's four experiments, and return a row per run; or settle claims.

    With the name of a `claim`, or `all`, a row has its verdict, and `figures` its numbers. `runs`
    are the seeds per experiment (200), or per training of a claim; `seed` and those after it are
    for the experiments. Raises BadInputError for invalid input.
    """
    if runs is not None:
        integer("runs", runs, 2)
    if claim is not None:
        return claims.settle_claims(claim, player, runs)
    if player is not None:
        raise BadInputError("player: expected a claim beside it, got none")
    number = runs or USUAL_RUNS
    rows = _rows(reproduction.sweep(number, integer("seed", seed, 0)), workers, out)
    of = [each.name for each in reproduction.EXPERIMENTS for _ in range(number)]
    return [{"experiment": name, **row} for name, row in zip(of, rows, strict=True)]


def _rows(sweep: Sweep, workers: int, out: str | PathLike[str] | None) -> list[ResultRow]:
    rows = sweep.rows(sweep.file(out), integer("workers", workers, 1))
    return [{"learner": _learner(job), **row} for job, row in zip(sweep.jobs, rows, strict=True)]


def _learner(run: Run) -> str | None:
    """Return the name of a run's learner, of two different ones both; None if nobody learns."""
    names = zip(entrants_in(run), run.players, strict=True)
    return " and ".join(dict.fromkeys(name for name, spec in names if learns(spec))) or None
