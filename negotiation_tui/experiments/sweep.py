"""Sweeps: train and test a grid of settings with several seeds; a file has one row per run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, Self

from negotiation_tui.contest.ahead import Load
from negotiation_tui.contest.contest import Batch, gain_bounds, share_bounds
from negotiation_tui.contest.league import over_seeds
from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.settings import PARAMETERS
from negotiation_tui.game.roles import Opener, PriceRange, Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.scenario_file import MAX_PRICES, deltas
from negotiation_tui.learning.evaluation import TEST_NEGOTIATIONS, evaluate_both
from negotiation_tui.learning.headless import train_one_of
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.players.program import lost_answers
from negotiation_tui.players.resolve import as_player, spec_of_player
from negotiation_tui.players.run import Run, digest_of, training_of
from negotiation_tui.runtime.estimate import with_error
from negotiation_tui.runtime.result_file import Bounds, ResultRow, job_key
from negotiation_tui.runtime.text import one_line, plural, table
from negotiation_tui.runtime.validate import parse_integer, parse_like
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.strategies.matchup import tables_of

_COUNTS = ("agreements_seller", "agreements_buyer", "breakdowns_seller", "breakdowns_buyer")
_TEST_COLUMNS = (*_COUNTS, "seller_wallet", "mean_price")
_KINDS = "", "_undiscounted"
_DEALS = "corrected_agreements_seller", "corrected_agreements_buyer"
_MEANS: tuple[tuple[str, Callable[[ResultRow], float | None], str], ...] = (
    ("seller's wallet", lambda row: row["corrected_seller_wallet"], ",.0f"),
    ("deals", lambda row: sum(row[name] for name in _DEALS) / TEST_NEGOTIATIONS, ".3f"),
    ("mean price", lambda row: row["corrected_mean_price"], ".2f"),
    ("NashConv", lambda row: row.get("nash_conv"), ".4f"),
    ("efficiency", lambda row: row.get("efficiency"), ".3f"),
)
"""The titles, values and formats of the table of means; a column without values is left out."""


class Sweep(Batch):
    """Trainings with their tests; with `distance` NashConv too, most of the time for 5 × 5.

    With hidden limits a row has three more columns, also absent without tables. If time costs in
    any run, each row has the column `delta`, of a pair as a setting writes it: 0.9+0.8.
    """

    name = "sweep"

    def __init__(
        self,
        jobs: tuple[Run, ...],
        distance: bool = True,
        settings: Sequence[Mapping[str, str]] = ({},),
    ) -> None:
        super().__init__(jobs)
        self.distance, self.settings = distance, settings  # each setting has as many runs
        self._time_costs = any(job.scenario.time_costs for job in jobs)

    @classmethod
    def of(
        cls, scenario: Scenario, values: Mapping[str, Sequence[str]], runs: int, seed: int
    ) -> Self:
        """Return a run per combination of values and of the seeds `seed … seed + runs - 1`.

        Raises BadInputError if a value is invalid or two settings are equal.
        """
        settings = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
        jobs = [run_with(scenario, setting, seed + n) for setting in settings for n in range(runs)]
        sweep = cls(tuple(jobs), settings=settings)
        if len({job_key(sweep.key(job)) for job in jobs}) < len(jobs):
            raise BadInputError("settings: expected each once, got two that are equal")
        return sweep

    def key(self, job: Run) -> ResultRow:
        one, other = job.scenario.delta
        delta = one if one == other else f"{one}+{other}"
        return {**job.row, "delta": delta} if self._time_costs else job.row

    def load(self, job: Run) -> Load:
        return Load(job.parameters.total, 2.0 * self.distance)

    def bounds(self, number: int) -> dict[str, Bounds]:
        """Return the columns of a row; those of NashConv are empty if a player has no table."""
        run = self.jobs[number]
        scenario, prices, episodes = run.scenario, run.scenario.prices, run.parameters.episodes
        highest = max(map(abs, (prices[0], prices[-1])))
        trained = Bounds(0, run.parameters.total, whole=True)
        tested = Bounds(0, TEST_NEGOTIATIONS, whole=True)
        paid = highest * (TEST_NEGOTIATIONS + episodes)  # what the last cycle left is among it
        distance, gain = gain_bounds(scenario, gains=2), gain_bounds(scenario)
        bounds = {f"train_{name}": trained for name in _COUNTS}
        bounds["last_cycle_seller_wallet"] = Bounds(-highest * episodes, highest * episodes)
        for rule in ("corrected", "as_published"):
            bounds |= {f"{rule}_{name}": tested for name in _COUNTS}
            bounds[f"{rule}_seller_wallet"] = Bounds(-paid, paid)
            bounds[f"{rule}_mean_price"] = Bounds(prices[0], prices[-1])
        for kind in _KINDS:
            bounds[f"nash_conv{kind}"] = distance
            bounds |= {f"gain_{role}{kind}": gain for role in Role}
        if self.jobs[0].scenario.hidden:
            bounds["efficiency"] = share_bounds(scenario)
            bounds |= {f"nash_conv{kind}_at_least": distance for kind in _KINDS}
        return bounds

    def means(self, rows: Sequence[ResultRow]) -> str:
        """Return a table of means over the runs of each combination of settings."""
        runs = len(rows) // len(self.settings)
        lines = [(*self.settings[0], *(title for title, *_ in _MEANS))]
        for n, setting in enumerate(self.settings):
            group = rows[n * runs : (n + 1) * runs]
            cells = (with_error(over_seeds(group, value), form) for _, value, form in _MEANS)
            lines.append((*map(one_line, setting.values()), *cells))
        filled = [n for n, cells in enumerate(zip(*lines, strict=True)) if {*cells[1:]} != {"–"}]
        interval = " with 95% intervals" if runs > 1 else ""
        head = f"means over {plural(runs, 'run')}{interval}; tests by the rules"
        return "\n".join([head, *table([[each[n] for n in filled] for each in lines], "<")])

    def runner(self, saved: bool, jobs: int = 1) -> Callable[[Run], ResultRow]:  # noqa: ARG002
        """Return `train_and_test` for one of `jobs` runs; a changed file ends the sweep."""
        return partial(train_and_test, distance=self.distance, jobs=jobs)


def run_with(scenario: Scenario, setting: Mapping[str, str], seed: int) -> Run:
    """Return the run of a scenario with the values of a setting, as text by name, and a seed.

    `prices=N` stands for the prices 1 … N, all of them acceptable, as in `original`. `learner`
    takes every seat that is `learned`. Raises BadInputError if a value is invalid.
    """
    if "prices" in setting:
        n = parse_integer("prices", setting["prices"], 2, MAX_PRICES)
        prices, acceptable = tuple(range(1, n + 1)), PriceRange(1, n)
        scenario = replace(
            scenario, prices=prices, seller=acceptable, buyer=acceptable, reservation=(0, n)
        )
    rules: dict[str, Callable[[str], Any]] = {"rounds": partial(parse_integer, "rounds")}
    rules |= {"opener": Opener.of, "delta": deltas}
    for name, parse in rules.items():
        if name in setting:
            scenario = replace(scenario, **{name: parse(setting[name])})
    kinds = {**PARAMETERS, "train_both": True, **dict.fromkeys(("states", "recipe", "train_agent"))}
    given = {n: parse_like(n, setting[n], default) for n, default in kinds.items() if n in setting}
    way, seats = setting.get("learner", LEARNED), [setting.get(str(r), LEARNED) for r in Role]
    players = pair(spec_of_player(as_player(seat, way)) for seat in seats)
    run = Run.of_options(scenario, seed, players, **given)
    return replace(run, digests=pair(map(digest_of, players)))


def train_and_test(run: Run, distance: bool = True, jobs: int = 1) -> ResultRow:
    """Train and test a run, one of `jobs`, and return its results.

    Raises BadInputError if the scenario is too large or the file of a player has changed.
    """
    training = training_of(run)
    train_one_of(jobs, training)
    totals, left_over = training.statistics.total, training.statistics.left_over
    row: ResultRow = {f"train_{name}": getattr(totals, name) for name in _COUNTS}
    row["last_cycle_seller_wallet"] = left_over
    seller, buyer = (training.policy(role) for role in Role)
    rng = generators(run.seed).test
    for test in evaluate_both(run.scenario, seller, buyer, rng, left_over, training.backend):
        table, rule = test.to_dict(), test.rule.replace("-", "_")
        row |= {f"{rule}_{name}": table[name] for name in _TEST_COLUMNS}
    for who, manners in lost_answers((seller, buyer)):
        manners.check(who)
    if distance and (tables := tables_of(run.scenario, seller, buyer)):
        for kind, rate in zip(_KINDS, (run.parameters.discount_rate, 1.0), strict=True):
            result = nash_conv(run.scenario, *tables, rate)
            row |= {f"nash_conv{kind}": result.total}
            row |= {f"gain_{role}{kind}": result.exploitability[role] for role in Role}
            if result.play:
                row[f"nash_conv{kind}_at_least"] = result.bounds[0]
                row["efficiency"] = result.play.efficiency
    return row
