"""A population in the arrays of `loop.Agents`: the learners of a training and the tables they face.

The agents are the limits of the seller's learner, those of the buyer's, and then those of the
seller's and of the buyer's table. A role that has both plays its table, and its learner rests.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, NamedTuple
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.game.learned_table import LearnedTable, packed
from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import (
    Mask,
    TabularPolicy,
    greedy,
    legal_rows,
    untrained_policy,
    width_of,
)
from negotiation_tui.learning import loop
from negotiation_tui.learning.algorithms.base import Tables, TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.algorithms.rows import write_greedy
from negotiation_tui.learning.backend import MANY_DRAWS, PLAIN, Backend, Code, UniformStream
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.layout import AgentKind, lay, legal_in, legal_of
from negotiation_tui.learning.learner import Transition
from negotiation_tui.learning.learning_player import SamplingPlayer
from negotiation_tui.learning.loop import ALMOST_ONE
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.statistics import n_columns, reward_scale
from negotiation_tui.runtime.arrays import Arrays, Floats
from negotiation_tui.solvers.payoffs import rewards

_USUAL = Parameters()


class EpisodeBatch(NamedTuple):
    counts: NDArray[np.int64]  # shape (cycles that have an episode, columns): those of `loop`
    transcript: Transcript  # the transcript of the last episode
    last_numbers: tuple[float, ...] = ()  # the last random numbers of the loop, two or none


class Population:
    """The learners with tables and the other tables of a training, in a backend's form."""

    def __init__(
        self, scenario: Scenario, backend: Backend, parameters: Parameters = _USUAL
    ) -> None:
        self.scenario, self.backend, self.parameters = scenario, backend, parameters
        self.learners: dict[Role, TabularPlayer] = {}  # seller first
        self.tables: dict[Role, TabularPolicy] = {}  # played instead of learners
        self._laid: loop.Agents | dict[Role, Arrays] = {}
        """The arrays; until they are laid, the states of learners that learned before."""

    @property
    def agents(self) -> loop.Agents:
        """The arrays, laid when they are first used after another learner came."""
        if isinstance(self._laid, dict):
            states, self._laid = self._laid, self._lay()
            for role, learner in self.learners.items():
                learner.go_to(states.get(role, {}))
        return self._laid

    def add(self, learner: "TabularPlayer") -> None:
        """Add a learner with its first tables, in place of an earlier one of its role."""
        states = self._states()
        self._laid = {role: state for role, state in states.items() if role is not learner.role}
        self.learners = dict(sorted({**self.learners, learner.role: learner}.items()))

    def go_on_with(self, parameters: Parameters) -> None:
        """Let all learners go on with other parameters."""
        self.parameters = parameters
        self._lay_again()

    def use(self, backend: Backend) -> None:
        if backend is not self.backend:
            self._laid, self.backend = self._states(), backend

    def play_table(self, role: Role, policy: TabularPolicy | None) -> None:
        """Let a role play a table; None: its learner again."""
        if self.tables.get(role) is policy:
            return
        if policy is None:
            del self.tables[role]
        else:
            self.tables[role] = policy
        self._lay_again()

    def _states(self) -> dict[Role, Arrays]:
        if isinstance(self._laid, dict):
            return self._laid
        return {role: learner.state() for role, learner in self.learners.items()}

    # The arrays.

    def lay_legal(self) -> loop.Agents:
        """Lay the legal actions of each state, for learners that are asked; return all arrays."""
        agents = self.agents
        if len(agents.legal.n_actions) == 1:
            learning = [kind for each in self.learners.values() for kind in each.kinds]
            legal = legal_in(self.backend.row, legal_of(learning, np.arange(len(learning))))
            self._laid = agents = agents._replace(legal=legal)
        return agents

    def _lay(self, before: loop.Agents | None = None) -> loop.Agents:
        kinds, row = self._kinds(), self.backend.row
        learning = [self.parameters] * len(kinds)
        return lay(kinds, np.arange(len(kinds)), learning, row, keeps=True, before=before)

    def _lay_again(self) -> None:
        """Lay all but what learners know, unless nothing is laid."""
        if not isinstance(self._laid, dict):
            self._laid = self._lay(before=self._laid)

    def _kinds(self) -> list[AgentKind]:
        """Return the kinds of learners, one per limit, and behind them those of tables."""
        kinds = [kind for learner in self.learners.values() for kind in learner.kinds]
        for role, policy in self.tables.items():
            # A single table that holds itself in `tables` would stay in memory after its use.
            tables = [policy] if policy.n_tables == 1 else policy.tables
            played = zip(self.scenario.views[role], tables, strict=True)
            kinds += [AgentKind(view, role, table, rewards(view, role)) for view, table in played]
        return kinds

    def kinds_of(self, algorithm: TabularAlgorithm, role: Role) -> list[AgentKind]:
        """Return the kinds of a learner, one per limit of its role."""
        first, inside = self.parameters.initial_value, isinstance(algorithm, QLearning)
        how = int(role), inside, algorithm.settings, first
        return [
            AgentKind(view, role, algorithm, rewards(view, role), *how)
            for view in self.scenario.views[role]
        ]

    def loop_for(self, asked: Iterable["TabularPlayer"]) -> Code:
        """Return the loop for learners that are asked."""
        kinds = {type(each.algorithm) for each in asked}
        if len(kinds) < 2:
            return self.backend.code(*kinds)
        return self.backend.code(*(type(self.learners[role].algorithm) for role in Role))

    # Episodes.

    def _pair(self) -> tuple[int, int]:
        """Return the first agent of each role: of its table, if it plays one."""
        roles = [*self.learners, *self.tables]
        ends = accumulate(map(self.scenario.n_tables, roles), initial=0)
        first = dict(zip(roles, ends, strict=False))
        return first[Role.SELLER], first[Role.BUYER]

    def play(
        self, schedule: Schedule, draws: UniformStream, together: bool = False
    ) -> EpisodeBatch:
        """Play the episodes of a schedule; with `together` both roles learn in each cycle."""
        scenario, backend, row = self.scenario, self.backend, self.backend.row
        cycles, starts, plies = schedule.n_cycles, schedule.starts, 2 * scenario.rounds
        learners = [each for role, each in self.learners.items() if role not in self.tables]
        asked = together or not all(isinstance(each.algorithm, QLearning) for each in learners)
        code = self.loop_for(learners if asked else ())
        agents = self.lay_legal() if together else self.agents
        setup = loop.Setup(
            agents,
            pair=self._pair(),
            leaders=(int(schedule.learners[0]), int(schedule.learners[1])),
            together=int(together),
            opener=schedule.opener.number,
            first=schedule.start,
            episodes=schedule.episodes,
            epsilons=row(schedule.epsilons),
            expected=int(schedule.expected),
            prices=row(np.array(scenario.prices, np.int64)),
            rounds=scenario.rounds,
            market=0,
            counts=row(np.zeros((cycles, n_columns(scenario)), np.int64)),
            reward_scale=reward_scale(scenario),
            starts=row(np.zeros((cycles, 2), np.int64) if starts is None else starts),
            turns=row(np.zeros(plies, np.int32)),
            explored=row(np.zeros(plies, np.int32)),
        )
        pairs = None if schedule.limit_pairs is None else row(schedule.limit_pairs)
        factors = row(np.array(scenario.time_factors).ravel()) if scenario.time_costs else None
        offers, ahead = None, min(len(schedule.epsilons), MANY_DRAWS)
        if any(each.memory for each in self.tables.values()):
            offers = row(np.zeros((2, scenario.rounds + 2), np.int32))
        at, opened, first_ply, n_turns = schedule.start, 0, 0, 0
        while at < schedule.stop:
            block, position = draws.block(backend, 4 * scenario.rounds + 4, ahead)
            at, position, opened, first_ply, n_turns = code.play(
                setup, code.functions, pairs, offers, factors, at, schedule.stop, block, position
            )
            draws.used_up_to(position)
        if together:
            for learner in self.learners.values():
                learner.refresh()
        game, opener = schedule.game_of(scenario, schedule.stop - 1), Role(int(opened))
        actions, explored = setup.turns[:n_turns], setup.explored[:n_turns]
        transcript = Transcript.of(game, opener, actions, explored, int(first_ply))
        last = float(block[position - 2]), float(block[position - 1])
        return EpisodeBatch(np.asarray(setup.counts, np.int64), transcript, last)


class TabularPlayer(SamplingPlayer):
    """A learner with tables, in a population's arrays: the loop plays it, or itself in turn."""

    algorithm: TabularAlgorithm

    def __init__(self, algorithm: TabularAlgorithm, role: Role, population: Population) -> None:
        super().__init__(algorithm, population.scenario, role)
        # A proxy: no cycle keeps the arrays of a training in memory when it is dropped.
        self._population: Population = proxy(population)
        self._is_q_learner = isinstance(algorithm, QLearning)
        self._functions = PLAIN.code(*[type(algorithm)] * 2).functions  # whatever its number
        self.kinds = population.kinds_of(algorithm, role)
        population.add(self)

    def go_on_by(self, algorithm: Any) -> None:
        super().go_on_by(algorithm)
        self.kinds = self._population.kinds_of(algorithm, self.role)
        self._population.go_on_with(self._population.parameters)

    @property
    def policy(self) -> TabularPolicy:
        if self._is_q_learner:
            return greedy(self.scenario, self.role, self._table(0))
        population, (rows, cells) = self._population, self._place()
        dense = population.backend.row(np.zeros(cells.stop - cells.start))
        code, agents = population.loop_for(population.learners.values()), population.agents
        first, stop = rows.start, rows.stop
        code.write_policy(agents, code.functions, agents.firsts[self.role], first, stop, dense)
        return self._of_probabilities(np.array(dense))

    @property
    def kept(self) -> TabularPolicy:
        """The policy that it plays while the other role learns."""
        agents, (rows, cells) = self._population.agents, self._place(kept=True)
        width, n_actions = self.scenario.n_actions, np.array(agents.n_actions[rows], np.int32)
        table = np.array(agents.actions[cells], width_of(self.scenario)).reshape(-1, width)
        policy = TabularPolicy.of(self.scenario, self.role, table, n_actions)
        if self._is_q_learner or all(c == UNIFORM for c in agents.chances[cells][::width]):
            return policy
        weights = np.array(agents.chances[self._place()[1]])
        return replace(policy, weights=weights.reshape(-1, width))

    def keep(self) -> None:
        """Keep the present policy. The loop does it at the start of a learner's cycle."""
        self.write_kept(self.policy)

    @property
    def values(self) -> LearnedTable | None:
        number = self.algorithm.values
        return None if number is None else packed(self._table(number))

    @property
    def tables(self) -> Floats:
        """Copies of all tables, shape (n_tables, n_rows, n_actions)."""
        return np.stack([self._table(k) for k in range(self.algorithm.n_tables)])

    def _table(self, number: int) -> Floats:
        """Return a table, perhaps in the memory in which it is learned."""
        cells = self._population.agents.tables[number][self._place()[1]]
        return np.asarray(cells, np.float64).reshape(-1, self.scenario.n_actions)

    @property
    def arrays(self) -> Tables:
        return {"tables": self.tables.reshape(self.algorithm.n_tables, -1)}

    def state(self) -> dict[str, Any]:
        tables = map(self._table, range(self.algorithm.n_tables))
        state: dict[str, Any] = {f"table{k}": packed(table) for k, table in enumerate(tables)}
        kept = self.kept
        if kept.weights is not None:
            return {**state, "kept": packed(kept.probabilities)}
        some = kept.actions[self._some(kept.n_actions)].astype(np.int16)
        return {**state, "some": some, "n_actions": kept.n_actions.astype(np.int16)}

    def go_to(self, state: dict[str, Any]) -> None:
        """Take back what `state` returned, or a part of it; the rest begins."""
        for k in range(self.algorithm.n_tables):
            if f"table{k}" in state:
                table = state[f"table{k}"][:].ravel()
                _fill(self._population.agents.tables[k], self._place()[1], table, np.int64)
        if state or not self._is_q_learner:  # the arrays of Q-learners are laid for first values
            self.refresh()
        if "kept" in state:
            self.write_kept(self._of_probabilities(state["kept"][:]))
        elif "some" in state:
            kept, n_actions = untrained_policy(self.scenario, self.role), state["n_actions"]
            kept.actions[self._some(n_actions)] = state["some"]
            self.write_kept(replace(kept, n_actions=n_actions.astype(np.int32)))
        elif not self._is_q_learner:
            self.write_kept(untrained_policy(self.scenario, self.role))

    def _some(self, n_actions: NDArray[np.integer[Any]]) -> Mask:
        """True for the actions of rows, of so many each, that have not all that are legal."""
        legal = legal_rows(self.scenario, self.role)
        some: Mask = np.arange(legal.shape[1]) < n_actions[:, None]
        some &= (n_actions < legal.sum(axis=1))[:, None]
        return some

    def write_kept(self, policy: TabularPolicy) -> None:
        agents, width = self._population.agents, self.scenario.n_actions
        rows, cells = self._place(kept=True)
        actions = _padded(policy.actions, width).ravel()
        _fill(agents.actions, cells, actions.astype(np.int16, copy=False))
        _fill(agents.n_actions, rows, policy.n_actions.astype(np.int16))
        if len(agents.chances) > 1:
            cumulative = np.broadcast_to(policy.cumulative, policy.actions.size)
            table = _padded(cumulative.reshape(policy.actions.shape), width)
            _fill(agents.chances, cells, table.ravel())
            if not self._is_q_learner:
                weights = _padded(policy.chances(), width).ravel()
                _fill(agents.chances, self._place()[1], weights)

    def refresh(self) -> None:
        """Make a Q-learner's policy greedy by its table; let `loop.keep` look at all rows."""
        agents, (rows, cells) = self._population.agents, self._place()
        size = len(agents.changed) // 2
        agents.changed[self.role * size] = size  # a full log, see `loop.log`
        if self._is_q_learner:
            values = self._table(0)
            policy = greedy(self.scenario, self.role, values)
            tops = values[np.arange(len(values)), policy.actions[:, 0]]
            _fill(agents.best, rows, np.where(policy.n_actions > 0, tops, 0.0))
            _fill(agents.n_actions, rows, policy.n_actions.astype(np.int16))
            _fill(agents.actions, cells, policy.actions.ravel().astype(np.int16, copy=False))

    def _place(self, kept: bool = False) -> tuple[slice, slice]:
        """Return the learner's rows, or those that it kept, and their cells."""
        parts, width = self._population.agents.parts, self.scenario.n_actions
        first, stop = (int(parts[n]) + kept * int(parts[2]) for n in (self.role, self.role + 1))
        return slice(first, stop), slice(first * width, stop * width)

    def _of_probabilities(self, flat: Floats) -> TabularPolicy:
        dense = flat.reshape(-1, self.scenario.n_actions)
        return TabularPolicy.of_probabilities(self.scenario, self.role, dense)

    def act(
        self, position: Position, epsilon: float, rng: "np.random.Generator"
    ) -> tuple[int, bool]:
        agents = self._population.lay_legal()
        state = int(agents.parts[self.role]) + position.row
        if position.own_last_offer is None:  # its first decision
            agents.made[self.role] = 0
        spread = ALMOST_ONE / epsilon if epsilon > 0.0 else 0.0
        who, chance = int(agents.firsts[self.role]), (epsilon, spread)
        action, random, _ = loop.ask(agents, self._functions, who, state, *chance, _Drawn(rng), 0)
        return int(action), bool(random)

    def learn(
        self, episode: Sequence[Transition], epsilon: float, rng: "np.random.Generator", /
    ) -> None:
        agents, reward = self._population.lay_legal(), episode[-1].reward
        who = int(agents.firsts[self.role])
        loop.learn(agents, self._functions, who, -1, 1.0, reward, 0.0, epsilon, _Drawn(rng), 0)
        made = agents.decisions[2 * self.role][: len(episode)] if self._is_q_learner else ()
        for state in made:
            n = write_greedy(agents.q, state, agents.legal, agents.scratch)
            at, best = state * agents.legal.width, agents.scratch.actions[:n]
            agents.best[state], agents.n_actions[state] = agents.q[at + best[0]], n
            _fill(agents.actions, slice(at, at + n), np.array(best, np.int16))


class _Drawn:
    """Random numbers that are drawn when they are asked for."""

    def __init__(self, rng: "np.random.Generator") -> None:
        self._rng = rng

    def __getitem__(self, _: int) -> float:
        return float(self._rng.random())


def _fill(
    row: Any, at: slice, values: NDArray[Any], bits: type[np.integer[Any]] | None = None
) -> None:
    """Write numbers to a part of a row of any form.

    With `bits`, integers of their size, only those that differ: new memory takes room when written.
    """
    if isinstance(row, list):
        row[at] = values.tolist()
        return
    part = np.asarray(row[at])
    differs = True if bits is None else part.view(bits) != values.view(bits)
    np.copyto(part, values, where=differs)


def _padded(table: NDArray[Any], width: int) -> NDArray[Any]:
    return np.pad(table, ((0, 0), (0, width - table.shape[1])))
