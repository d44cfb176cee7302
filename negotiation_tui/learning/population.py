"""A population in the arrays of `loop.Agents`: the learners of a training and the tables they face.

The agents are the limits of the seller's learner, those of the buyer's, and then those of the
seller's and of the buyer's table. A role that has both plays its table, and its learner rests.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

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
from negotiation_tui.learning.algorithms.base import Floats, Tables, TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.algorithms.rows import Legal, Row
from negotiation_tui.learning.algorithms.rows import greedy as write_greedy
from negotiation_tui.learning.backend import MANY_DRAWS, PLAIN, Backend, Code, UniformStream
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import Transition
from negotiation_tui.learning.learning_player import SamplingPlayer
from negotiation_tui.learning.loop import ALMOST_ONE
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.statistics import n_columns
from negotiation_tui.solvers.payoffs import rewards

Arrays = dict[str, NDArray[Any]]
_USUAL = Parameters()


class EpisodeBatch(NamedTuple):
    counts: NDArray[np.int64]  # shape (cycles that have an episode, columns): those of `loop`
    transcript: Transcript  # the transcript of the last episode


class Population:
    """The learners with tables and the other tables of a training, in a backend's form."""

    def __init__(
        self, scenario: Scenario, backend: Backend, parameters: Parameters = _USUAL
    ) -> None:
        self.scenario, self.backend, self._parameters = scenario, backend, parameters
        self.tables: dict[Role, TabularPolicy] = {}  # played instead of learners
        self._agents: loop.Agents
        self._waiting: dict[Role, Arrays] | None = {}  # states to be laid at first use
        self.learners: dict[Role, TabularPlayer] = {}  # seller first
        self._about: list[NDArray[np.int64]] = []
        self.weighted = False  # True if a learner plays with probabilities

    @property
    def agents(self) -> loop.Agents:
        """The arrays, laid when they are first used after another learner came."""
        if self._waiting is not None:
            states, self._waiting = self._waiting, None
            self._lay(states)
        return self._agents

    def add(self, learner: "TabularPlayer") -> None:
        """Add a learner with its first tables, in place of an earlier one of its role."""
        tables = learner.algorithm.tables(self.scenario, learner.role, self._parameters)
        first = {f"table{k}": table for k, table in enumerate(tables)}
        self._waiting = self._states() | {learner.role: first}
        self.learners = dict(sorted({**self.learners, learner.role: learner}.items()))

    @property
    def parameters(self) -> Parameters:
        return self._parameters

    @parameters.setter
    def parameters(self, parameters: Parameters) -> None:
        """Let all learners go on with other parameters."""
        self._parameters, self._waiting = parameters, self._states()

    def _states(self) -> dict[Role, Arrays]:
        if self._waiting is not None:
            return self._waiting
        states = {role: learner.state() for role, learner in self.learners.items()}
        del self._agents  # new arrays do not lie beside the old ones
        return states

    def use(self, backend: Backend) -> None:
        if backend is not self.backend:
            self._waiting, self.backend = self._states(), backend

    def play_table(self, role: Role, policy: TabularPolicy | None) -> None:
        """Let a role play a table; None: its learner again."""
        if self.tables.get(role) is policy:
            return
        if policy is None:
            del self.tables[role]
        else:
            self.tables[role] = policy
        if self._waiting is None:
            self._lay_tables()

    # The arrays.

    def lay_legal(self) -> loop.Agents:
        """Lay the legal actions of each state, for learners that are asked; return all arrays."""
        agents, row = self.agents, self.backend.row
        if len(agents.legal.n_actions) == 1:
            policies = [untrained_policy(self.scenario, role) for role in self.learners]
            actions = np.concatenate([each.actions.ravel() for each in policies]).astype(np.int16)
            n_actions = np.concatenate([each.n_actions for each in policies]).astype(np.int64)
            legal = Legal(row(actions), row(n_actions), agents.legal.width)
            self._agents = agents._replace(legal=legal)
        return self._agents

    def _lay(self, states: dict[Role, Arrays]) -> None:
        """Lay the learners end to end, and then the tables."""
        scenario, row, width = self.scenario, self.backend.row, self.scenario.n_actions
        learners = self.learners.values()
        self.weighted = not all(isinstance(each.algorithm, QLearning) for each in learners)
        legal = {role: untrained_policy(scenario, role) for role in self.learners}
        sizes = [scenario.n_rows(role) if role in legal else 0 for role in Role]
        n_rows = sum(sizes)
        n_tables = max((each.algorithm.n_tables for each in learners), default=1)
        actions, n_actions = np.zeros((2 * n_rows, width), np.int16), np.zeros(2 * n_rows, np.int16)
        self._about, firsts, first = [], np.zeros(2, np.int64), 0
        for role, policy in legal.items():
            stop, firsts[role] = first + sizes[role], sum(map(len, self._about))
            about = columns(scenario, role, policy, first, None, self.learners[role].algorithm)
            about[:, loop.KEPT] += n_rows
            self._about.append(about)
            for at in (slice(first, stop), slice(n_rows + first, n_rows + stop)):
                actions[at], n_actions[at] = policy.actions, policy.n_actions
            first = stop
        in_form = row(np.zeros((n_tables, n_rows * width)))
        self._agents = loop.Agents(
            about=None,  # these follow with the tables
            rates=None,
            rewards=None,
            q=in_form[0],
            best=row(np.zeros(n_rows)),
            tables=in_form,
            legal=Legal(row(np.zeros(1, np.int16)), row(np.zeros(1, np.int64)), width),
            scratch=Row(row(np.zeros(width, np.int64)), row(np.zeros(width))),
            actions=row(actions.ravel()),
            n_actions=row(n_actions),
            chances=row(np.full(actions.size if self.weighted else 1, UNIFORM)),
            changed=row(np.zeros(2 * max(1, *sizes), np.int64)),
            parts=row(np.cumsum([0, *sizes])),
            own=row(np.zeros((4, scenario.rounds), np.int64)),
            made=row(np.zeros(2, np.int64)),
            firsts=row(firsts),
        )
        for role, policy in legal.items():
            if self.weighted:
                self.learners[role].write_kept(policy)
            self.learners[role].go_to(states[role])
        self._lay_tables()
        if self.weighted:
            self.lay_legal()

    def _lay_tables(self) -> None:
        """Lay the tables behind the learners' rows."""
        agents, row, scenario = self.agents, self.backend.row, self.scenario
        n_rows, width = 2 * int(agents.parts[2]), scenario.n_actions
        tables = {role: self.tables[role] for role in Role if role in self.tables}
        about, first, cell = list(self._about), n_rows, n_rows * width
        self._laid: dict[Role, int] = {}  # the agent of a table
        for role, policy in tables.items():
            self._laid[role] = sum(map(len, about))
            about.append(columns(scenario, role, policy, first, cell))
            first, cell = first + len(policy.n_actions), cell + policy.actions.size
        parts = [*self.learners, *tables]
        paid = [rewards(view, role) for role in parts for view in scenario.views[role]]
        learners = self.learners.values()
        settings = [each.algorithm.settings_row(self._parameters) for each in learners]
        most = max(map(len, settings), default=2)
        rates = np.zeros((sum(map(len, about)), most))
        for learner, own, values in zip(learners, self._about, settings, strict=True):
            agent = int(agents.firsts[learner.role])
            rates[agent : agent + len(own), : len(values)] = values
        actions = np.asarray(agents.actions[: n_rows * width], np.int16)
        n_actions = np.asarray(agents.n_actions[:n_rows], np.int16)
        chances = np.asarray(agents.chances[: n_rows * width]) if self.weighted else None
        laid = with_tables(actions, n_actions, chances, list(tables.values()))
        self._agents = agents._replace(
            about=row(np.concatenate([each.ravel() for each in about] or [np.zeros(0, np.int64)])),
            rates=row(rates),
            rewards=row(np.concatenate(paid or [np.zeros(0)])),
            **{name: row(array) for name, array in laid.items()},
        )

    def loop_for(self, asked: Iterable["TabularPlayer"]) -> Code:
        """Return the loop for learners that are asked."""
        kinds = {type(each.algorithm) for each in asked}
        if len(kinds) < 2:
            return self.backend.code(*kinds)
        return self.backend.code(*(type(self.learners[role].algorithm) for role in Role))

    # Episodes.

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
        firsts = [int(each) for each in agents.firsts]
        for role, agent in self._laid.items():
            firsts[role] = agent
        setup = loop.Setup(
            agents,
            pair=(firsts[0], firsts[1]),
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
            starts=row(np.zeros((cycles, 2), np.int64) if starts is None else starts),
            turns=row(np.zeros(plies, np.int32)),
            explored=row(np.zeros(plies, np.int32)),
        )
        pairs = None if schedule.limit_pairs is None else row(schedule.limit_pairs)
        offers, ahead = None, min(len(schedule.epsilons), MANY_DRAWS)
        if any(each.memory for each in self.tables.values()):
            offers = row(np.zeros((2, scenario.rounds + 2), np.int32))
        at, opened, first_ply, n_turns = schedule.start, 0, 0, 0
        while at < schedule.stop:
            block, position = draws.block(backend, 4 * scenario.rounds + 4, ahead)
            at, position, opened, first_ply, n_turns = code.play(
                setup, code.functions, pairs, offers, at, schedule.stop, block, position
            )
            draws.used_up_to(position)
        if together:
            for learner in self.learners.values():
                learner.refresh()
        game, opener = schedule.game_of(scenario, schedule.stop - 1), Role(int(opened))
        actions, explored = setup.turns[:n_turns], setup.explored[:n_turns]
        transcript = Transcript.of(game, opener, actions, explored, int(first_ply))
        return EpisodeBatch(np.asarray(setup.counts, np.int64), transcript)


class TabularPlayer(SamplingPlayer):
    """A learner with tables, in a population's arrays: the loop plays it, or itself in turn."""

    algorithm: TabularAlgorithm

    def __init__(self, algorithm: TabularAlgorithm, role: Role, population: Population) -> None:
        super().__init__(algorithm, population.scenario, role)
        self._population, self._is_q_learner = population, isinstance(algorithm, QLearning)
        self._functions = PLAIN.code(*[type(algorithm)] * 2).functions  # whatever its number
        population.add(self)

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
        """Take back what `state` returned, or the tables alone."""
        for k in range(self.algorithm.n_tables):
            table = state[f"table{k}"][:].ravel()
            _fill(self._population.agents.tables[k], self._place()[1], table, np.int64)
        self.refresh()
        if "kept" in state:
            self.write_kept(self._of_probabilities(state["kept"][:]))
        elif "some" in state:
            kept, n_actions = untrained_policy(self.scenario, self.role), state["n_actions"]
            kept.actions[self._some(n_actions)] = state["some"]
            self.write_kept(replace(kept, n_actions=n_actions.astype(np.int32)))

    def _some(self, n_actions: NDArray[np.integer[Any]]) -> Mask:
        """True for the actions of rows, of so many each, that have not all that are legal."""
        legal = legal_rows(self.scenario, self.role)
        some: Mask = np.arange(legal.shape[1]) < n_actions[:, None]
        some &= (n_actions < legal.sum(axis=1))[:, None]
        return some

    def write_kept(self, policy: TabularPolicy) -> None:
        population, width = self._population, self.scenario.n_actions
        agents, (rows, cells) = population.agents, self._place(kept=True)
        actions = _padded(policy.actions, width).ravel()
        _fill(agents.actions, cells, actions.astype(np.int16, copy=False))
        _fill(agents.n_actions, rows, policy.n_actions.astype(np.int16))
        if population.weighted:
            cumulative = np.resize(policy.cumulative, policy.actions.shape)
            _fill(agents.chances, cells, _padded(cumulative, width).ravel())
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

    def act(self, position: Position, epsilon: float, rng: np.random.Generator) -> tuple[int, bool]:
        agents = self._population.lay_legal()
        state = int(agents.parts[self.role]) + position.row
        if position.own_last_offer is None:  # its first decision
            agents.made[self.role] = 0
        spread = ALMOST_ONE / epsilon if epsilon > 0.0 else 0.0
        who, chance = int(agents.firsts[self.role]), (epsilon, spread)
        action, random, _ = loop.ask(agents, self._functions, who, state, *chance, _Drawn(rng), 0)
        return int(action), bool(random)

    def learn(
        self, episode: Sequence[Transition], epsilon: float, rng: np.random.Generator, /
    ) -> None:
        agents, reward = self._population.lay_legal(), episode[-1].reward
        who = int(agents.firsts[self.role])
        loop.learn(agents, self._functions, who, -1, reward, epsilon, _Drawn(rng), 0)
        made = agents.own[2 * self.role][: len(episode)] if self._is_q_learner else ()
        for state in made:
            n = write_greedy(agents.q, state, agents.legal, agents.scratch)
            at, best = state * agents.legal.width, agents.scratch.actions[:n]
            agents.best[state], agents.n_actions[state] = agents.q[at + best[0]], n
            _fill(agents.actions, slice(at, at + n), np.array(best, np.int16))


class _Drawn:
    """Random numbers that are drawn when they are asked for."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def __getitem__(self, _: int) -> float:
        return float(self._rng.random())


def columns(
    scenario: Scenario,
    role: Role,
    policy: TabularPolicy,
    row: int = 0,
    cell: int | None = None,
    algorithm: TabularAlgorithm | None = None,
) -> NDArray[np.int64]:
    """Return the columns of the agents that play the tables of a policy, one row per limit.

    The tables begin at `row`, their actions at `cell`: by default at `row` times their width.
    Without an `algorithm` the agents are static.
    """
    views = scenario.views[role][: policy.n_tables]
    offers, width = [view.offers(role) for view in views], policy.actions.shape[1]
    about = np.zeros((policy.n_tables, loop.N_ABOUT), np.int64)
    rows = row + len(policy.n_actions) // policy.n_tables * np.arange(policy.n_tables)
    about[:, loop.ROW] = about[:, loop.KEPT] = rows
    about[:, loop.STRIDE], about[:, loop.MEMORY] = policy.stride, policy.memory
    about[:, loop.WIDTH], about[:, loop.ROLE] = width, int(role)
    about[:, loop.SHIFT] = 0 if cell is None else cell - row * width
    about[:, loop.FIRST] = [each.start for each in offers]
    about[:, loop.OFFERS] = [len(each) for each in offers]
    about[:, loop.RESPONDER] = policy.responder_offset
    about[:, loop.LIMIT] = [view.limit(role) for view in views]
    about[:, loop.KIND] = loop.STATIC
    if algorithm is not None:
        about[:, [loop.KIND, loop.EXPLORES]] = int(role), int(algorithm.explores_itself)
        about[:, [loop.DRAWS, loop.INSIDE]] = algorithm.draws, isinstance(algorithm, QLearning)
    return about


def with_tables(
    actions: NDArray[Any],
    n_actions: NDArray[Any],
    chances: Floats | None,
    policies: Sequence[TabularPolicy],
) -> Arrays:
    """Return the rows of learners, and behind them those of policies, by name in `loop.Agents`.

    `chances` is None if learners draw uniformly; if all do, one UNIFORM stands for all.
    """
    cumulative = [np.array([UNIFORM])]
    if chances is not None or any(each.weights is not None for each in policies):
        cumulative = [np.full(len(actions), UNIFORM) if chances is None else chances]
        for each in policies:  # one without weights has a single entry, for all its actions
            entries, size = each.cumulative.ravel(), each.actions.size
            cumulative.append(entries if len(entries) == size else np.full(size, entries[0]))
    rows = [actions, *(each.actions.ravel() for each in policies)]
    numbers = [n_actions, *(each.n_actions for each in policies)]
    return {
        "actions": np.concatenate(rows, dtype=np.int16, casting="unsafe"),
        "n_actions": np.concatenate(numbers, dtype=np.int16, casting="unsafe"),
        "chances": np.concatenate(cumulative),
    }


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
