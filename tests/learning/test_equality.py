"""One seed is one run, to the bit: at once, in parts, compiled, and after a look back."""

from dataclasses import replace

import numpy as np
import pytest

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner, spec_of_learner
from negotiation_tui.learning.rewind import RewindableTraining
from negotiation_tui.players.resolve import as_player
from tests.support.game import compiled
from tests.support.hidden import HIDDEN
from tests.support.mixed import Mixed
from tests.support.trainings import same_training

AWARE = Scenario.from_dict({"prices": 3, "rounds": 3, "states": "opener-aware"})
PAIRS: dict[str, tuple[str | Mixed, str | Mixed, str]] = {
    **{
        f"{name} beside sarsa": (f"learned:{name}", "learned:sarsa", "corrected")
        for name in LEARNERS
    },
    **{f"two of {name}": (f"learned:{name}", f"learned:{name}", "corrected") for name in LEARNERS},
    "plain": ("learned", "learned", "published"),
    "expected updates": ("learned", "learned", "exploring-starts"),
    "curriculum": ("learned", "learned", "reverse-curriculum"),
    "expected updates beside sarsa": ("learned:sarsa", "learned", "exploring-starts"),
    "together": ("learned:q-learning:schedule=together", "learned", "corrected"),
    "a strategy": ("boulware", "learned", "corrected"),
    "a mixed strategy": ("learned", "random", "corrected"),
    "a strategy with a memory": ("learned:double-q", "tit-for-tat", "published"),
    "weights against a memory": (Mixed(4), "averaged-tit-for-tat", "corrected"),
    "weights": ("learned", Mixed(5), "exploring-starts"),
    "a best responder": ("learned", "best-response", "corrected"),
    "a best responder beside boltzmann": ("learned:boltzmann", "best-response", "corrected"),
    "a best responder against weights": (Mixed(6), "best-response", "corrected"),
    "turn by turn": ("learned:wolf-phc", Mixed(7, has_table=False), "corrected"),
    "no learner": ("boulware", "random", "published"),
}
"""The seller, the buyer and the recipe."""
HIDDEN_PAIRS = (
    "plain",
    "expected updates",
    "curriculum",
    "sarsa beside sarsa",
    "two of wolf-phc",
    "cfr beside sarsa",
    "a strategy",
    "a best responder",
    "a best responder beside boltzmann",
)
CASES = [
    *((None, pair) for pair in PAIRS),
    *((game, pair) for game in HIDDEN for pair in HIDDEN_PAIRS),
]
DAILY = {"plain", "curriculum", "sarsa beside sarsa", "weights", "a mixed strategy"}
"""Pairs that are compiled in each run of the tests; the others take seconds to compile."""
NO_OTHER_CODE = {f"{name} beside sarsa" for name in LEARNERS} - {"wolf-phc beside sarsa"}
"""Of these the functions are compiled in pairs of one kind, and the loop for any two kinds."""
COMPILED = [
    pytest.param(*case, marks=[pytest.mark.slow] * (case[1] not in DAILY))
    for case in CASES
    if case[1] in DAILY or case[1] not in NO_OTHER_CODE
]


def begun(game: str | None, pair: str, backend: Backend = PLAIN) -> ConcurrentTraining:
    seller, buyer, recipe = PAIRS[pair]
    scenario = AWARE if game is None else replace(HIDDEN[game], states=States.OPENER_AWARE)
    parameters = replace(RECIPES[recipe](scenario), cycles=12, episodes=20)
    one, other = as_player(seller), as_player(buyer)
    return ConcurrentTraining(scenario, parameters, 7, seller=one, buyer=other, backend=backend)


@pytest.mark.parametrize(("game", "pair"), CASES)
def test_one_seed_is_one_run(game: str | None, pair: str) -> None:
    course, parts = RewindableTraining(lambda: begun(game, pair)), begun(game, pair)
    course.run_episodes(160)
    for n in (1, 19, 0, 3, 57, 53):
        parts.run_episodes(n)
    past = course.training_at(133)
    assert same_training(past, parts)
    course.advance(past, 27)
    assert same_training(past, course.training)


@pytest.mark.parametrize(("game", "pair"), COMPILED)
def test_compiled_code_gives_that_run(game: str | None, pair: str) -> None:
    plain, other = begun(game, pair), begun(game, pair, compiled())
    plain.run_episodes(120)
    other.run_episodes(51)
    other.use(PLAIN)
    other.run_episodes(40)
    other.use(compiled())
    other.run_episodes(29)
    assert same_training(plain, other)


@pytest.mark.parametrize("name", LEARNERS)
def test_the_text_of_a_learner_makes_an_equal_one(name: str) -> None:
    assert learner(spec_of_learner(LEARNERS[name])) == LEARNERS[name]


@pytest.mark.parametrize("name", ["cfr", "sarsa", "wolf-phc"])
def test_expected_updates_are_those_of_q_learning_alone(name: str) -> None:
    runs = []
    for expected in (True, False):
        values = Parameters(cycles=12, episodes=20, expected_updates=expected, curriculum_window=6)
        one = LEARNERS[name]
        runs.append(ConcurrentTraining(AWARE, values, 7, seller=one, buyer=one))
        runs[-1].run()
    np.testing.assert_array_equal(runs[0].q_tables, runs[1].q_tables)


@pytest.mark.parametrize(
    "name", [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]
)
def test_a_learner_plays_from_before_its_cycle_while_the_other_learns(name: str) -> None:
    occupant = learner(f"{name}:schedule=alternate")
    values = Parameters(cycles=8, episodes=25, learning_rate=0.5)
    training = ConcurrentTraining(
        Scenario.from_dict({"prices": 3, "rounds": 2}), values, 1, seller=occupant, buyer=occupant
    )
    training.run()
    before = training.policy(Role.SELLER)
    training.run(1)
    frozen = training.players.kept(Role.SELLER)
    assert isinstance(before, TabularPolicy)
    assert isinstance(frozen, TabularPolicy)
    np.testing.assert_array_equal(frozen.probabilities, before.probabilities)
