"""A league: every learner against every other and against itself, with several seeds.

Each match is a run, whose row does not depend on the other entrants.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from itertools import product
from operator import itemgetter
from typing import Any, Self

import numpy as np

from negotiation_tui.contest.contest import (
    BY_NAME,
    AnyStanding,
    CellKey,
    Cells,
    Contest,
    Measure,
    RankingColumn,
    mean,
    ranked,
)
from negotiation_tui.contest.defaults import GAMES, LEAGUE_RECIPE, SEEDS
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.headless import train_one_of
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.learning.nash_conv_series import NashConvs, NashConvSeries, next_evaluated
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.players.resolve import player_from_spec, spec_of_player
from negotiation_tui.players.run import Run, train_command, training_of
from negotiation_tui.runtime.estimate import Estimate, Rate, with_error
from negotiation_tui.runtime.records import replace, sealed
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.text import plural, table
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.payoffs import Pairs, first_best
from negotiation_tui.strategies.matchup import require_table

CLOSE = 0.01  # NashConv at or below which a training has come close to equilibrium
_JUDGED = 16  # cycles that are judged in each doubling of a training, and at first
SETTINGS = {
    "best-response-dynamics": "counts_as=1000",
    "fictitious-play": "counts_as=1000",
    "cfr": "counts_as=1000,plus=true",
    "mmd": "counts_as=1000,iterations=20",
    "hysteretic": "decrease=0.5",
    "wolf-phc": "learning_rate=0.2",
}
"""Settings of the default entrants that differ from a learner's defaults, by its name."""
_KEY = ("scenario", "rules", "states", "seller", "buyer", "recipe", "cycles", "episodes", "seed")
_RESULTS = (
    *("reached", "nash_conv", "gain_seller", "gain_buyer", "share_seller", "share_buyer"),
    *("deals", "seconds", "refused"),
)
_PLAIN_SECONDS = 2e-5  # per episode of the plain loop in `original`; more in larger games
AT_LEAST = "nash_conv_at_least"  # a further column if a game has hidden limits
_MEASURES = (
    Measure("nash_conv", "final NashConv", missing="not known"),
    Measure("close", "% of runs at NashConv 0.01 for good", percent=True, missing="not known"),
    Measure("reached", "episodes until then", missing="never"),
    Measure("share", "% of the surplus to the row's learner", percent=True, missing="not known"),
    Measure("deals", "% deals", percent=True, missing="not known"),
    Measure("seconds", "seconds of a processor", missing="not known"),
)


@sealed(frozen=True, slots=True)
class LearnerStanding(AnyStanding):
    """A learner's line of the leaderboard, about the first game; None: not known yet."""

    nash_conv: Estimate | None  # final NashConv, over its runs with all others and itself
    itself: Estimate | None  # final NashConv, over its runs with itself
    others: Estimate | None  # final NashConv, over its runs with others
    close: float | None  # share of runs whose NashConv stays at 0.01 or below from some moment on
    reached: Estimate | None  # episodes until that moment, over the runs that have one
    share: Estimate | None  # its expected share of the surplus opposite others
    seconds: float | None  # median processor time of a run with itself
    runs: int
    games: Mapping[str, "GameStanding"]  # its runs with itself, by game


@sealed(frozen=True, slots=True)
class GameStanding:
    """Runs of a learner with itself in one game."""

    nash_conv: Estimate | None
    close: int  # number of runs whose NashConv stays at 0.01 or below from some moment on
    runs: int
    reached: Estimate | None  # episodes until that moment, over the runs that have one
    deals: Estimate | None  # probability of a deal
    seconds: float | None  # median processor time of a run


class GameColumn(RankingColumn):
    """NashConv of a learner with itself in another game, which gives the column its name."""

    def value(self, standing: Any) -> Any:
        game = standing.games.get(self.name)
        return game and game.nash_conv and game.nash_conv.mean


def _standing(name: str, rows: Sequence[ResultRow], games: Sequence[str]) -> LearnerStanding:
    nash_conv, reached = itemgetter("nash_conv"), itemgetter("reached")
    played = [row for row in rows if name in (row["seller"], row["buyer"])]
    first = [row for row in played if row["scenario"] == games[0]]
    others = [row for row in first if row["seller"] != row["buyer"]]
    alone = {}
    for game in games:
        runs = [row for row in played if row["scenario"] == game and row["seller"] == row["buyer"]]
        close = sum(row["reached"] is not None for row in runs)
        means = over_seeds(runs, reached), over_seeds(runs, itemgetter("deals"))
        seconds = float(np.median([row["seconds"] for row in runs])) if runs else None
        conv = over_seeds(runs, nash_conv)
        alone[game] = GameStanding(conv, close, len(runs), *means, seconds)
    return LearnerStanding(
        rank=None,
        name=name,
        nash_conv=over_seeds(first, nash_conv),
        itself=alone[games[0]].nash_conv,
        others=over_seeds(others, nash_conv),
        close=_share_close(first),
        reached=over_seeds(first, reached),
        share=over_seeds(others, lambda row: surplus_share(row, name)),
        seconds=alone[games[0]].seconds,
        runs=len(first),
        games=alone,
    )


def _cell(name: str, runs: Sequence[ResultRow]) -> ResultRow:
    refused = next((row["refused"] for row in runs if row["refused"] is not None), None)
    played = [row for row in runs if row["refused"] is None]
    values: dict[str, list[float]] = {
        each: [row[each] for row in played if row[each] is not None]
        for each in ("nash_conv", "reached", "deals", "seconds")
    }
    return {
        **{each: mean(found) for each, found in values.items()},
        "close": _share_close(played),
        "share": mean([surplus_share(row, name) for row in played]),
        "runs": len(played),
        "refused": None if played else refused,
    }


def is_bound(row: ResultRow) -> bool:
    """True if NashConv of a run is an upper bound: its beliefs were too many."""
    least: float | None = row.get(AT_LEAST)
    return least is not None and least < row["nash_conv"]


def bounds_text(rows: Sequence[ResultRow]) -> str:
    """Return the number of runs whose NashConv is not exact; empty if there is none."""
    between = sum(map(is_bound, rows))
    if not between:
        return ""
    bound = f"NashConv of {plural(between, 'run')} is an upper bound"
    least = f"it is at least {AT_LEAST} in --out or --json"
    return f"{bound}, because there are too many beliefs; {least}"


def surplus_share(row: ResultRow, name: str) -> float:
    """Return the expected share of the surplus of a learner; the mean of both roles if alone."""
    shares = [row[f"share_{role}"] for role in ("seller", "buyer") if row[role] == name]
    return math.fsum(shares) / len(shares)


def over_seeds(
    rows: Iterable[ResultRow], value: Callable[[ResultRow], float | None]
) -> Estimate | None:
    """Return the mean over seeds of the means of their runs; None without, one has no interval."""
    seeds: dict[int, list[float]] = {}
    for row in rows:
        found = value(row)
        if found is not None:
            seeds.setdefault(row["seed"], []).append(found)
    if not seeds:
        return None
    means = np.array([math.fsum(values) / len(values) for values in seeds.values()])
    return Estimate.of(means)


def _share_close(rows: Sequence[ResultRow]) -> float | None:
    return mean([float(row["reached"] is not None) for row in rows])


def entrants_in(run: Run) -> tuple[str, str]:
    return pair(map(_name, run.players))


def _name(spec: str) -> str:
    return QLearning.name if spec == LEARNED else spec.removeprefix(PREFIX)


def learners_of(texts: Sequence[str]) -> dict[str, str]:
    """Return the names of learners with their settings, and their specs; all if none is given.

    The user's own learners are loaded. Raises BadInputError if one is unknown or named twice.
    """
    every = [f"{name}:{SETTINGS[name]}" if name in SETTINGS else name for name in LEARNERS]
    entrants: dict[str, str] = {}
    for text in texts or every:
        spec = spec_of_player(player_from_spec(text if learns(text) else PREFIX + text))
        if _name(spec) in entrants:
            raise BadInputError(f"learners: expected each once, got {text!r} twice")
        entrants[_name(spec)] = spec
    return entrants


def _with_episodes(run: Run, episodes: int | None) -> Run:
    """Return a run with about `episodes` episodes; ε still falls over all of them."""
    if episodes is None:
        return run
    usual, decay = run.parameters, run.parameters.exploration_decay
    cycles = max(1, round(episodes / usual.episodes))
    if not usual.exploration_restarts:
        decay *= usual.cycles / cycles
    return replace(run, parameters=replace(usual, cycles=cycles, exploration_decay=decay))


def _play(run: Run, players: tuple[Occupant, Occupant], jobs: int) -> ResultRow:
    scenario = run.scenario
    training = training_of(run, players, _PLAIN_SECONDS * run.parameters.total * jobs)
    training.nash_convs = series = NashConvSeries(lambda cycle: next_evaluated(cycle, _JUDGED))
    train_one_of(jobs, training)
    tables = pair(require_table(role, training.policy(role)) for role in Role)
    judged = nash_conv(scenario, *tables, run.parameters.discount_rate)
    pairs, play, best = Pairs.of(scenario), expected_play(scenario, *tables), first_best(scenario)
    openers = scenario.opener.roles
    gains = [sum(play.returns(role)[o] for o in openers) / len(openers) for role in Role]
    return {
        "reached": reached(series.values, run.parameters.episodes),
        **({AT_LEAST: judged.bounds[0]} if scenario.hidden else {}),
        "nash_conv": judged.total,
        **{f"gain_{role}": judged.exploitability[role] for role in Role},
        **{f"share_{role}": gains[role] / (best or 1.0) for role in Role},
        "deals": float((pairs.chances * play.deal).sum()) / (pairs.possible or 1.0),
        "seconds": training.seconds,
        "refused": None,
    }


def reached(values: NashConvs, episodes: int) -> int | None:
    """Return the episodes, of so many a cycle, after which NashConv stays at CLOSE or below."""
    close = None
    for cycle, value in reversed(values):
        if value > CLOSE:
            break
        close = cycle * episodes
    return close


def _alone(board: Sequence[LearnerStanding], game: str) -> str:
    rows = [("learner", "NashConv", "close", "episodes until then", "deals", "seconds")]
    for each in board:
        standing = each.games[game]
        seconds = "–" if standing.seconds is None else f"{standing.seconds:.2f}"
        means = with_error(standing.nash_conv, ".4f"), with_error(standing.reached, ",.0f")
        close, deals = str(Rate(standing.close, standing.runs)), with_error(standing.deals, ".3f")
        rows.append((each.name, means[0], close, means[1], deals, seconds))
    head = f"{game}, each learner with itself: means over seeds with 95% intervals"
    return "\n".join([head, *table(rows, "<", ">10")])


def _plain(value: Any) -> Any:
    """Return a value for JSON: an interval that one seed does not give is null."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


class LearnerContest(Contest):
    """Learners, and their matches."""

    name = "league"
    sides = "learner", "the other"
    scores = "lower NashConv is better"
    measures = _MEASURES

    def __init__(self, jobs: tuple[Run, ...], entrants: tuple[str, ...]) -> None:
        self._hidden, self.play = any(match.scenario.hidden for match in jobs), _play
        super().__init__(jobs, entrants)
        self.games = tuple(dict.fromkeys(match.scenario.name for match in jobs))
        """The names of the scenarios; in the first each learner meets each."""
        self.seeds = 1 + max(match.seed for match in jobs)
        self.columns = (
            RankingColumn("nash_conv", "NashConv", 9, ".4f", "NashConv", rising=True),
            RankingColumn("itself", "itself", 8, ".4f", "NashConv with itself", rising=True),
            RankingColumn("close", "close", 6, ".0%", "runs that come close"),
            RankingColumn("reached", "episodes", 10, ",.0f", "episodes", rising=True),
            RankingColumn("share", "share", 7, ".3f", "share of the surplus"),
            RankingColumn("seconds", "seconds", 8, ".2f", "seconds", rising=True),
            *(
                GameColumn(game, game, max(8, len(game) + 1), ".4f", f"NashConv on {game}", True)
                for game in self.games[1:]
            ),
            BY_NAME,
            RankingColumn("runs", "runs", 6, "d"),
        )
        scenario = jobs[0].scenario
        size = f"{scenario.n_prices}×{scenario.rounds}"
        name = size if scenario.name == size.replace("×", "x") else f"{scenario.name} {size}"
        self.about = (
            name + scenario.delta_text,
            f"{len(entrants)} learners",
            plural(self.seeds, "seed"),
        )

    @classmethod
    def of(
        cls,
        learners: Sequence[str] = (),
        games: Sequence[str] = GAMES,
        seeds: int = SEEDS,
        recipe: str = LEAGUE_RECIPE,
        episodes: int | None = None,
    ) -> Self:
        """Return the league of these learners; of all if none is given.

        Each meets each and itself in the first game, only itself in the others. Two different
        learners swap the roles from seed to seed. `episodes` are those of a run; None: those of the
        recipe. Raises BadInputError for an unknown learner or game, or if one is named twice.
        """
        specs, jobs = learners_of(learners), []
        names = list(specs)
        if not games:
            raise BadInputError("games: expected one or more, got none")
        for n, game in enumerate(games):
            if games.count(game) > 1:
                raise BadInputError(f"games: expected each once, got {game!r} twice")
            scenario = Scenario.of(game).with_opener
            for k, one in enumerate(names):
                for other, seed in product([one] if n else names[k:], range(seeds)):
                    seller, buyer = (specs[n] for n in sorted((one, other), reverse=seed % 2 == 1))
                    run = Run.by_recipe(scenario, recipe, seed, (seller, buyer), game)
                    jobs.append(_with_episodes(run, episodes))
        return cls(tuple(jobs), tuple(names))

    def required(self, result: ResultRow) -> Sequence[str]:
        refused = result["refused"] is not None
        return () if refused else [each for each in _RESULTS if each not in {"reached", "refused"}]

    @property
    def results(self) -> tuple[str, ...]:
        """The columns of a row (docs/league.md). One not trained fills only the last."""
        return (*[AT_LEAST] * self._hidden, *_RESULTS)

    def key(self, job: Run) -> ResultRow:
        seller, buyer = entrants_in(job)
        row = {**job.row, "seller": seller, "buyer": buyer}
        return {name: row[name] for name in _KEY}

    @cached_property
    def _numbers(self) -> Mapping[frozenset[str], Sequence[int]]:
        numbers: dict[frozenset[str], list[int]] = {}
        for n, each in enumerate(self.jobs):
            numbers.setdefault(frozenset(entrants_in(each)), []).append(n)
        return numbers

    def numbers_of(self, key: CellKey) -> Sequence[int]:
        return self._numbers[frozenset(key)]

    def cells(self, rows: Sequence[ResultRow], _numbers: Sequence[int] = ()) -> Cells:
        """Return the means of the runs of each pair in the first game, both ways round."""
        pairs: dict[tuple[str, str], list[ResultRow]] = {}
        for row in (row for row in rows if row["scenario"] == self.games[0]):
            for both in {(row["seller"], row["buyer"]), (row["buyer"], row["seller"])}:
                pairs.setdefault(both, []).append(row)
        return {both: _cell(both[0], runs) for both, runs in pairs.items()}

    def leaderboard(self, rows: Sequence[ResultRow]) -> list[LearnerStanding]:
        played = [row for row in rows if row["refused"] is None]
        standings = [_standing(name, played, self.games) for name in self.entrants]
        return ranked(standings, lambda each: each.nash_conv.mean if each.nash_conv else None)

    def to_dict(self, rows: Sequence[ResultRow]) -> dict[str, Any]:
        runs = zip(rows, self.jobs, strict=True)
        return {
            "games": {match.scenario.name: match.scenario.to_dict() for match in self.jobs},
            "recipe": self.jobs[0].recipe,
            "seeds": self.seeds,
            "learners": list(self.entrants),
            "leaderboard": [_plain(asdict(standing)) for standing in self.leaderboard(rows)],
            "matrices": self.matrices(rows),
            "runs": [{**row, "command": train_command(job)} for row, job in runs],
        }

    def text(self, rows: Sequence[ResultRow], width: int, shades: str) -> str:
        first, board = self.jobs[0], self.leaderboard(rows)
        who = f"{plural(len(self.entrants), 'learner')}, each with each and with itself"
        runs = f"{plural(self.seeds, 'seed')}, {plural(first.parameters.total, 'episode')} per run"
        about = f"{first.scenario.name}{first.scenario.delta_text}: {who}, {runs}"
        standings, heat, refused = self.parts(rows, width, shades)
        alone = [_alone(board, game) for game in self.games]
        notes = bounds_text(rows), refused, f"one run by itself: {train_command(first)}"
        return "\n\n".join(filter(None, [about, standings, *alone, heat, *notes]))
