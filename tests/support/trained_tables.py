"""A short training saved to a file."""

from negotiation_tui import Scenario
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters

ORIGINAL = Scenario.original()


def trained(scenario: Scenario = ORIGINAL, file: str = "t.npz", **seats: Occupant) -> TrainedTables:
    training = ConcurrentTraining(scenario, Parameters(cycles=6), 3, **seats)  # type: ignore[arg-type]
    training.run()
    tables = TrainedTables.of(training)
    save_tables(file, tables)
    return tables
