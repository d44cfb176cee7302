"""Open a session, compare two trainings, and save a short one."""

from dataclasses import replace

import numpy as np

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.checkpoint import Specs, TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.rewind import NewOpener
from negotiation_tui.players.run import Run
from negotiation_tui.sessions.snapshot import Seating
from negotiation_tui.sessions.training_session import TrainingSession

ORIGINAL = Scenario.original()


def new_session(
    scenario: Scenario,
    parameters: Parameters,
    seed: int,
    seats: Specs = (None, None),
    opener: Opener | None = None,
    train_agent: Role = Role.SELLER,
) -> TrainingSession:
    run = Run(scenario, parameters, seed, Seating.of(seats).specs, train_agent=train_agent)
    changes = () if opener is None else ((0, NewOpener(opener)),)
    return TrainingSession(replace(run, changes=changes))


def same_training(one: ConcurrentTraining, other: ConcurrentTraining) -> bool:
    """True if both trainings have the same tables, statistics and last negotiation, to the bit."""
    return (
        np.array_equal(one.q_tables, other.q_tables)
        and np.array_equal(one.statistics.counts, other.statistics.counts)
        and one.last_negotiation == other.last_negotiation
    )


def trained(scenario: Scenario = ORIGINAL, file: str = "t.npz", **seats: Occupant) -> TrainedTables:
    training = ConcurrentTraining(scenario, Parameters(cycles=6), 3, **seats)  # type: ignore[arg-type]
    training.run()
    tables = TrainedTables.of(training)
    save_tables(file, tables)
    return tables
