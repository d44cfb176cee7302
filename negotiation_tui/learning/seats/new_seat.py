"""The seat that each kind of learner takes, and the arrays that it fills there."""

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Algorithm, ExactAlgorithm, TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import ObjectAlgorithm
from negotiation_tui.learning.population import Population
from negotiation_tui.learning.seats.base import LearnerSeat
from negotiation_tui.learning.seats.exact_seat import ExactSeat, first_arrays
from negotiation_tui.learning.seats.object_seat import ObjectSeat
from negotiation_tui.learning.seats.tabular_seat import TabularSeat


def new_seat(
    algorithm: Algorithm,
    scenario: Scenario,
    role: Role,
    parameters: Parameters,
    population: Population,
    seed: int,
) -> LearnerSeat:
    """Return an untrained learner in a seat; raises BadInputError if it cannot learn there."""
    match algorithm:
        case TabularAlgorithm():
            return TabularSeat(algorithm, scenario, role, parameters, population)
        case ExactAlgorithm():
            return ExactSeat(algorithm, scenario, role, parameters)
        case ObjectAlgorithm():
            return ObjectSeat(algorithm, scenario, role, parameters, seed)
        case _:
            raise AssertionError(algorithm)


def shapes_of(
    algorithm: Algorithm, scenario: Scenario, role: Role, parameters: Parameters
) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array that a learner has beside its Q-table, by name.

    Raises BadInputError if it cannot learn over the states of the scenario.
    """
    algorithm.check(scenario)
    match algorithm:
        case QLearning():
            return {}
        case TabularAlgorithm():
            return {"tables": algorithm.tables(scenario, role, parameters).shape}
        case ExactAlgorithm():
            arrays = first_arrays(algorithm, scenario, role)
            return {name: array.shape for name, array in arrays.items()}
        case _:
            raise AssertionError(algorithm)
