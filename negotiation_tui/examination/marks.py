"""The marks of a player: its regret, its exploitability, and with hidden limits what it discloses.

A player is judged by answers, by a table, or as a strategy that remembers the offers so far. Values
are exact for the chances that it is taken to play with. If these are frequencies of answers, errors
are those of sums of independent answers, with half an answer added for each legal action: a
bootstrap, to first order. Each mark is a mean over the openers and the limits of both roles.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import lru_cache, partial
from itertools import chain, cycle
from math import inf
from typing import Any, NamedTuple, TypeVar

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.examination.answers import Answers
from negotiation_tui.examination.defaults import OPPONENTS
from negotiation_tui.examination.reply import Automaton, AutomatonPlay, fixed_reply, table_automaton
from negotiation_tui.game.memory import OWN_LAST
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_rows
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.estimate import NORMAL_95, Estimate
from negotiation_tui.runtime.output import SOON
from negotiation_tui.runtime.signals import time_limit
from negotiation_tui.solvers.belief_induction import Answerer, TableAnswerer
from negotiation_tui.solvers.beliefs import belief_at
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.histories import WHOLE, Histories
from negotiation_tui.solvers.payoffs import Payoffs, first_best
from negotiation_tui.solvers.subgame_perfect import EQUAL
from negotiation_tui.strategies.base import Strategy, built_in

COSTLIEST = 3  # the number of decisions that are named
SMOOTHING = 0.5  # the answers added for each legal action, for errors
FEW_TO_MANY = np.geomspace(0.01, 100, 41)  # answers added for each legal action, for biases
ERRORS = 2  # the standard errors between an estimate and a bound
_AGAIN = 50  # the times that a player is asked again, by the chances of its answers
UNSURE = 0.25  # the share of a bias that counts as a standard error
MAX_NUMBERS = 4_000_000  # the most numbers at once, by sequence, state, limit and offer

T = TypeVar("T")
Names = tuple[str, ...]
Halves = tuple[int, ...]
BOTH: Halves = (0, 1)


class Loss(NamedTuple):
    """A decision that costs much, and the better action, all else unchanged."""

    row: int  # among the rows of the tables of all limits, with opener-aware states
    action: int
    cost: float  # the expected loss, discounted; in `Exploitability` a share of the first best


class Regret(NamedTuple):
    """The regret of a player against one named opponent."""

    opponent: str
    best: float  # earned by the best reply to the opponent
    regret: Estimate  # the best less what the player earns; the error is 0 for exact chances
    losses: tuple[Loss, ...]  # the costliest first; none if the player has no table


class Exploitability(NamedTuple):
    """Earnings against an opponent who knows the player's table, as shares of the first best."""

    earned: float  # by the opponent; too much if the table was made of few answers
    least: float | None  # bounds of what the opponent earns; None if there are too few answers
    most: float | None
    left: Estimate  # earned by the player then
    losses: tuple[Loss, ...]  # of the player; the costliest first


class Disclosure(NamedTuple):
    """The information about its hidden limit that a player's offers give to a named opponent."""

    opponent: str
    bits: Estimate | None
    """Bits per negotiation to a reader of these offers alone, not of those between them; the error
    is 0 for exact chances. None if there are too many sequences of offers."""
    bluffs: float | None
    """The share of the offers of its table that a stronger limit makes at least as often. None
    without any. The frequencies of answers break ties of chances, so the player's may differ."""
    pretending: tuple[Estimate, ...] | None
    """The gain of each limit from playing another limit's table; None if it has no tables."""


class Calibration(NamedTuple):
    """Mean Brier scores of beliefs about the opponent's limit: 0 is certain and right, 2 wrong."""

    stated: float
    bayes: float  # of Bayes' rule for the opponent's table
    n: int  # the number of beliefs


class _OverError(Exception):
    """The time for marks is over."""


class Timed:
    """The time for marks, which are found part by part: late parts have wider bounds."""

    def __init__(self, seconds: float = inf, first_late: float = inf) -> None:
        """`first_late` is the number of the first late part, from 1, if it is known before."""
        self._end, self.first_late, self.n = time.monotonic() + seconds, first_late, 0
        self.progress: Callable[[int, float], object] = lambda _done, _left: None
        """Called before each part with the number of finished ones and the most seconds left."""

    def __call__(self, part: Callable[[bool], T]) -> T:
        """Return a part of the marks; `part` is called with True if it is late."""
        left = max(0.0, self._end - time.monotonic())
        self.progress(self.n, left)
        self.n += 1
        if not self.late:
            try:
                with nullcontext() if left == inf else time_limit(left, _OverError()):
                    return part(False)
            except _OverError:
                self.first_late = self.n
        return part(True)

    @property
    def late(self) -> bool:
        return self.n >= self.first_late


UNTIMED = Timed()


class Examinee:
    """A player in a role, with the chances of its actions as far as they are known."""

    def __init__(
        self,
        scenario: Scenario,
        role: Role,
        player: Answers | TabularPolicy | Strategy,
        discount_rate: float | None = None,
    ) -> None:
        """Raises BadInputError for a player that needs to know its opponent."""
        self.scenario, self.role, self.rate = scenario, role, scenario.discount(discount_rate)
        self.openers = scenario.opener.roles
        self.answers = player if isinstance(player, Answers) else None
        self.sampled = bool(self.answers and self.answers.sampled.any())
        self.legal = legal_rows(scenario.with_opener, role)
        self.table = player.table if isinstance(player, Answers) else None
        if isinstance(player, TabularPolicy):
            self.table = player
        elif isinstance(player, Strategy):
            if player.needs_opponent:
                raise BadInputError(
                    f"{player.name}: expected a player with a policy of its own,"
                    " got one that replies to a known opponent"
                )
            self._strategy = player.in_seat(scenario, role)
            self.table = self._strategy.tabulated(scenario, role)
        self._answerers: dict[Halves, list[Answerer]] = {}

    def seconds_to_ask(self) -> float:
        """Return about how long a player takes to answer after all offers, by its first answers."""
        if self.table or built_in(self._strategy):
            return 0.0
        game, role, begun = self.scenario, self.role, time.monotonic()
        faced = len(game.offers(role.other))
        depths = (n + (each is not role) for each in self.openers for n in range(game.rounds))
        total: int = game.n_tables(role) * sum(faced**n for n in depths)
        for n in range(SOON):
            view = game.views[role][n % game.n_tables(role)]
            offers = () if (opener := self.openers[0]) is role else (game.prices[0],)
            self._strategy.support(Position.after(view, opener, offers))
        return total * (time.monotonic() - begun) / SOON

    def answerers(self, halves: Halves = BOTH) -> list[Answerer]:
        """The player by opener, as its opponent meets it, by these halves of the answers."""
        if halves not in self._answerers:
            if self.answers and self.sampled:
                self._answerers[halves] = self.playing(self.answers.chances(halves))
            elif self.table:
                self._answerers[halves] = self.in_seats(self.table)
            else:
                kind = (built_in(self._strategy) and self._strategy.memory) or WHOLE
                asked = self.scenario, self.role, self._strategy.support, kind
                self._answerers[halves] = [Histories(*asked, o is self.role) for o in self.openers]
        return self._answerers[halves]

    def playing(self, chances: Floats) -> list[Answerer]:
        """The player by opener, if these were the chances of its actions."""
        return self.in_seats(TabularPolicy.of_probabilities(self.scenario, self.role, chances))

    def asked_again(self) -> Iterator[TabularPolicy]:
        """Yield the table of its answers with some added, then those of a player of that table.

        Each of these is made of as many answers as the player's own. The number added is the one by
        which each answer is most likely, given the others. None for exact chances.
        """
        if not (self.answers and self.sampled):
            return
        rows, counts = self.answers.sampled, self.answers.halves.sum(axis=0)
        rng, asked, given = np.random.default_rng(0), self.answers.asked[rows], counts[rows]
        legal, others = self.legal[rows].sum(axis=1), np.maximum(given - 1, 0)

        def fit(added: float) -> float:
            chances = (others + added) / (asked - 1 + added * legal)[:, None]
            return float((given * np.log(chances)).sum())

        chances = self.answers.chances(smoothing=max(FEW_TO_MANY.tolist(), key=fit))
        yield TabularPolicy.of_probabilities(self.scenario, self.role, chances)
        drawn = chances.copy()
        for _ in range(_AGAIN):
            drawn[rows] = rng.multinomial(asked, chances[rows]) / asked[:, None]
            yield TabularPolicy.of_probabilities(self.scenario, self.role, drawn)

    def in_seats(self, table: TabularPolicy) -> list[Answerer]:
        """The player by opener, if this were its table."""
        other = self.role.other
        return [
            TableAnswerer(self.scenario, other, table, opener is other) for opener in self.openers
        ]

    def against(self, table: TabularPolicy) -> list[Automaton]:
        """The table of an opponent, by opener."""
        return [
            table_automaton(self.scenario, self.role, player, table, opener is self.role)
            for opener, player in zip(self.openers, self.answerers(), strict=True)
        ]

    def replies(self, players: list[Answerer] | None = None) -> tuple[list[Automaton], float]:
        """Return the best reply by opener, and an upper bound of its value.

        It replies to `players`, by opener; by default to this player.
        """
        found = [
            fixed_reply(self.scenario, self.role, player, self.rate, opener is self.role)
            for opener, player in zip(self.openers, players or self.answerers(), strict=True)
        ]
        most = np.mean([each for _, each in found], axis=0)
        return [reply for reply, _ in found], float(most @ self.scenario.chances(self.role.other))

    def plays(self, automata: Iterable[Automaton], halves: Halves = BOTH) -> list[AutomatonPlay]:
        players = cycle(self.answerers(halves))  # the openers of one opponent after the other
        return [AutomatonPlay(*each) for each in zip(automata, players, strict=False)]

    def earned(self, plays: Sequence[AutomatonPlay], role: Role, halves: Halves = BOTH) -> Estimate:
        """Return what a role earns, by these halves of the answers, with one standard error."""
        value = sum(play.mean(role, self.rate) for play in plays) / len(plays)
        if not (self.answers and self.sampled):
            return Estimate(value, 0.0)
        chances = self.answers.chances(halves, SMOOTHING)
        automata, players = (play.automaton for play in plays), cycle(self.playing(chances))
        smooth = [AutomatonPlay(*each) for each in zip(automata, players, strict=False)]
        worth, _ = _gradient(smooth, role, self.rate)
        spread = (chances * worth**2).sum(axis=1) - (chances * worth).sum(axis=1) ** 2
        asked = self.answers.halves[list(halves)].sum(axis=(0, 2))
        known = self.answers.sampled & (asked > 0)
        variance = np.maximum(spread[known], 0.0) / asked[known]
        return Estimate(value, float(np.sqrt(variance.sum())))

    def losses(self, plays: Sequence[AutomatonPlay], unit: float = 1.0) -> tuple[Loss, ...]:
        """Return the costliest decisions, each changed alone, in `unit`s; none without a table."""
        if not self.table:
            return ()
        worth, now = _gradient(plays, self.role, self.rate)
        worth = np.where(self.legal, worth, -np.inf)
        known = self.legal.any(axis=1) & (self.answers is None or self.answers.answered)
        costs = np.where(known, worth.max(axis=1) - now, 0.0)
        rows = np.argsort(-costs, kind="stable")[:COSTLIEST].tolist()
        return tuple(
            Loss(row, int(worth[row].argmax()), float(costs[row]) * unit)
            for row in rows
            if costs[row] > EQUAL
        )


def regrets(
    examinee: Examinee, names: Names = OPPONENTS, timed: Timed = UNTIMED
) -> tuple[Regret, ...]:
    """Return the regret against each named opponent."""
    role, named = examinee.role, opponents(examinee.scenario, examinee.role.other, names)

    def regret(late: bool, name: str, table: TabularPolicy) -> Regret:
        low, high = best_against(examinee.scenario, role, name, examinee.rate, late)
        plays = examinee.plays(examinee.against(table))
        earned = examinee.earned(plays, role)
        low = max(low, earned.mean) if late else low
        error = NORMAL_95 * earned.error + (high - low) / 2
        found = Estimate((low + high) / 2 - earned.mean, error)
        return Regret(name, (low + high) / 2, found, () if late else examinee.losses(plays))

    return tuple(timed(partial(regret, name=name, table=table)) for name, table in named)


def opponents(
    scenario: Scenario, role: Role, names: Names = OPPONENTS
) -> Iterable[tuple[str, TabularPolicy]]:
    """Yield named opponents in a role, and their tables. Raises BadInputError without a table."""
    for name in names:
        strategy = resolve_trusted(name)
        table = strategy.tabulated(scenario, role) if strategy else None
        if table is None or table.memory > OWN_LAST:
            got = f"{name}, which has none in scenario {scenario.name}"
            raise BadInputError(f"against: expected opponents with a table, got {got}")
        yield name, table


@lru_cache(maxsize=64)
def best_against(
    scenario: Scenario, role: Role, opponent: str, rate: float, late: bool = False
) -> tuple[float, float]:
    """Bounds of what the best reply to a named opponent earns; `late`: to any opponent."""
    if late:
        return _extremes(scenario, role)
    ((_, table),) = opponents(scenario, role.other, (opponent,))
    bounds = best_response(scenario, role, table, rate).bounds[:, list(scenario.opener.roles)]
    low, high = (bounds @ scenario.chances(role)).mean(axis=1).tolist()
    return low, high


def exploitability(examinee: Examinee, late: bool = False) -> Exploitability:
    """Return what an opponent earns who knows the table, and what it leaves to the player.

    The lower bound is the mean of two replies, less 2 standard errors: each is fitted to one half
    of the answers, and valued by the other. The upper bound is the value of the reply to all
    answers plus 2 standard errors, or that with half an answer added for each legal action. If it
    is `late`, a named opponent is the only reply, and no reply can earn more than the upper bound.
    """
    role, other = examinee.role, examinee.role.other
    if late:
        ((_, table),) = opponents(examinee.scenario, other, OPPONENTS[:1])
        replies, most = examinee.against(table), inf
    else:
        replies, most = examinee.replies()
    plays = examinee.plays(replies)
    earned, share = examinee.earned(plays, other), 1 / (first_best(examinee.scenario) or 1.0)
    worst, best = _extremes(examinee.scenario, other)
    enough = not (examinee.answers and examinee.sampled) or examinee.answers.enough
    most += ERRORS * earned.error
    valued = [[examinee.earned(plays, each) for each in (other, role)]]
    if enough and examinee.answers and examinee.sampled and not late:
        smooth = examinee.playing(examinee.answers.chances(smoothing=SMOOTHING))
        others, value = examinee.replies(smooth)
        error = examinee.earned(examinee.plays(others), other).error
        most, valued = max(most, value + ERRORS * error), []
        for half in BOTH:
            others, _ = examinee.replies(examinee.answerers((1 - half,)))
            unseen = examinee.plays(others, (half,))
            valued.append([examinee.earned(unseen, each, (half,)) for each in (other, role)])
    least, left = map(_mean_of, zip(*valued, strict=True))
    return Exploitability(
        earned.mean * share,
        max(worst, least.mean - ERRORS * least.error) * share if enough else None,
        min(best, most) * share if enough else None,
        Estimate(left.mean * share, NORMAL_95 * left.error * share),
        () if late else examinee.losses(plays, share),
    )


def _extremes(scenario: Scenario, role: Role) -> tuple[float, float]:
    """Bounds of what the best reply of a role earns, whatever the other's table.

    The role can open with its best price and then walk away. It earns at most its best price that
    the other's limit may accept, also at a loss, so perhaps more than the surplus.
    """
    (_, rewards, _, own), others = (Payoffs.of(scenario, each) for each in (role, role.other))
    both = own[:, :, None] & others.acceptable[:, None]
    best = np.where(both, rewards[:, :, None], 0.0).max(axis=0, initial=0.0)
    opening = np.minimum(np.where(own, rewards, -np.inf).max(axis=0), 0.0)
    opens = scenario.opener.roles.count(role) / len(scenario.opener.roles)
    chances = scenario.chances(role)
    return opens * float(chances @ opening), float(chances @ best @ scenario.chances(role.other))


@lru_cache(maxsize=64)
def yardstick(
    scenario: Scenario,
    role: Role,
    discount_rate: float | None = None,
    names: Names = OPPONENTS,
    late: bool = False,
) -> tuple[tuple[str, Exploitability], ...]:
    """Return the exploitability of the named players in a role; nothing if it is late."""
    named = () if late else opponents(scenario, role, names)
    return tuple((n, exploitability(Examinee(scenario, role, t, discount_rate))) for n, t in named)


def _mean_of(estimates: Sequence[Estimate]) -> Estimate:
    error = float(np.sqrt(sum(each.error**2 for each in estimates))) / len(estimates)
    return Estimate(sum(each.mean for each in estimates) / len(estimates), error)


def _gradient(plays: Sequence[AutomatonPlay], role: Role, rate: float) -> tuple[Floats, Floats]:
    """The mean over openers of `AutomatonPlay.gradient`."""
    each = [play.gradient(role, rate) for play in plays]
    by_action, in_all = (sum(parts) / len(plays) for parts in zip(*each, strict=True))
    return np.asarray(by_action), np.asarray(in_all)


def disclosures(
    examinee: Examinee, names: Names = OPPONENTS, timed: Timed = UNTIMED
) -> tuple[Disclosure, ...]:
    """Return a disclosure for each named opponent; none if the player's limit is known.

    None either if a decision has a single answer: it tells nothing of chances.
    """
    scenario, role = examinee.scenario, examinee.role
    hides = scenario.limits[role] and (not examinee.answers or examinee.answers.repeated)

    def disclosure(late: bool, name: str, table: TabularPolicy) -> Disclosure:
        if late:
            return Disclosure(name, None, None, None)
        automata, bits_told, by_player = examinee.against(table), list[Any](), list[Floats]()
        # One at a time, because tables and plays are large.
        for drawn in chain([examinee.table], examinee.asked_again()):
            players = examinee.in_seats(drawn) if bits_told and drawn else examinee.answerers()
            if not np.isnan(bits_told).any():
                pairs = zip(automata, players, strict=True)
                bits_told.append(np.mean([_bits_told(AutomatonPlay(*each)) for each in pairs]))
            if drawn:
                played = expected_play(scenario, *pair(drawn if r is role else table for r in Role))
                by_player.append(played.pretending(role, examinee.rate))
        gains = tuple(map(_corrected, np.array(by_player).T)) if by_player else None
        bits = None if np.isnan(bits_told[-1]) else _corrected(np.array(bits_told))
        return Disclosure(name, bits, _bluffs(examinee.plays(automata), role), gains)

    named = opponents(scenario, role.other, names) if hides else ()
    return tuple(timed(partial(disclosure, name=name, table=table)) for name, table in named)


def _corrected(values: Floats) -> Estimate:
    """Correct a figure for its bias; `values` are those of `Examinee.asked_again`, after its own.

    A figure that is not linear in the chances is wrong on average if answers are few. Its bias is
    an estimate itself, so a share of it counts as an error.
    """
    if len(values) == 1:
        return Estimate(float(values[0]), 0.0)
    own, center, *again = values
    off = np.array(again) - center
    error = NORMAL_95 * np.hypot(off.std(ddof=1), UNSURE * off.mean())
    return Estimate(max(0.0, float(own - off.mean())), float(error))


def _bits_told(play: AutomatonPlay) -> float:
    """Return the bits told; not a number for too many sequences.

    Each sequence of offers is followed with its chance by limit and by state of the opponent.
    """
    scenario, role, _, _, states, moves = play.automaton
    P, prior = scenario.n_prices, play.chances[role]
    at, limit = play.reach[0].nonzero()
    sequence, mass = np.zeros_like(at), play.reach[0][at, limit]
    made, bits = prior[None], 0.0
    for n, move in enumerate(moves):
        if len(at) * P > MAX_NUMBERS:
            return np.nan
        played = play.played(n)[at, limit, :P]
        entry, offer = played.nonzero()
        mass = mass[entry] * played[entry, offer]
        at, limit = at[entry], limit[entry]
        longer, sequence = np.unique(sequence[entry] * P + offer, return_inverse=True)
        before, made = made.copy(), np.zeros((len(longer), len(prior)))
        np.add.at(made, (sequence, limit), mass)
        np.subtract.at(before, longer // P, made)
        bits += _bits(before, prior)
        if n + 1 == len(states):
            break
        from_, edge = move.edges(at, offer)
        codes = (sequence[from_] * len(states[n + 1].limits) + move.to[edge]) * len(prior)
        codes, same = np.unique(codes + limit[from_], return_inverse=True)
        each = mass[from_] * move.chances[edge]
        mass = np.asarray(np.bincount(same, each, len(codes)), np.float64)
        at, limit = np.divmod(codes, len(prior))
        sequence, at = np.divmod(at, len(states[n + 1].limits))
    return max(0.0, bits + _bits(made, prior))


def _bits(ended: Floats, prior: Floats) -> float:
    """Return the bits told by the chances of sequences that end, (sequences, limits)."""
    known = np.maximum(ended, np.finfo(float).tiny)
    odds = known / known.sum(axis=1, keepdims=True) / np.where(prior > 0, prior, 1.0)
    return float((np.maximum(ended, 0.0) * np.log2(odds)).sum())


def _bluffs(plays: Iterable[AutomatonPlay], role: Role) -> float | None:
    bluffs, offers = 0.0, 0.0
    order = slice(None, None, -1 if role is Role.SELLER else 1)  # the strongest first
    for play in plays:
        for n, reach in enumerate(play.reach):
            for at in play.parts(n):
                chances = play.played(n, at)[..., : play.automaton.scenario.n_prices]
                stronger = np.full(chances.shape, -1.0)
                most = np.maximum.accumulate(chances[:, order], axis=1)
                stronger[:, order][:, 1:] = most[:, :-1]
                made = reach[at, :, None] * chances
                offers += made.sum()
                bluffs += made[stronger >= chances - EQUAL].sum()
    return float(bluffs / offers) if offers else None


def calibration(
    beliefs: Iterable[tuple[Position, Floats, int]], opponent: TabularPolicy
) -> Calibration | None:
    """Return the scores of stated beliefs, and those of Bayes' rule for the opponent's table.

    A belief is a position, the chance of each limit, and the index of the true one.
    """
    scores = []
    for position, stated, limit in beliefs:
        right = np.eye(len(stated))[limit]
        held = belief_at(opponent, position).chances
        scores.append([((each - right) ** 2).sum() for each in (np.asarray(stated), held)])
    if not scores:
        return None
    one, other = np.mean(scores, axis=0).tolist()
    return Calibration(one, other, len(scores))
