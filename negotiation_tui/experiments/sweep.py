"""Sweeps: a grid of settings times seeds, one row a run, in a file that grows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.settings import PARAMETERS
from negotiation_tui.experiments.training_run import RESULTS, Job, run_job
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.scenario_file import MAX_PRICES
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.players.file_digest import EARLIER_WORDS, digest_of, explain_mismatch, rules
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.result_file import ResultFile, Row, key_of, run_missing_jobs
from negotiation_tui.runtime.validate import one_of, parse_integer, parse_like
from negotiation_tui.strategies.registry import spec_of


def grid(
    scenario: Scenario, values: Mapping[str, Sequence[str]], runs: int, seed: int
) -> list[Job]:
    """Every combination of values, each with the seeds `seed … seed + runs - 1`."""
    settings = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    jobs = [job(scenario, setting, seed + n) for setting in settings for n in range(runs)]
    keys = [key_of(job_key(each)) for each in jobs]
    if len(set(keys)) < len(keys):
        raise BadInputError("two settings of the sweep are the same, use each value once")
    return jobs


def result_file(path: Path, jobs: Sequence[Job]) -> ResultFile:
    """The file that holds the runs of these jobs, or will."""
    rows = [job_key(each) for each in jobs]
    return ResultFile(
        path, rows, RESULTS, explain_mismatch=explain_mismatch, earlier_words=EARLIER_WORDS
    )


def sweep(
    jobs: Sequence[Job], file: ResultFile, workers: int, cluster: str | None
) -> Iterator[int]:
    """Carry out what is missing, yielding the number of each run when its row is written."""
    return run_missing_jobs(file, run_job, jobs, workers, cluster)


Setting = Mapping[str, str]
"""A value for each name that is set, as it was written."""


def job(scenario: Scenario, setting: Setting, seed: int) -> Job:
    """The job that a setting makes of a scenario and a seed.

    `prices` gives the grid 1 … N, every price acceptable, as in `original`. Raises BadInputError
    for a value that cannot be.
    """
    if "prices" in setting:
        n = parse_integer("prices", setting["prices"], 2, MAX_PRICES)
        prices, whole = tuple(range(1, n + 1)), PriceRange(1, n)
        scenario = replace(scenario, prices=prices, seller=whole, buyer=whole, reservation=(0, n))
    if "rounds" in setting:
        scenario = replace(scenario, rounds=parse_integer("rounds", setting["rounds"]))
    if "states" in setting:
        scenario = replace(scenario, states=States.of(setting["states"]))
    if "opener" in setting:
        scenario = replace(scenario, opener=Opener.of(setting["opener"]))
    recipe = one_of("recipe", setting.get("recipe", "published"), tuple(RECIPES))
    given = {
        name: parse_like(name, setting[name], default)
        for name, default in PARAMETERS.items()
        if name in setting
    }
    seats = _seat("seller", setting), _seat("buyer", setting)
    return Job(
        scenario,
        replace(RECIPES[recipe](scenario), **given),
        seed,
        parse_like("train_both", setting.get("train_both", "true"), default=True),
        Role.of(setting.get("train_agent", "seller")),
        seats,
        recipe,
        (digest_of(seats[0]), digest_of(seats[1])),
    )


def job_key(described_job: Job) -> Row:
    """Everything a job depends on, as the first columns of its row."""
    scenario = described_job.scenario
    seller, buyer = described_job.strategies
    return {
        "scenario": scenario.name,
        "rules": rules(scenario, described_job.file_digests),
        "prices": scenario.n_prices,
        "rounds": scenario.rounds,
        "states": str(scenario.states),
        "opener": str(scenario.opener),
        "seller": seller or LEARNED,
        "buyer": buyer or LEARNED,
        "train_both": described_job.train_both,
        "train_agent": str(described_job.train_agent),
        "recipe": described_job.recipe,
        **described_job.parameters.to_dict(),
        "seed": described_job.seed,
    }


def _seat(role: str, setting: Setting) -> str | None:
    held = strategy_from_spec(setting.get(role, LEARNED))
    return None if held is None else spec_of(held)
