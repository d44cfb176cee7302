"""Sweeps: train and test a grid of settings with several seeds; a file has one row per run."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import product
from typing import Any, NamedTuple, Self

from negotiation_tui.contest.contest import Axes, CellKey, Cells, Measure, RunGrid, mean
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
from negotiation_tui.runtime.estimate import Estimate, with_error
from negotiation_tui.runtime.result_file import ResultRow, job_key
from negotiation_tui.runtime.text import one_line, plural, table
from negotiation_tui.runtime.validate import parse_integer, parse_like
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import PolicyPair, expected_play
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
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


IF_OPENS = tuple(f"seller_coins_if_{role}_opens" for role in Role)
"""The columns of the seller's expected coins, by who opens."""
_PLAY = (*IF_OPENS, "opener_coins", "mean_rounds")
_VALUES: Mapping[str, tuple[Measure, Callable[[ResultRow], float | None], str]] = {
    name: (Measure(name, title, missing="not known"), value, form)
    for name, title, value, form in (
        ("nash_conv", "NashConv", lambda row: row.get("nash_conv"), ".3f"),
        ("opener_coins", "opener's coins", lambda row: row.get("opener_coins"), ".2f"),
        ("deals", "deals", _MEANS[1][1], ".3f"),
        ("mean_rounds", "rounds to a deal", lambda row: row.get("mean_rounds"), ".2f"),
        ("mean_price", "mean price", _MEANS[2][1], ".2f"),
        ("wallet", "seller's wallet", _MEANS[0][1], ",.0f"),
    )
}
"""The values that a cell can show: the measure, its value in a row, and the format of a mean."""
MOST_BINS = 8  # values along a side of the table of endings


class Sweep(RunGrid):
    """Trainings with their tests; with `distance` NashConv too, most of the time for 5 × 5.

    With hidden limits a row has three more columns, also absent without tables. If time costs in
    any run, each row has the column `delta`, of a pair as a setting writes it: 0.9+0.8.
    """

    name = "sweep"
    added = _PLAY

    def __init__(
        self,
        jobs: tuple[Run, ...],
        distance: bool = True,
        settings: Sequence[Mapping[str, str]] = ({},),
    ) -> None:
        self._time_costs = any(job.scenario.time_costs for job in jobs)
        super().__init__(jobs)
        self.distance, self.settings = distance, settings  # each setting has as many runs
        self.runs = len(jobs) // len(settings)
        varied = [n for n in settings[0] if len({each[n] for each in settings}) > 1]
        # None: one cell. One: a row. Two: rows and columns. Further ones: pages.
        down, across, *paged = varied if varied[1:] else ("", *varied, "")[:2]
        self.sides, self.paged = (down, across), tuple(paged)
        values = {name: tuple(dict.fromkeys(each[name] for each in settings)) for name in varied}
        self.axes = values.get(down, ("",)), values.get(across, ("",))
        self.pages = tuple(product(*(values[name] for name in paged)))
        self._keys = [
            tuple(setting.get(name, "") for name in (down, across, *paged)) for setting in settings
        ]
        self._cells: dict[int, ResultRow] = {}
        self._places = {key: n for n, key in enumerate(self._keys)}
        self.measures = tuple(measure for measure, *_ in _VALUES.values())
        scenario = jobs[0].scenario
        fixed = [f"{name} {each}" for name, each in settings[0].items() if name not in varied]
        self.about = (scenario.name + scenario.delta_text, *fixed, plural(self.runs, "seed"))

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

    def numbers_of(self, key: CellKey) -> Sequence[int]:
        first = self._places[key] * self.runs
        return range(first, first + self.runs)

    def in_turn(self, numbers: Sequence[int]) -> Sequence[int]:
        """Seed 0 of every cell comes first, then the next seed."""
        return sorted(numbers, key=lambda n: (n % self.runs, n))

    def cells(self, rows: Sequence[ResultRow], numbers: Sequence[int] = ()) -> Cells:
        """Return the means of the runs of each cell, and its rows by their seeds."""
        grouped: dict[int, dict[int, ResultRow]] = {}
        for number, row in zip(numbers or range(len(rows)), rows, strict=True):
            grouped.setdefault(number // self.runs, {})[number] = row
        return {self._keys[place]: self._cell(place, runs) for place, runs in grouped.items()}

    def _cell(self, place: int, runs: Mapping[int, ResultRow]) -> ResultRow:
        """Return a cell: the same as the last time if no run was added."""
        if place not in self._cells or self._cells[place]["runs"] != runs:
            ends = _endings(runs, self.jobs[place * self.runs])
            self._cells[place] = {**_cell(runs), "endings": ends}
        return self._cells[place]

    def required(self, result: ResultRow) -> Sequence[str]:
        counted = "agreements", "breakdowns", "wallet"
        return [name for name in result if any(each in name for each in counted)]

    @property
    def results(self) -> tuple[str, ...]:
        """The columns of a row; those of NashConv are empty if a player has no table."""
        names = [*(f"train_{name}" for name in _COUNTS), "last_cycle_seller_wallet"]
        names += [
            f"{rule}_{name}" for rule in ("corrected", "as_published") for name in _TEST_COLUMNS
        ]
        for kind in _KINDS:
            names += [f"{name}{kind}" for name in ("nash_conv", "gain_seller", "gain_buyer")]
        if self.jobs[0].scenario.hidden:
            names += ["efficiency", *(f"nash_conv{kind}_at_least" for kind in _KINDS)]
        return (*names, *self.added)

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


def form_of(name: str) -> str:
    return _VALUES[name][2]


def _cell(runs: Mapping[int, ResultRow]) -> ResultRow:
    values = {
        name: [value(row) for row in runs.values()] for name, (_, value, _) in _VALUES.items()
    }
    means = {name: mean([n for n in some if n is not None]) for name, some in values.items()}
    return {**means, "runs": dict(sorted(runs.items())), "refused": None}


def estimate(cell: ResultRow, name: str) -> Estimate | None:
    """Return the mean of a cell with its interval; None if no run has a value."""
    return over_seeds(cell["runs"].values(), _VALUES[name][1])


def difference(cell: ResultRow, less: ResultRow, name: str) -> Estimate | None:
    """Return one cell less another, paired by seed; None without a seed that both have."""
    value = _VALUES[name][1]
    others = {row["seed"]: value(row) for row in less["runs"].values()}

    def gap(row: ResultRow) -> float | None:
        one, other = value(row), others.get(row["seed"])
        return None if one is None or other is None else one - other

    return over_seeds(cell["runs"].values(), gap)


Ending = tuple[int, int]
"""Coins of the seller if it opens, and if the buyer opens; the second is 0 if one always opens."""


def ending(row: ResultRow) -> Ending | None:
    """Return the rounded coins of a row; None without tables, and if limits are hidden."""
    coins = [math.floor(each + 0.5) for name in IF_OPENS if (each := row.get(name)) is not None]
    return None if not coins or "efficiency" in row else (coins[0], *coins[1:], 0)[:2]


class Endings(NamedTuple):
    """The places where the trainings of a cell end: runs by the seller's coins, by opener."""

    roles: tuple[Role, ...]  # the roles that open
    hidden: bool  # with hidden limits coins are means over limits: there are no endings
    lows: tuple[int, ...]  # the least coins of each bin, rising; the bins of both sides are equal
    size: int  # coins of a bin
    theory: frozenset[Ending]  # the bins of the equilibria
    runs: Mapping[Ending, Sequence[int]]  # the numbers of the runs in each place

    @property
    def counts(self) -> Counter[Ending]:
        return Counter({place: len(numbers) for place, numbers in self.runs.items()})

    @property
    def total(self) -> int:
        return self.counts.total()

    @property
    def axes(self) -> Axes:
        """The coins of each bin, by row and by column; one column if one role always opens."""
        names = tuple(self.named((n, n))[0] for n in range(len(self.lows)))
        return names, names if len(self.roles) > 1 else ("runs",)

    def named(self, place: Ending) -> list[str]:
        """Return the coins of a place by opener."""
        lows = [self.lows[n] for n, _ in zip(place, self.roles, strict=False)]
        return [f"{low}" if self.size == 1 else f"{low}–{low + self.size - 1}" for low in lows]


def _endings(rows: Mapping[int, ResultRow], run: Run) -> Endings:
    """Return the endings of the rows of a cell; `run` is one of its runs."""
    scenario, roles = run.scenario, tuple(run.scenario.opener.roles)
    cost = scenario.reservation_values[0]
    low, high = min(0, scenario.prices[0] - cost), scenario.prices[-1] - cost
    size = max(1, -(-(high - low + 1) // MOST_BINS))
    lows = tuple(range(low, high + 1, size))

    def at(coins: float) -> int:
        return min(len(lows) - 1, max(0, (math.floor(coins + 0.5) - low) // size))

    def place(ends: Ending) -> Ending:
        return at(ends[0]), at(ends[1]) if len(roles) > 1 else 0

    runs: dict[Ending, list[int]] = {}
    for number, row in rows.items():
        if (ends := ending(row)) is not None:
            runs.setdefault(place(ends), []).append(number)
    rate = run.parameters.discount_rate
    theory = [[at(each) for each in _theory(scenario, role, rate)] for role in roles]
    one, other = (*theory, [0])[:2]
    return Endings(roles, scenario.hidden, lows, size, frozenset(product(one, other)), runs)


@lru_cache(maxsize=256)
def _theory(scenario: Scenario, opener: Role, discount_rate: float) -> frozenset[float]:
    """Return the seller's coins in the equilibria of a game; none with hidden limits."""
    if scenario.hidden:
        return frozenset()
    paths = (solve(scenario, opener, discount_rate, rule).path for rule in TieBreak)
    return frozenset(path.gains[Role.SELLER] for path in paths)


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
    tables = tables_of(run.scenario, seller, buyer)
    if tables:
        row |= _play(run, tables)
    if distance and tables:
        for kind, rate in zip(_KINDS, (run.parameters.discount_rate, 1.0), strict=True):
            result = nash_conv(run.scenario, *tables, rate)
            row |= {f"nash_conv{kind}": result.total}
            row |= {f"gain_{role}{kind}": result.exploitability[role] for role in Role}
            if result.play:
                row[f"nash_conv{kind}_at_least"] = result.bounds[0]
                row["efficiency"] = result.play.efficiency
    return row


def _play(run: Run, tables: PolicyPair) -> ResultRow:
    """Return what both tables expect of a game, without discount."""
    play = expected_play(run.scenario, *tables)
    openers, coins = run.scenario.opener.roles, play.coins
    opened = [play.opened_by(role) for role in openers]
    deals = math.fsum(each.deal for each in opened)
    rounds = math.fsum((each.rounds or 0.0) * each.deal for each in opened)
    return {
        **{IF_OPENS[role]: coins.gains[Role.SELLER][role] for role in openers},
        "opener_coins": coins.of_opener(openers),
        "mean_rounds": rounds / deals if deals else None,
    }
