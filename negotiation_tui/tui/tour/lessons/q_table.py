"""A Q-table is a list of guesses that each deal improves a little."""

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from negotiation_tui.sessions.tour_session import Facts
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.negotiation.layout import SELLER_PLAN
from negotiation_tui.tui.tour.lesson import THREE, Ask, Do, Lesson, Say, at_once, choices
from negotiation_tui.tui.tour.lessons.checks import over

SCENARIO = Scenario.original()
PARAMETERS = Parameters()
SEED = 5
"""Seed of a training in which the seller accepts in the first negotiation, and gains."""


def session() -> TrainingSession:
    """Return the published training."""
    return TrainingSession(Run(SCENARIO, PARAMETERS, SEED))


def facts() -> Facts:
    """Train for one negotiation, and read the entry that it changed."""
    training = ConcurrentTraining(SCENARIO, PARAMETERS, SEED)
    before = training.q_table(Role.SELLER)
    training.run_episodes(1)
    after = training.q_table(Role.SELLER)
    ((state, action),) = np.argwhere(before != after)
    assert training.last_negotiation is not None
    price = training.last_negotiation.outcome.price
    assert price is not None
    assert action == SCENARIO.accept
    _, time = SCENARIO.offer_and_time(int(state))
    reward, rate = SCENARIO.reward(Role.SELLER, price), PARAMETERS.learning_rate
    value = float(after[state, action])
    second = value + rate * (reward - value)
    options = choices(value, reward, (1 - rate) * reward, digits=2)
    later = choices(value, second, value + reward, digits=2)
    return {
        **options,
        **{name.replace("choice", "later"): text for name, text in later.items()},
        "price": f"{price}",
        "round": f"{time + 1}",
        "reward": f"{reward:.2f}",
        "rate": f"{rate:g}",
        "value": f"{value:.2f}",
        "second": f"{second:.2f}",
    }


LESSON = Lesson(
    name="table",
    title="What a Q-table is",
    goal="compute by hand what one negotiation teaches",
    session=session,
    work=at_once(facts),
    steps=(
        Say(
            "Now they learn. For each situation (state: the price on the table and the round) and"
            " each thing to do (action) a table holds a guess of what it will earn. At first all"
            " guesses are 0, so every move is as good as any other.",
            SELLER_PLAN,
        ),
        Ask(
            "In the first negotiation the seller will accept {price} in round {round} and gain"
            " {reward}. Its guess for that is 0. A guess moves a part of the way to what was seen:"
            " {rate} of it (the learning rate α). What will stand in the table?",
            THREE,
            "value",
            "0 + {rate} × ({reward} − 0) = {value}. One lucky deal must not decide, so each counts"
            " only a little.",
        ),
        Do(
            "Press {negotiation} and see it; the first lines of the seller's Q-table say what it is"
            " now. {values} shows the guesses of all situations, and the plan again.",
            over,
            SELLER_PLAN,
        ),
        Ask(
            "The seller accepts {price} in round {round} a second time, and gains {reward} again."
            " And now?",
            ("{later_1}", "{later_2}", "{later_3}"),
            "second",
            "{value} + {rate} × ({reward} − {value}) = {second}. The steps get smaller near the"
            " truth, {reward}, and the guess never passes it.",
        ),
        Do(
            "Earlier moves learn from the guesses of later ones, so knowledge creeps back from the"
            " end of the game. Press {cycle}: a hundred negotiations at once fill the table.",
            lambda model: model.latest.negotiations >= PARAMETERS.episodes,
            SELLER_PLAN,
        ),
    ),
)
