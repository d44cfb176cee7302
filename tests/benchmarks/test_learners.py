"""How fast learners train, and how soon a recipe reaches equilibrium."""

from statistics import median

import pytest

from negotiation_tui import LEARNERS, STRATEGIES, Role, Scenario, TabularPolicy
from negotiation_tui.experiments import sweep
from negotiation_tui.learning.algorithms.base import Occupant, TabularAlgorithm
from negotiation_tui.learning.backend import PLAIN, Backend, UniformStream
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.strategies.base import tabulable
from tests.support.game import compiled
from tests.support.timing import Check, in_turns, seconds

ORIGINAL = Scenario.original()
PLAIN_EPISODES, EPISODES, ROUNDS = 5_000, 500_000, 3
TABULAR = [
    name
    for name, each in LEARNERS.items()
    if isinstance(each, TabularAlgorithm) and name != "q-learning"
]
GAMES = {"hidden": ("6x5", "≥ 0.5 ×"), "bazaar": ("101x10", "≥ 0.2 ×")}
"""With hidden limits, and the same prices without. The 11 tables of `bazaar` do not fit into a
processor's second cache, which one does."""


def begun(
    seller: Occupant, buyer: Occupant, scenario: Scenario = ORIGINAL, backend: Backend | None = None
) -> ConcurrentTraining:
    parameters, backend = Parameters(cycles=10**6), backend or compiled()
    training = ConcurrentTraining(scenario, parameters, seller=seller, buyer=buyer, backend=backend)
    training.run_episodes(1000)
    return training


def took(training: ConcurrentTraining, episodes: int = EPISODES) -> float:
    return min(in_turns(ROUNDS, lambda: training.run_episodes(episodes))[0])


@pytest.mark.parametrize("name", TABULAR)
def test_a_learner_against_itself(check: Check, name: str) -> None:
    one, q_learner = LEARNERS[name], LEARNERS["q-learning"]
    q_learning, fast = took(begun(q_learner, q_learner)), took(begun(one, one))
    plain = took(begun(one, one, backend=PLAIN), PLAIN_EPISODES) * EPISODES / PLAIN_EPISODES
    bound = 0.5 if name == "sarsa" else 0.05
    check(f"`{name}` against `q-learning`", f"≥ {bound} ×", q_learning / fast)
    assert plain > 5 * fast


def test_a_learner_against_each_strategy(check: Check) -> None:
    learner = LEARNERS["q-learning"]
    self_play = took(begun(learner, learner))
    slowest = max(took(begun(learner, s)) for s in STRATEGIES.values() if tabulable(ORIGINAL, s))
    remembering = max(
        took(begun(learner, strategy))
        for strategy in STRATEGIES.values()
        if strategy.memory and strategy.remembering(ORIGINAL, Role.BUYER)
    )
    for what, took_it in (
        ("the slowest strategy with a table", slowest),
        ("the slowest strategy that heeds earlier offers", remembering),
    ):
        check(f"a learner against {what}, against self-play", "≥ 0.2 ×", self_play / took_it)


@pytest.mark.parametrize("name", ["q-learning", "sarsa", "boltzmann"])
def test_a_learner_against_its_best_response(check: Check, name: str) -> None:
    """The response is computed again each cycle of 100 episodes."""
    one = LEARNERS[name]
    self_play, response = took(begun(one, one)), took(begun(one, STRATEGIES["best-response"]))
    what, speed = f"`{name}` against its best response, against self-play", EPISODES / response
    check(what, "≥ 0.2 ×", self_play / response, f"({speed / 1e6:.1f} million/s)")
    assert speed >= 1e6


@pytest.mark.parametrize("other", ["q-learning", "wolf-phc"])
def test_a_call_for_one_episode(check: Check, other: str) -> None:
    """It costs as much with two kinds of learners, called by address, as with one."""
    learner = LEARNERS["sarsa"]
    same, mixed = begun(learner, learner), begun(learner, LEARNERS[other])
    works = (lambda: same.run_episodes(1)), (lambda: mixed.run_episodes(1))
    alone, one = map(median, in_turns(500, *works))
    what = f"a call for one episode of sarsa and {other}, against two of sarsa"
    check(what, "≤ 2 ×", one / alone, f"({1000 * one:.3g} ms)")
    assert one < 0.0002


@pytest.mark.parametrize("scenario", GAMES)
@pytest.mark.parametrize("name", ["q-learning", "sarsa"])
def test_draws_with_hidden_limits(check: Check, scenario: str, name: str) -> None:
    """A random draw is the unit, because negotiations with hidden limits are longer."""
    (without, bound), learner = GAMES[scenario], LEARNERS[name]
    trainings = [begun(learner, learner, Scenario.of(each)) for each in (without, scenario)]
    for training in trainings:
        training._draws = Counted(training._draws.rng, training._draws.unused)
    rates = (tuple(map(draws_per_second, trainings)) for _ in range(7))
    ratio = median(hidden / known for known, hidden in rates)
    check(f"`{name}` in {scenario} per draw, against {without}", bound, ratio)


class Counted(UniformStream):
    """A stream that counts the numbers that were used."""

    used = 0

    def used_up_to(self, position: int) -> None:
        self.used += position - self._position
        super().used_up_to(position)


def draws_per_second(training: ConcurrentTraining) -> float:
    stream = training._draws
    assert isinstance(stream, Counted)
    before, took = stream.used, seconds(lambda: training.run_episodes(100_000))
    return (stream.used - before) / took


RECIPE = "reverse-curriculum"
NEAR = 0.001
SEEDS = 5
JUDGEMENTS = 40
"""About so many in a training, each at the end of a cycle, the last at the end of the last."""


def distance(training: ConcurrentTraining) -> float:
    seller, buyer = (training.policy(role) for role in Role)
    assert isinstance(seller, TabularPolicy)
    assert isinstance(buyer, TabularPolicy)
    return nash_conv(training.scenario, seller, buyer, training.parameters.discount_rate).total


def episodes_until_near(size: int, seed: int) -> float:
    """After how many NashConv was near 0 for good, infinite where it never was."""
    words = {"prices": str(size), "rounds": str(size), "states": "opener-aware", "recipe": RECIPE}
    job = sweep.run_with(Scenario.original(), words, seed)
    training = ConcurrentTraining(job.scenario, job.parameters, seed, backend=compiled())
    stride = -(-job.parameters.cycles // JUDGEMENTS)
    since = float("inf")
    while not training.finished:
        training.run(min(stride, job.parameters.cycles - training.cycle))
        if distance(training) > NEAR:
            since = float("inf")
        elif since > training.episode:
            since = training.episode
    return since


@pytest.mark.parametrize(("size", "bound"), [(5, 50_000), (20, 1_500_000), (50, 25_000_000)])
def test_a_recipe_reaches_equilibrium(check: Check, size: int, bound: int) -> None:
    found = median(episodes_until_near(size, seed) for seed in range(SEEDS))
    what = f"{RECIPE}, {size} × {size}, NashConv ≤ {NEAR} for good"
    check(what, f"≤ {bound} episodes", found)
