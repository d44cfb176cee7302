"""Save trained tables in files and load them. Files are written whole and never unpickled."""

import json
import os
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.kernel import N_STATISTICS
from negotiation_tui.learning.nash_conv_series import NashConvs
from negotiation_tui.learning.q_table import MOST_COUNT, check_size, check_values
from negotiation_tui.learning.statistics import CycleStatistics, counts_of_cycle
from negotiation_tui.runtime.files import atomic_write, reading
from negotiation_tui.runtime.npz import Npz, open_npz
from negotiation_tui.runtime.validate import integer, one_of, refusal, string
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import current_spec, spec_of

FORMAT = "negotiation-tui tables 1"
Policies = tuple[TabularPolicy | None, TabularPolicy | None]


@dataclass(frozen=True, eq=False, slots=True)
class TrainedTables:
    """A saved training: both Q-tables, the settings they were trained with, and statistics."""

    scenario: Scenario
    parameters: Parameters
    seed: int
    train_both: bool
    train_agent: Role
    q_tables: NDArray[np.float64]
    """Shape (2, n_states, n_actions), seller first."""
    statistics: CycleStatistics
    strategies: tuple[str | None, str | None] = (None, None)
    """Spec of the static strategy in each seat at the end, None for a learner; seller first.
    A spec is not resolved when the file is loaded."""
    nash_convs: NashConvs = ()
    """NashConv after judged cycles, if it was asked for; files do not hold it."""
    learned_policies: Policies = (None, None)
    """The policy that each learner plays; None: greedy by its Q-table, ties drawn uniformly."""

    @classmethod
    def of(cls, training: ConcurrentTraining) -> Self:
        """Return the present state of a training."""
        return cls(
            training.scenario,
            training.parameters,
            training.seed,
            training.train_both,
            training.train_agent,
            training.q_tables,
            training.statistics,
            (_spec(training.strategy(Role.SELLER)), _spec(training.strategy(Role.BUYER))),
            training.nash_convs.values if training.nash_convs else (),
        )


def _spec(strategy: Strategy | None) -> str | None:
    return None if strategy is None else spec_of(strategy)


_PROBABILITIES = "probabilities"
"""The array of policies, shape (2, n_states, n_actions); zeros for a seat without one."""


def save_tables(path: str | os.PathLike[str], tables: TrainedTables) -> None:
    """Write tables to an `.npz` file. Raises BadInputError if it cannot be written."""
    about = {
        "format": FORMAT,
        "scenario": tables.scenario.to_dict(),
        "parameters": tables.parameters.to_dict(),
        "seed": tables.seed,
        "train_both": tables.train_both,
        "train_agent": str(tables.train_agent),
        "strategies": list(tables.strategies),
    }
    statistics = tables.statistics
    if statistics.period > 1:
        about["cycles_per_row"] = statistics.period
        about["last_cycle"] = statistics.last_cycle.tolist()
    arrays: dict[str, Any] = {"q_tables": tables.q_tables, "statistics": statistics.counts}
    if any(tables.learned_policies):
        arrays[_PROBABILITIES] = np.zeros(tables.q_tables.shape)
        for role, policy in zip(Role, tables.learned_policies, strict=True):
            if policy is not None:
                arrays[_PROBABILITIES][role] = policy.probabilities
    with atomic_write(path) as file:
        np.savez_compressed(file, about=np.array(json.dumps(about)), **arrays)


def load_tables(path: str | os.PathLike[str]) -> TrainedTables:
    """Read tables that `save_tables` wrote.

    Raises BadInputError if the file is missing, damaged or of another program, or if its tables do
    not have the shape of their scenario.
    """
    with reading(path, "tables", "'train --save'"), open_npz(path) as file:
        return _tables(file)


def _tables(file: Npz) -> TrainedTables:
    about = json.loads(file.text("about"))
    one_of("format", about["format"], [FORMAT])
    scenario = Scenario.from_stored(about["scenario"])
    parameters = Parameters.from_stored(about["parameters"])
    check_size(scenario)
    period = integer("cycles_per_row", about.get("cycles_per_row", 1), 1, parameters.cycles)
    latest = None if period == 1 else counts_of_cycle("last_cycle", about["last_cycle"])
    rows = min(file.length("statistics"), -(-parameters.cycles // period))
    counts = file.array("statistics", (rows, N_STATISTICS), np.int64)
    q_tables = file.array("q_tables", (2, scenario.n_states, scenario.n_actions), np.float64)
    check_values("q_tables", q_tables)
    check_values("statistics", counts, MOST_COUNT)
    seats = about.get("strategies", [None, None])
    if len(seats) != 2:
        raise refusal("strategies", seats, "a list of two")
    seller, buyer = (_stored_spec(spec) for spec in seats)
    return TrainedTables(
        scenario,
        parameters,
        integer("seed", about["seed"], 0),
        bool(about["train_both"]),
        Role.of(about["train_agent"]),
        q_tables,
        CycleStatistics(counts, period, latest),
        (seller, buyer),
        learned_policies=_policies(file, scenario),
    )


def _policies(file: Npz, scenario: Scenario) -> Policies:
    """Return the policies that a file holds, checked; version 0.2.0 and before wrote none."""
    if not file.holds(_PROBABILITIES):
        return None, None
    shape = 2, scenario.n_states, scenario.n_actions
    dense = file.array(_PROBABILITIES, shape, np.float64)
    seller, buyer = (
        TabularPolicy.of_probabilities(scenario, role, dense[role]) if dense[role].any() else None
        for role in Role
    )
    return seller, buyer


def _stored_spec(spec: object) -> str | None:
    return None if spec is None else current_spec(string("strategies", spec))
