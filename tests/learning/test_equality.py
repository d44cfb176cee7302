"""One seed is one run, to the bit: at once, in parts, compiled, and as the original recorded it."""

import gc
import json
import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import Opener, Role, Scenario, States, Strategy, strategy
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.backend import PLAIN, Backend, UniformStream
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner, spec_of_learner
from negotiation_tui.learning.loop import log
from negotiation_tui.learning.population import Population, TabularPlayer
from negotiation_tui.learning.rewind import RewindableTraining
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.players.resolve import as_player
from negotiation_tui.strategies.concession import Midpoint
from tests.support.game import ORIGINAL, compiled, roles, scenarios, seeds, some
from tests.support.hidden import HIDDEN
from tests.support.mixed import Mixed
from tests.support.paths import DATA
from tests.support.restated import Restated
from tests.support.trainings import same_training

AWARE = Scenario.from_dict({"prices": 3, "rounds": 3, "states": "opener-aware"})
PAIRS: dict[str, tuple[str | Mixed, str | Mixed, str]] = {
    **{
        f"{name} beside sarsa": (f"learned:{name}", "learned:sarsa", "corrected")
        for name in LEARNERS
    },
    **{
        f"two of {name}": (f"learned:{name}", f"learned:{name}", "corrected")
        for name in ("wolf-phc", "boltzmann", "cfr", "fictitious-play")  # each in its own way
    },
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
    *("plain", "expected updates", "curriculum", "sarsa beside sarsa", "two of wolf-phc"),
    *("cfr beside sarsa", "a strategy", "a best responder", "a best responder beside boltzmann"),
)
GAMES = {
    **HIDDEN,
    "time costs": replace(AWARE, delta=(0.9, 0.6)),
    "hidden and time costs": replace(HIDDEN["one side"], delta=(0.6, 1.0)),
}
COSTLY = [
    pytest.param(game, pair, marks=pytest.mark.slow)
    for game, pairs in {
        "time costs": [
            *(f"{name} beside sarsa" for name in ("sarsa", "wolf-phc", "cfr")),
            *("plain", "expected updates", "curriculum", "a strategy", "turn by turn"),
        ],
        "hidden and time costs": HIDDEN_PAIRS,
    }.items()
    for pair in pairs
    if "responder" not in pair
]
CASES = [
    *((None, pair) for pair in PAIRS),
    *((game, pair) for game in HIDDEN if game != "hidden" for pair in HIDDEN_PAIRS),
]
DAILY = {"plain", "curriculum", "weights", "a mixed strategy"}
"""Pairs that are compiled in each run of the tests; the others take seconds to compile."""
COMPILED = [
    pytest.param(*case, marks=[pytest.mark.slow] * (case[1] not in DAILY)) for case in CASES
]


def begun(game: str | None, pair: str, backend: Backend = PLAIN) -> ConcurrentTraining:
    seller, buyer, recipe = PAIRS[pair]
    scenario = AWARE if game is None else replace(GAMES[game], states=States.OPENER_AWARE)
    parameters = replace(RECIPES[recipe](scenario), cycles=12, episodes=20)
    one, other = as_player(seller), as_player(buyer)
    return ConcurrentTraining(scenario, parameters, 7, seller=one, buyer=other, backend=backend)


@pytest.mark.parametrize(("game", "pair"), [*CASES, *COSTLY])
def test_one_seed_is_one_run(game: str | None, pair: str) -> None:
    course, parts = RewindableTraining(lambda: begun(game, pair)), begun(game, pair)
    course.run_episodes(160)
    for n in (1, 19, 0, 3, 57, 53):
        parts.run_episodes(n)
    past = course.training_at(133)
    assert same_training(past, parts)
    course.advance(past, 27)
    assert same_training(past, course.training)


@pytest.mark.parametrize(("game", "pair"), [*COMPILED, *COSTLY])
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
    frozen = training.kept(Role.SELLER)
    assert isinstance(before, TabularPolicy)
    assert isinstance(frozen, TabularPolicy)
    np.testing.assert_array_equal(frozen.probabilities, before.probabilities)


MIDPOINT = Midpoint()


def test_each_agent_keeps_its_own_exploration() -> None:
    training = ConcurrentTraining(ORIGINAL, buyer=MIDPOINT)
    kept = 0.1 + 0.9 * np.exp(-0.099)

    def first_epsilons(cycles: int) -> list[float]:
        seen = []
        for _ in range(cycles):
            training.run_episodes(1)
            seen.append(training.epsilon)
            training.run_episodes(99)
        return seen

    assert first_epsilons(3) == pytest.approx([1, kept, kept])
    training.seat(Role.BUYER, None)  # learns in odd cycles, for the first time in cycle 3
    assert first_epsilons(3) == pytest.approx([1, kept, kept])
    training.seat(Role.SELLER, MIDPOINT)
    assert first_epsilons(1) == pytest.approx([kept])


def test_a_table_handed_out_is_a_copy() -> None:
    training = ConcurrentTraining(ORIGINAL)
    training.q_table(Role.SELLER)[:] = 9.0
    training.run(1)
    assert training.q_tables.max() < 1


@given(scenarios(), seeds, st.integers(1, 60), st.booleans())
def test_negotiations_count_once(scenario: Scenario, seed: int, n: int, train_both: bool) -> None:
    training = ConcurrentTraining(scenario, Parameters(episodes=7), seed, train_both)
    paid = rounds = 0
    for _ in range(n):
        training.run_episodes(1)
        outcome = some(training.last_negotiation).outcome
        paid += outcome.price or 0
        rounds += outcome.round + 1 if outcome.deal else 0
    counts = training.statistics
    finished, rest = divmod(n, 7)
    played = [7] * finished + [rest] * (rest > 0)
    assert (counts.agreements.sum(axis=1) + counts.breakdowns.sum(axis=1)).tolist() == played
    assert not counts.wallets.sum(axis=1).any()
    assert counts.wallets[:, Role.SELLER].sum() == counts.total.paid == paid
    assert counts.total.rounds == rounds


@given(scenario=scenarios(5, 4), seed=seeds)
def test_where_nobody_learns_a_recipe_asks_for_no_tables(scenario: Scenario, seed: int) -> None:
    parameters = replace(RECIPES["reverse-curriculum"](scenario), episodes=8, cycles=3)
    random, other = strategy("random"), strategy("zero-intelligence")
    training = ConcurrentTraining(scenario, parameters, seed, seller=random, buyer=other)
    training.run()
    assert training.statistics.total.negotiations == 24


@pytest.mark.parametrize("buyer", [None, "midpoint", "tit-for-tat"])
@given(scenario=scenarios(5, 4), seed=seeds, recipe=st.sampled_from(sorted(RECIPES)))
def test_a_learner_plays_greedily_over_its_table(
    buyer: str | None, scenario: Scenario, seed: int, recipe: str
) -> None:
    """The inner loop keeps the best actions of each row, in the order that `greedy` gives them."""
    if buyer == "tit-for-tat":
        recipe = "published"
    parameters = replace(RECIPES[recipe](scenario), episodes=9, cycles=6)
    training = ConcurrentTraining(
        scenario, parameters, seed, buyer=None if buyer is None else strategy(buyer)
    )
    for _ in range(3):
        for role in Role:
            policy = training.policy(role)
            if training.strategy(role) is None and isinstance(policy, TabularPolicy):
                expected = greedy(scenario, role, training.q_table(role))
                assert policy.n_actions.tolist() == expected.n_actions.tolist()
                used = np.arange(scenario.n_actions) < expected.n_actions[:, None]
                assert (policy.actions == expected.actions)[used].all()
        training.run_episodes(13)


@st.composite
def trainings(draw: st.DrawFn) -> Restated:
    share = st.floats(0, 1)
    parameters = Parameters(
        learning_rate=draw(st.sampled_from([0.1, 0.5, 1.0])),
        discount_rate=draw(st.sampled_from([0.0, 0.9, 0.99, 1.0])),
        exploration_start=draw(share),
        exploration_end=draw(share),
        exploration_decay=draw(st.sampled_from([0.0, 0.001, 0.3])),
        exploration_restarts=draw(st.booleans()),
        cycles=draw(st.integers(1, 5)),
        episodes=draw(st.integers(1, 12)),
        curriculum_window=draw(st.sampled_from([0, 0, 1, 2, 4, 99])),
        curriculum_shift_every=draw(st.integers(0, 2)),
        expected_updates=draw(st.booleans()),
    )
    static: dict[Role, Strategy] = draw(
        st.sampled_from([{}, {Role.SELLER: Midpoint()}, {Role.BUYER: Midpoint()}])
    )
    # Beside a static strategy the other learns.
    alone = next((role.other for role in static), None)
    return Restated(
        draw(scenarios(largest=8, rounds=5)),
        parameters,
        draw(seeds),
        draw(st.booleans()),
        alone if alone is not None else draw(roles),
        static,
    )


def same_to_the_bit(restated: Restated, backend: Backend) -> None:
    training = ConcurrentTraining(
        restated.scenario,
        restated.parameters,
        restated.seed,
        restated.train_both,
        restated.train_agent,
        seller=restated.static.get(Role.SELLER),
        buyer=restated.static.get(Role.BUYER),
        backend=backend,
    )
    for episode in range(restated.parameters.total):
        training.run_episodes(1)
        turns = some(training.last_negotiation).turns
        moves = [(turn.role, turn.action, turn.explored) for turn in turns]
        assert moves == restated.negotiation(episode)
    for role in Role:
        assert np.array_equal(training.q_table(role), restated.tables[role])


@given(restated=trainings())
def test_the_inner_loop_follows_the_rules(backend: Backend, restated: Restated) -> None:
    same_to_the_bit(restated, backend)


@settings(max_examples=15)
@given(scenarios(largest=3, rounds=2), seeds)
def test_ties_that_come_and_go(scenario: Scenario, seed: int) -> None:
    """With α = γ = 1 a value is the last one observed: many are equal, and rise and fall."""
    parameters = Parameters(1, 1, exploration_decay=0.01, cycles=4, episodes=60)
    same_to_the_bit(Restated(scenario, parameters, seed, True, Role.SELLER, {}), PLAIN)


@pytest.mark.slow
def test_twice_the_published_training() -> None:
    """Long enough to use up more than one block of draws."""
    original = Restated(Scenario.original(), Parameters(cycles=100), 1, True, Role.BUYER, {})
    same_to_the_bit(original, PLAIN)


def test_a_full_log_holds_no_rows() -> None:
    changed = [0] * 6
    for row in (4, 5):
        log(changed, 1, row)
    assert changed == [0, 0, 0, 2, 4, 5]
    log(changed, 1, 4)
    assert changed[3] == len(changed) // 2, "all rows are looked at"


Run = dict[str, Any]

RUNS: list[Run] = json.loads((DATA / "recorded_runs.json").read_text(encoding="utf-8"))


def tables() -> dict[Role, Any]:
    return {role: np.zeros((ORIGINAL.n_states, ORIGINAL.n_actions)) for role in Role}


class ForcedDraws:
    """The random numbers with which the inner loop can only play the recorded turns.

    The trainee always explores (ε = 1), so a draw picks its action among the legal ones; the
    trainer draws only if its frozen table has a tie.
    """

    def __init__(self, run: Run) -> None:
        self.q = tables()
        self.frozen = tables()
        self.rates = run["learning_rate"], run["discount_rate"]

    def of(self, episode: Run) -> list[float]:
        trainee = Role.of(episode["trainee"])
        if episode["episode"] == 0:
            self.frozen[trainee] = self.q[trainee].copy()
        plays = greedy(ORIGINAL, trainee.other, self.frozen[trainee.other])
        draws: list[float] = []
        for who, state, low, high, action in episode["turns"]:
            if who == str(trainee):
                draws.append((action - low + 0.5) / (high - low))
                continue
            ties = plays.actions[state, : plays.n_actions[state]].tolist()
            assert action in ties, "the original's trainer plays its frozen table greedily"
            if len(ties) > 1:
                draws.append((ties.index(action) + 0.5) / len(ties))
        (rate, discount_rate), q = self.rates, self.q[trainee]
        for state, action, reward, next_state, _ in episode["updates"]:
            target = reward + discount_rate * max(q[next_state])
            q[state, action] = q[state, action] * (1 - rate) + rate * target
        return draws


class Given(UniformStream):
    def __init__(self, numbers: list[float]) -> None:
        self._numbers, self.used = numbers, 0

    def block(self, backend: Backend, at_least: int, _ahead: int = 0) -> tuple[Any, int]:
        spare = [0.0] * at_least  # the loop wants to be sure that draws last
        return backend.row(np.array(self._numbers + spare)), 0

    def used_up_to(self, position: int) -> None:
        self.used = position


@pytest.mark.parametrize("run", RUNS, ids=["both", "one"])
def test_the_inner_loop_plays_it_again(run: Run, backend: Backend) -> None:
    parameters = Parameters(run["learning_rate"], run["discount_rate"])
    population = Population(ORIGINAL, backend, parameters)
    players = [TabularPlayer(Q_LEARNING, role, population) for role in Role]
    first, per_cycle = Role.of(run["first_trainee"]), run["episodes_per_cycle"]
    learners = first, first.other if run["train_both"] else first
    forced, counts = ForcedDraws(run), np.zeros((run["cycles"], 6), np.int64)
    for number, episode in enumerate(run["episodes"]):
        draws = Given(forced.of(episode))
        schedule = Schedule(learners, Opener.ALTERNATE, np.ones(1), number, per_cycle)
        batch = population.play(schedule, draws)
        counts[number // per_cycle] += batch.counts[0]
        assert draws.used == len(draws._numbers)
        turns = batch.transcript.turns
        assert [turn.action for turn in turns] == [turn[4] for turn in episode["turns"]]
        assert [str(turn.role) for turn in turns] == [turn[0] for turn in episode["turns"]]
        who = [turn[0] == episode["trainee"] for turn in episode["turns"]]
        assert [turn.explored for turn in turns] == who
        for role in Role:
            assert players[role].tables[0].tolist() == forced.q[role].tolist()
    counted = CycleStatistics(counts)
    for role in Role:
        validated, rejected = run["transactions"][str(role)]
        assert counted.agreements[:, role].tolist() == validated
        assert counted.breakdowns[:, role].tolist() == rejected
        assert players[role].tables[0].tolist() == run["final_q"][str(role)]


def test_a_training_that_is_dropped_leaves_memory_at_once() -> None:
    training = ConcurrentTraining(ORIGINAL, Parameters(cycles=2))
    training.run()
    population = weakref.ref(training.population)
    gc.disable()
    try:
        del training
        assert population() is None
    finally:
        gc.enable()
