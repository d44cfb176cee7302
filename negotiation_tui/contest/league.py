"""A league: every learner against every other and against itself, with several seeds.

Each match is a run. Its row depends on its two learners, the game and the seed, but not on the
other entrants.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any, ClassVar, Self

from negotiation_tui.contest import league_standings as standings
from negotiation_tui.contest.contest import Contest
from negotiation_tui.contest.defaults import GAMES, LEAGUE_RECIPE, SEEDS
from negotiation_tui.contest.league_standings import AT_LEAST, MEASURES, LearnerStanding
from negotiation_tui.contest.standings import Column
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.headless import train_one_of
from negotiation_tui.learning.hyperparameters import RECIPES
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.learning.nash_conv_series import (
    EvaluatedTraining,
    NashConvs,
    NashConvSeries,
    nash_conv_of,
    next_evaluated,
)
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.players.resolve import player_from_spec, spec_of_player
from negotiation_tui.players.run import Run, train_command, training_of
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import plural, table
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.payoffs import Pairs, first_best
from negotiation_tui.strategies.matchup import tables_of

CLOSE = 0.01
"""NashConv at or below which a training has come close to equilibrium."""
JUDGED = 16
"""Cycles that are judged in each doubling of a training, and at first."""
SETTINGS = {
    "best-response-dynamics": "counts_as=1000",
    "fictitious-play": "counts_as=1000",
    "cfr": "counts_as=1000,plus=true",
    "hysteretic": "decrease=0.5",
    "wolf-phc": "learning_rate=0.2",
}
"""Settings of the default entrants that differ from a learner's defaults, by its name."""
RESULTS = (
    *("reached", "nash_conv", "gain_seller", "gain_buyer"),
    *("share_seller", "share_buyer", "deals", "seconds", "refused"),
)
"""The columns of a row, explained in docs/league.md. All but the last are empty if a training
cannot be done."""
_PLAIN_SECONDS = 2e-5
"""Processor time per episode of the plain loop in `original`; larger games take longer."""


def entrants_in(run: Run) -> tuple[str, str]:
    """Return the names of both learners, seller first."""
    seller, buyer = map(_name, run.players)
    return seller, buyer


def _name(spec: str) -> str:
    return QLearning.name if spec == LEARNED else spec.removeprefix(PREFIX)


def entrants_of(texts: Sequence[str]) -> dict[str, str]:
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


def _matches(
    specs: Mapping[str, str], games: Sequence[str], seeds: int, recipe: str, episodes: int | None
) -> list[Run]:
    """Return the matches with the seeds `0 … seeds - 1`.

    In the first game each entrant meets each and itself, in the others only itself. Two different
    learners swap the roles from seed to seed. Raises BadInputError for an unknown game, or if one
    is named twice.
    """
    if not games:
        raise BadInputError("games: expected one or more, got none")
    for game in games:
        if games.count(game) > 1:
            raise BadInputError(f"games: expected each once, got {game!r} twice")
    entrants, found = list(specs), []
    for n, game in enumerate(games):
        scenario = replace(Scenario.of(game), states=States.OPENER_AWARE)
        for k, one in enumerate(entrants):
            for other in [one] if n else entrants[k:]:
                for seed in range(seeds):
                    seller, buyer = sorted((one, other), reverse=seed % 2 == 1)
                    run = Run.by_recipe(scenario, recipe, seed, (specs[seller], specs[buyer]), game)
                    found.append(run if episodes is None else _with_episodes(run, episodes))
    return found


def _with_episodes(run: Run, episodes: int) -> Run:
    """Return a run with about `episodes` episodes; ε still falls over all of them."""
    usual = run.parameters
    cycles, decay = max(1, round(episodes / usual.episodes)), 1.0
    if not usual.exploration_restarts:
        decay = usual.cycles / cycles
    decay *= usual.exploration_decay
    return replace(run, parameters=replace(usual, cycles=cycles, exploration_decay=decay))


def _play(run: Run, players: tuple[Occupant, Occupant], jobs: int) -> Row:
    training = training_of(run, players, _PLAIN_SECONDS * run.parameters.total * jobs)
    if training.backend is not PLAIN:
        _load_compiled(run.players, run.recipe, run.scenario.hidden)
    training.nash_convs = series = TimedSeries()
    begun = time.process_time()
    train_one_of(jobs, training)
    seconds = time.process_time() - begun - series.seconds
    return _results(training, series, seconds)


class TimedSeries(NashConvSeries):
    """NashConv after cycles that are fixed beforehand, and the time that judging takes."""

    def __init__(self) -> None:
        super().__init__(lambda cycle: next_evaluated(cycle, JUDGED))
        self.seconds = 0.0

    def evaluate(self, training: EvaluatedTraining) -> None:
        begun = time.process_time()
        super().evaluate(training)
        self.seconds += time.process_time() - begun


def reached(values: NashConvs, episodes: int) -> int | None:
    """Return the episodes after which NashConv stays at CLOSE or below; None if it does not.

    `episodes` are those of a cycle.
    """
    close = None
    for cycle, value in reversed(values):
        if value > CLOSE:
            break
        close = cycle * episodes
    return close


@cache
def _load_compiled(players: tuple[str, str], recipe: str, hidden: bool) -> None:
    """Load the compiled code of two learners, so that no run's time contains that."""
    scenario = Scenario.with_hidden_limits() if hidden else Scenario.original()
    scenario = replace(scenario, states=States.OPENER_AWARE)
    parameters = replace(RECIPES[recipe](scenario), cycles=2, episodes=2)
    training = training_of(Run(scenario, parameters, players=players), seconds=math.inf)
    training.run()
    nash_conv_of(training)


def _results(training: ConcurrentTraining, series: NashConvSeries, seconds: float) -> Row:
    scenario = training.scenario
    seller, buyer = (training.policy(role) for role in Role)
    tables, judged = tables_of(scenario, seller, buyer), nash_conv_of(training)
    assert tables, "a learner has a table"
    assert judged
    pairs, play, best = Pairs.of(scenario), expected_play(scenario, *tables), first_best(scenario)
    openers = scenario.opener.roles
    gains = [sum(play.returns(role)[o] for o in openers) / len(openers) for role in Role]
    return {
        "reached": reached(series.values, training.parameters.episodes),
        **({AT_LEAST: judged.bounds[0]} if scenario.hidden else {}),
        "nash_conv": judged.total,
        "gain_seller": judged.exploitability[Role.SELLER],
        "gain_buyer": judged.exploitability[Role.BUYER],
        "share_seller": gains[Role.SELLER] / (best or 1.0),
        "share_buyer": gains[Role.BUYER] / (best or 1.0),
        "deals": float((pairs.chances * play.deal).sum()) / (pairs.possible or 1.0),
        "seconds": seconds,
        "refused": None,
    }


def _alone(board: Sequence[LearnerStanding], game: str) -> str:
    """Return a table of each learner with itself in a game."""
    rows = [("learner", "NashConv", "close", "episodes until then", "deals", "seconds")]
    for each in board:
        own = each.games[game]
        seconds = "–" if own.seconds is None else f"{own.seconds:.2f}"
        means = with_error(own.nash_conv, ".4f"), with_error(own.reached, ",.0f")
        close, deals = f"{own.close} of {own.runs}", with_error(own.deals, ".3f")
        rows.append((each.name, means[0], close, means[1], deals, seconds))
    head = f"{game}, each learner with itself: means over seeds with 95 % intervals"
    return "\n".join([head, *table(rows, "<", ">10")])


def with_error(estimate: Estimate | None, form: str) -> str:
    """Return a mean with half the width of its interval; a dash if it is not known."""
    if estimate is None:
        return "–"
    error = f" ± {estimate.error:{form}}" if math.isfinite(estimate.error) else ""
    return f"{estimate.mean:{form}}{error}"


def _plain(value: Any) -> Any:
    """Return a value for JSON: an interval that one seed does not give is null."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True, eq=False)
class LearnerContest(Contest):
    """Learners, and their matches."""

    name: ClassVar = "league"
    unit: ClassVar = "runs"
    sides: ClassVar = ("learner", "the other")
    scores: ClassVar = "lower NashConv is better"
    measures = MEASURES

    play = staticmethod(_play)

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

        `episodes` are those of a run; None: those of the recipe. Raises BadInputError for an
        unknown learner or game, or if one is named twice.
        """
        entrants = entrants_of(learners)
        return cls(tuple(_matches(entrants, games, seeds, recipe, episodes)), tuple(entrants))

    @property
    def games(self) -> tuple[str, ...]:
        """The names of the scenarios; in the first each learner meets each."""
        return tuple(dict.fromkeys(match.scenario.name for match in self.jobs))

    @property
    def seeds(self) -> int:
        """The number of seeds of each pair."""
        return 1 + max(match.seed for match in self.jobs)

    @property
    def results(self) -> tuple[str, ...]:
        hidden = any(match.scenario.hidden for match in self.jobs)
        return (AT_LEAST, *RESULTS) if hidden else RESULTS

    def always(self, result: Row) -> Sequence[str]:  # noqa: ARG002 - one answer for all
        return RESULTS[1:-1]

    @property
    def columns(self) -> tuple[Column, ...]:
        return standings.columns(self.games[1:])

    @property
    def about(self) -> tuple[str, ...]:
        scenario = self.jobs[0].scenario
        size = f"{scenario.n_prices}×{scenario.rounds}"
        name = size if scenario.name == size.replace("×", "x") else f"{scenario.name} {size}"
        return name, f"{len(self.entrants)} learners", plural(self.seeds, "seed")

    def key(self, job: Run) -> Row:
        seller, buyer = entrants_in(job)
        return {
            "scenario": job.scenario.name,
            "rules": job.rules,
            "states": str(job.scenario.states),
            "seller": seller,
            "buyer": buyer,
            "recipe": job.recipe,
            "cycles": job.parameters.cycles,
            "episodes": job.parameters.episodes,
            "seed": job.seed,
        }

    def job_of(self, one: str, other: str) -> Run:
        return next(each for each in self.jobs if set(entrants_in(each)) == {one, other})

    def cells(self, rows: Sequence[Row]) -> dict[tuple[str, str], Row]:
        return standings.cells(rows, self.games[0])

    def leaderboard(self, rows: Sequence[Row]) -> list[LearnerStanding]:
        return standings.leaderboard(self.entrants, rows, self.games)

    def to_dict(self, rows: Sequence[Row]) -> dict[str, Any]:
        commands = {tuple(self.key(job).values()): train_command(job) for job in self.jobs}
        return {
            "games": {match.scenario.name: match.scenario.to_dict() for match in self.jobs},
            "recipe": self.jobs[0].recipe,
            "seeds": self.seeds,
            "learners": list(self.entrants),
            "leaderboard": [_plain(asdict(standing)) for standing in self.leaderboard(rows)],
            "matrices": self.matrices(self.cells(rows)),
            "runs": [
                {**row, "command": commands[tuple(row[name] for name in self.key(self.jobs[0]))]}
                for row in rows
            ],
        }

    def text(self, rows: Sequence[Row], width: int, shades: str) -> str:
        first, board = self.jobs[0], self.leaderboard(rows)
        total = first.parameters.total
        about = (
            f"{first.scenario.name}: {len(self.entrants)} learners, each with each and with itself,"
            f" {plural(self.seeds, 'seed')}, {plural(total, 'episode')} per run"
        )
        standings_text, heat, refused = self.parts(rows, width, shades)
        alone = [_alone(board, game) for game in self.games]
        command = f"one run by itself: {train_command(first)}"
        notes = standings.bounds_text(rows), refused, command
        return "\n\n".join(filter(None, [about, standings_text, *alone, heat, *notes]))
