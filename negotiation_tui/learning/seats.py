"""May a player take a seat in a training? Every reason against it, asked by one function."""

from typing import ClassVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Algorithm, Occupant, SeatError
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import ObjectAlgorithm
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.matchup import check_pair
from negotiation_tui.strategies.registry import spec_of

MOST_ANSWERED = 700  # rows of hidden limits that a best responder answers in up to 0.2 seconds


class NeedsWholeGamesError(SeatError):
    """The player cannot take part in random starts and expected updates."""

    remedy: ClassVar[str] = "switches to whole games"


def check_seat(
    scenario: Scenario,
    parameters: Parameters,
    role: Role,
    player: Occupant,
    opposite: Occupant | None = None,
) -> None:
    """Raise BadInputError if a player cannot take a seat; `opposite` is None for an empty seat.

    A SeatError says that the player can take the seat once the training has changed.
    """
    strategy, other = (
        each.in_seat(scenario, seat) if isinstance(each, Strategy) else None
        for each, seat in ((player, role), (opposite, role.other))
    )
    check_pair(scenario, strategy, other)
    learners = [
        (each, seat, opponent)
        for each, seat, opponent in ((player, role, other), (opposite, role.other, strategy))
        if isinstance(each, Algorithm)
    ]
    for learner, _, opponent in learners:
        learner.check_opponent(opponent)
    if isinstance(player, Algorithm):
        player.check(scenario)
    for _, seat, opponent in learners:
        if opponent and opponent.needs_opponent:
            _check_answered(scenario, seat, opponent)
    if parameters.curriculum_window or parameters.expected_updates:
        _check_table(strategy or player)


def _check_table(player: Occupant) -> None:
    """Raise NeedsWholeGamesError if a player has no table."""
    if isinstance(player, ObjectAlgorithm):
        raise NeedsWholeGamesError(
            f"{player.name}: expected curriculum_window 0 and no expected_updates, got a"
            " learner that plays turn by turn; use recipe published"
        )
    if isinstance(player, Strategy) and "history" in player.depends_on:
        raise NeedsWholeGamesError(
            f"{spec_of(player)}: expected a strategy with a table, got one that depends"
            " on all earlier offers; use curriculum_window 0 and no expected_updates, as"
            " in recipe published"
        )


def _check_answered(scenario: Scenario, role: Role, responder: Strategy) -> None:
    """Raise BadInputError if a best responder would take too long to answer a learner's tables."""
    rows = scenario.n_rows(role)
    if scenario.n_tables(role) > 1 and rows > MOST_ANSWERED:
        raise BadInputError(
            f"{spec_of(responder)}: expected a learner with at most {MOST_ANSWERED} rows in the"
            f" tables of its limits, got {rows:,} in scenario {scenario.name}; use fewer"
            " limits, prices or rounds, as in scenario hidden"
        )
