"""Learners that compute, iterated without any episode."""

from negotiation_tui import Role, Scenario, TabularPolicy, learner
from negotiation_tui.learning.algorithms.base import IN_TURN, ExactAlgorithm
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.players import ExactPlayer
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.solvers.reach import decision_rows
from tests.support.game import game
from tests.support.histories import Decision, Histories

OPENS: Decision = (0, 0, 0)  # the opening: as opener, no earlier decision, no standing offer

SMALLEST = game(2, 1, states="opener-aware", seller={"reservation": 0}, buyer={"reservation": 2})
"""Deals at 1 are worth 1/2 to both roles, at 2 worth 1 to the seller and 0 to the buyer."""


def exact_pair(scenario: Scenario, spec: str, discount_rate: float = 0.99) -> list[ExactPlayer]:
    algorithm, parameters = learner(spec), Parameters(discount_rate=discount_rate)
    assert isinstance(algorithm, ExactAlgorithm)
    return [ExactPlayer(algorithm, scenario, role, parameters) for role in Role]


def iterate(seats: list[ExactPlayer], n: int = 1) -> None:
    """Let both iterate `n` times, the seller first if they do so in turn."""
    for _ in range(n):
        told = [seat.behaviour for seat in reversed(seats)]
        for seat, other, opponent in zip(seats, reversed(seats), told, strict=True):
            in_turn = seat.algorithm.schedule == IN_TURN
            seat.iterate(other.behaviour if in_turn else opponent)


def played(seat: ExactPlayer, decision: Decision, behaviour: bool = False) -> list[float]:
    """The probabilities of actions in the policy that is judged, or in the behaviour."""
    policy = seat.behaviour if behaviour else seat.policy
    row = policy.probabilities[decision_rows(seat.scenario)[decision]]
    return [round(chance, 12) for chance in row.tolist()]


def average_over_histories(
    scenario: Scenario, role: Role, policies: list[TabularPolicy]
) -> dict[Decision, list[float]]:
    """The average of policies, each history to a decision counted with a policy's own choices.

    Decisions that none of the policies reaches are left out.
    """
    sums: dict[Decision, Floats] = {}
    for policy in policies:
        tables = [policy, policy]  # only the role's own choices are read
        for decision, own, _, at in Histories(scenario, tables).decisions(role):
            row = own * policy.probabilities[policy.row(at)]
            sums[decision] = sums.get(decision, 0.0) + row
    return {at: (row / row.sum()).tolist() for at, row in sums.items() if row.sum() > 0}
