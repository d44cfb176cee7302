"""Opponents as finite automata, and the exact value of a player against an opponent.

In each decision of the player an *automaton* is in one of X states: its limit, the offer that it
just made, and the memory of the player. The table of an opponent is an automaton. So is a *fixed
reply*: the best reply to a player, computed once, whose states tell also the belief about the limit
of the player. One pass forwards and one backwards value a fixed reply against any other table of
the player, and tell the worth of every action in every decision of that table.
"""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import Mask, TabularPolicy
from negotiation_tui.runtime.arrays import Floats, Ints, Ints32
from negotiation_tui.solvers.belief_induction import Answerer, BeliefInduction, Beliefs, sums
from negotiation_tui.solvers.beliefs import in_all_tables
from negotiation_tui.solvers.payoffs import Payoffs
from negotiation_tui.solvers.reach import decision_rows
from negotiation_tui.solvers.subgame_perfect import EQUAL

_AT_ONCE = 1_000_000  # the most numbers of an array, about, by state, limit and action
_MOST = 5_000_000  # the most answers, by belief and limit, that a reply learns from in one decision


class Stage(NamedTuple):
    """The states in one decision of the player, X of them."""

    limits: Ints  # shape (X,): the limit of the opponent
    offers: Ints  # shape (X,): the number of the standing offer among the opponent's
    memories: Ints  # shape (X,): the memory of the player


class Moves(NamedTuple):
    """The moves of an automaton after an offer of the player: to E states of its next decision."""

    kinds: Ints  # shape (X,): states of one kind, C of them, move alike
    accepts: Floats  # shape (C, P): the chance that an offer is accepted
    offers: Ints32  # shape (E,), in order: kind times P plus the offer
    to: Ints32  # shape (E,): the number of the next state
    chances: Floats  # shape (E,)

    def before(self, later: Floats, at: slice) -> Floats:
        """The mean over next states of their values, of some states: (x, P, …) from (X, …)."""
        kinds, (first, number, edges) = self.kinds[at], self._of(at)
        each = self.chances[edges, None] * later[self.to[edges]]
        P = self.accepts.shape[1]
        found = sums(each, self.offers[edges] - first * P, number * P).reshape(number, P, -1)
        return found[kinds - first]

    def _of(self, at: slice) -> tuple[int, int, slice]:
        """The first kind of some states, the number of kinds from there on, and their moves."""
        first, last = int(self.kinds[at].min()), int(self.kinds[at].max()) + 1
        P = self.accepts.shape[1]
        return first, last - first, slice(*np.searchsorted(self.offers, (first * P, last * P)))

    def edges(self, states: Ints, offers: Ints) -> tuple[Ints, Ints]:
        """Return the moves after offers, end to end: the number of the offer, and of the move."""
        at = self.kinds[states] * self.accepts.shape[1] + offers
        ends = np.searchsorted(self.offers, at, side="right")
        numbers = ends - np.searchsorted(self.offers, at)
        made = np.arange(len(at)).repeat(numbers)
        return made, np.arange(len(made)) + (ends - np.cumsum(numbers))[made]

    def after(self, made: Floats, n: int, at: slice) -> Floats:
        """The chances of n next states, (n, K), from those of offers in some states, (x, P, K)."""
        first, number, edges = self._of(at)
        by_kind = _gathered(made, self.kinds[at] - first, number).reshape(-1, made.shape[-1])
        each = self.chances[edges, None] * by_kind[self.offers[edges] - first * made.shape[1]]
        return _gathered(each, self.to[edges], n)


def _gathered(values: Floats, groups: Ints | Ints32, n: int) -> Floats:
    if (groups[1:] >= groups[:-1]).all():
        return sums(values, groups, n)
    order = np.argsort(groups, kind="stable")
    return sums(values[order], groups[order], n)


class Automaton(NamedTuple):
    """An opponent of a player that `opened` or did not, decision by decision of the player."""

    scenario: Scenario
    role: Role  # of the player
    opened: bool
    start: Floats  # the chance of each first state, given the limit of the opponent
    states: list[Stage]
    moves: list[Moves]


def table_automaton(
    scenario: Scenario, role: Role, player: Answerer, table: TabularPolicy, opened: bool
) -> Automaton:
    """Return the table of an opponent as an automaton; `role` is the player's."""
    P, own, size = scenario.n_prices, scenario.offers(role), len(table.n_actions) // table.n_tables
    first, remembered = scenario.offers(role.other).start, table.remembers_own_offer
    opening = np.ones((table.n_tables, 1))
    if not opened:
        opening = in_all_tables(table, np.array(START))[:, : scenario.accept]
    limits, offers = opening.nonzero()
    start = opening[limits, offers]
    offers = offers - (0 if opened else first)
    found = Automaton(scenario, role, opened, start, [], [])
    states = Stage(limits, offers, np.zeros_like(limits))
    for n in range(scenario.rounds):
        kinds = examples = np.arange(len(states.limits))
        number = player.n_memories(n + (0 if opened else 1)) if n + 1 < scenario.rounds else 1
        if number == 1 and not remembered:
            _, examples, kinds = np.unique(states.limits, return_index=True, return_inverse=True)
        limit, offer, memory = (each[examples] for each in states)
        rows = table.rows(n, not opened) + (size * limit)[:, None]
        if remembered and (n or not opened):
            rows = rows + (1 + first + offer)[:, None]
        actions, chances = table.actions[rows], table.chances(rows)
        if n == scenario.rounds - 1 and not opened:
            own = range(0)
        chances[:, [j not in own for j in range(P)]] = 0.0
        accepts = (chances * (actions == scenario.accept)).sum(axis=-1)
        after = np.zeros((len(limit), P), np.int64)
        if number != 1:
            for each in np.unique(memory).tolist():
                at = memory == each
                after[at] = player.answers(n - opened, each)[1][offer[at]]
        kind, made, answer = ((actions < P) & (chances > 0) & (after >= 0)[..., None]).nonzero()
        price = actions[kind, made, answer]
        codes = (limit[kind] * P + price) * number + after[kind, made]
        codes, to = np.unique(codes, return_inverse=True)
        found.states.append(states)
        chances = chances[kind, made, answer]
        entries, into = (np.asarray(each, np.int32) for each in (kind * P + made, to.ravel()))
        found.moves.append(Moves(kinds.ravel(), accepts, entries, into, chances))
        if not len(codes):
            break
        rest, memories = np.divmod(codes, number)
        states = Stage(rest // P, rest % P - first, memories)
    return found


def fixed_reply(
    scenario: Scenario, role: Role, player: Answerer, discount_rate: float, opened: bool
) -> tuple[Automaton, Floats]:
    """Return the best reply to a player, and an upper bound of its value per limit, shape (L,).

    Of equally good offers the reply makes the one that is best for its role; of other equally good
    actions accepting comes first, offering second and walking away last. An answer that no limit
    of the player gives leaves the belief as it was. If the induction is not exact, or the beliefs
    are too many, another reply may be better.
    """
    induction = BeliefInduction(scenario, role.other, player, discount_rate, not opened)
    P, (_, rewards, _, acceptable) = scenario.n_prices, Payoffs.of(scenario, role.other)
    prior, limits = scenario.chances(role), np.arange(rewards.shape[1])
    own = np.isin(np.arange(P), scenario.offers(role))

    def offers_in(n: int, nodes: Beliefs) -> tuple[Floats, Ints]:
        """The value and the number of the best offer of each belief and limit, shape (n, L)."""
        if n > induction.last or not len(nodes.chances):
            return np.full((len(nodes.chances), len(limits)), -np.inf), np.zeros(0, np.int64)
        values = np.where(induction.legal[:, 0], induction.least_values(n, nodes), -np.inf)
        top = values.max(axis=1)
        best = values >= top[:, None] - EQUAL
        if role is Role.BUYER:  # a seller replies, and prefers high prices
            return top, best.shape[1] - 1 - best[:, ::-1].argmax(axis=1)
        return top, best.argmax(axis=1)

    n, nodes = induction.first, Beliefs(np.zeros(1, np.int64), prior[None])
    best = np.zeros((1, len(limits)), np.int64) if n < 0 else offers_in(n, nodes)[1]
    found = Automaton(scenario, role, opened, np.ones(len(limits)), [], [])
    at, limit = np.zeros_like(limits), limits  # of each state: its belief and its limit
    while len(at):
        offer = best[at, limit]
        found.states.append(Stage(limit, offer, nodes.memories[at]))
        pairs, which = np.unique(at * P + offer, return_inverse=True)
        nodes, after = _learnt(player, n, nodes, *np.divmod(pairs, P), own)
        n += 1
        size = player.answers(n, 0)[0].size if n <= induction.last else 0
        if size * len(nodes.chances) > _MOST:
            certain = np.eye(len(prior))[nodes.chances.argmax(axis=1)]
            nodes, index = Beliefs(nodes.memories, certain).merged()
            after = np.where(after < 0, after, index[after])
        top, best = offers_in(n, nodes)
        met = after[which.ravel()]  # the belief after each price, shape (X, P)
        top = np.concatenate([top, np.full((1, len(limits)), -np.inf)])[met, limit[:, None]]
        accepts = acceptable.T[limit] & (rewards.T[limit] >= np.maximum(top, 0.0) - EQUAL)
        kind, made = (~accepts & (top > -EQUAL)).nonzero()
        codes = met[kind, made] * len(limits) + limit[kind]
        codes, to = np.unique(codes, return_inverse=True)
        entries, into = (np.asarray(each, np.int32) for each in (kind * P + made, to.ravel()))
        moves = entries, into, np.broadcast_to(1.0, len(kind))
        found.moves.append(Moves(np.arange(len(at)), accepts.astype(np.float64), *moves))
        at, limit = np.divmod(codes, len(limits))
    return found, np.asarray(induction.root[-1])


def _learnt(
    player: Answerer, n: int, nodes: Beliefs, at: Ints, offers: Ints, own: Mask
) -> tuple[Beliefs, Ints]:
    """Return the beliefs after each answer, and their numbers (offers, P), −1 for no answer."""
    memories, beliefs = nodes.memories[at], nodes.chances[at][:, None].repeat(len(own), axis=1)
    given, after = np.empty_like(beliefs), np.empty((len(at), len(own)), np.int64)
    for memory in np.unique(memories).tolist():
        chances, to = player.answers(n, memory)
        alike = np.flatnonzero(memories == memory)
        given[alike] = chances[offers[alike]][..., : len(own)].swapaxes(1, 2)
        after[alike] = np.where(own, to[offers[alike]], -1)
    joint = beliefs * given
    total = joint.sum(axis=-1, keepdims=True)
    beliefs = np.where(total > 0, joint / np.where(total > 0, total, 1.0), beliefs)
    possible = after >= 0
    merged, after[possible] = Beliefs(after[possible], beliefs[possible]).merged()
    return merged, after


class Worth(NamedTuple):
    """The earnings of a role in some states of a decision of the player, discounted."""

    n: int  # the decision
    at: slice  # the states, x of X
    standing: Ints  # shape (x,): the grid index of the standing offer
    played: Floats  # shape (x, K, P + 2): the chance of each action; K limits of the player
    values: Floats  # shape (x, K, P + 2): the value of each action
    in_all: Floats  # shape (X, K): the mean over the actions, in these states and those before


class AutomatonPlay:
    """A player against an automaton: the chance of each state, and the worth of each action.

    Numbers by state and action are large, so they are held for some states at a time.
    """

    def __init__(self, automaton: Automaton, player: Answerer) -> None:
        self.automaton, (scenario, role, _, start, states, moves) = automaton, automaton
        self._player, self._means = player, dict[tuple[Role, float], Floats]()
        self.chances = [scenario.chances(each) for each in Role]
        """The chances of the limits of seller and buyer."""
        self.reach: list[Floats] = []
        """The chance of each state and limit of the player, shape (X, K)."""
        ours, theirs = self.chances[role], self.chances[role.other]
        reach = (start * theirs[states[0].limits])[:, None] * ours
        self.reach.append(reach)
        for n, later in enumerate(states[1:]):
            reach = np.zeros((len(later.limits), reach.shape[1]))
            for at in self.parts(n):
                made = self.played(n, at)[..., : scenario.n_prices]
                made *= self.reach[n][at, :, None]
                reach += moves[n].after(made.swapaxes(1, 2), len(reach), at)
            self.reach.append(reach)

    def parts(self, n: int) -> Iterator[slice]:
        """Yield the states of a decision in parts that fit into little memory."""
        X, K = self.reach[n].shape
        each = max(1, _AT_ONCE // (K * self.automaton.scenario.n_actions))
        return (slice(x, min(X, x + each)) for x in range(0, X, each))

    def played(self, n: int, at: slice = slice(None)) -> Floats:
        """The chance of each action in some states of a decision, shape (x, K, P + 2)."""
        (scenario, _, opened, *_), now = self.automaton, self.automaton.states[n]
        memories, offers = now.memories[at], now.offers[at]
        played = np.empty((len(offers), self.reach[n].shape[1], scenario.n_actions))
        for memory in np.unique(memories).tolist():
            alike = np.flatnonzero(memories == memory)
            played[alike] = self._player.answers(n - opened, memory)[0][offers[alike]]
        return played

    def worth(self, role: Role, discount_rate: float) -> Iterator[Worth]:
        """Yield what a role earns in some states at a time, those of the last decision first."""
        scenario, own, opened, _, states, moves = self.automaton
        P, first = scenario.n_prices, scenario.offers(own.other).start
        rewards, in_all = Payoffs.of(scenario, role).rewards, np.zeros((0, len(self.chances[own])))
        for n, (now, move) in reversed([*enumerate(zip(states, moves, strict=True))]):
            # The number of decisions that the role made before, if it accepts or is accepted.
            before = (n, n) if role is own else (n + (not opened), max(0, n - opened))
            ply, factors = 2 * n + (not opened), scenario.time_factors[role]
            later, in_all = in_all, np.empty_like(self.reach[n])
            for at in self.parts(n):
                standing = now.offers[at] + first * (n > 0 or not opened)
                earned = rewards[None] if role is own else rewards.T[now.limits[at]][..., None]
                played = self.played(n, at)
                values = np.zeros(played.shape)
                offers = values[..., :P].swapaxes(1, 2)  # a view
                accepts = move.accepts[move.kinds[at]][..., None]
                offers += discount_rate ** before[0] * accepts * earned
                offers *= factors[ply]
                offers += move.before(later, at)
                each = np.arange(len(standing)) if role is not own else 0
                values[..., P] = discount_rate ** before[1] * earned[each, standing]
                values[..., P] *= factors[max(0, ply - 1)]
                in_all[at] = (played * values).sum(axis=-1)
                yield Worth(n, at, standing, played, values, in_all)

    def values(self, role: Role, discount_rate: float) -> Floats:
        """Return what a role earns, per limit of the opponent and of the player, shape (L, K)."""
        (last,) = deque(self.worth(role, discount_rate), maxlen=1)
        start, states = self.automaton.start, self.automaton.states
        by_limit = np.zeros((len(self.chances[self.automaton.role.other]), last.in_all.shape[1]))
        np.add.at(by_limit, states[0].limits, start[:, None] * last.in_all)
        return by_limit

    def mean(self, role: Role, discount_rate: float) -> float:
        """The expected return of a role."""
        own, key = self.automaton.role, (role, discount_rate)
        if key not in self._means:
            self._means[key] = self.values(role, discount_rate)
        return float(self.chances[own.other] @ self._means[key] @ self.chances[own])

    def gradient(self, role: Role, discount_rate: float) -> tuple[Floats, Floats]:
        """Return what a role earns after each action of the player, and in all, per row.

        Rows are those of all tables of the player, with opener-aware states; the shapes are
        (rows, P + 2) and (rows,). A play comes to a row at most once. So the first is exactly the
        derivative of what the role earns by the chances of the actions in the table.
        """
        scenario, own, opened, *_ = self.automaton
        n_tables = len(self.chances[own])
        n_states = 2 * scenario.n_prices * scenario.rounds + 2
        tables = n_states * np.arange(n_tables)
        by_action = np.zeros((n_tables * n_states, scenario.n_actions))
        in_all = np.zeros(len(by_action))
        for n, at, standing, played, reached, _ in self.worth(role, discount_rate):
            rows = decision_rows(scenario)[0 if opened else 1, n, standing][:, None] + tables
            np.multiply(reached, self.reach[n][at, :, None], out=reached)
            np.add.at(by_action, rows, reached)
            np.add.at(in_all, rows, np.multiply(reached, played, out=played).sum(axis=-1))
        return by_action, in_all
