"""Open a session, and compare two trainings."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from negotiation_tui import Opener, Role, Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.rewind import NewOpener
from negotiation_tui.learning.spec import Specs
from negotiation_tui.players.run import Run
from negotiation_tui.sessions.snapshot import Seating
from negotiation_tui.sessions.training_session import TrainingSession


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
    return (
        np.array_equal(one.q_tables, other.q_tables)
        and np.array_equal(one.statistics.counts, other.statistics.counts)
        and one.last_negotiation == other.last_negotiation
    )


def wait_until(holds: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)
