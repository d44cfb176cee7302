"""Exploration: the published training guesses to its very end."""

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters, corrected, published
from negotiation_tui.learning.schedules import epsilons
from negotiation_tui.players.run import Run
from negotiation_tui.sessions.tour_session import Facts
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.negotiation.layout import LEARNING, PRICE
from negotiation_tui.tui.tour.lesson import Ask, Do, Lesson, Say, at_once
from negotiation_tui.tui.tour.lessons.checks import finished

SCENARIO = Scenario.original()
PUBLISHED, CORRECTED = published(SCENARIO), corrected(SCENARIO)
SHARES = "about 10 %", "about 50 %", "about 100 %"
SEEN = 3
"""Cycles to see before the prediction."""


def session() -> TrainingSession:
    """Return the published training."""
    return TrainingSession(Run(SCENARIO, PUBLISHED, 7))


def guesses(parameters: Parameters) -> float:
    """Return the mean probability of a guess (ε) in the last cycle."""
    stop = parameters.total
    return float(epsilons(parameters, stop - parameters.episodes, stop).mean())


def facts() -> Facts:
    """Compute the share of guesses in the last cycle, as published and as corrected."""
    there, corrected_share = guesses(PUBLISHED), guesses(CORRECTED)
    return {
        "begins": f"{PUBLISHED.exploration_start:g}",
        "limit": f"{PUBLISHED.exploration_end:g}",
        "cycles": f"{PUBLISHED.cycles}",
        "seen": f"{SEEN}",
        "published": _nearest(there),
        "published_exactly": f"{there:.1%}",
        "corrected": _nearest(corrected_share),
        "corrected_exactly": f"{corrected_share:.1%}",
    }


def _nearest(share: float) -> str:
    return min(SHARES, key=lambda text: abs(int(text.split()[1]) / 100 - share))


LESSON = Lesson(
    name="exploration",
    title="Exploration",
    goal="see why learners must guess, and how much is too much",
    session=session,
    work=at_once(facts),
    steps=(
        Say(
            "Who only does what seems best never finds out what is better. So a learner sometimes"
            " guesses: it moves at random (explores) with a probability ε. The original lets ε fall"
            " from {begins} toward {limit}, a little with each negotiation.",
            PRICE,
        ),
        Do(
            "Press {cycle} {seen} times: each trains one of the two for a whole cycle. Watch what"
            " the bar and the plans say.",
            lambda model: model.latest.negotiations >= SEEN * PUBLISHED.episodes,
        ),
        Ask(
            "There are {cycles} cycles. In the last one, what share of the learner's moves is"
            " still a guess?",
            SHARES,
            "published",
            "{published_exactly}: the original starts ε over in each cycle, and a cycle is too"
            " short for it to fall. The learners practise against noise until the end.",
        ),
        Ask(
            "Suppose that ε falls only once, over the whole training (recipe corrected). The share"
            " of guesses in the last cycle?",
            SHARES,
            "corrected",
            "{corrected_exactly}. Slow at first, sure at last: now the end of the training shows"
            " what was learned.",
        ),
        Do(
            "Press {cycle} again and again, or {faster} up to flat out and {run}, until all"
            " {cycles} cycles are done. The number that both could still gain (NashConv) stays"
            " above 0.",
            finished,
            LEARNING,
        ),
    ),
)
