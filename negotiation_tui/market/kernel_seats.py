"""The seats of the inner loop for many agents, with their tables end to end."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import (
    Shape,
    TabularPolicy,
    actions_in,
    legal_actions,
    shaped,
)
from negotiation_tui.learning.kernel_arguments import SeatArrays
from negotiation_tui.learning.q_table import check_size
from negotiation_tui.market.agents import Agent, check_tables
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.strategies.base import Strategy

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Resolve = Callable[[str], Strategy | None]
_CHUNK = 4096
_NOTHING_CHANGED = np.zeros(1, np.int32)
_UNIFORM = np.array([UNIFORM])


def scenario_for(scenario: Scenario, agent: Agent) -> Scenario:
    """Return the scenario of one agent, whose range ends at its reservation price.

    Raises BadInputError if that leaves it no price of the grid.
    """
    try:
        return scenario.with_limits({agent.role: agent.reservation})
    except BadInputError:
        lowest, highest = (scenario.prices[i] for i in (0, -1))
        bound = f"at least {lowest}" if agent.role is Role.BUYER else f"at most {highest}"
        raise refusal(
            f"{agent.name}: reservation",
            agent.reservation,
            bound,
            f"otherwise the {agent.role} has no price of the grid {lowest} to {highest}",
        ) from None


def learner_seats(
    scenario: Scenario, role: Role, agents: Sequence[Agent], scale: float
) -> SeatArrays:
    """Return the arrays of untrained learners of one role; their reward is surplus / scale.

    Without agents the arrays hold one learner, which is never played.
    """
    check_size(scenario)
    n, states = max(1, len(agents)), scenario.n_states
    check_tables(role, n, states * scenario.n_actions)
    of_reservation: dict[int, range] = {}
    for agent in agents:
        if agent.reservation not in of_reservation:
            of_reservation[agent.reservation] = scenario_for(scenario, agent).offers(role)
    offers = [of_reservation[agent.reservation] for agent in agents] or [scenario.offers(role)]
    first_offers = np.array([each.start for each in offers], np.int32)
    n_offers = np.array([len(each) for each in offers], np.int32)
    q = np.zeros(n * states * scenario.n_actions)
    actions, n_actions, best = greedy_rows(scenario, q, first_offers, n_offers)
    return SeatArrays(
        _each(agents, "learning_rate"),
        _each(agents, "discount_rate"),
        q,
        best,
        actions,
        n_actions,
        actions,
        n_actions,
        _UNIFORM,
        _NOTHING_CHANGED,
        np.zeros(n, np.int32),
        first_offers,
        n_offers,
        np.array([agent.reservation for agent in agents] or [0]),
        rewards(scenario, role, agents, scale),
        scenario.n_prices * scenario.rounds if scenario.opener_aware else 0,
    )


def rewards(scenario: Scenario, role: Role, agents: Sequence[Agent], scale: float) -> Floats:
    """Return the agents' rewards at each price, flat; without agents those of one at 0."""
    prices = np.asarray(scenario.prices, np.float64)
    reservation = np.array([agent.reservation for agent in agents] or [0], np.float64)[:, None]
    surplus = prices - reservation if role is Role.SELLER else reservation - prices
    return np.asarray(surplus / scale, np.float64).ravel()


def greedy_rows(
    scenario: Scenario, q: Floats, first_offers: Ints, n_offers: Ints
) -> tuple[Ints, Ints, Floats]:
    """Return the greedy actions of many Q-tables, their number and their value, all flat.

    `q` holds the tables of the agents, flat; the other two say which offers each may make.
    """
    tables = q.reshape(-1, scenario.n_states, scenario.n_actions)
    ranges = list(zip(first_offers.tolist(), n_offers.tolist(), strict=True))
    kinds = {each: kind for kind, each in enumerate(dict.fromkeys(ranges))}
    masks = np.stack([legal_actions(scenario, range(at, at + n)) for at, n in kinds])
    kind_of = np.array([kinds[each] for each in ranges])
    actions = np.zeros((tables.shape[0] * tables.shape[1], tables.shape[2]), np.int32)
    n_actions = np.zeros(len(actions), np.int32)
    best = np.zeros(len(actions))
    for at in range(0, len(tables), _CHUNK):
        part = slice(at, at + _CHUNK)
        rows = slice(at * scenario.n_states, (at + _CHUNK) * scenario.n_states)
        legal = masks[kind_of[part]]
        values = np.where(legal, tables[part], -np.inf)
        top = values.max(-1, keepdims=True)
        greedy = (legal & (values == top)).reshape(-1, scenario.n_actions)
        actions[rows], n_actions[rows] = actions_in(greedy)
        best[rows] = np.where(n_actions[rows] > 0, top.ravel(), 0.0)
    return actions.ravel(), n_actions, best


def policy_seats(
    scenario: Scenario,
    role: Role,
    agents: Sequence[Agent],
    strategy_from_spec: Resolve = resolve_trusted,
) -> SeatArrays:
    """Return the arrays of static strategies of one role; without agents, of one never played.

    Raises BadInputError if a strategy has no table.
    """
    kinds: dict[tuple[str, int], int] = {}
    policies: list[TabularPolicy] = []
    policy_index = np.zeros(max(1, len(agents)), np.int32)
    for at, agent in enumerate(agents):
        kind = agent.strategy, agent.reservation
        if kind not in kinds:
            strategy = strategy_from_spec(agent.strategy)
            policy = strategy.remembering(scenario_for(scenario, agent), role) if strategy else None
            if policy is None:
                raise BadInputError(
                    f"{agent.name}: expected a strategy that has a table, got {agent.strategy};"
                    " use learned or a strategy such as boulware"
                )
            kinds[kind] = len(policies)
            policies.append(policy)
        policy_index[at] = kinds[kind]
    if not policies:
        states = scenario.n_states
        policies.append(
            TabularPolicy(
                scenario,
                np.zeros((states, 1), np.int32),
                np.ones(states, np.int32),
                opener_aware=scenario.opener_aware,
            )
        )
    shape = Shape.of(policies)
    check_tables(role, len(policy_index), shape.rows(scenario) * shape.width)
    tables = [shaped(policy, shape) for policy in policies]
    actions, n_actions, cumulative, _ = (
        np.stack(each)[policy_index].ravel() for each in zip(*tables, strict=True)
    )
    if not shape.weighted:
        cumulative = _UNIFORM
    memories = np.array([policy.memory for policy in policies], np.int32)[policy_index]
    P, T = scenario.n_prices, scenario.rounds
    unused, n = np.zeros(1), len(policy_index)
    offers = scenario.offers(role)
    return SeatArrays(
        np.zeros(n),
        np.zeros(n),
        unused,
        unused,
        actions,
        n_actions,
        actions,
        n_actions,
        cumulative,
        _NOTHING_CHANGED,
        memories,
        np.full(n, offers.start, np.int32),
        np.full(n, len(offers), np.int32),
        np.zeros(n, np.int64),
        np.zeros(n * P),
        P * T if shape.opener_aware else 0,
    )


def _each(agents: Sequence[Agent], name: str) -> Floats:
    return np.array([getattr(agent.learning, name) for agent in agents] or [0.0], np.float64)
