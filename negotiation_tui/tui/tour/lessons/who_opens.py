"""States that do not say who opened can hold no perfect plan; those that do can learn one."""

from collections.abc import Generator
from dataclasses import replace

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import reverse_curriculum
from negotiation_tui.players.run import Run
from negotiation_tui.sessions.tour_session import Work
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.subgame_perfect import EQUAL
from negotiation_tui.tui.negotiation.layout import LEARNING, SELLER_PLAN
from negotiation_tui.tui.tour.lesson import Ask, Do, Lesson, Say, part
from negotiation_tui.tui.tour.lessons.checks import finished

NOT_TOLD = Scenario.original()
TOLD = replace(NOT_TOLD, states=States.OPENER_AWARE)
SEED = 7
CYCLES_PER_PIECE = 10
CHOICES = "the one that is told", "the one that is not", "both", "neither"


def session() -> TrainingSession:
    """Return the training whose states say who opened."""
    return TrainingSession(Run(TOLD, reverse_curriculum(TOLD), SEED))


def still_to_gain(scenario: Scenario) -> Generator[float, None, float]:
    """Train in pieces and yield the share that is done; return NashConv at the end."""
    training = ConcurrentTraining(scenario, reverse_curriculum(scenario), SEED)
    while not training.finished:
        training.run(CYCLES_PER_PIECE)
        yield training.episode / training.parameters.total
    seller, buyer = (greedy(scenario, role, training.q_table(role)) for role in Role)
    return nash_conv(scenario, seller, buyer).total


def work() -> Work:
    """Train with both kinds of states, and compare NashConv."""
    told = yield from part(still_to_gain(TOLD), 0.0, 0.5)
    not_told = yield from part(still_to_gain(NOT_TOLD), 0.5, 1.0)
    perfect = told <= EQUAL, not_told <= EQUAL
    best = {(True, False): 0, (False, True): 1, (True, True): 2, (False, False): 3}[perfect]
    return {
        "perfect": CHOICES[best],
        "told": f"{told:.3f}",
        "not_told": f"{not_told:.3f}",
        "cycles": f"{reverse_curriculum(TOLD).cycles}",
    }


LESSON = Lesson(
    name="opener",
    title="Who opens",
    goal="see why some tables can never hold a perfect plan",
    session=session,
    work=work,
    steps=(
        Say(
            "In lesson 3 all depended on who opens. But a state as published is only a price and a"
            " round: it does not say who opened. One row of the table must serve both cases.",
            SELLER_PLAN,
        ),
        Say(
            "This training has states that say who opened (opener-aware), and learns from the end:"
            " first the last moves, then the ones before (reverse curriculum). How good a pair of"
            " plans is, one number tells: what both could still gain by a better plan (NashConv)."
        ),
        Ask(
            "Two such trainings, {cycles} cycles each. One is told who opened, one is not. Which"
            " one ends with plans that cannot be improved (NashConv 0)?",
            CHOICES,
            "perfect",
            "Told: both could still gain {told}. Not told: {not_told}. In the last round the one"
            " who opened still has the last offer and should ask for all; the other should take"
            " what it can get. One row cannot do both.",
        ),
        Do(
            "See it: press {run}. It takes a few seconds; watch what both could still gain.",
            finished,
            LEARNING,
        ),
        Say(
            "A learner can only be as good as what it can tell apart. That was the fault of the"
            " published states, not of the learning.",
            SELLER_PLAN,
        ),
    ),
    pace="flat",
)
