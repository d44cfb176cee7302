"""The seats of many agents, their tables end to end, for the inner loop."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import MAX_ENTRIES, TabularPolicy, fits, legal_table
from negotiation_tui.learning.kernel import SeatArrays
from negotiation_tui.market.agents import Agent, check_tables
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.strategies.base import Strategy

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Occupant = Callable[[str], Strategy | None]
_CHUNK = 4096


def scenario_for(scenario: Scenario, agent: Agent) -> Scenario:
    """The scenario as one agent sees it: its own range ends at its reservation price.

    Raises BadInputError where that leaves it no price of the grid.
    """
    held = scenario.acceptable_range(agent.role)
    own = agent.reservation
    a, b = scenario.reservation_values
    try:
        if agent.role is Role.SELLER:
            cut = PriceRange(max(held.minimum, own), held.maximum)
            return replace(scenario, seller=cut, reservation=(own, b))
        cut = PriceRange(held.minimum, min(held.maximum, own))
        return replace(scenario, buyer=cut, reservation=(a, own))
    except BadInputError:
        lowest, highest = (scenario.prices[i] for i in (0, -1))
        least = f"{lowest} or more" if agent.role is Role.BUYER else f"at most {highest}"
        raise BadInputError(
            f"{agent.name}: reservation {own} leaves the {agent.role} no price of the grid"
            f" {lowest} to {highest}, use {least}"
        ) from None


def learner_seats(
    scenario: Scenario, role: Role, agents: Sequence[Agent], scale: float
) -> SeatArrays:
    """Untrained learners of one role; what a deal is worth to them is surplus / scale. Arrays.

    A seat of nobody has the room for one, which is never played.
    """
    if not fits(scenario):
        raise BadInputError(
            f"scenario {scenario.name}: a Q-table of {scenario.n_states:,} states ×"
            f" {scenario.n_actions:,} actions is too large, use at most {MAX_ENTRIES:,} entries"
        )
    n, states = max(1, len(agents)), scenario.n_states
    check_tables(role, n, states * scenario.n_actions)
    kinds: dict[int, int] = {}  # of a reservation price
    ranges: dict[range, int] = {}  # of what may be offered: few, where prices are
    legal_tables: list[tuple[Ints, Ints]] = []
    which = np.zeros(n, np.int32)
    for at, agent in enumerate(agents):
        if agent.reservation not in kinds:
            own = scenario_for(scenario, agent)
            offers = own.offers(role)
            if offers not in ranges:
                ranges[offers] = len(legal_tables)
                legal_tables.append(legal_table(own, role))
            kinds[agent.reservation] = ranges[offers]
        which[at] = kinds[agent.reservation]
    if not agents:
        legal_tables.append(legal_table(scenario, role))
    legal = np.stack([table for table, _ in legal_tables])
    number = np.stack([number for _, number in legal_tables])
    ties, count, _ = greedy_rows(np.zeros(legal.shape), legal, number)
    ties = ties.reshape(legal.shape)[which].ravel()
    count = count.reshape(number.shape)[which].ravel()
    prices = np.asarray(scenario.prices, np.float64)
    reservation = np.array([agent.reservation for agent in agents] or [0], np.float64)[:, None]
    worth = prices - reservation if role is Role.SELLER else reservation - prices
    # Any agent's offers: only starts in the middle would draw from them.
    offers = scenario.offers(role)
    return SeatArrays(
        _each(agents, "learning_rate"),
        _each(agents, "discount_rate"),
        np.zeros(n * states * scenario.n_actions),
        np.zeros(n * states),
        ties,
        count,
        ties,
        count,
        0,
        legal.ravel(),
        number.ravel(),
        which,
        (worth / scale).ravel(),
        scenario.n_prices * scenario.rounds if scenario.opener_aware else 0,
        offers[0],
        len(offers),
    )


def greedy_rows(q: Floats, legal: Ints, number: Ints) -> tuple[Ints, Ints, Floats]:
    """The equally best actions of many Q-tables, how many they are, and their value; flat.

    `q` and `legal` have shape (agents, n_states, n_actions), `number` (agents, n_states).
    """
    actions = q.shape[-1]
    ties, count, best = np.zeros(q.shape, np.int32), np.zeros_like(number), np.zeros(number.shape)
    for at in range(0, len(q), _CHUNK):
        part = slice(at, at + _CHUNK)
        held = np.arange(actions) < number[part][..., None]
        values = np.where(held, np.take_along_axis(q[part], legal[part], -1), -np.inf)
        top = values.max(-1, keepdims=True)
        equal = held & (values == top)
        order = np.argsort(~equal, axis=-1, kind="stable")
        ties[part] = np.take_along_axis(legal[part], order, -1)
        count[part] = equal.sum(-1)
        best[part] = np.where(number[part] > 0, top[..., 0], 0.0)
    return ties.ravel(), count.ravel(), best.ravel()


def policy_seats(
    scenario: Scenario,
    role: Role,
    agents: Sequence[Agent],
    strategy_from_spec: Occupant = resolve_trusted,
) -> SeatArrays:
    """Static strategies of one role. Arrays; of nobody as `learner_seats`.

    Raises BadInputError for a strategy without a table.
    """
    kinds: dict[tuple[str, int], int] = {}
    policies: list[TabularPolicy] = []
    which = np.zeros(max(1, len(agents)), np.int32)
    for at, agent in enumerate(agents):
        kind = agent.strategy, agent.reservation
        if kind not in kinds:
            held = strategy_from_spec(agent.strategy)
            policy = None if held is None else held.tabulated(scenario_for(scenario, agent), role)
            if policy is None:
                raise BadInputError(
                    f"{agent.name}: {agent.strategy} has no table, so that it cannot trade in a"
                    " market: use learned or a strategy such as boulware"
                )
            kinds[kind] = len(policies)
            policies.append(policy)
        which[at] = kinds[kind]
    memory = max((policy.remembers_own_offer for policy in policies), default=0)
    seated = any(policy.opener_aware for policy in policies)
    width = max((policy.actions.shape[1] for policy in policies), default=1)
    P, T = scenario.n_prices, scenario.rounds
    rows = (P * T * (2 if seated else 1) + 2) * (1 + memory * P)
    check_tables(role, len(which), rows * width)
    shaped = [_shaped(policy, memory, seated, width) for policy in policies]
    if not shaped:
        shaped = [(np.zeros((rows, width), np.int32), np.ones(rows, np.int32))]
    ties = np.stack([table for table, _ in shaped])[which].ravel()
    count = np.stack([number for _, number in shaped])[which].ravel()
    nothing, n = np.zeros(1), len(which)
    offers = scenario.offers(role)
    return SeatArrays(
        np.zeros(n),
        np.zeros(n),
        nothing,
        nothing,
        ties,
        count,
        ties,
        count,
        memory,
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n * P),
        P * T if seated else 0,
        offers[0],
        len(offers),
    )


def _shaped(policy: TabularPolicy, memory: int, seated: bool, width: int) -> tuple[Ints, Ints]:
    """A policy's rows in the form that all of a seat share."""
    ties = np.zeros((len(policy.n_actions), width), np.int32)
    ties[:, : policy.actions.shape[1]] = policy.actions
    count = policy.n_actions.astype(np.int32)
    stride = 1 + policy.remembers_own_offer * policy.scenario.n_prices
    if seated and not policy.opener_aware:
        states = np.arange(len(count) // stride)
        twice = np.concatenate([states[:-1], states[1:]])
        rows = (twice[:, None] * stride + np.arange(stride)).ravel()
        ties, count = ties[rows], count[rows]
    if memory and not policy.remembers_own_offer:
        wider = 1 + policy.scenario.n_prices
        ties, count = np.repeat(ties, wider, 0), np.repeat(count, wider)
    return ties, count


def _each(agents: Sequence[Agent], name: str) -> Floats:
    return np.array([getattr(agent.learning, name) for agent in agents] or [0.0], np.float64)
