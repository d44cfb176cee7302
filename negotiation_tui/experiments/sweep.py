"""Sweeps: train a grid of settings with several seeds; a result file has one row per run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.settings import PARAMETERS
from negotiation_tui.experiments.training_run import results_of, run_job
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.scenario_file import MAX_PRICES
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.players.resolve import as_occupant, spec_of_occupant
from negotiation_tui.players.run import Run, explain_mismatch
from negotiation_tui.runtime.result_file import ResultFile, Row, key_of, run_missing_jobs
from negotiation_tui.runtime.validate import one_of, parse_integer, parse_like


def grid(
    scenario: Scenario, values: Mapping[str, Sequence[str]], runs: int, seed: int
) -> list[Run]:
    """Return a job per combination of values and seed, the seeds being `seed … seed + runs - 1`.

    Raises BadInputError if a value is invalid or two settings are equal.
    """
    settings = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    jobs = [job(scenario, setting, seed + n) for setting in settings for n in range(runs)]
    keys = [key_of(job_key(each)) for each in jobs]
    if len(set(keys)) < len(keys):
        raise BadInputError("settings: expected each once, got two that are equal")
    return jobs


def result_file(path: Path, jobs: Sequence[Run]) -> ResultFile:
    """Return the result file of these jobs, which need not exist yet."""
    return ResultFile(
        path,
        [job_key(each) for each in jobs],
        results_of(jobs[0].scenario),
        explain_mismatch=explain_mismatch,
    )


def sweep(
    jobs: Sequence[Run], file: ResultFile, workers: int | None, cluster: str | None
) -> Iterator[int]:
    """Run the jobs that have no row yet; yield the number of each job once its row is written."""
    run = partial(run_job, jobs=len(file.missing))
    return run_missing_jobs(file, run, jobs, workers, cluster)


Setting = Mapping[str, str]
"""Values by name, as text."""


def job(scenario: Scenario, setting: Setting, seed: int) -> Run:
    """Return the job of a scenario with the values of a setting, and a seed.

    `prices=N` stands for the prices 1 … N, all of them acceptable, as in `original`. `learner`
    takes every seat that is `learned`. Raises BadInputError if a value is invalid.
    """
    if "prices" in setting:
        n = parse_integer("prices", setting["prices"], 2, MAX_PRICES)
        prices, acceptable = tuple(range(1, n + 1)), PriceRange(1, n)
        scenario = replace(
            scenario, prices=prices, seller=acceptable, buyer=acceptable, reservation=(0, n)
        )
    if "rounds" in setting:
        scenario = replace(scenario, rounds=parse_integer("rounds", setting["rounds"]))
    if "states" in setting:
        scenario = replace(scenario, states=States.of(setting["states"]))
    if "opener" in setting:
        scenario = replace(scenario, opener=Opener.of(setting["opener"]))
    recipe = one_of("recipe", setting.get("recipe", "published"), tuple(RECIPES))
    parameters = {
        name: parse_like(name, setting[name], default)
        for name, default in PARAMETERS.items()
        if name in setting
    }
    run = Run.by_recipe(
        scenario, recipe, seed, (_player("seller", setting), _player("buyer", setting))
    )
    return replace(
        run,
        parameters=replace(run.parameters, **parameters),
        train_both=parse_like("train_both", setting.get("train_both", "true"), default=True),
        train_agent=Role.of(setting.get("train_agent", "seller")),
    )


def job_key(run: Run) -> Row:
    """Return all that a run depends on: the first columns of its row."""
    scenario = run.scenario
    seller, buyer = run.players
    return {
        "scenario": scenario.name,
        "rules": run.rules,
        "prices": scenario.n_prices,
        "rounds": scenario.rounds,
        "states": str(scenario.states),
        "opener": str(scenario.opener),
        "seller": seller,
        "buyer": buyer,
        "train_both": run.train_both,
        "train_agent": str(run.train_agent),
        "recipe": run.recipe,
        **run.parameters.to_dict(),
        "seed": run.seed,
    }


def _player(role: str, setting: Setting) -> str:
    """Return the spec of a role's player."""
    way = setting.get("learner", LEARNED)
    return spec_of_occupant(as_occupant(setting.get(role, LEARNED), way))
