"""Save trained tables in `.npz` files and load them. Files are written whole and never unpickled.

A file holds `about`, a JSON text with the settings; `statistics`; and what the learner of each seat
has: `seller_values`, `seller_policy`, and all else that it learned, such as `seller_tables`.
"""

import json
import os
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.learned import Learned, LearnedOfBoth, WithPolicy, WithValues, learned_of
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import ExactAlgorithm, Tables, TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner, name_of, spec_of_learner
from negotiation_tui.learning.nash_conv_series import NashConvs, NashConvSeries, Reached
from negotiation_tui.learning.players import ExactPlayer
from negotiation_tui.learning.q_table import MOST_COUNT, both, both_shape, check_size, check_values
from negotiation_tui.learning.spec import LEARNED, Specs, learns
from negotiation_tui.learning.statistics import CycleStatistics, counts_of_cycle, n_columns
from negotiation_tui.runtime.files import atomic_write, reading
from negotiation_tui.runtime.npz import Npz, open_npz
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.validate import integer, one_of, refusal, string
from negotiation_tui.strategies.registry import spec_of

_FIRST = "negotiation-tui tables 1"  # values and policies of both seats in padded arrays
_FORMAT = "negotiation-tui tables 2"
STATE = "state_"  # before the names of what a learner of the user's own knows


@sealed(frozen=True, eq=False, slots=True)
class TrainedTables:
    """A saved training: what was learned, the settings it was trained with, and statistics."""

    scenario: Scenario
    parameters: Parameters
    seed: int
    train_both: bool
    train_agent: Role
    agents: LearnedOfBoth  # by the last learner of each seat, seller first
    statistics: CycleStatistics
    specs: tuple[str, str] = (LEARNED, LEARNED)  # of the players at the end; not resolved
    nash_convs: NashConvs = ()  # after judged cycles, if it was asked for; not in files
    reached: tuple[Reached, ...] = ()  # with hidden limits; not in files
    learned: tuple[Tables, Tables] = ({}, {})  # all beside a Q-table, by name

    @classmethod
    def of(cls, training: ConcurrentTraining) -> Self:
        series = training.nash_convs or NashConvSeries()
        specs, agents, arrays = zip(*(_seat_of(training, role) for role in Role), strict=True)
        settings = training.scenario, training.parameters, training.seed, training.train_both
        found = training.train_agent, agents, training.statistics, specs
        return cls(*settings, *found, series.values, series.reached, arrays)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings it was trained with, except the players, as plain values."""
        return {
            "scenario": self.scenario.to_dict(),
            "parameters": self.parameters.to_dict(),
            "seed": self.seed,
            "train_both": self.train_both,
            "train_agent": str(self.train_agent),
        }

    @property
    def strategies(self) -> Specs:
        """The specs of static strategies, None for a learner."""
        return pair(None if learns(spec) else spec for spec in self.specs)

    @property
    def learners(self) -> Specs:
        """The specs of learners, None for a static strategy."""
        return pair(spec if learns(spec) else None for spec in self.specs)

    def rows(self, role: Role) -> NDArray[np.float64]:
        """Return a role's values of actions or its probabilities, shape (n_rows, n_actions)."""
        return self.agents[role].rows(self.scenario, role)

    @property
    def q_tables(self) -> NDArray[np.float64]:
        """Copies of the rows of both roles, shape (2, n_rows, n_actions), seller first."""
        return both(self.scenario, [self.rows(role) for role in Role])


def _seat_of(training: ConcurrentTraining, role: Role) -> tuple[str, Learned, Tables]:
    strategy = training.strategy(role)
    if strategy is not None:
        return spec_of(strategy), training.learned(role), {}
    learner = training.latest_learners[role]
    arrays = {} if isinstance(learner.algorithm, QLearning) else learner.arrays
    return spec_of_learner(learner.algorithm), training.learned(role), arrays


def save_tables(path: str | os.PathLike[str], tables: TrainedTables) -> None:
    """Write tables to an `.npz` file. Raises BadInputError if it cannot be written."""
    about = {"format": _FORMAT, **tables.settings}
    about |= {"strategies": list(tables.strategies), "learners": list(tables.learners)}
    statistics = tables.statistics
    if statistics.period > 1:
        about["cycles_per_row"] = statistics.period
        about["last_cycle"] = statistics.last_cycle.tolist()
    arrays: dict[str, Any] = {"statistics": statistics.counts}
    seats = zip(Role, tables.agents, tables.learned, tables.specs, strict=True)
    for role, agent, learned, spec in seats:
        if isinstance(agent, WithValues):
            arrays[f"{role}_values"] = agent.values[:]
        if isinstance(agent, WithPolicy):
            arrays[f"{role}_policy"] = agent.policy.probabilities
        state = STATE * (name_of(spec) not in LEARNERS)
        arrays |= {f"{role}_{state}{name}": array for name, array in learned.items()}
    with atomic_write(path) as file:
        np.savez_compressed(file, about=np.array(json.dumps(about)), **arrays)


def load_tables(path: str | os.PathLike[str]) -> TrainedTables:
    """Read tables that `save_tables` wrote. Raises BadInputError if the file is damaged."""
    with reading(path, "tables", "'train --save'"), open_npz(path) as file:
        about = json.loads(file.text("about"))
        padded = one_of("format", about["format"], [_FORMAT, _FIRST]) == _FIRST
        scenario = Scenario.from_dict(about["scenario"])
        parameters = Parameters.from_dict(about["parameters"])
        check_size(scenario)
        period = integer("cycles_per_row", about.get("cycles_per_row", 1), 1, parameters.cycles)
        columns = n_columns(scenario)
        latest = (
            None if period == 1 else counts_of_cycle("last_cycle", about["last_cycle"], columns)
        )
        rows = min(file.length("statistics"), -(-parameters.cycles // period))
        counts = file.array("statistics", (rows, columns), np.int64)
        check_values("statistics", counts, MOST_COUNT)
        strategies = _stored_specs("strategies", about["strategies"])
        usual = [None if spec else LEARNED for spec in strategies]  # of files without learners
        learners = _stored_specs("learners", about.get("learners", usual))
        agents = pair(_agent(file, scenario, padded, role) for role in Role)
        seats = zip(Role, strategies, learners, agents, strict=True)
        learned = pair(
            {} if strategy else _learned(file, scenario, parameters, role, spec, agent)
            for role, strategy, spec, agent in seats
        )
        specs = pair(
            strategy or spec or LEARNED for strategy, spec in zip(strategies, learners, strict=True)
        )
        seed, train_both = integer("seed", about["seed"], 0), bool(about["train_both"])
        settings = scenario, parameters, seed, train_both, Role.of(about["train_agent"])
        found = agents, CycleStatistics(counts, period, latest), specs, (), ()
        return TrainedTables(*settings, *found, learned)


def _agent(file: Npz, scenario: Scenario, padded: bool, role: Role) -> Learned:
    """Return what an agent learned.

    In `padded` arrays of both seats the values are the probabilities if there are none, and the
    probabilities are 0 if there is no policy.
    """
    n = scenario.n_rows(role)

    def rows(of_both: str, of_role: str) -> NDArray[np.float64] | None:
        name, shape = f"{role}_{of_role}", (n, scenario.n_actions)
        if padded and (of_both == "q_tables" or file.holds(of_both)):
            return file.array(of_both, both_shape(scenario), np.float64)[role, :n]
        return file.array(name, shape, np.float64) if file.holds(name) else None

    values, chances = rows("q_tables", "values"), rows("probabilities", "policy")
    if values is not None:
        check_values(f"{role}_values", values)
    if chances is None or (padded and not chances.any()):
        return learned_of(values)
    policy = TabularPolicy.of_probabilities(scenario, role, chances)
    only = padded and values is not None and np.array_equal(values, policy.probabilities)
    return learned_of(None if only else values, policy)


def _learned(
    file: Npz,
    scenario: Scenario,
    parameters: Parameters,
    role: Role,
    spec: str | None,
    agent: Learned,
) -> Tables:
    """Return the arrays of a learner, checked; {} for one that is not built in."""
    if spec is None or not learns(spec):
        raise refusal("learners", spec, "learned, or learned: with a name")
    if not isinstance(agent, WithPolicy) and name_of(spec) != QLearning.name:
        raise BadInputError(f"{role}_policy: expected the policy of {spec}, got none")
    arrays: Tables = {}
    if name_of(spec) not in LEARNERS:
        return arrays
    algorithm = learner(spec)
    algorithm.check(scenario)
    shapes: dict[str, tuple[int, ...]] = {}
    if isinstance(algorithm, ExactAlgorithm):
        new = ExactPlayer(algorithm, scenario, role, parameters).arrays
        shapes = {name: each.shape for name, each in new.items()}
    elif isinstance(algorithm, TabularAlgorithm) and not isinstance(algorithm, QLearning):
        entries = scenario.n_rows(role) * scenario.n_actions
        shapes = {"tables": (algorithm.n_tables, entries)}
    for name, shape in shapes.items():
        arrays[name] = file.array(f"{role}_{name}", shape, np.float64)
        check_values(f"{role}_{name}", arrays[name])
    return arrays


def _stored_specs(name: str, specs: Sequence[object]) -> Specs:
    if len(specs) != 2:
        raise refusal(name, specs, "a list of two")
    return pair(None if each is None else string(name, each) for each in specs)
