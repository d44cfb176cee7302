"""Estimate how long runs will take, before the first begins, from short pieces of a few of them.

A piece is a training of its own in plain Python: it changes no result. The user's files and
programs are not asked: their players count as the mean of the others.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import IllegalActionError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import ExactAlgorithm
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.compiling import seconds_to_compile
from negotiation_tui.learning.nash_conv_series import nash_conv_of
from negotiation_tui.learning.spec import learns
from negotiation_tui.players.run import Run, players_of_run, training_of
from negotiation_tui.players.spec import own_code
from negotiation_tui.runtime.jit import busy_seconds
from negotiation_tui.strategies.registry import STRATEGIES

BUDGET = 0.3  # seconds for all pieces
PIECE, EXACT_PIECE = 100, 2_000  # episodes of a piece; an exact learner iterates seldom
FASTER = 80  # compiled code is 40 to 130 times as fast as plain Python, by the learner
_LARGE = 100_000  # entries in the tables of a game that is too large for a piece
_JUDGED = 1.0  # the most seconds of an evaluation of NashConv: with hidden limits it has a budget


class Load(NamedTuple):
    """The episodes and evaluations of a run."""

    episodes: float
    judgements: float = 0.0  # evaluations of NashConv
    rest: float = 0.006  # seconds of all else, such as its tests and its row


class Cost(NamedTuple):
    """Seconds of a processor of a player in both seats, in plain Python."""

    opening: float
    episode: float
    judgement: float
    compiled: float  # an episode in compiled code


def seconds_ahead(loads: Mapping[Run, Load], workers: int) -> float | None:
    """Return about how long runs will take; None if none of their players can be asked."""
    players = dict.fromkeys((run.scenario, spec) for run in loads for spec in run.players)
    costs, end = dict[tuple[Scenario, str], Cost](), busy_seconds() + BUDGET
    for player in players:
        if busy_seconds() < end and (cost := cost_of(*player)):
            costs[player] = cost
    if not costs:
        return None
    usual = Cost(*map(fmean, zip(*costs.values(), strict=True)))
    plain = compiled = others = 0.0
    for run, (episodes, judgements, rest) in loads.items():
        for spec in run.players:
            cost = costs.get((run.scenario, spec), usual)
            plain += (cost.opening + episodes * cost.episode) / 2
            compiled += episodes * cost.compiled / 2
            others += (rest + judgements * cost.judgement) / 2
    compiling = _seconds_to_compile(loads)
    if plain <= compiling:
        return (plain + others) / workers
    return compiling + (compiled + others) / workers  # each of them compiles


def _seconds_to_compile(loads: Mapping[Run, Load]) -> float:
    """Return the seconds for the loop, for each learner with itself, and for one mixed pair."""
    kinds = {(run.scenario.hidden, frozenset(run.players)): run for run in loads}
    first = seconds_to_compile()
    seconds, mixed = first, False
    for (hidden, specs), run in kinds.items():
        if len(specs) == 1 or not mixed:
            mixed = mixed or len(specs) > 1
            if all(map(_is_ours, specs)):
                seconds += seconds_to_compile(players_of_run(run), hidden) - first
    return seconds


def _is_ours(spec: str) -> bool:
    return not own_code(spec) if learns(spec) else spec.partition(":")[0] in STRATEGIES


@lru_cache(maxsize=512)
def cost_of(scenario: Scenario, spec: str) -> Cost | None:
    """Return what a player costs in a game; None if it cannot be asked, or cannot play."""
    if not _is_ours(spec):
        return None
    game, size = scenario, _size(scenario)
    if size > _LARGE:
        game = Scenario.from_dict(
            {"prices": 20, "rounds": scenario.rounds, "states": str(scenario.states)}
        )
    larger = size / _size(game)
    try:
        training = training_of(Run.by_recipe(game, "corrected", 0, (spec, spec)), backend=PLAIN)
        times = [busy_seconds()]
        exact = isinstance(training.seated[0], ExactAlgorithm)
        n = EXACT_PIECE if exact else PIECE
        for episodes in (1, n):
            training.run_episodes(episodes)
            times.append(busy_seconds())
        nash_conv_of(training)
        times.append(busy_seconds())
    except (BadInputError, IllegalActionError):
        return None
    opening, playing, judgement = (after - before for before, after in pairwise(times))
    episode = playing / n * (larger if exact else 1.0)
    return Cost(
        larger * opening,
        episode,
        min(_JUDGED, larger * judgement),
        episode if exact else episode / FASTER,
    )


def _size(scenario: Scenario) -> int:
    """Return the number of entries in the tables of both roles."""
    return scenario.n_states * scenario.n_actions * sum(map(scenario.n_tables, Role))
