"""Compute NashConv of two policies, and the exact best responses that it is made of.

A best response comes from backward induction over a role's own plies (see `subgame_perfect`): the
value of an action is the mean over the opponent's next actions, so nothing is sampled. With hidden
limits it goes over beliefs (`belief_induction`); with one limit a side, over the states of the
tables (`induction`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Mask, TabularPolicy, actions_in
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.text import between
from negotiation_tui.solvers.beliefs import belief_at
from negotiation_tui.solvers.expected_play import ExpectedPlay, expected_play
from negotiation_tui.solvers.induction import Induction, Matchup
from negotiation_tui.solvers.payoffs import Payoffs
from negotiation_tui.solvers.reach import decision_rows
from negotiation_tui.solvers.subgame_perfect import EQUAL

if TYPE_CHECKING:
    from negotiation_tui.solvers.belief_induction import BeliefInduction

INDUCTION = Induction()


def nash_conv(
    scenario: Scenario,
    seller: TabularPolicy,
    buyer: TabularPolicy,
    discount_rate: float | None = None,
) -> NashConv:
    """Return NashConv of two policies: the sum over both roles of the gain of a best response.

    The gain of a role is the expected return of a best response to the other's policy, less that
    of its own policy, in the mean over the roles that open. In equilibrium nobody can gain.
    """
    policies, rate = (seller, buyer), scenario.discount(discount_rate)
    play = expected_play(scenario, seller, buyer) if scenario.hidden else None
    values, gains, least, responses = [], [], [], []
    for role in Role:
        matchup = Matchup(scenario, role, policies[role], policies[role.other], rate)
        best, returns, low, high = _deviation(matchup, play)
        values.append(sum(returns) / len(returns))
        gains.append(sum(high) / len(high))
        least.append(sum(low) / len(low))
        responses.append(best)
    exact = play is None or all(best.exact for best in responses)
    return NashConv(
        pair(values),
        pair(gain if gain > EQUAL else 0.0 for gain in gains),  # smaller: rounding errors
        pair(responses),
        None if exact else pair(gain if gain > EQUAL else 0.0 for gain in least),
        play,
    )


@dataclass(frozen=True, eq=False, slots=True)
class NashConv:
    """The distance of two policies from equilibrium (Lanctot et al. 2017, section 2)."""

    values: tuple[float, float]  # the expected returns of seller and buyer
    exploitability: tuple[float, float]
    """The gain of seller and of buyer if each switched to a best response."""
    responses: tuple[BestResponse, BestResponse]  # the best responses of seller and buyer
    at_least: tuple[float, float] | None = None
    """The least gains there can be, where `exploitability` is only an upper bound."""
    play: ExpectedPlay | None = None
    """With hidden limits: how the policies play, for the returns of each limit."""

    @property
    def total(self) -> float:
        """NashConv, the sum of both gains; 0 in equilibrium. At most this, if not `exact`."""
        return sum(self.exploitability)

    @property
    def exact(self) -> bool:
        return self.at_least is None

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest NashConv there can be; both are `total` if it is exact."""
        least, most = zip(*self.gain_bounds, strict=True)
        return sum(least), sum(most)

    @property
    def arrays(self) -> Iterator[NDArray[Any]]:
        """The arrays of both responses and of the expected play."""
        yield from (array for response in self.responses for array in response.arrays)
        yield from () if self.play is None else (self.play.between, *self.play.deals)

    @property
    def gain_bounds(self) -> tuple[tuple[float, float], ...]:
        """The least and the greatest gain there can be, of seller and of buyer."""
        return tuple(zip(self.at_least or self.exploitability, self.exploitability, strict=True))

    def __repr__(self) -> str:
        seller, buyer = self.exploitability
        return f"<NashConv {between(*self.bounds, 4)}: seller {seller:.4f}, buyer {buyer:.4f} more>"


def best_response(
    scenario: Scenario, role: Role, opponent: TabularPolicy, discount_rate: float | None = None
) -> BestResponse:
    """Return the best response of a role to any policy of its opponent."""
    rate = scenario.discount(discount_rate)
    if scenario.hidden:
        return BestResponse(scenario, role, opponent, rate)
    return _induce(Matchup(scenario, role, None, opponent, rate))[0]


def _deviation(
    matchup: Matchup, play: ExpectedPlay | None
) -> tuple[BestResponse, list[float], list[float], list[float]]:
    """Return a role's best response, the return of its policy, the least and the greatest gain.

    Returns and gains are lists by the roles that open. `play` is None unless limits are hidden.
    """
    scenario, role, _, opponent, rate = matchup
    openers = list(scenario.opener.roles)
    if play is None:
        best, returns = _induce(matchup)
        gains = [best.values[opener] - returns[opener] for opener in openers]
        return best, [returns[opener] for opener in openers], gains, gains
    best = BestResponse(scenario, role, opponent, rate)
    by_limit, chances = play.interim(role, rate), scenario.chances(role)
    returns = (by_limit @ chances).tolist()
    low, high = ((best.bounds - by_limit)[:, openers] @ chances).tolist()
    return best, [returns[opener] for opener in openers], low, high


def _induce(matchup: Matchup) -> tuple[BestResponse, list[float]]:
    scenario, role, _, opponent, rate = matchup
    assert not scenario.hidden
    values, offer_values = INDUCTION(matchup)
    (best_1, mean_1), (best_2, mean_2) = values if role is Role.SELLER else values[::-1]
    best = BestResponse(scenario, role, opponent, rate, offer_values, (best_1, best_2))
    return best, [mean_1, mean_2]


@dataclass(frozen=True, eq=False)
class BestResponse:
    """A best response of a role, with each of its limits, to the tables of its opponent."""

    scenario: Scenario
    role: Role
    opponent: TabularPolicy
    discount_rate: float
    offer_values: Floats | None = None
    """With one limit a side: the value of each offer, −∞ for an illegal one, shape (2, T, B, P): as
    opener and as responder, per decision of the role and standing offer. B is 1 unless the opponent
    remembers its own offers, because the value depends on the standing offer only then."""
    known_values: tuple[float, float] | None = None  # with one limit a side: `values`

    @cached_property
    def bounds(self) -> Floats:
        """The least and the greatest expected return by bound, opener, limit: (2, 2, L)."""
        if self.known_values is not None:
            return np.array([self.known_values] * 2)[..., None]
        # Inductions hold far more than their results, and few responses are asked for actions.
        ends = [_induction(self, opener is self.role).root for opener in Role]
        return np.stack([[each[end] for each in ends] for end in (0, -1)])

    @property
    def exact(self) -> bool:
        return bool((self.bounds[1] - self.bounds[0] <= EQUAL).all())

    @property
    def interim(self) -> Floats:
        """The upper bound of the expected return of each own limit, shape (2, L), by opener."""
        return np.asarray(self.bounds[1])

    @cached_property
    def values(self) -> tuple[float, float]:
        """The expected return if seller or buyer opens; at most this, if not `exact`."""
        if self.known_values is not None:
            return self.known_values
        return pair((self.interim @ self.scenario.chances(self.role)).tolist())

    def action_value(self, position: Position) -> Floats:
        """The value of each action in a position of the role, by its limit, shape (P + 2,).

        With hidden limits it depends on the belief that the offers so far leave. Illegal actions
        have −∞. If the value is not exact (see `exact_at`) it is the lower bound.
        """
        at, n = position.standing_offer_index, position.ply // 2
        if self.offer_values is not None:
            return np.asarray(self._options(position.opened, n)[at])
        game, payoffs = position.scenario, Payoffs.of(self.scenario, self.role)
        limit = game.limit_index(self.role)
        options = np.full(game.n_actions, -np.inf)
        if (offers := self._offers_at(position)) is not None:
            legal = payoffs.legal[:, 0, limit]
            options[payoffs.offers] = np.where(legal, offers[:, 0], -np.inf)
        if position.ply:
            options[game.walk_away] = 0.0
            if payoffs.acceptable[at, limit]:
                options[game.accept] = payoffs.rewards[at, limit] * self._factor(position.ply)
        return options

    def exact_at(self, position: Position) -> bool:
        """True if the values of the actions in a position are exact, not lower bounds."""
        offers = None if self.offer_values is not None else self._offers_at(position)
        return offers is None or bool((offers[:, -1] - offers[:, 0] <= EQUAL).all())

    def _offers_at(self, position: Position) -> Floats | None:
        """With hidden limits: bounds of the value of each offer, (O, bounds); None at the end."""
        induction, n = _kept_induction(self, position.opened), position.ply // 2
        if n > induction.last:
            return None
        last = position.standing_offer_index if self.opponent.remembers_own_offer else 0
        chances = belief_at(self.opponent, position).chances
        return induction.values(n, last, chances, position.scenario.limit_index(self.role))

    def best(self, position: Position) -> list[int]:
        values, factor = self.action_value(position)[None], self._factor(position.ply)
        return np.flatnonzero(_best(values, factor)[0]).tolist()

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Return the first of the best actions; with hidden limits draw one of them."""
        actions = self.best(position)
        drawn = self.offer_values is None and len(actions) > 1
        return actions[int(rng.random() * len(actions)) if drawn else 0]

    def _options(self, opened: bool, decision: int) -> Floats:
        """With one limit a side: the value of each action, shape (P, P + 2), as `best_actions`."""
        assert self.offer_values is not None
        scenario, opening = self.scenario, opened and decision == 0
        options = np.full((scenario.n_prices, scenario.n_actions), -np.inf)
        values = self.offer_values[0 if opened else 1, decision]
        options[:, : scenario.n_prices] = values[:1] if opening else values
        if not opening:
            at, rewards = (payoffs := Payoffs.of(scenario, self.role)).offers, payoffs.rewards
            ply = 2 * decision + (not opened)
            options[at, scenario.accept] = rewards[at, 0] * self._factor(ply)
            options[:, scenario.walk_away] = 0.0
        return options

    def _factor(self, ply: int) -> float:
        """The part of a reward that time leaves for the offer that stands at a ply, if any."""
        return self.scenario.time_factors[self.role][max(ply - 1, 0)]

    @property
    def best_actions(self) -> Mask:
        """With one limit a side: True for the best actions of each decision, (2, T, P, P + 2).

        Decisions are those of `reach`; at the opening all P rows are equal.
        """
        rounds, parts = range(self.scenario.rounds), (True, False)
        return np.array(
            [
                [_best(self._options(part, n), self._factor(2 * n + (not part))) for n in rounds]
                for part in parts
            ]
        )

    @cached_property
    def table(self) -> Mask | None:
        """True for the best actions of each state, shape (n_states, n_actions).

        If states are not opener-aware, an action must be best both as opener and as responder. None
        with hidden limits, because the best actions depend on the belief.
        """
        if self.offer_values is None:
            return None
        scenario = self.scenario
        table = np.ones((scenario.n_states, scenario.n_actions), bool)
        responder_offset = 0 if scenario.opener_aware else scenario.n_prices * scenario.rounds
        opens, responds = decision_rows(scenario)
        for rows, best in zip((opens, responds - responder_offset), self.best_actions, strict=True):
            table[rows] &= best
        return table

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The arrays that it holds, or will when its table and its bounds are asked for."""
        found = self.offer_values, self.table, self.bounds
        return *self.opponent.arrays, *(each for each in found if each is not None)

    @cached_property
    def policy(self) -> TabularPolicy | None:
        """An opener-aware policy that draws uniformly from the best actions of each state.

        Any mixture of best actions is an exact best response. The first one alone would favour low
        prices: generous as seller, greedy as buyer. Rows that are never reached hold action 0. None
        with hidden limits.
        """
        if self.offer_values is None:
            return None
        scenario, rows = self.scenario, decision_rows(self.scenario).ravel()
        actions = np.zeros(
            (2 * scenario.n_prices * scenario.rounds + 2, scenario.n_actions), np.int32
        )
        n_actions = np.ones(len(actions), np.int32)
        best = self.best_actions.reshape(-1, scenario.n_actions)
        actions[rows], n_actions[rows] = actions_in(best)
        return TabularPolicy(scenario, actions, n_actions, opener_aware=True)

    def __repr__(self) -> str:
        seller, buyer = self.values
        bound = "" if self.exact else "at most "
        values = f"value {bound}{seller:.4f} if the seller opens, {buyer:.4f} if the buyer opens"
        return f"<BestResponse of the {self.role} in {self.scenario.name}, {values}>"


def _induction(response: BestResponse, opened: bool) -> BeliefInduction:
    from negotiation_tui.solvers.belief_induction import BeliefInduction, TableAnswerer

    scenario, role = response.scenario, response.role
    tables = TableAnswerer(scenario, role, response.opponent, opened)
    return BeliefInduction(scenario, role, tables, response.discount_rate, opened)


_kept_induction = lru_cache(maxsize=4)(_induction)


def _best(values: Floats, factor: float) -> Mask:
    """Return the best actions; `factor` is what time has left of all values."""
    return np.asarray(values >= values.max(axis=1, keepdims=True) - EQUAL * factor)
