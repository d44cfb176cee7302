"""A league: every learner against every other and against itself, with several seeds.

Each match is a job of plain values: one training, as the command `train_command` repeats it. Its
row depends on its two learners, the game and the seed, but not on the other entrants.
"""

import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from negotiation_tui.contest.contest import refusal_row
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import IllegalActionError
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.league.defaults import CLOSE, JUDGED, RECIPE, SETTINGS
from negotiation_tui.league.standings import AT_LEAST
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.headless import backend_for, train_one_of
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.learning.nash_conv_series import (
    JudgedTraining,
    NashConvs,
    NashConvSeries,
    nash_conv_of,
    next_judged,
)
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.players import file_digest
from negotiation_tui.players.resolve import occupant_from_spec, spec_of_occupant
from negotiation_tui.runtime.result_file import Row, check_numbers
from negotiation_tui.runtime.validate import number, string
from negotiation_tui.solvers.expected_play import Tables, expected_play
from negotiation_tui.solvers.payoffs import Pairs, first_best
from negotiation_tui.strategies.matchup import tables_of

RESULTS = (
    *("reached", "nash_conv", "gain_seller", "gain_buyer"),
    *("share_seller", "share_buyer", "deals", "seconds", "refused"),
)
"""The columns of a row, explained in docs/league.md. All but the last are empty if a training
cannot be done."""
_PLAIN_SECONDS = 2e-5
"""Processor time per episode of the plain loop in `original`; larger games take longer."""


@dataclass(frozen=True, slots=True)
class Match:
    """All that a row depends on."""

    game: str
    """The scenario as it was named."""
    scenario: Scenario
    """With states that say who opened."""
    seller: str
    buyer: str
    """Names of learners with settings, as `learner` reads them."""
    seed: int
    recipe: str = RECIPE
    episodes: int | None = None
    """Episodes of the training; None: those of the recipe."""
    file_digests: file_digest.FileDigests = (None, None)
    """Digests of the learners' files when the match was made."""

    @property
    def parameters(self) -> Parameters:
        """The recipe's parameters; with other episodes ε still falls over all of them."""
        parameters = self.usual
        if self.episodes is None:
            return parameters
        cycles, decay = max(1, round(self.episodes / parameters.episodes)), 1.0
        if not parameters.exploration_restarts:
            decay = parameters.cycles / cycles
        decay *= parameters.exploration_decay
        return replace(parameters, cycles=cycles, exploration_decay=decay)

    @property
    def usual(self) -> Parameters:
        """The parameters of the recipe."""
        return RECIPES[self.recipe](self.scenario)

    @property
    def specs(self) -> tuple[str, str]:
        """The specs of both learners, seller first."""
        seller, buyer = (
            spec_of_occupant(occupant_from_spec(spec_of(name)))
            for name in (self.seller, self.buyer)
        )
        return seller, buyer


def spec_of(entrant: str) -> str:
    """Return the spec of an entrant, for a seat."""
    return entrant if learns(entrant) else PREFIX + entrant


def entrants_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the canonical names of learners with their settings; every learner if none is given.

    The user's own learners are loaded. Raises BadInputError if one is unknown or named twice.
    """
    every = [f"{name}:{SETTINGS[name]}" if name in SETTINGS else name for name in LEARNERS]
    entrants: dict[str, None] = {}
    for text in texts or every:
        spec = spec_of_occupant(occupant_from_spec(spec_of(text)))
        name = QLearning.name if spec == LEARNED else spec.removeprefix(PREFIX)
        if name in entrants:
            raise BadInputError(f"learners: expected each once, got {text!r} twice")
        entrants[name] = None
    return tuple(entrants)


def matches(
    entrants: Sequence[str],
    games: Sequence[str],
    seeds: int,
    recipe: str = RECIPE,
    episodes: int | None = None,
) -> list[Match]:
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
    digests = {each: file_digest.digest_of(spec_of(each)) for each in entrants}
    found = []
    for n, game in enumerate(games):
        scenario = replace(Scenario.of(game), states=States.OPENER_AWARE)
        for k, one in enumerate(entrants):
            for other in [one] if n else entrants[k:]:
                for seed in range(seeds):
                    seller, buyer = sorted((one, other), reverse=seed % 2 == 1)
                    files = digests[seller], digests[buyer]
                    found.append(
                        Match(game, scenario, seller, buyer, seed, recipe, episodes, files)
                    )
    return found


def job_key(match: Match) -> Row:
    """Return all that a match depends on: the first columns of its row."""
    scenario, parameters = match.scenario, match.parameters
    return {
        "scenario": scenario.name,
        "rules": file_digest.rules(scenario, match.file_digests),
        "states": str(scenario.states),
        "seller": match.seller,
        "buyer": match.buyer,
        "recipe": match.recipe,
        "cycles": parameters.cycles,
        "episodes": parameters.episodes,
        "seed": match.seed,
    }


def train_command(match: Match) -> str:
    """Return the command that repeats the training of a match."""
    parameters, usual = match.parameters, match.usual
    words = ["negotiation-tui", "train", "--scenario", match.game]
    words += ["--states", str(match.scenario.states), "--recipe", match.recipe]
    if parameters.cycles != usual.cycles:
        words += ["--cycles", str(parameters.cycles)]
    if parameters.exploration_decay != usual.exploration_decay:
        words += ["--exploration-decay", repr(parameters.exploration_decay)]
    for role, spec in zip(Role, match.specs, strict=True):
        words += [f"--{role}", spec] if spec != LEARNED else []
    return shlex.join([*words, "--seed", str(match.seed), "--json"])


def check_result(result: Row) -> None:
    """Raise BadInputError, with the name of the column, unless `run_job` can return this result."""
    check_numbers({name: result[name] for name in result if name != "refused"})
    if result["refused"] is not None:
        string("refused", result["refused"])
    else:
        for name in RESULTS[1:-1]:
            number(name, result[name])


def run_job(match: Match, jobs: int = 1) -> Row:
    """Train, judge, and return the results, or in `refused` the reason why it cannot be done.

    It is one of `jobs`: the work ahead, for which compiling may pay. Raises BadInputError if the
    file of a learner is missing or has changed. A saved row must not record that, because the file
    may come back.
    """
    occupants = [occupant_from_spec(spec) for spec in match.specs]
    file_digest.check_digests(match.specs, match.file_digests)
    parameters = match.parameters
    backend = backend_for(_PLAIN_SECONDS * parameters.total * jobs)
    try:
        training = ConcurrentTraining(
            match.scenario,
            parameters,
            match.seed,
            seller=occupants[Role.SELLER],
            buyer=occupants[Role.BUYER],
            backend=backend,
        )
        if backend is not PLAIN:
            _load_compiled(*match.specs, match.recipe, match.scenario.hidden)
        training.nash_convs = series = TimedSeries()
        begun = time.process_time()
        train_one_of(jobs, training)
        seconds = time.process_time() - begun - series.seconds
        return _results(training, series, seconds)
    except (BadInputError, IllegalActionError) as error:
        return refusal_row(RESULTS, error)


class TimedSeries(NashConvSeries):
    """NashConv after cycles that are fixed beforehand, and the time that judging takes."""

    def __init__(self) -> None:
        super().__init__(lambda cycle: next_judged(cycle, JUDGED))
        self.seconds = 0.0

    def judge(self, training: JudgedTraining) -> None:
        """Add NashConv of the present tables."""
        begun = time.process_time()
        super().judge(training)
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
def _load_compiled(seller: str, buyer: str, recipe: str, hidden: bool) -> None:
    """Load the compiled code of two learners, so that no run's time contains that."""
    scenario = Scenario.with_hidden_limits() if hidden else Scenario.original()
    scenario = replace(scenario, states=States.OPENER_AWARE)
    training = ConcurrentTraining(
        scenario,
        replace(RECIPES[recipe](scenario), cycles=2, episodes=2),
        seller=occupant_from_spec(seller),
        buyer=occupant_from_spec(buyer),
        backend=backend_for(float("inf")),
    )
    training.run()
    nash_conv_of(training)


def _results(training: ConcurrentTraining, series: NashConvSeries, seconds: float) -> Row:
    seller, buyer = (training.policy(role) for role in Role)
    tables, judged = tables_of(training.scenario, seller, buyer), nash_conv_of(training)
    assert tables, "a learner has a table"
    assert judged
    shares, deals = _surplus(training.scenario, tables)
    return {
        "reached": reached(series.values, training.parameters.episodes),
        **({AT_LEAST: judged.bounds[0]} if training.scenario.hidden else {}),
        "nash_conv": judged.total,
        "gain_seller": judged.exploitability[Role.SELLER],
        "gain_buyer": judged.exploitability[Role.BUYER],
        "share_seller": shares[Role.SELLER],
        "share_buyer": shares[Role.BUYER],
        "deals": deals,
        "seconds": seconds,
        "refused": None,
    }


def _surplus(scenario: Scenario, tables: Tables) -> tuple[list[float], float]:
    """Return the expected shares of the possible surplus, and the chance of a possible deal."""
    pairs, play, best = Pairs.of(scenario), expected_play(scenario, *tables), first_best(scenario)
    openers = scenario.opener.roles
    gains = [sum(play.returns(role)[o] for o in openers) / len(openers) for role in Role]
    deals = float((pairs.chances * play.deal).sum())
    return [gain / (best or 1.0) for gain in gains], deals / (pairs.possible or 1.0)
