"""Marks of a player whose limit is hidden: the information that it gives away, and its beliefs."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from negotiation_tui.examination.defaults import OPPONENTS
from negotiation_tui.examination.marks import BOTH, SMOOTHING, Examinee, Names, opponents
from negotiation_tui.examination.reply import Play
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import Floats, TabularPolicy
from negotiation_tui.solvers.beliefs import belief_at
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.subgame_perfect import EQUAL

MOST = 20_000_000  # the most numbers at once, by sequence, state, limit and offer


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


def disclosures(examinee: Examinee, names: Names = OPPONENTS) -> tuple[Disclosure, ...]:
    """Return a disclosure for each named opponent; none if the player's limit is known."""
    scenario, role, found = examinee.scenario, examinee.role, []
    known = [examinee.answerers()]
    if examinee.answers and examinee.sampled:
        known += [examinee.answerers((half,)) for half in BOTH]
        known += [examinee.playing(examinee.answers.chances((h,), SMOOTHING)) for h in BOTH]
    for name, table in opponents(scenario, role.other, names) if scenario.limits[role] else ():
        automata = examinee.against(table)
        plays = [[Play(*each) for each in zip(automata, who, strict=True)] for who in known]
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


def _told(plays: Sequence[Play]) -> tuple[float, float] | None:
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
        if len(plays) * len(at) * P > MOST:
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
    """Return the bits told by sequences, least and by all answers, from their chances by limit.

    The shape of the chances is (sequences, limits, plays).
    """

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


def _bluffs(plays: Iterable[Play], role: Role) -> float | None:
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

    A belief is a position, the chance stated of each limit of the opponent, and the index of its
    true limit. None without any beliefs.
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
