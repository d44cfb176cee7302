"""The agents of a market in the arrays of `learning.loop`: learners and static strategies.

Agents are numbered as in the market: sellers first, of each role learners first. Static strategies
of equal agents share their table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, replace
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import (
    TabularPolicy,
    actions_in,
    legal_actions,
    untrained_policy,
)
from negotiation_tui.learning import loop
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Legal, Row
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner, spec_of_learner
from negotiation_tui.learning.population import columns
from negotiation_tui.learning.q_table import check_size
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.market.agents import Agent, check_tables
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.players.user_learner import is_outside
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.strategies.base import Strategy

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]
Resolve = Callable[[str], Strategy | None]
_CHUNK = 4096
_parameters = lru_cache(1024)(lambda learning: Parameters(*astuple(learning)))
_HINT = "in a market use learned:sarsa or another with tables"


@lru_cache(maxsize=1024)
def learner_of(spec: str) -> TabularAlgorithm:
    """Return the learner of a spec. Raise BadInputError if it is unknown or cannot take part."""
    if is_outside(spec):
        raise refusal("learner", spec, "one that is built in", _HINT)
    algorithm = learner(spec)
    if not isinstance(algorithm, TabularAlgorithm):
        raise refusal("learner", spec, "one that learns from negotiations", _HINT)
    return algorithm


def checked(agents: Sequence[Agent]) -> list[Agent]:
    """Return the agents, those who learn with the shortest spec of their learner.

    Raises BadInputError if a learner is unknown or cannot take part.
    """
    specs = {LEARNED: LEARNED}
    for agent in agents:
        if learns(agent.strategy) and agent.strategy not in specs:
            try:
                specs[agent.strategy] = spec_of_learner(learner_of(agent.strategy))
            except BadInputError as error:
                raise BadInputError(f"{agent.name}: {error}") from None
    return [
        replace(agent, strategy=specs[agent.strategy])
        if specs.get(agent.strategy, agent.strategy) != agent.strategy
        else agent
        for agent in agents
    ]


def all_plain(agents: Sequence[Agent]) -> bool:
    """True if all agents who learn are Q-learners with the settings of the market."""
    return not any(learns(agent.strategy) and agent.strategy != LEARNED for agent in agents)


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


def tables_shape(scenario: Scenario, agents: Sequence[Agent]) -> tuple[int, int, int]:
    """Return the shape of the tables of one role's learners; without them, that of one learner."""
    most = max((learner_of(agent.strategy).n_tables for agent in agents), default=1)
    return max(1, len(agents)), most, scenario.n_states * scenario.n_actions


class Traders:
    """The tables of all agents of a market. Their reward is surplus / scale.

    Raises BadInputError if tables are too large, or a strategy has no table.
    """

    def __init__(
        self,
        scenario: Scenario,
        agents: Sequence[Agent],
        scale: float,
        strategy_from_spec: Resolve = resolve_trusted,
    ) -> None:
        self.scenario, self._agents = scenario, agents
        self.plain = all_plain(agents)
        """True if all learners are plain Q-learners, or there are none."""
        self._sides = [[agent for agent in agents if agent.role is role] for role in Role]
        self._learners = [[each for each in side if learns(each.strategy)] for side in self._sides]
        algorithms = [learner_of(agent.strategy) for agent in chain(*self._learners)]
        for algorithm in algorithms if not self.plain else ():
            algorithm.check(scenario)
        self._kinds = list({type(each): each for each in algorithms}.values())
        check_size(scenario)
        for role, learners in zip(Role, self._learners, strict=True):
            n, most, entries = tables_shape(scenario, learners)
            check_tables(role, n, most * entries)
        self.agents = self._new(scale, strategy_from_spec)

    def _new(self, scale: float, strategy_from_spec: Resolve) -> loop.Agents:
        """Return the arrays of untrained learners and of static strategies."""
        scenario, width, n_states = self.scenario, self.scenario.n_actions, self.scenario.n_states
        of_kind = [(agent.role, agent.strategy, agent.reservation) for agent in self._agents]
        examples = dict(zip(reversed(of_kind), reversed(self._agents), strict=True))
        numbers = {kind: number for number, kind in enumerate(examples)}
        kinds = np.array([numbers[kind] for kind in of_kind])
        learning = np.array([learns(agent.strategy) for agent in examples.values()])
        self._numbers = np.flatnonzero(learning[kinds])
        n = len(self._numbers)
        about = np.zeros((len(examples), loop.N_ABOUT), np.int64)
        legal: dict[int, TabularPolicy] = {}
        played: list[TabularPolicy] = []
        types = [type(each) for each in self._kinds]
        most = max((each.n_tables for each in self._kinds), default=1)
        tables = np.zeros((most, n, n_states * width))
        first_cell, first_row = (n * n_states * width, n * n_states) if self.plain else (0, 0)
        for kind, agent in enumerate(examples.values()):
            game = scenario_for(scenario, agent)
            if learns(agent.strategy):
                algorithm = learner_of(agent.strategy)
                policy = legal[kind] = untrained_policy(game, agent.role)
                about[kind] = columns(game, agent.role, policy)[0]
                about[kind, loop.EXPLORES] = int(algorithm.explores_itself)
                about[kind, loop.DRAWS] = int(algorithm.draws)
                about[kind, loop.KIND] = loop.Q_LEARNER
                if not self.plain:
                    about[kind, loop.KIND] = types.index(type(algorithm))
                start = algorithm.tables(game, agent.role, _parameters(agent.learning))
                if start.any():
                    at = np.flatnonzero(kinds[self._numbers] == kind)
                    tables[: len(start), at] = start[:, None]
                continue
            policy = self._policy(game, agent, strategy_from_spec)
            about[kind] = columns(game, agent.role, policy)[0]
            about[kind, [loop.ROW, loop.KEPT]] = first_row
            about[kind, loop.SHIFT] = first_cell - first_row * policy.actions.shape[1]
            about[kind, loop.KIND] = loop.STATIC
            first_cell, first_row = (
                first_cell + policy.actions.size,
                first_row + len(policy.n_actions),
            )
            played.append(policy)
        self.remembers = any(policy.memory for policy in played)
        """True if a strategy has a memory."""
        about = about[kinds].astype(np.int32)
        about[self._numbers, loop.ROW] = about[self._numbers, loop.KEPT] = n_states * np.arange(n)
        order = {kind: k for k, kind in enumerate(legal)}
        index = [order[kind] for kind in kinds[self._numbers].tolist()]
        own = (
            [
                np.array([getattr(each, name) for each in legal.values()], np.int16)[index].ravel()
                for name in ("actions", "n_actions")
            ]
            if legal
            else [np.zeros(0, np.int16)] * 2
        )
        free = [each[:0] for each in own]
        kept, asked = (own, free) if self.plain else (free, own)
        flat = tables.reshape(most, -1)
        return loop.Agents(
            about=about.ravel(),
            rates=self._rates(),
            rewards=self._rewards(scale),
            q=flat[0],
            best=np.zeros(n * n_states),
            tables=flat,
            legal=Legal(asked[0], asked[1].astype(np.int64), width),
            scratch=Row(np.zeros(width, np.int64), np.zeros(width)),
            actions=np.concatenate(
                [kept[0], *(each.actions.ravel().astype(np.int16) for each in played)]
            ),
            n_actions=np.concatenate(
                [kept[1], *(each.n_actions.astype(np.int16) for each in played)]
            ),
            chances=_cumulative(len(kept[0]), played),
            changed=np.array([1, 1]),  # full logs: in a market nothing is kept
            parts=np.zeros(3, np.int64),
            own=np.zeros((4, scenario.rounds), np.int64),
            made=np.zeros(2, np.int64),
            firsts=np.zeros(2, np.int64),
        )

    def _policy(self, game: Scenario, agent: Agent, strategy_from_spec: Resolve) -> TabularPolicy:
        strategy = strategy_from_spec(agent.strategy)
        policy = strategy.remembering(game, agent.role) if strategy else None
        if policy is None:
            raise BadInputError(
                f"{agent.name}: expected a strategy that has a table, got {agent.strategy};"
                " use learned or a strategy such as boulware"
            )
        return policy

    def _rates(self) -> Floats:
        """Return α, γ and own settings of the learners, zeros for static strategies."""
        learners = [self._agents[at] for at in self._numbers.tolist()]
        if self.plain:
            rates = np.zeros((len(self._agents), 2))
            for column, name in enumerate(("learning_rate", "discount_rate")):
                rates[self._numbers, column] = [getattr(each.learning, name) for each in learners]
            return rates
        rows = [
            learner_of(each.strategy).settings_row(_parameters(each.learning)) for each in learners
        ]
        rates = np.zeros((len(self._agents), max(map(len, rows))))
        for at, row in zip(self._numbers.tolist(), rows, strict=True):
            rates[at, : len(row)] = row
        return rates

    def _rewards(self, scale: float) -> Floats:
        """Return the agents' rewards at each price, flat."""
        prices = np.asarray(self.scenario.prices, np.float64)
        reservation = np.array([agent.reservation for agent in self._agents], np.float64)[:, None]
        surplus = prices - reservation
        surplus[len(self._sides[0]) :] = reservation[len(self._sides[0]) :] - prices
        return np.asarray(surplus / scale, np.float64).ravel()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: functions cannot be pickled."""
        return {**vars(self), "backend": None, "_functions": None}

    def use(self, backend: Backend) -> Any:
        """Switch to a backend, and return the functions of the learners; None if all are plain."""
        self.backend, agents, row = backend, self.agents, backend.row
        kinds = {field: np.asarray(getattr(agents, field), kind) for field, kind in _FORMS.items()}
        named = {name: row(array) for name, array in kinds.items()}
        legal = Legal(
            row(np.asarray(agents.legal.actions, np.int16)),
            row(np.asarray(agents.legal.n_actions, np.int64)),
            agents.legal.width,
        )
        width = self.scenario.n_actions
        scratch = Row(row(np.zeros(width, np.int64)), row(np.zeros(width)))
        named["q"] = named["tables"][0]
        self.agents = loop.Agents(legal=legal, scratch=scratch, **named)
        if self.plain:
            return None
        # All markets have the same number of functions, so that the loop is compiled once.
        types = [type(each) for each in self._kinds]
        self._functions = backend.functions(*types, *types[:1] * (len(LEARNERS) - len(types)))
        return self._functions

    def table(self, number: int) -> Floats | None:
        """Return a copy of a learner's values of actions; their probabilities if it has none.

        Shape (n_states, n_actions). None for a static strategy. `number` is that of the agent.
        """
        spec, scenario = self._agents[number].strategy, self.scenario
        if not learns(spec):
            return None
        first = int(self.agents.about[number * loop.N_ABOUT + loop.ROW])
        n, values = scenario.n_states * scenario.n_actions, learner_of(spec).values
        if values is None:
            flat = self.backend.row(np.zeros(n))
            stop = first + scenario.n_states
            self.backend.write_policy(self.agents, self._functions, number, first, stop, flat)
        else:
            at = first * scenario.n_actions
            flat = self.agents.tables[values][at : at + n]
        return np.array(flat, np.float64).reshape(scenario.n_states, scenario.n_actions)

    @property
    def size(self) -> int:
        """Bytes of memory, with compiled code."""
        arrays = (np.asarray(getattr(self.agents, name), kind) for name, kind in _FORMS.items())
        return sum(array.nbytes for array in arrays)

    def free_values(self, role: Role) -> Floats:
        """Return a copy of the value of being free of each learner of a role: that of its end."""
        return np.array(self.agents.best, np.float64)[self._ends(role)]

    def _ends(self, role: Role) -> slice:
        n_states, first = self.scenario.n_states, len(self._learners[0]) if role else 0
        stop = first + len(self._learners[role])
        return slice((first + 1) * n_states - 1, stop * n_states, n_states)

    def state(self) -> Arrays:
        """Return copies of all that was learned, by name."""
        found: Arrays = {}
        for role, learners in zip(Role, self._learners, strict=True):
            n, most, entries = tables_shape(self.scenario, learners)
            tables = np.zeros((n, most, entries))
            at = (len(self._learners[0]) if role else 0) * entries
            cells = slice(at, at + len(learners) * entries)
            for k in range(most if learners else 0):
                tables[:, k] = np.array(self.agents.tables[k][cells], np.float64).reshape(
                    n, entries
                )
            free = np.zeros(n)
            free[: len(learners)] = self.free_values(role)
            found |= {f"{role}_tables": tables, f"{role}_free_worth": free}
            if self.plain:
                found[f"{role}_q"] = found.pop(f"{role}_tables").ravel()
        return found

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take back what `state` returned."""
        for role, learners in zip(Role, self._learners, strict=True):
            n, most, entries = tables_shape(self.scenario, learners)
            if not learners:
                continue
            at = (len(self._learners[0]) if role else 0) * entries
            cells = slice(at, at + n * entries)
            saved = state[f"{role}_q" if self.plain else f"{role}_tables"].reshape(n, most, entries)
            self.agents.tables[:most, cells] = saved.transpose(1, 0, 2).reshape(most, -1)
        if self.plain:
            self._refresh()
        for role in Role:
            self.agents.best[self._ends(role)] = state[f"{role}_free_worth"][
                : len(self._learners[role])
            ]

    def _refresh(self) -> None:
        """Make the Q-learners' policies greedy by their tables."""
        scenario, agents = self.scenario, self.agents
        tables = agents.q.reshape(-1, scenario.n_states, scenario.n_actions)
        about = agents.about.reshape(-1, loop.N_ABOUT)[self._numbers]
        ranges = list(map(tuple, about[:, [loop.FIRST, loop.OFFERS]].tolist()))
        kinds = {each: kind for kind, each in enumerate(dict.fromkeys(ranges))}
        masks = np.array([legal_actions(scenario, range(at, at + n)) for at, n in kinds])
        kind_of = np.array([kinds[each] for each in ranges])
        for at in range(0, len(tables), _CHUNK):
            rows = slice(at * scenario.n_states, min(at + _CHUNK, len(tables)) * scenario.n_states)
            legal = masks[kind_of[at : at + _CHUNK]]
            values = np.where(legal, tables[at : at + _CHUNK], -np.inf)
            top = values.max(-1, keepdims=True)
            actions, n_actions = actions_in(
                (legal & (values == top)).reshape(-1, scenario.n_actions)
            )
            cells = slice(rows.start * scenario.n_actions, rows.stop * scenario.n_actions)
            agents.actions[cells], agents.n_actions[rows] = actions.ravel(), n_actions
            agents.best[rows] = np.where(n_actions > 0, top.ravel(), 0.0)


def _cumulative(before: int, policies: Sequence[TabularPolicy]) -> Floats:
    """Return the cumulative weights of policies, after `before` entries of uniform ones."""
    if not any(policy.weights is not None for policy in policies):
        return np.array([UNIFORM])
    weights = (np.resize(each.cumulative, each.actions.size) for each in policies)
    return np.concatenate([np.full(before, UNIFORM), *weights])


_FORMS: dict[str, Any] = {
    "about": np.int32,
    "rates": np.float64,
    "rewards": np.float64,
    "best": np.float64,
    "tables": np.float64,
    "actions": np.int16,
    "n_actions": np.int16,
    "chances": np.float64,
    "changed": np.int64,
    "parts": np.int64,
    "own": np.int64,
    "made": np.int64,
    "firsts": np.int64,
}
"""The kind of number of each array; actions are narrow, so that more rows fit into the cache."""
