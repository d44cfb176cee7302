"""A population in the arrays of `loop.Agents`: the learners of a training and the tables they face.

The agents are the limits of the seller's learner, those of the buyer's, and then those of the
seller's and of the buyer's table. A role that has both plays its table, and its learner rests.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.game.negotiation import Transcript, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, untrained_policy
from negotiation_tui.learning import loop
from negotiation_tui.learning.algorithms import rows
from negotiation_tui.learning.algorithms.base import Floats, TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.algorithms.rows import Legal, Row
from negotiation_tui.learning.backend import MANY_DRAWS, Backend, UniformStream
from negotiation_tui.learning.best_response_kernel import Play
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.statistics import n_columns
from negotiation_tui.solvers.payoffs import rewards

Arrays = dict[str, NDArray[Any]]


class EpisodeBatch(NamedTuple):
    counts: NDArray[np.int64]  # shape (cycles that have an episode, columns): those of `loop`
    transcript: Transcript  # the transcript of the last episode


class Population:
    """The learners with tables and the other tables of a training, in a backend's form."""

    def __init__(self, scenario: Scenario, backend: Backend) -> None:
        self.scenario, self.backend = scenario, backend
        self.tables: dict[Role, TabularPolicy] = {}  # played instead of learners
        self._agents: loop.Agents
        self._waiting: dict[Role, Arrays] | None = {}  # states to be laid at first use
        self._algorithms: dict[Role, TabularAlgorithm] = {}
        self._settings: dict[Role, Floats] = {}
        self._about: list[NDArray[np.int64]] = []
        self._weighted = False  # True if a learner plays with probabilities
        self._together = False  # True if Q-learners learn after the episode, by their functions
        self._responders: set[Role] = set()

    @property
    def agents(self) -> loop.Agents:
        """The arrays, laid when they are first used after another learner came."""
        if self._waiting is not None:
            states, self._waiting = self._waiting, None
            self._lay(states)
        return self._agents

    def learn(self, role: Role, algorithm: TabularAlgorithm, parameters: Parameters) -> None:
        first = {"tables": algorithm.tables(self.scenario, role, parameters)}
        self._waiting = self._states() | {role: first}
        self._settings[role] = algorithm.settings_row(parameters)
        algorithms = self._algorithms | {role: algorithm}
        self._algorithms = {each: algorithms[each] for each in Role if each in algorithms}

    def tune(self, parameters: Parameters) -> None:
        """Let all learners go on with other parameters."""
        for role, algorithm in self._algorithms.items():
            self._settings[role] = algorithm.settings_row(parameters)
        self._waiting = self._states()

    def _states(self) -> dict[Role, Arrays]:
        if self._waiting is not None:
            return self._waiting
        self._read_responders()
        return {role: self.state(role) for role in self._algorithms}

    def use(self, backend: Backend) -> None:
        if backend is not self.backend:
            self._waiting, self.backend = self._states(), backend

    def play_table(self, role: Role, policy: TabularPolicy | None) -> None:
        """Let a role play a table; None: its learner again."""
        self._responders.discard(role)
        if self.tables.get(role) is policy:
            return
        self._read_responders()
        if policy is None:
            del self.tables[role]
        else:
            self.tables[role] = policy
        if self._waiting is None:
            self._lay_tables()

    # What a learner knows and plays.

    def values(self, role: Role, table: int = 0) -> Floats:
        """Return a copy of one of a learner's tables, shape (n_rows, n_actions)."""
        values: Floats = self.tables_of(role)[table].reshape(-1, self.scenario.n_actions)
        return values

    def policy(self, role: Role) -> TabularPolicy:
        algorithm, agents, width = self._algorithms[role], self.agents, self.scenario.n_actions
        if isinstance(algorithm, QLearning):
            return greedy(self.scenario, role, self.values(role))
        first, stop = self._rows(role)
        dense = self.backend.row(np.zeros((stop - first) * width))
        _, write_policy, functions = self._loop(self._algorithms.values())
        write_policy(agents, functions, agents.firsts[role], first, stop, dense)
        return self._of_probabilities(role, dense)

    def kept(self, role: Role) -> TabularPolicy:
        """Return the policy that a learner plays while the other role learns."""
        (first, stop), width, agents = self._rows(role), self.scenario.n_actions, self.agents
        if not isinstance(self._algorithms[role], QLearning):
            return self._of_probabilities(role, agents.chances[first * width : stop * width])
        later = agents.parts[2]
        actions = agents.actions[(first + later) * width : (stop + later) * width]
        n_actions = np.array(agents.n_actions[first + later : stop + later], np.int32)
        table = np.array(actions, np.int32).reshape(-1, width)
        return TabularPolicy.of(self.scenario, role, table, n_actions)

    def keep(self, role: Role) -> None:
        """Keep a learner's present policy. The loop does it at the start of a learner's cycle."""
        self._write_kept(role, self.policy(role))

    def tables_of(self, role: Role) -> Floats:
        (first, stop), width = self._rows(role), self.scenario.n_actions
        n, cells = self._algorithms[role].n_tables, slice(first * width, stop * width)
        return np.array([self.agents.tables[k][cells] for k in range(n)], np.float64)

    def state(self, role: Role) -> Arrays:
        """Return copies of all that a learner knows and plays, for `go_to`."""
        kept, arrays = self.kept(role), {"tables": self.tables_of(role)}
        if kept.weights is not None:
            return {**arrays, "kept": kept.probabilities}
        actions, n_actions = kept.actions.astype(np.int16), kept.n_actions.astype(np.int16)
        return {**arrays, "actions": actions, "n_actions": n_actions}

    def go_to(self, role: Role, state: Arrays) -> None:
        """Take back what `state` returned, or the tables alone."""
        (first, stop), width = self._rows(role), self.scenario.n_actions
        for row, table in zip(self.agents.tables, state["tables"], strict=False):
            row[first * width : stop * width] = self.backend.row(table.ravel())
        self.refresh(role)
        if "kept" in state:
            self._write_kept(role, self._of_probabilities(role, state["kept"]))
        elif "actions" in state:
            rows = (state[name].astype(np.int32) for name in ("actions", "n_actions"))
            self._write_kept(role, TabularPolicy.of(self.scenario, role, *rows))

    def turn_by_turn(self, role: Role) -> tuple[int, Any, Legal, Row]:
        """Return the first row of a learner, its settings, and room, to play turn by turn."""
        agents = self.agents
        settings = agents.rates[agents.firsts[role]]
        return int(agents.parts[role]), settings, agents.legal, agents.scratch

    def learned(self, role: Role, states: Sequence[int]) -> None:
        """Note that a learner learned turn by turn from its decisions in some states."""
        agents, (_, _, legal, row) = self.agents, self.turn_by_turn(role)
        agents.changed[role * (len(agents.changed) // 2)] = len(agents.changed) // 2
        if isinstance(self._algorithms[role], QLearning):
            for state in states:
                n, at = rows.greedy(agents.q, state, legal, row), state * legal.width
                agents.best[state], agents.n_actions[state] = agents.q[at + row.actions[0]], n
                agents.actions[at : at + n] = row.actions[:n]

    def refresh(self, role: Role) -> None:
        """Make a Q-learner's policy greedy by its table; let `loop.keep` look at all rows."""
        agents, (first, stop), width = self.agents, self._rows(role), self.scenario.n_actions
        size = len(agents.changed) // 2
        agents.changed[role * size] = size
        if isinstance(self._algorithms[role], QLearning):
            values = self.values(role)
            policy = greedy(self.scenario, role, values)
            tops = values[np.arange(len(values)), policy.actions[:, 0]]
            row = self.backend.row
            agents.best[first:stop] = row(np.where(policy.n_actions > 0, tops, 0.0))
            agents.n_actions[first:stop] = row(policy.n_actions.astype(np.int16))
            actions = policy.actions.ravel().astype(np.int16)
            agents.actions[first * width : stop * width] = row(actions)

    def table(self, role: Role) -> TabularPolicy | None:
        self._read_responders()
        return self.tables.get(role)

    def _rows(self, role: Role) -> tuple[int, int]:
        return int(self.agents.parts[role]), int(self.agents.parts[role + 1])

    def _of_probabilities(self, role: Role, flat: Any) -> TabularPolicy:
        dense = np.array(flat, np.float64).reshape(-1, self.scenario.n_actions)
        return TabularPolicy.of_probabilities(self.scenario, role, dense)

    # The arrays.

    def _lay(self, states: dict[Role, Arrays]) -> None:
        """Lay the learners end to end, and then the tables."""
        scenario, row, width = self.scenario, self.backend.row, self.scenario.n_actions
        self._weighted = not all(isinstance(a, QLearning) for a in self._algorithms.values())
        legal = {role: untrained_policy(scenario, role) for role in self._algorithms}
        sizes = [scenario.n_rows(role) if role in legal else 0 for role in Role]
        n_rows = sum(sizes)
        n_tables = max((each.n_tables for each in self._algorithms.values()), default=1)
        n_settings = max((len(self._settings[role]) for role in legal), default=2)
        actions, n_actions = np.zeros((n_rows, width), np.int16), np.zeros(n_rows, np.int64)
        rates: list[Floats] = []
        self._about, firsts, first = [], np.zeros(2, np.int64), 0
        for role, policy in legal.items():
            settings, stop = self._settings[role], first + sizes[role]
            firsts[role] = len(rates)
            about = columns(scenario, role, policy, first, None, self._algorithms[role])
            about[:, loop.KEPT] += n_rows
            self._about.append(about)
            rates += [np.pad(settings, (0, n_settings - len(settings)))] * len(about)
            actions[first:stop], n_actions[first:stop] = policy.actions, policy.n_actions
            first = stop
        self._rates = np.array(rates).reshape(len(rates), n_settings)
        in_form = row(np.zeros((n_tables, n_rows * width)))
        self._agents = loop.Agents(
            about=None,  # these follow with the tables
            rates=None,
            rewards=None,
            q=in_form[0],
            best=row(np.zeros(n_rows)),
            tables=in_form,
            legal=Legal(row(actions.ravel()), row(n_actions), width),
            scratch=Row(row(np.zeros(width, np.int64)), row(np.zeros(width))),
            actions=row(np.tile(actions.ravel(), 2)),
            n_actions=row(np.tile(n_actions, 2).astype(np.int16)),
            chances=row(np.full(2 * actions.size, UNIFORM)),
            changed=row(np.zeros(2 * max(1, *sizes), np.int64)),
            parts=row(np.cumsum([0, *sizes])),
            own=row(np.zeros((4, scenario.rounds), np.int64)),
            made=row(np.zeros(2, np.int64)),
            firsts=row(firsts),
        )
        for role, policy in legal.items():
            self._write_kept(role, policy)
            self.go_to(role, states[role])
        self._lay_tables()

    def _write_kept(self, role: Role, policy: TabularPolicy) -> None:
        (first, stop), agents, width = self._rows(role), self.agents, self.scenario.n_actions
        later, row = agents.parts[2], self.backend.row
        cells = slice((first + later) * width, (stop + later) * width)
        actions = _padded(policy.actions, width).ravel()
        agents.actions[cells] = row(actions.astype(np.int16))
        agents.n_actions[first + later : stop + later] = row(policy.n_actions.astype(np.int16))
        if self._weighted:
            cumulative = np.resize(policy.cumulative, policy.actions.shape)
            agents.chances[cells] = row(_padded(cumulative, width).ravel())
            if not isinstance(self._algorithms[role], QLearning):
                agents.chances[first * width : stop * width] = row(policy.probabilities.ravel())

    def _lay_tables(self) -> None:
        """Lay the tables behind the learners' rows."""
        agents, row, scenario = self.agents, self.backend.row, self.scenario
        n_rows, width = 2 * int(agents.parts[2]), scenario.n_actions
        tables = {role: self.tables[role] for role in Role if role in self.tables}
        about, first, cell = list(self._about), n_rows, n_rows * width
        for (role, algorithm), own in zip(self._algorithms.items(), about, strict=True):
            inside = isinstance(algorithm, QLearning) and not self._together
            own[:, loop.KIND] = loop.Q_LEARNER if inside else int(role)
        self._table_agents: dict[Role, int] = {}
        for role, policy in tables.items():
            self._table_agents[role] = sum(map(len, about))
            about.append(columns(scenario, role, policy, first, cell))
            first, cell = first + len(policy.n_actions), cell + policy.actions.size
        parts = [*self._algorithms, *tables]
        paid = [rewards(view, role) for role in parts for view in scenario.views[role]]
        rates = np.zeros((sum(map(len, about)), self._rates.shape[1]))
        rates[: len(self._rates)] = self._rates
        actions = np.asarray(agents.actions[: n_rows * width], np.int16)
        n_actions = np.asarray(agents.n_actions[:n_rows], np.int16)
        chances = np.asarray(agents.chances[: n_rows * width]) if self._weighted else None
        laid = with_tables(actions, n_actions, chances, list(tables.values()))
        self._agents = agents._replace(
            about=row(np.concatenate([each.ravel() for each in about] or [np.zeros(0, np.int64)])),
            rates=row(rates),
            rewards=row(np.concatenate(paid or [np.zeros(0)])),
            **{name: row(array) for name, array in laid.items()},
        )
        self._general = any(each.memory for each in tables.values())

    def _learn_together(self, together: bool) -> None:
        """Let both roles learn by their functions, or Q-learners within the episode."""
        if together is not self._together:
            self._read_responders()
            self._together = together
            self._lay_tables()

    def _loop(self, learners: Iterable[TabularAlgorithm]) -> tuple[Play, Callable[..., None], Any]:
        """Return `play`, `write_policy` and functions for learners that are asked."""
        kinds = {type(each) for each in learners}
        if len(kinds) == 1:
            return self.backend.code(*kinds)
        return self.backend.code(*(type(self._algorithms[role]) for role in Role))

    def _read_responders(self) -> None:
        """Take over what best responders in the loop wrote to their tables."""
        for role in self._responders:
            policy, agents = self.tables[role], self.agents
            at = self._table_agents[role] * loop.N_ABOUT
            first = int(agents.about[at + loop.ROW])
            width = policy.actions.shape[1]
            cell = first * width + int(agents.about[at + loop.SHIFT])
            actions = np.array(agents.actions[cell : cell + policy.actions.size], np.int32)
            n = np.array(agents.n_actions[first : first + len(policy.n_actions)], np.int32)
            self.tables[role] = replace(policy, actions=actions.reshape(-1, width), n_actions=n)
        self._responders.clear()

    # Episodes.

    def play(
        self,
        schedule: Schedule,
        draws: UniformStream,
        together: bool = False,
        responder: Role | None = None,
    ) -> EpisodeBatch:
        """Play the episodes of a schedule; with `together` both roles learn in each cycle.

        The table of a `responder` is made again at the start of each cycle.
        """
        scenario, backend, row = self.scenario, self.backend, self.backend.row
        cycles, starts, plies = schedule.n_cycles, schedule.starts, 2 * scenario.rounds
        learners = [each for role, each in self._algorithms.items() if role not in self.tables]
        play, functions = backend.play, None
        if together or not all(isinstance(each, QLearning) for each in learners):
            play, _, functions = self._loop(learners)
        self._learn_together(together)
        firsts = [int(each) for each in self.agents.firsts]
        for role, agent in self._table_agents.items():
            firsts[role] = agent
        setup = loop.Setup(
            self.agents,
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
        pairs = None
        if schedule.limit_pairs is not None:
            pairs = row(schedule.limit_pairs)
        offers = row(np.zeros((2, scenario.rounds + 2), np.int32)) if self._general else None
        if responder is not None:
            play = backend.play_responding
            self._responders.add(responder)
        ahead = min(len(schedule.epsilons), MANY_DRAWS)
        at, opened, first_ply, n_turns = schedule.start, 0, 0, 0
        while at < schedule.stop:
            block, position = draws.block(backend, 4 * scenario.rounds + 4, ahead)
            at, position, opened, first_ply, n_turns = play(
                setup, functions, pairs, offers, at, schedule.stop, block, position
            )
            draws.used_up_to(position)
        if together:
            for role in self._algorithms:
                self.refresh(role)
        actions = iter(setup.turns)
        return EpisodeBatch(
            np.asarray(setup.counts, np.int64),
            play_out(
                schedule.game_of(scenario, schedule.stop - 1),
                Role(int(opened)),
                lambda _: int(next(actions)),
                setup.explored[:n_turns],
                int(first_ply),
            ),
        )


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
        about[:, [loop.KIND, loop.EXPLORES]] = loop.Q_LEARNER, int(algorithm.explores_itself)
        about[:, loop.DRAWS] = int(algorithm.draws)
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
        # A policy without weights has a single entry, for all its actions.
        cumulative += [np.resize(each.cumulative, each.actions.size) for each in policies]
    rows = [actions, *(each.actions.ravel() for each in policies)]
    numbers = [n_actions, *(each.n_actions for each in policies)]
    return {
        "actions": np.concatenate(rows, dtype=np.int16, casting="unsafe"),
        "n_actions": np.concatenate(numbers, dtype=np.int16, casting="unsafe"),
        "chances": np.concatenate(cumulative),
    }


def _padded(table: NDArray[Any], width: int) -> NDArray[Any]:
    return np.pad(table, ((0, 0), (0, width - table.shape[1])))
