"""Check that a user's learner honours the contract of `Learner`.

It plays and learns against random play, in several scenarios and both roles.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import repeat

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Floats
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import state_text
from negotiation_tui.learning.random_streams import of_question
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.seats.object_seat import ObjectSeat
from negotiation_tui.learning.spec import PREFIX, learns
from negotiation_tui.learning.turn_by_turn import play_schedule
from negotiation_tui.players.check import Check
from negotiation_tui.players.conformance import SCENARIOS
from negotiation_tui.players.outside_learner import OutsideAlgorithm
from negotiation_tui.players.resolve import occupant_from_spec
from negotiation_tui.runtime.process_pool import run_jobs
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.strategies.registry import STRATEGIES

EPISODES = 30
"""Negotiations that it learns from in each scenario and role."""
STATES = 20
"""States of a scenario in which it is asked."""
Job = tuple[str, Scenario, int]


def check_learner(spec: str, scenarios: Sequence[Scenario] = (), seed: int = 0) -> Iterator[Check]:
    """Run every check in turn, in the given scenarios, or in those of `check_strategy`.

    If it cannot be made, cannot play or cannot learn, the other checks are left out. Raises
    BadInputError if the spec is wrong or names a built-in learner.
    """
    algorithm, every = _learner_of(spec), list(scenarios)
    if not every:
        every = [*SCENARIOS, replace(Scenario.original(), states=States.OPENER_AWARE)]
    cases = [(scenario, role) for scenario in every for role in Role]
    seats: list[ObjectSeat] = []

    def make() -> str:
        seats.extend(_seat(algorithm, scenario, role, seed) for scenario, role in cases)
        return ""

    def learn() -> str:
        for seat in seats:
            _train(seat, seed)
        return ""

    basic: list[tuple[str, Callable[[], str]]] = [
        ("is made for each role", make),
        ("gives legal actions and their probabilities", lambda: _first(seats, _plays)),
        ("learns from negotiations", learn),
        ("the same after it learned", lambda: _first(seats, _plays)),
    ]
    for name, check in basic:
        result = _check(name, check)
        yield result
        if result.broken:
            return
    yield _check("its probabilities change only by learning", lambda: _first(seats, _constant))
    yield _check("without exploration plays by its probabilities", lambda: _first(seats, _follows))
    yield _check("gives a value per action, or none", lambda: _first(seats, _values))
    yield _check("a copy learns the same, and changes only itself", lambda: _copy(seats[0], seed))
    yield _check("restore brings back its state", lambda: _restored(seats, seed))
    yield _check("learns the same from the same seed", lambda: _repeated(spec, every[0], seed))
    yield _speed(_seat(algorithm, every[0], Role.SELLER, seed), seed)


def _learner_of(spec: str) -> OutsideAlgorithm:
    full = spec if learns(spec) else PREFIX + spec
    algorithm = occupant_from_spec(full)
    if not isinstance(algorithm, OutsideAlgorithm):
        raise refusal("learner", spec, "a learner of your own, such as my.py")
    return algorithm


def _seat(algorithm: OutsideAlgorithm, scenario: Scenario, role: Role, seed: int) -> ObjectSeat:
    return ObjectSeat(algorithm, scenario, role, Parameters(), seed)


def _train(seat: ObjectSeat, seed: int, episodes: int = EPISODES) -> str:
    """Let it learn against random play, less and less exploring; return no failure."""
    opponent = STRATEGIES["random"]
    players = (seat, opponent) if seat.role is Role.SELLER else (opponent, seat)
    falling = np.linspace(1, 0, episodes)
    schedule = Schedule((seat.role, seat.role), Opener.ALTERNATE, falling)
    play_schedule(seat.scenario, players, schedule, repeat(of_question(seed, 0)))
    return ""


def _check(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, check())
    except BadInputError as error:
        return Check(name, str(error))


def _first(seats: Sequence[ObjectSeat], check: Callable[[ObjectSeat, Position], str]) -> str:
    """Return the first failure of a check, with its state."""
    for seat in seats:
        positions = list(seat.positions.values())
        for at in np.unique(np.linspace(0, len(positions) - 1, STATES).astype(int)).tolist():
            broken = check(seat, positions[at])
            if broken:
                where = f"{state_text(positions[at])} in {seat.scenario.name}"
                return f"{where}, as {seat.role}: {broken}"
    return ""


def _asked(seat: ObjectSeat, position: Position) -> Floats:
    return np.array(seat.learner.probabilities(position), np.float64)


def _plays(seat: ObjectSeat, position: Position) -> str:
    _asked(seat, position)
    rng = of_question(0, position.row)
    for epsilon in (0.0, 1.0):
        seat.act(position, epsilon, rng)
    return ""


def _follows(seat: ObjectSeat, position: Position) -> str:
    probabilities, rng = _asked(seat, position), of_question(0, position.row)
    for _ in range(5):
        action, _ = seat.act(position, 0.0, rng)
        if probabilities[action] == 0:
            return f"action {action} has the probability 0; do not explore if self.epsilon is 0"
    return ""


def _constant(seat: ObjectSeat, position: Position) -> str:
    before = _asked(seat, position)
    _plays(seat, position)
    if np.array_equal(before, _asked(seat, position)):
        return ""
    return "two answers differ; change nothing and draw nothing in probabilities and act"


def _values(seat: ObjectSeat, position: Position) -> str:
    seat.learner.values(position)
    return ""


def _policy(seat: ObjectSeat) -> Floats:
    return seat.policy.probabilities


def _copy(seat: ObjectSeat, seed: int) -> str:
    """Train it on, go back, and train it on again."""
    past, before = seat.state(), _policy(seat)
    _train(seat, seed + 1)
    once = _policy(seat)
    seat.go_to(past)
    if not np.array_equal(_policy(seat), before):
        return "it changed with its copy; share nothing between learners"
    _train(seat, seed + 1)
    if np.array_equal(_policy(seat), once):
        return ""
    return "two copies learn different things; draw only from self.rng, and share nothing"


def _restored(seats: Sequence[ObjectSeat], seed: int) -> str:
    for seat in seats:
        arrays = seat.arrays
        if arrays:
            other = ObjectSeat(seat.algorithm, seat.scenario, seat.role, Parameters(), seed + 1)
            other.restore(arrays)
            if not np.allclose(_policy(other), _policy(seat)):
                return "another learner plays differently after restore; put all it needs in state"
    return ""


def _repeated(spec: str, scenario: Scenario, seed: int) -> str:
    """Train it again, here and in another process."""
    job = spec, scenario, seed
    elsewhere = [digest for _, digest in run_jobs(fingerprint, [job, job], 2)]
    if {fingerprint(job), fingerprint(job)} == set(elsewhere):
        return ""
    return "it learned something else; draw only from self.rng: no random, no clock, no set order"


def fingerprint(job: Job) -> str:
    """Return the digest of a policy after learning; the job is (spec, scenario, seed)."""
    spec, scenario, seed = job
    digest = sha256()
    for role in Role:
        seat = _seat(_learner_of(spec), scenario, role, seed)
        _train(seat, seed, 3 * EPISODES)
        digest.update(_policy(seat).tobytes())
    return digest.hexdigest()


def _speed(seat: ObjectSeat, seed: int) -> Check:
    begun = time.perf_counter()
    broken = _check("", lambda: _train(seat, seed, 3 * EPISODES)).broken
    per_second = 3 * EPISODES / (time.perf_counter() - begun)
    pace = f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.2g}"
    return Check(f"learns from {pace} negotiations per second in {seat.scenario.name}", broken)
