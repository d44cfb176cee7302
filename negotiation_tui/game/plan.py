"""Plans: a Q-table or a tabular policy read as one decision per state of a role.

A plan has one row per state, numbered as in `game.scenario`; as an opener-aware scenario's if the
plan is `opener_aware`. A decision may be a tie of several actions, which are all in the plan. Of
actions with different probabilities the plan has the most likely ones. With hidden limits there is
a plan per limit, in the game that the role sees with it.
"""

from enum import IntFlag
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.learned import Learned, WithValues
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import Mask, TabularPolicy, legal_actions
from negotiation_tui.runtime.arrays import Floats, Ints32
from negotiation_tui.runtime.records import dataclass, replace


class Kind(IntFlag):
    """The kinds of actions in a decision; several if they tie, none if it is never taken."""

    ACCEPT = 1
    ASK = 2
    WALK_AWAY = 4
    UNTRIED = 8  # stands alone: to a learner all legal actions are the same, so nothing is learned


@dataclass(frozen=True, slots=True)
class Decision:
    """The plan for one state."""

    kinds: Kind
    lowest: int | None  # the lowest price asked, None without one
    highest: int | None
    n_prices: int  # the number of prices that tie
    value: float | None  # the value of these actions to a learner, None without values
    chance: float | None = None
    """The probability of each of these actions, None if no others are played."""


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """The decisions of a role, one entry per state in every array; all arrays are read-only."""

    scenario: Scenario
    role: Role
    opener_aware: bool  # True if states also tell opener from responder
    kinds: NDArray[np.uint8]  # bits of `Kind`; 0 for states in which the role never decides
    lowest: Ints32  # the action that asks the lowest price of the decision, −1 without one
    highest: Ints32
    n_prices: Ints32  # the number of prices asked that tie
    values: Floats  # the value of these actions to a learner; NaN without values
    chances: Floats  # the probability of each of these actions; NaN if no others are played

    @property
    def choices(self) -> Mask:
        """True for states with more than one legal action."""
        states = States.OPENER_AWARE if self.opener_aware else States.PUBLISHED
        game = replace(self.scenario, states=states)
        legal = legal_actions(game, game.offers(self.role))
        several: Mask = np.count_nonzero(legal, axis=1) > 1
        return several

    def states(self, opened: bool) -> Ints32:
        """The state of each round and price on the table, shape (T, P)."""
        shape = self.scenario.rounds, self.scenario.n_prices
        first = 1 + (shape[0] * shape[1] if self.opener_aware and not opened else 0)
        return np.arange(first, first + shape[0] * shape[1], dtype=np.int32).reshape(shape)

    def state(self, position: Position) -> int:
        if position.standing_offer is None:
            return START
        return int(self.states(position.opened)[position.time, position.standing_offer_index])

    def decision(self, state: int) -> Decision:
        prices = self.scenario.prices
        lowest, highest = (
            prices[offer] if offer >= 0 else None
            for offer in (self.lowest[state], self.highest[state])
        )
        value, chance = (
            None if np.isnan(each[state]) else float(each[state])
            for each in (self.values, self.chances)
        )
        n_prices = int(self.n_prices[state])
        return Decision(Kind(int(self.kinds[state])), lowest, highest, n_prices, value, chance)


_PLAN, _STATE = 700, 21  # bytes of a plan, and of each of its states
_KEPT: WeakKeyDictionary[Learned | TabularPolicy, dict[tuple[int, ...], Plan]] = WeakKeyDictionary()
_LEARNER = -1  # in place of what a memory holds


def plan_of(
    scenario: Scenario, role: Role, source: Learned | TabularPolicy, number: int = 0, limit: int = 0
) -> Plan:
    """Return the plan of what an agent learned, or of a policy that is no learner.

    `number` is what a memory holds, see `TabularPolicy.number`; `limit` is the index of a hidden
    limit. Plans are computed once and kept as long as their source.
    """
    view, key = scenario.views[role][limit], (role, number, limit)
    plans = _KEPT.setdefault(source, {})
    plan = plans.get(key)
    if plan is None or plan.scenario != view:
        if isinstance(source, Learned):
            part = source.part(view, limit)
            values = part.values[:] if isinstance(part, WithValues) else None
            plan = _plan(view, role, part.policy_in(view, role), _LEARNER, values)
        else:
            plan = _plan(view, role, source.tables[limit], number, None)
        plans[key] = plan
    return plan


def bytes_of_plans(scenario: Scenario, role: Role) -> int:
    """Return the bytes of the plans that are kept with what an agent learned in a role."""
    return _PLAN + _STATE * scenario.n_rows(role)


def _plan(
    scenario: Scenario, role: Role, policy: TabularPolicy, number: int, values: Floats | None
) -> Plan:
    P, T, opener_aware = scenario.n_prices, scenario.rounds, policy.opener_aware
    decides = np.zeros(P * T * (2 if opener_aware else 1) + 2, bool)
    offered = scenario.offers(role.other)
    by_round = decides[1:-1].reshape(-1, T, P)
    by_round[:, :, offered.start : offered.stop] = True
    if opener_aware:
        by_round[0, -1] = False  # the responder ends the last round
    decides[START] = True

    learns = number == _LEARNER
    at = np.arange(len(decides)) * policy.stride + (0 if learns else number)
    actions, n_actions = policy.actions[at], policy.n_actions[at]
    used = np.arange(actions.shape[1]) < n_actions[:, None]
    likely = worth = np.full(len(decides), np.nan)
    if policy.weights is not None:
        chances = policy.chances(at)
        top = chances.max(axis=1, keepdims=True)
        others = (used & (chances < top)).any(axis=1)
        likely = np.where(others, top[:, 0], np.nan)
        used &= chances == top
    ask = used & (actions < P)
    n_prices = np.count_nonzero(ask, axis=1) * decides
    accepts, walks = (
        (used & (actions == each)).any(axis=1) for each in (scenario.accept, scenario.walk_away)
    )
    kinds = (Kind.ACCEPT * accepts + Kind.ASK * (n_prices > 0) + Kind.WALK_AWAY * walks) * decides
    if learns:
        n_legal = np.count_nonzero(legal_actions(scenario, scenario.offers(role)), axis=1)
        untried = (n_actions == n_legal) & (n_legal > 1) & np.isnan(likely)
        if values is not None:
            rows = np.arange(len(values))
            worth = values[rows, policy.actions[rows, policy.chances().argmax(axis=1)]]
            # In the last round a deal may be as good as none, however often tried.
            worthless = np.zeros(len(worth), bool)
            zero = [scenario.reward(role, price) == 0 for price in scenario.prices]
            worthless[1:-1].reshape(-1, T, P)[:, -1] = zero
            if not untried[n_legal > 1].all():
                untried &= ~(worthless & (worth == 0))
        kinds = np.where(untried, Kind.UNTRIED, kinds) * (kinds > 0)
        n_prices = np.where(untried, 0, n_prices)
    arrays: tuple[Any, ...] = (
        kinds.astype(np.uint8),
        np.where(n_prices > 0, np.where(ask, actions, P).min(axis=1), -1).astype(np.int32),
        np.where(n_prices > 0, np.where(ask, actions, -1).max(axis=1), -1).astype(np.int32),
        n_prices.astype(np.int32),
        np.where(kinds > 0, worth, np.nan),
        np.where(kinds > 0, likely, np.nan),
    )
    for array in arrays:
        array.flags.writeable = False
    return Plan(scenario, role, opener_aware, *arrays)
