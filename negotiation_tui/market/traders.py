"""The agents of a market in the arrays of `learning.loop`: learners and static strategies.

Agents are numbered as in the market: sellers first, of each role learners first. Static strategies
of equal agents share their table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, actions_in, legal_actions
from negotiation_tui.learning import loop
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Row
from negotiation_tui.learning.backend import Backend, Form
from negotiation_tui.learning.layout import AgentKind, lay, legal_in
from negotiation_tui.learning.learner_registry import learner, spec_of_learner
from negotiation_tui.learning.q_table import check_size
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.market.agents import Agent, check_tables
from negotiation_tui.market.setup import MarketSetup
from negotiation_tui.market.tick_loop import in_form
from negotiation_tui.players.resolve import Resolve
from negotiation_tui.players.spec import own_code
from negotiation_tui.runtime.arrays import Arrays, Floats
from negotiation_tui.runtime.validate import refusal

_CHUNK = 4096
_HINT = "in a market use learned:sarsa or another with tables"


@lru_cache(maxsize=1024)
def learner_of(spec: str) -> TabularAlgorithm:
    """Return the learner of a spec. Raise BadInputError if it is unknown or cannot take part."""
    if own_code(spec):
        raise refusal("learner", spec, "one that is built in", _HINT)
    algorithm = learner(spec)
    if not isinstance(algorithm, TabularAlgorithm):
        raise refusal("learner", spec, "one that learns from negotiations", _HINT)
    return algorithm


def checked(agents: Sequence[Agent]) -> list[Agent]:
    """Return the agents, those who learn with the shortest spec of their learner."""
    specs = {LEARNED: LEARNED}
    for agent in agents:
        if learns(agent.strategy) and agent.strategy not in specs:
            try:
                specs[agent.strategy] = spec_of_learner(learner_of(agent.strategy))
            except BadInputError as error:
                raise BadInputError(f"{agent.name}: {error}") from None
    shorter = {spec: short for spec, short in specs.items() if short != spec}
    return [
        replace(each, strategy=shorter[each.strategy]) if each.strategy in shorter else each
        for each in agents
    ]


def scenario_for(scenario: Scenario, agent: Agent) -> Scenario:
    """Return the scenario of one agent, whose range ends at its reservation price."""
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


def table_shapes(scenario: Scenario, agents: Sequence[Agent]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of both roles' tables in a state, by name: of learners, tables, entries."""
    shapes: dict[str, tuple[int, ...]] = {}
    plain, entries = all_plain(agents), scenario.n_states * scenario.n_actions
    for role in Role:
        learners = [each for each in agents if each.role is role and learns(each.strategy)]
        most = max((learner_of(each.strategy).n_tables for each in learners), default=1)
        n = max(1, len(learners))
        check_tables(role, n, most * entries)
        if plain:
            shapes[f"{role}_q"] = (n * entries,)
        else:
            shapes[f"{role}_tables"] = n, most, entries
    return shapes


def all_plain(agents: Sequence[Agent]) -> bool:
    """True if all agents who learn are Q-learners with the settings of the market."""
    return not any(learns(agent.strategy) and agent.strategy != LEARNED for agent in agents)


class Traders:
    """The tables of all agents of a market. Their reward is surplus / `MarketSetup.scale`."""

    def __init__(self, setup: MarketSetup, strategy_from_spec: Resolve) -> None:
        self.scenario, self._agents = scenario, agents = setup.scenario, setup.agents
        self.plain = all_plain(agents)  # True if all learners are plain Q-learners
        check_size(scenario)
        self._shapes = table_shapes(scenario, agents)
        self._entries = scenario.n_states * scenario.n_actions
        specs = dict.fromkeys(agent.strategy for agent in agents if learns(agent.strategy))
        algorithms = [*map(learner_of, specs)]
        for algorithm in algorithms if not self.plain else ():
            algorithm.check(scenario)
        self._types: list[type[TabularAlgorithm]] = list(dict.fromkeys(map(type, algorithms)))
        self.agents = self._new(setup, strategy_from_spec)
        self.remembers = bool(self._about[:, loop.MEMORY].any())  # True if a strategy has a memory

    def _new(self, setup: MarketSetup, strategy_from_spec: Resolve) -> loop.Agents:
        """Return the arrays of untrained learners and of static strategies."""
        alike = [(agent.role, agent.strategy, agent.reservation) for agent in self._agents]
        examples = dict(zip(reversed(alike), reversed(self._agents), strict=True))
        index = {each: k for k, each in enumerate(examples)}
        of = np.array([index[each] for each in alike])
        kinds = [self._kind(setup, agent, strategy_from_spec) for agent in examples.values()]
        return lay(kinds, of, [agent.learning for agent in self._agents], np.asarray)

    def _kind(self, setup: MarketSetup, agent: Agent, strategy_from_spec: Resolve) -> AgentKind:
        game, role = scenario_for(self.scenario, agent), agent.role
        sign = 1 if role is Role.SELLER else -1
        paid = sign * (np.array(game.prices) - agent.reservation) / setup.scale
        if not learns(agent.strategy):
            return AgentKind(game, role, self._policy(game, agent, strategy_from_spec), paid)
        algorithm = learner_of(agent.strategy)
        how = self._types.index(type(algorithm)), self.plain, algorithm.settings
        return AgentKind(game, role, algorithm, paid, *how)

    def _policy(self, game: Scenario, agent: Agent, strategy_from_spec: Resolve) -> TabularPolicy:
        strategy = strategy_from_spec(agent.strategy)
        policy = strategy.remembering(game, agent.role) if strategy else None
        if policy is None:
            raise BadInputError(
                f"{agent.name}: expected a strategy that has a table, got {agent.strategy};"
                " use learned or a strategy such as boulware"
            )
        return policy

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: functions cannot be pickled."""
        return {**vars(self), "backend": None, "_functions": None, "_write_policy": None}

    def use(self, backend: Backend) -> Any:
        """Switch to a backend, and return the functions of the learners; None if all are plain."""
        self.backend, self.agents = backend, self._in_form(backend.row)
        if self.plain:
            return None
        # All markets share one loop: code for a single kind would be another.
        kinds = *self._types, self._types[0]
        _, self._write_policy, self._functions = backend.code(*kinds)
        return self._functions

    def table(self, number: int) -> Floats | None:
        """Return what `MarketSimulation.table` does, by the number of the agent."""
        spec, scenario = self._agents[number].strategy, self.scenario
        if not learns(spec):
            return None
        first = int(self.agents.about[number * loop.N_ABOUT + loop.ROW])
        n, values = scenario.n_states * scenario.n_actions, learner_of(spec).values
        if values is None:
            flat = self.backend.row(np.zeros(n))
            stop = first + scenario.n_states
            self._write_policy(self.agents, self._functions, number, first, stop, flat)
        else:
            at = first * scenario.n_actions
            flat = self.agents.tables[values][at : at + n]
        return np.array(flat, np.float64).reshape(scenario.n_states, scenario.n_actions)

    @property
    def size(self) -> int:
        arrays = self._in_form(np.asarray)._replace(q=None)  # in the memory of `tables`
        return sum(each.nbytes for each in arrays if isinstance(each, np.ndarray))

    def _in_form(self, form: Form) -> loop.Agents:
        rows = in_form(self.agents._replace(q=0)._asdict(), form)
        legal, width = legal_in(form, self.agents.legal), self.scenario.n_actions
        scratch = Row(form(np.zeros(width, np.int64)), form(np.zeros(width)))
        return loop.Agents(**rows | {"q": rows["tables"][0], "legal": legal, "scratch": scratch})

    @property
    def _about(self) -> NDArray[np.int64]:
        return np.asarray(self.agents.about).reshape(-1, loop.N_ABOUT)

    def _learners(self, role: Role) -> tuple[int, slice, slice]:
        """Return the number of a role's learners, their cells in a table and their final states."""
        first, stop = map(int, self.agents.parts[role : role + 2])
        states, width = self.scenario.n_states, self.scenario.n_actions
        cells, ends = slice(first * width, stop * width), slice(first + states - 1, stop, states)
        return (stop - first) // states, cells, ends

    def state(self) -> Arrays:
        found: Arrays = {}
        for role, (name, shape) in zip(Role, self._shapes.items(), strict=True):
            n, cells, ends = self._learners(role)
            free, tables = np.zeros(max(1, n)), np.zeros(shape)
            free[:n] = self.agents.best[ends]
            by_learner = tables.reshape(len(free), -1, self._entries)
            for k in range(by_learner.shape[1] if n else 0):
                by_learner[:, k] = np.reshape(self.agents.tables[k][cells], (n, self._entries))
            found |= {f"{role}_free_worth": free, name: tables}
        return found

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take back what `state` returned; then `use` a backend."""
        self.agents = self._in_form(np.asarray)
        for role, name in zip(Role, self._shapes, strict=True):
            n, cells, _ = self._learners(role)
            if n:
                saved = state[name].reshape(n, -1, self._entries).transpose(1, 0, 2)
                self.agents.tables[: len(saved), cells] = saved.reshape(len(saved), -1)
        if self.plain:
            self._refresh()
        for role in Role:
            n, _, ends = self._learners(role)
            self.agents.best[ends] = state[f"{role}_free_worth"][:n]

    def _refresh(self) -> None:
        """Make the Q-learners' policies greedy by their tables."""
        scenario, agents, width = self.scenario, self.agents, self.scenario.n_actions
        tables = agents.q.reshape(-1, scenario.n_states, width)
        learners = self._about[self._about[:, loop.KIND] != loop.STATIC]
        offers = learners[:, [loop.FIRST, loop.OFFERS]]
        ranges, kind_of = np.unique(offers, axis=0, return_inverse=True)
        masks = np.array([legal_actions(scenario, range(at, at + n)) for at, n in ranges.tolist()])
        for at in range(0, len(tables), _CHUNK):
            legal = masks[kind_of.ravel()[at : at + _CHUNK]]
            values = np.where(legal, tables[at : at + _CHUNK], -np.inf)
            best = values.max(-1, keepdims=True)
            actions, n_actions = actions_in((legal & (values == best)).reshape(-1, width))
            first, n = at * scenario.n_states, len(n_actions)
            agents.actions[first * width : (first + n) * width] = actions.ravel()
            agents.n_actions[first : first + n] = n_actions
            agents.best[first : first + n] = np.where(n_actions > 0, best.ravel(), 0.0)
