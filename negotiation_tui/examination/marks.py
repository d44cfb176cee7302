"""The marks of a player: its regret, its exploitability, and with hidden limits what it discloses.

A player is judged by answers, by a table, or as a strategy that remembers the offers so far. Values
are exact for the chances that it is taken to play with. If these are frequencies of answers, errors
are those of sums of independent answers, with half an answer added for each legal action: a
bootstrap, to first order. Each mark is a mean over the openers and the limits of both roles.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import cycle
from typing import NamedTuple

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.examination.answers import Answers
from negotiation_tui.examination.defaults import OPPONENTS
from negotiation_tui.examination.reply import Automaton, AutomatonPlay, fixed_reply, table_automaton
from negotiation_tui.game.memory import OWN_LAST
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_rows
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.estimate import NORMAL_95, Estimate
from negotiation_tui.solvers.belief_induction import Answerer, TableAnswerer
from negotiation_tui.solvers.beliefs import belief_at
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.histories import WHOLE, Histories
from negotiation_tui.solvers.payoffs import first_best
from negotiation_tui.solvers.subgame_perfect import EQUAL
from negotiation_tui.strategies.base import Strategy, built_in

COSTLIEST = 3  # the number of decisions that are named
SMOOTHING = 0.5  # the answers added for each legal action, for errors
ERRORS = 2  # the standard errors between an estimate and a bound
MAX_NUMBERS = 20_000_000  # the most numbers at once, by sequence, state, limit and offer

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
    least: float | None
    """Bits per negotiation to a reader who knows one half of the answers, by the other half: on
    average too few. None if there are too many sequences of offers."""
    bits: float | None  # by all answers: too many if they are few; exact for exact chances
    bluffs: float | None
    """The share of its offers that a stronger limit makes at least as often; None without any."""
    pretending: Floats | None
    """The gain of each limit from playing another limit's table; None if it has no tables."""


class Calibration(NamedTuple):
    """Mean Brier scores of beliefs about the opponent's limit: 0 is certain and right, 2 wrong."""

    stated: float
    bayes: float  # of Bayes' rule for the opponent's table
    n: int  # the number of beliefs


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
        self.legal = legal_rows(replace(scenario, states=States.OPENER_AWARE), role)
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
        self._known: dict[Halves, list[Answerer]] = {}

    def answerers(self, halves: Halves = BOTH) -> list[Answerer]:
        """The player by opener, as its opponent meets it, by these halves of the answers."""
        if halves not in self._known:
            if self.answers and self.sampled:
                self._known[halves] = self.playing(self.answers.chances(halves))
            elif self.table:
                self._known[halves] = self._in_seats(self.table)
            else:
                kind = (built_in(self._strategy) and self._strategy.memory) or WHOLE
                asked = self.scenario, self.role, self._strategy.support, kind
                self._known[halves] = [Histories(*asked, o is self.role) for o in self.openers]
        return self._known[halves]

    def playing(self, chances: Floats) -> list[Answerer]:
        """The player by opener, if these were the chances of its actions."""
        table = TabularPolicy.of_probabilities(self.scenario, self.role, chances)
        return self._in_seats(table)

    def _in_seats(self, table: TabularPolicy) -> list[Answerer]:
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

    def replies(self, halves: Halves = BOTH) -> tuple[list[Automaton], float]:
        """Return the best reply by opener, and an upper bound of its value."""
        found = [
            fixed_reply(self.scenario, self.role, player, self.rate, opener is self.role)
            for opener, player in zip(self.openers, self.answerers(halves), strict=True)
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
        known = self.legal.any(axis=1) & (self.answers is None or self.answers.known)
        costs = np.where(known, worth.max(axis=1) - now, 0.0)
        rows = np.argsort(-costs, kind="stable")[:COSTLIEST].tolist()
        return tuple(
            Loss(row, int(worth[row].argmax()), float(costs[row]) * unit)
            for row in rows
            if costs[row] > EQUAL
        )


def regrets(examinee: Examinee, names: Names = OPPONENTS) -> tuple[Regret, ...]:
    """Return the regret against each named opponent."""
    found, role = [], examinee.role
    for name, table in opponents(examinee.scenario, role.other, names):
        low, high = best_against(examinee.scenario, role, name, examinee.rate)
        plays = examinee.plays(examinee.against(table))
        earned = examinee.earned(plays, role)
        error = NORMAL_95 * earned.error + (high - low) / 2
        regret = Estimate((low + high) / 2 - earned.mean, error)
        found.append(Regret(name, (low + high) / 2, regret, examinee.losses(plays)))
    return tuple(found)


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
def best_against(scenario: Scenario, role: Role, opponent: str, rate: float) -> tuple[float, float]:
    """Bounds of what the best reply to a named opponent earns."""
    ((_, table),) = opponents(scenario, role.other, (opponent,))
    bounds = best_response(scenario, role, table, rate).bounds[:, list(scenario.opener.roles)]
    low, high = (bounds @ scenario.chances(role)).mean(axis=1).tolist()
    return low, high


def exploitability(examinee: Examinee) -> Exploitability:
    """Return what an opponent earns who knows the table, and what it leaves to the player.

    The lower bound is the mean of two replies, less 2 standard errors: each is fitted to one half
    of the answers, and valued by the other. The upper bound is the value of the reply to all
    answers, plus 2 standard errors.
    """
    role, other = examinee.role, examinee.role.other
    replies, most = examinee.replies()
    plays = examinee.plays(replies)
    earned, possible = examinee.earned(plays, other), first_best(examinee.scenario) or 1.0
    enough = not (examinee.answers and examinee.sampled) or examinee.answers.enough
    unseen: list[tuple[list[AutomatonPlay], Halves]] = [(plays, BOTH)]
    if enough and examinee.sampled:
        fitted = [examinee.replies((half,))[0] for half in BOTH]
        unseen = [(examinee.plays(fitted[1 - half], (half,)), (half,)) for half in BOTH]
    least, left = (
        _mean_of([examinee.earned(against, each, halves) for against, halves in unseen])
        for each in (other, role)
    )
    share = 1 / possible
    return Exploitability(
        earned.mean * share,
        max(0.0, least.mean - ERRORS * least.error) * share if enough else None,
        min(possible, most + ERRORS * earned.error) * share if enough else None,
        Estimate(left.mean * share, NORMAL_95 * left.error * share),
        examinee.losses(plays, share),
    )


@lru_cache(maxsize=16)
def yardstick(
    scenario: Scenario, role: Role, discount_rate: float | None = None
) -> tuple[tuple[str, Exploitability], ...]:
    """Return the exploitability of the named players in a role."""
    named = opponents(scenario, role)
    return tuple((n, exploitability(Examinee(scenario, role, t, discount_rate))) for n, t in named)


def _mean_of(estimates: Sequence[Estimate]) -> Estimate:
    error = float(np.sqrt(sum(each.error**2 for each in estimates))) / len(estimates)
    return Estimate(sum(each.mean for each in estimates) / len(estimates), error)


def _gradient(plays: Sequence[AutomatonPlay], role: Role, rate: float) -> tuple[Floats, Floats]:
    """The mean over openers of `AutomatonPlay.gradient`."""
    each = [play.gradient(role, rate) for play in plays]
    by_action, in_all = (sum(parts) / len(plays) for parts in zip(*each, strict=True))
    return np.asarray(by_action), np.asarray(in_all)


def disclosures(examinee: Examinee, names: Names = OPPONENTS) -> tuple[Disclosure, ...]:
    """Return a disclosure for each named opponent; none if the player's limit is known."""
    scenario, role, found = examinee.scenario, examinee.role, []
    known = [examinee.answerers()]
    if examinee.answers and examinee.sampled:
        known += [examinee.answerers((half,)) for half in BOTH]
        known += [examinee.playing(examinee.answers.chances((h,), SMOOTHING)) for h in BOTH]
    for name, table in opponents(scenario, role.other, names) if scenario.limits[role] else ():
        automata = examinee.against(table)
        plays = [
            [AutomatonPlay(*each) for each in zip(automata, who, strict=True)] for who in known
        ]
        told = [_told(each) for each in zip(*plays, strict=True)]
        least, bits = (
            None if None in told else sum(each[n] for each in told if each) / len(told)
            for n in range(2)
        )
        gains = None
        if examinee.table:
            pair = (examinee.table, table) if role is Role.SELLER else (table, examinee.table)
            gains = expected_play(scenario, *pair).pretending(role, examinee.rate)
        found.append(Disclosure(name, least, bits, _bluffs(plays[0], role), gains))
    return tuple(found)


def _told(plays: Sequence[AutomatonPlay]) -> tuple[float, float] | None:
    """Return both figures in bits; `plays` are by all answers, by each half, and smoothed halves.

    Each sequence of offers is followed with its chance by limit and by state of the opponent.
    """
    first = plays[0]
    scenario, role, _, _, states, moves = first.automaton
    P, prior = scenario.n_prices, first.chances[role]
    at, limit = first.reach[0].nonzero()
    sequence, mass = np.zeros_like(at), np.array([play.reach[0][at, limit] for play in plays])
    made, told = prior[None, :, None].repeat(len(plays), axis=2), np.zeros(2)
    for n, move in enumerate(moves):
        if len(plays) * len(at) * P > MAX_NUMBERS:
            return None
        played = np.array([play.played[n][at, limit, :P] for play in plays])
        entry, offer = played[0].nonzero()
        mass = mass[:, entry] * played[:, entry, offer]
        at, limit = at[entry], limit[entry]
        longer, sequence = np.unique(sequence[entry] * P + offer, return_inverse=True)
        before, made = made, np.zeros((len(longer), *made.shape[1:]))
        np.add.at(made, (sequence, limit), mass.T)
        np.subtract.at(before, longer // P, made)
        told += _bits(before, prior)
        if n + 1 == len(states):
            break
        from_, edge = move.edges(at, offer)
        codes = (sequence[from_] * len(states[n + 1].limits) + move.to[edge]) * len(prior)
        codes, same = np.unique(codes + limit[from_], return_inverse=True)
        each = mass[:, from_] * move.chances[edge]
        mass = np.array([np.bincount(same, one, len(codes)) for one in each])
        at, limit = np.divmod(codes, len(prior))
        sequence, at = np.divmod(at, len(states[n + 1].limits))
    told += _bits(made, prior)
    return float(max(0.0, told[0])), float(told[1])


def _bits(ended: Floats, prior: Floats) -> Floats:
    """Return the bits told, least and by all, by the chances (sequences, limits, plays)."""

    def read(told: Floats, known: Floats) -> float:
        """The mean bits if the reader takes the chances to be those `known`."""
        known = np.maximum(known, np.finfo(float).tiny)
        odds = known / known.sum(axis=1, keepdims=True) / np.where(prior > 0, prior, 1.0)
        return float((np.maximum(told, 0.0) * np.log2(odds)).sum())

    ended = np.moveaxis(ended, -1, 0)
    by_all = read(ended[0], ended[0])
    if len(ended) == 1:
        return np.array([by_all, by_all])
    return np.array([(read(ended[1], ended[4]) + read(ended[2], ended[3])) / 2, by_all])


def _bluffs(plays: Iterable[AutomatonPlay], role: Role) -> float | None:
    bluffs, offers = 0.0, 0.0
    order = slice(None, None, -1 if role is Role.SELLER else 1)  # the strongest first
    for play in plays:
        for reach, played in zip(play.reach, play.played, strict=True):
            chances = played[..., : play.automaton.scenario.n_prices]
            stronger = np.full(chances.shape, -1.0)
            most = np.maximum.accumulate(chances[:, order], axis=1)
            stronger[:, order][:, 1:] = most[:, :-1]
            made = reach[..., None] * chances
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
