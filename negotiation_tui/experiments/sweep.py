"""Sweeps: train a grid of settings with several seeds; a result file has one row per run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.settings import PARAMETERS
from negotiation_tui.experiments.training_run import Job, results_of, run_job
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.scenario_file import MAX_PRICES
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.players.file_digest import EARLIER_WORDS, digest_of, explain_mismatch, rules
from negotiation_tui.players.resolve import as_occupant, spec_of_occupant
from negotiation_tui.runtime.result_file import ResultFile, Row, key_of, run_missing_jobs
from negotiation_tui.runtime.validate import one_of, parse_integer, parse_like


def grid(
    scenario: Scenario, values: Mapping[str, Sequence[str]], runs: int, seed: int
) -> list[Job]:
    """Return a job per combination of values and seed, the seeds being `seed … seed + runs - 1`.

    Raises BadInputError if a value is invalid or two settings are equal.
    """
    settings = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    jobs = [job(scenario, setting, seed + n) for setting in settings for n in range(runs)]
    keys = [key_of(job_key(each)) for each in jobs]
    if len(set(keys)) < len(keys):
        raise BadInputError("settings: expected each once, got two that are equal")
    return jobs


def result_file(path: Path, jobs: Sequence[Job]) -> ResultFile:
    """Return the result file of these jobs, which need not exist yet."""
    return ResultFile(
        path,
        [job_key(each) for each in jobs],
        results_of(jobs[0].scenario),
        explain_mismatch=explain_mismatch,
        earlier_words=EARLIER_WORDS,
    )


def sweep(
    jobs: Sequence[Job], file: ResultFile, workers: int | None, cluster: str | None
) -> Iterator[int]:
    """Run the jobs that have no row yet; yield the number of each job once its row is written."""
    run = partial(run_job, jobs=len(file.missing))
    return run_missing_jobs(file, run, jobs, workers, cluster)


Setting = Mapping[str, str]
"""Values by name, as text."""


def job(scenario: Scenario, setting: Setting, seed: int) -> Job:
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
    specs = _spec("seller", setting), _spec("buyer", setting)
    return Job(
        scenario,
        replace(RECIPES[recipe](scenario), **parameters),
        seed,
        parse_like("train_both", setting.get("train_both", "true"), default=True),
        Role.of(setting.get("train_agent", "seller")),
        specs,
        recipe,
        (digest_of(specs[0]), digest_of(specs[1])),
    )


def job_key(job: Job) -> Row:
    """Return all that a job depends on: the first columns of its row."""
    scenario = job.scenario
    seller, buyer = job.strategies
    return {
        "scenario": scenario.name,
        "rules": rules(scenario, job.file_digests),
        "prices": scenario.n_prices,
        "rounds": scenario.rounds,
        "states": str(scenario.states),
        "opener": str(scenario.opener),
        "seller": seller or LEARNED,
        "buyer": buyer or LEARNED,
        "train_both": job.train_both,
        "train_agent": str(job.train_agent),
        "recipe": job.recipe,
        **job.parameters.to_dict(),
        "seed": job.seed,
    }


def _spec(role: str, setting: Setting) -> str | None:
    """Return the spec of a role's strategy or learner, None for the Q-learner."""
    way = setting.get("learner", LEARNED)
    spec = spec_of_occupant(as_occupant(setting.get(role, LEARNED), way))
    return None if spec == LEARNED else spec
