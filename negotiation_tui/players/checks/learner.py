"""Check that a learner of the user's own honours its contract, as it learns from random play."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product, repeat

import numpy as np

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.episodes import play_turn_by_turn
from negotiation_tui.learning.learner import state_text
from negotiation_tui.learning.players import UserLearnerPlayer
from negotiation_tui.learning.random_streams import of_question
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.spec import PREFIX, learns
from negotiation_tui.players.checks import CheckResult, run_checks, same_elsewhere
from negotiation_tui.players.checks.strategy import SCENARIOS
from negotiation_tui.players.resolve import player_from_spec
from negotiation_tui.players.user_learner import UserAlgorithm
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.strategies.registry import STRATEGIES

_EPISODES = 30  # that a learner learns from in each scenario and role
STATES = 20  # of a scenario in which a learner is asked


def check_learner(
    spec: str, scenarios: Sequence[Scenario] = (), seed: int = 0
) -> Iterator[CheckResult]:
    """Run every check; BadInputError for a wrong spec or a built-in learner."""
    algorithm, aware = _learner_of(spec), SCENARIOS[0].with_opener
    games = tuple(scenarios) or (*SCENARIOS, aware)
    seats: list[UserLearnerPlayer] = []
    made = (UserLearnerPlayer(algorithm, *each, seed) for each in product(games, Role))
    other = "it learned something else; draw only from self.rng: no random, no clock, no set order"
    job = spec, games[0], seed
    checks = (
        ("is made for each role", lambda: seats.extend(made)),
        ("gives legal actions and their probabilities", partial(_first, seats, _plays)),
        ("learns from negotiations", lambda: _train(seats, seed)),
        ("the same after it learned", partial(_first, seats, _plays)),
        ("its probabilities change only by learning", partial(_first, seats, _constant)),
        ("without exploration plays by its probabilities", partial(_first, seats, _follows)),
        ("gives a value per action, or none", partial(_first, seats, _values)),
        ("a copy learns the same, and changes only itself", lambda: _copy(seats[0], seed)),
        ("restore brings back its state", lambda: _restored(seats, seed)),
        ("learns the same from the same seed", lambda: same_elsewhere(_learned, job, other)),
        ("learns at a speed", lambda: _speed(algorithm, games[0], seed)),
    )
    return run_checks(checks, needed=4)


def _learner_of(spec: str) -> UserAlgorithm:
    algorithm = player_from_spec(spec if learns(spec) else PREFIX + spec)
    if not isinstance(algorithm, UserAlgorithm):
        raise refusal("learner", spec, "a learner of your own, such as my.py")
    return algorithm


def _train(seats: Sequence[UserLearnerPlayer], seed: int, episodes: int = _EPISODES) -> None:
    opponent, falling = STRATEGIES["random"], np.linspace(1, 0, episodes)
    for seat in seats:
        players = (seat, opponent) if seat.role is Role.SELLER else (opponent, seat)
        schedule = Schedule((seat.role, seat.role), Opener.ALTERNATE, falling)
        play_turn_by_turn(seat.scenario, players, schedule, repeat(of_question(seed, 0)))


def _first(
    seats: Sequence[UserLearnerPlayer], check: Callable[[UserLearnerPlayer, Position], str | None]
) -> str:
    for seat in seats:
        positions = list(seat.positions.values())
        for at in np.unique(np.linspace(0, len(positions) - 1, STATES).astype(int)).tolist():
            if broken := check(seat, positions[at]):
                where = f"{state_text(positions[at])} in {seat.scenario.name}"
                return f"{where}, as {seat.role}: {broken}"
    return ""


def _plays(seat: UserLearnerPlayer, position: Position) -> None:
    seat.learner.probabilities(position)
    rng = of_question(0, position.row)
    for epsilon in (0.0, 1.0):
        seat.act(position, epsilon, rng)


def _constant(seat: UserLearnerPlayer, position: Position) -> str:
    before = seat.learner.probabilities(position)
    _plays(seat, position)
    if np.array_equal(before, seat.learner.probabilities(position)):
        return ""
    return "two answers differ; change nothing and draw nothing in probabilities and act"


def _follows(seat: UserLearnerPlayer, position: Position) -> str:
    probabilities, rng = seat.learner.probabilities(position), of_question(0, position.row)
    for _ in range(5):
        action, _ = seat.act(position, 0.0, rng)
        if probabilities[action] == 0:
            return f"action {action} has the probability 0; do not explore if self.epsilon is 0"
    return ""


def _values(seat: UserLearnerPlayer, position: Position) -> None:
    seat.learner.values(position)


def _copy(seat: UserLearnerPlayer, seed: int) -> str:
    past, before = seat.state(), seat.policy.probabilities
    _train([seat], seed + 1)
    once = seat.policy.probabilities
    seat.go_to(past)
    if not np.array_equal(seat.policy.probabilities, before):
        return "it changed with its copy; share nothing between learners"
    _train([seat], seed + 1)
    if np.array_equal(seat.policy.probabilities, once):
        return ""
    return "two copies learn different things; draw only from self.rng, and share nothing"


def _restored(seats: Sequence[UserLearnerPlayer], seed: int) -> str:
    for seat in seats:
        if arrays := seat.arrays:
            other = UserLearnerPlayer(seat.algorithm, seat.scenario, seat.role, seed + 1)
            other.restore(arrays)
            if not np.allclose(other.policy.probabilities, seat.policy.probabilities):
                return "another learner plays differently after restore; put all it needs in state"
    return ""


def _learned(job: tuple[str, Scenario, int]) -> bytes:
    spec, scenario, seed = job
    seats = [UserLearnerPlayer(_learner_of(spec), scenario, role, seed) for role in Role]
    _train(seats, seed, 3 * _EPISODES)
    return b"".join(seat.policy.probabilities.tobytes() for seat in seats)


def _speed(algorithm: UserAlgorithm, game: Scenario, seed: int) -> CheckResult:
    seat, begun = UserLearnerPlayer(algorithm, game, Role.SELLER, seed), time.perf_counter()
    _train([seat], seed, 3 * _EPISODES)
    rate = 3 * _EPISODES / (time.perf_counter() - begun)
    pace = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
    return CheckResult(f"learns from {pace} negotiations per second in {game.name}")
