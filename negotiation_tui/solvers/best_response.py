"""Compute the exact best response to any policy, and NashConv of two policies.

Backward induction over a role's own plies (see `subgame_perfect`): the value of an action is the
mean over the opponent's next actions, so nothing is sampled.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, actions_in
from negotiation_tui.runtime.text import between
from negotiation_tui.solvers.beliefs import prior
from negotiation_tui.solvers.hidden_best_response import HiddenBestResponse
from negotiation_tui.solvers.induction import Floats, Induction, Question, stakes_of
from negotiation_tui.solvers.lottery_play import LotteryPlay, lottery_play
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, EQUAL

INDUCTION = Induction()


@dataclass(frozen=True, eq=False)
class BestResponse:
    """A best response of a role to a policy of its opponent."""

    scenario: Scenario
    role: Role
    values: tuple[float, float]
    """The expected return of the role if the seller opens and if the buyer opens."""
    offer_values: Floats
    """The value of each offer, −∞ for an illegal one, shape (2, T, B, P): as opener and as
    responder, per decision of the role and standing offer. B is 1 unless the opponent remembers
    its own offers, because the value depends on the standing offer only then."""
    exact: ClassVar[bool] = True

    @property
    def interim(self) -> Floats:
        """The expected return of each own limit, which is the only one, shape (2, 1)."""
        return np.array(self.values)[:, None]

    def action_value(self, position: Position) -> Floats:
        """The value of each action in a position of the role, shape (P + 2,)."""
        at = position.standing_offer_index if position.ply else 0
        values: Floats = self._options(position.opened, position.ply // 2)[at]
        return values

    def best(self, position: Position) -> list[int]:
        """The best actions in a position of the role."""
        return np.flatnonzero(_best(self.action_value(position)[None])[0]).tolist()

    def _options(self, opened: bool, decision: int) -> Floats:
        """The value of each action for each standing offer; −∞ for illegal actions.

        Shape (P, P + 2), or (1, P + 2) at the opening.
        """
        scenario, opening = self.scenario, opened and decision == 0
        options = np.full((1 if opening else scenario.n_prices, scenario.n_actions), -np.inf)
        values = self.offer_values[0 if opened else 1, decision]
        options[:, : scenario.n_prices] = values[: len(options)]
        if not opening:
            stakes = stakes_of(scenario, self.role)
            acceptable = slice(stakes.first, stakes.first + stakes.n_offers)
            options[acceptable, scenario.accept] = stakes.rewards[acceptable]
            options[:, scenario.walk_away] = 0.0
        return options

    @cached_property
    def table(self) -> NDArray[np.bool_]:
        """True for the best actions of each state, shape (n_states, n_actions).

        If states are not opener-aware, an action must be best both as opener and as responder.
        """
        scenario = self.scenario
        table = np.ones((scenario.n_states, scenario.n_actions), bool)
        low = scenario.prices[0]
        for ply, opened, best in self._plies():
            row = scenario.state_index(low, (ply - 1) // 2, opened) if ply else START
            table[row : row + len(best)] &= best
        return table

    @cached_property
    def policy(self) -> TabularPolicy:
        """An opener-aware policy that draws uniformly from the best actions of each state.

        Any mixture of best actions is an exact best response. The first one alone would favour low
        prices: generous as seller, greedy as buyer. Rows that are never reached hold action 0.
        """
        scenario, P = self.scenario, self.scenario.n_prices
        rows = 2 * P * scenario.rounds + 2
        actions = np.zeros((rows, scenario.n_actions), np.int32)
        n_actions = np.ones(rows, np.int32)
        policy = TabularPolicy(scenario, actions, n_actions, opener_aware=True)
        for ply, opened, best in self._plies():
            first = int(policy.rows((ply - 1) // 2, opened)[0]) if ply else START
            at = slice(first, first + len(best))
            actions[at], n_actions[at] = actions_in(best)
        return policy

    def _plies(self) -> Iterator[tuple[int, bool, NDArray[np.bool_]]]:
        """Each ply of the role, True if the role opened, and the best actions per offer."""
        for opened in (True, False):
            for n in range(self.scenario.rounds):
                yield 2 * n + (0 if opened else 1), opened, _best(self._options(opened, n))

    def __repr__(self) -> str:
        seller, buyer = self.values
        values = f"value {seller:.4f} if the seller opens, {buyer:.4f} if the buyer opens"
        return f"<BestResponse of the {self.role} in {self.scenario.name}, {values}>"

    def act(self, position: Position, _rng: np.random.Generator) -> int:
        """Return the first of the best actions."""
        return self.best(position)[0]


Response = BestResponse | HiddenBestResponse
"""A best response in a game without, or with hidden limits."""


@dataclass(frozen=True, eq=False, slots=True)
class NashConv:
    """The distance of two policies from equilibrium (Lanctot et al. 2017, section 2)."""

    values: tuple[float, float]
    """The expected returns of seller and buyer."""
    exploitability: tuple[float, float]
    """The gain of seller and of buyer if each switched to a best response."""
    responses: tuple[Response, Response]
    """The best responses of seller and buyer."""
    at_least: tuple[float, float] | None = None
    """The least gains there can be, where `exploitability` is only an upper bound."""
    play: LotteryPlay | None = None
    """With hidden limits: how the policies play, for the returns of each limit."""

    @property
    def total(self) -> float:
        """NashConv, the sum of both gains; 0 in equilibrium. At most this, if not `exact`."""
        return sum(self.exploitability)

    @property
    def exact(self) -> bool:
        """True unless the gains are upper bounds, because there are too many beliefs."""
        return self.at_least is None

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest NashConv there can be; both are `total` if it is exact."""
        least, most = zip(*self.gain_bounds, strict=True)
        return sum(least), sum(most)

    @property
    def gain_bounds(self) -> tuple[tuple[float, float], ...]:
        """The least and the greatest gain there can be, of seller and of buyer."""
        return tuple(zip(self.at_least or self.exploitability, self.exploitability, strict=True))

    def __repr__(self) -> str:
        seller, buyer = self.exploitability
        return f"<NashConv {between(*self.bounds, 4)}: seller {seller:.4f}, buyer {buyer:.4f} more>"


def best_response(
    scenario: Scenario, role: Role, opponent: TabularPolicy, discount_rate: float = DISCOUNT
) -> BestResponse:
    """Return the exact best response of a role to any policy of its opponent.

    No limits may be hidden; see `response`.
    """
    return _induce(Question(scenario, role, None, opponent, discount_rate))[0]


def response(
    scenario: Scenario, role: Role, opponent: TabularPolicy, discount_rate: float = DISCOUNT
) -> Response:
    """Return the best response of a role in a game with or without hidden limits."""
    find = HiddenBestResponse if scenario.hidden else best_response
    return find(scenario, role, opponent, discount_rate)


def value(
    scenario: Scenario,
    role: Role,
    policy: TabularPolicy,
    opponent: TabularPolicy,
    opener: Role,
    discount_rate: float = DISCOUNT,
) -> float:
    """Return the expected return of a role if both roles play these policies."""
    return _induce(Question(scenario, role, policy, opponent, discount_rate))[1][opener]


def nash_conv(
    scenario: Scenario, seller: TabularPolicy, buyer: TabularPolicy, discount_rate: float = DISCOUNT
) -> NashConv:
    """Return NashConv of two policies, the mean over both openers if they alternate."""
    if scenario.hidden:
        return _with_hidden_limits(scenario, seller, buyer, discount_rate)
    openers = scenario.opener.roles
    policies = seller, buyer
    values, gains, responses = [], [], []
    for role in Role:
        question = Question(scenario, role, policies[role], policies[role.other], discount_rate)
        best, returns = _induce(question)
        responses.append(best)
        values.append(sum(returns[o] for o in openers) / len(openers))
        gain = sum(best.values[o] - returns[o] for o in openers)
        gains.append(gain / len(openers) if gain > EQUAL else 0.0)  # smaller: rounding errors
    return NashConv((values[0], values[1]), (gains[0], gains[1]), (responses[0], responses[1]))


def _with_hidden_limits(
    scenario: Scenario, seller: TabularPolicy, buyer: TabularPolicy, discount_rate: float
) -> NashConv:
    play, openers = lottery_play(scenario, seller, buyer), list(scenario.opener.roles)
    responses, values, gains = [], [], []
    for role, opponent in zip(Role, (buyer, seller), strict=True):
        best = HiddenBestResponse(scenario, role, opponent, discount_rate)
        chances = prior(scenario, role).chances
        returns = play.interim(role, discount_rate)
        gain = ((best.bounds - returns)[:, openers] @ chances).mean(axis=1)
        responses.append(best)
        values.append(float((returns[openers] @ chances).mean()))
        gains.append(np.where(gain > EQUAL, gain, 0.0).tolist())  # smaller: rounding errors
    least, most = zip(*gains, strict=True)
    exact = all(best.exact for best in responses)
    return NashConv(
        (values[0], values[1]), most, (responses[0], responses[1]), None if exact else least, play
    )


def _best(values: Floats) -> NDArray[np.bool_]:
    """True for the best actions of each row."""
    best: NDArray[np.bool_] = values >= values.max(axis=1, keepdims=True) - EQUAL
    return best


def _induce(question: Question) -> tuple[BestResponse, tuple[float, float]]:
    """Return a role's best response, and the value of its policy for each opener."""
    scenario, role = question.scenario, question.role
    assert not scenario.hidden
    values, offer_values = INDUCTION(question)
    (best_1, mean_1), (best_2, mean_2) = values if role is Role.SELLER else values[::-1]
    return BestResponse(scenario, role, (best_1, best_2), offer_values), (mean_1, mean_2)
