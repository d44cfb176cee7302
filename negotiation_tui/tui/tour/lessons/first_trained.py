"""The riddle of the agent trained first: what an emptied wallet would have shown."""

import numpy as np

from negotiation_tui.experiments.reproduction import EXPERIMENTS
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from negotiation_tui.sessions.tour_session import Work
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.negotiation.layout import PURSES
from negotiation_tui.tui.tour.lesson import Ask, Do, Lesson, Say
from negotiation_tui.tui.tour.lessons.checks import finished

SCENARIO, PARAMETERS = Scenario.original(), Parameters()
PAIRS = 24
"""Pairs of trainings, of one seed each: the seller first, and the buyer first."""
CHOICES = "more than if second", "less than if second", "about as much"
NOISE = 3.0
"""Standard errors that a difference must have to count as one."""


def session() -> TrainingSession:
    """Return the published training, the seller first."""
    return TrainingSession(Run(SCENARIO, PARAMETERS, 7))


def left_over(seed: int, first: Role) -> tuple[int, int]:
    """Return the seller's left-over wallet one cycle before the end, and at the end."""
    training = ConcurrentTraining(SCENARIO, PARAMETERS, seed, train_agent=first)
    training.run(PARAMETERS.cycles - 1)
    before = training.statistics.left_over
    training.run(1)
    return before, training.statistics.left_over


def work() -> Work:
    """Train the pairs, and compare the left-over wallets: seller first less buyer first."""
    found = []
    for seed in range(PAIRS):
        seller_first, buyer_first = (left_over(seed, role) for role in Role)
        found.append(np.subtract(seller_first, buyer_first))
        yield (seed + 1) / PAIRS
    differences = np.array(found)
    odd, even = differences.mean(axis=0)
    odd_error, even_error = differences.std(axis=0, ddof=1) / np.sqrt(PAIRS)
    first, second = (experiment.published for experiment in EXPERIMENTS[:2])
    return {
        "pairs": f"{PAIRS}",
        "cycles": f"{PARAMETERS.cycles}",
        "fewer": f"{PARAMETERS.cycles - 1}",
        "if_first": f"{first:,}",
        "if_second": f"{second:,}",
        "gap": f"{first - second}",
        "at_the_end": _choice(even, even_error),
        "one_less": _choice(odd, odd_error),
        "difference": f"{even:+.0f}".replace("-", "−"),
        "difference_one_less": f"{odd:+.0f}".replace("-", "−"),
    }


def _choice(difference: float, error: float) -> str:
    if abs(difference) < NOISE * error:
        return CHOICES[2]
    return CHOICES[0] if difference > 0 else CHOICES[1]


LESSON = Lesson(
    name="first",
    title="The first-trained riddle",
    goal="solve the puzzle that the original left open",
    session=session,
    work=work,
    steps=(
        Say(
            "The original trained both in turn, {cycles} cycles, then tested them. The seller's"
            " wallet held {if_first} after the test if it was trained first, {if_second} if it was"
            " trained second. “We have no idea how to solve it,” the authors wrote.",
            PURSES,
        ),
        Do("Press {run}: the published training, the seller first, to its end.", finished),
        Say(
            "In each cycle one learns and guesses nearly always; the other plays what it knew a"
            " cycle ago (frozen), and profits. And: the test did not empty the wallets. They still"
            " held what the last training cycle left there."
        ),
        Ask(
            "Trained first, the seller is not the learner of the last cycle: the buyer is. What"
            " does the last cycle leave in the seller's wallet?",
            CHOICES,
            "at_the_end",
            "{pairs} pairs of trainings: {difference} on average. The published difference was"
            " {gap}. That is the riddle: not who learned first, but who guessed last.",
        ),
        Ask(
            "Stop one cycle earlier, after {fewer}. Now the seller, trained first, is also the"
            " learner of the last cycle. Its left-over wallet?",
            CHOICES,
            "one_less",
            "{difference_one_less} on average: one cycle less turns the result round. A measurement"
            " that depends on an odd or even number measures something else.",
        ),
        Do(
            "Press {test}: a thousand test negotiations, with empty wallets and as published.",
            lambda model: bool(model.latest.tests),
        ),
    ),
    pace="flat",
)
