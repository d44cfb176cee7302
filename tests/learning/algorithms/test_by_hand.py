"""Updates of the learners with tables, worked out by hand in a game of two prices.

A line is a negotiation, its reward to the seller, and entries of tables after it:
`start.high low.accept = 1/2: start.high 0, low.accept@1 1/4`. A decision is a state and an action;
`@1` names a table, 0 if there is none; `ε` or `draw` may follow the reward.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import LEARNERS, Role, Scenario, learner
from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Episode
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.population import Population, TabularPlayer
from negotiation_tui.learning.q_table import untrained
from negotiation_tui.strategies.matchup import tables_of
from tests.support.learner_alone import (
    ACCEPT,
    HIGH,
    LAST_LOW,
    LOW,
    OFFER_HIGH,
    TINY,
    WALK_AWAY,
    LearnerAlone,
    S,
)

STATES = {"start": S, "low": LOW, "high": HIGH, "last": LAST_LOW}
"""In `low` and `high` price 1 or 2 stands, in `last` price 1 before the last decision."""
ACTIONS = {"low": 0, "high": 1, "accept": 2, "walk": 3}
THREE_ROUNDS = replace(TINY, rounds=3)  # the state `last` is one round before the end there


def likelier(difference: float) -> float:
    """The chance of one of two actions if its preference is greater by `difference`."""
    return 1 / (1 + math.exp(-difference))


ONCE = 1 / 4 + 1 / 4 * likelier(-1 / 2)
"""The preference for accepting after two rewards of 1/2: steps of 1/2 and 1/4, each times 1 − π."""

UPDATES = {
    # Sutton and Barto 2018, section 6.5
    "q-learning:learning_rate=0.5": """
# Nothing is known of `low` yet, so `start` learns nothing.
start.high low.accept = 1/2: start.high 0, low.accept 1/4
# At `start` the target is γ·1/4 = 1/8. At `low` half of the way from 1/4 to 1/2 is left.
start.high low.accept = 1/2: start.high 1/16, low.accept 3/8
# Walking away earns nothing, but `start` learns from the best action of `low`: γ·3/8 = 3/16.
start.high low.walk = 0: start.high 1/8, low.accept 3/8, low.walk 0
# An offer that was accepted is a last decision too.
high.high = 1: high.high 1/2, start.high 1/8
""",
    # section 6.4
    "sarsa:learning_rate=0.5": """
start.high low.accept = 1/2: start.high 0, low.accept 1/4
# The target is γ·Q(low, accept) as it was before: 1/2 · 1/4.
start.high low.accept = 1/2: start.high 1/16, low.accept 3/8
# It walked away then, so `start` loses: the target is γ·Q(low, walk away) = 0.
start.high low.walk = 0: start.high 1/32, low.accept 3/8, low.walk 0
high.high = 1: high.high 1/2, start.high 1/32
""",
    # section 6.6
    "expected-sarsa:learning_rate=0.5": """
start.high low.accept = 1/2 ε 1/2: start.high 0, low.accept 1/4
# Best in `low`: 1/4; mean of its four actions: 1/16. The target is γ·5/32 = 5/64.
start.high low.accept = 1/2 ε 1/2: start.high 5/128, low.accept 3/8
# ε = 0: only the best counts, γ·3/8 = 24/128; walking away was a chance of 0.
start.high low.walk = 0 ε 0: start.high (5+24)/256, low.walk 0
# ε = 1: the mean of four, γ·3/32 = 12/256, brings 29/256 down to 41/512.
start.high low.walk = 0 ε 1: start.high 41/512
""",
    # van Hasselt 2010, algorithm 1: table 0 is the mean of 1 and 2. A draw of 0 lets 1 learn, 1/2
    # lets 2. The numbers 1, 95832 and 2³⁰ times 16807 modulo 2³¹ − 1 give 16807, 3/4 and a little
    # more than 1/2 of the modulus, so the second draw lets 1 and then 2 learn.
    "double-q:learning_rate=0.5": """
start.high low.accept = 1/2 draw 0: start.high@1 0, low.accept@1 1/4, low.accept@2 0, low.accept 1/8
# Table 2 knows nothing of `low`: it chooses the first action there, for which table 1 has 0.
start.high low.accept = 1/2 draw 1/2: start.high@2 0, low.accept@2 1/4, low.accept 1/4
# Table 1 chooses to accept in `low`, and 2 says 1/4 to that: the target is 1/8. Then 2 learns.
start.high low.accept = 1/2 draw 95831.5/2147483646: start.high@1 1/16, start.high@2 0,
    start.high 1/32, low.accept@1 1/4, low.accept@2 3/8, low.accept 5/16
# Table 2 chooses to accept (3/8), 1 says 1/4: the target is 1/8, not 3/16.
start.high low.walk = 0 draw 1/2: start.high@2 1/16, start.high 1/16, low.walk@2 0
""",
    # Sutton and Barto 2018, section 12.10
    "q-lambda:learning_rate=0.5,trace_decay=0.5": """
# All actions are best ones. So G is 1/2, then γ·(0 + λ·1/2) = 1/8, then γ·(0 + λ·1/8) = 1/32.
start.high low.high last.accept = 1/2: last.accept 1/4, low.high 1/16, start.high 1/64
# Walking away is not the best of `low`: the trace is cut, and `start` learns γ·1/16 = 4/128.
start.high low.walk = 0: low.walk 0, start.high (2+4)/256
# Best ones again. G is 1/2, then γ·(1/2 · 1/4 + 1/2 · 1/2) = 3/16, by the value of `last` before;
# then γ·(1/2 · 1/16 + 1/2 · 3/16) = 1/16 = 8/128.
start.high low.high last.accept = 1/2: last.accept 3/8, low.high 1/8, start.high (3+8)/256
""",
    # section 5.4
    "monte-carlo:learning_rate=0.5": """
# The return at `start` is γ·1/2 = 1/4 at once.
start.high low.accept = 1/2: low.accept 1/4, start.high 1/8
# It earned nothing, so `start` loses, whatever `low` could earn.
start.high low.walk = 0: low.walk 0, start.high 1/16
start.low = 1/2: start.low 1/4, start.high 1/16
""",
    "monte-carlo:learning_rate=0.5,average=true": """
start.high low.accept = 1/2: low.accept 1/2, start.high 1/4
start.high low.walk = 0: low.walk 0, start.high 1/8
# Three returns at `start`: 1/4, 0 and γ·1 = 1/2.
start.high low.high = 1: low.high 1, start.high 1/4
""",
    # Matignon et al. 2007
    "hysteretic:learning_rate=0.5,decrease=0.5": """
# Up by α = 1/2: the buyer took the offer.
low.high = 1: low.high 1/2
# Down by β = 1/4 of the way: the buyer walked away.
low.high = 0: low.high 3/8
# Up at `start`, where the target is γ·3/8 = 3/16.
start.high low.accept = 1/2: start.high 3/32, low.accept 1/4
low.high = 0: low.high 9/32
low.high = 0: low.high 27/128
# γ·max Q(low) is now γ·1/4 = 1/8, still above 3/32: up to 7/64.
start.high low.accept = 1/2: start.high 7/64, low.accept 3/8
""",
    # Wei and Luke 2016: values and temperatures
    "lenient:learning_rate=0.5,temperature=1,cooling=0.5": """
# Good news is always learned, here with the draw that would forgive everything.
low.high = 1 draw 0: low.high 1/2, low.high@1 1/2
# Bad news is forgiven with probability exp(−1 / (1/2)) = 0.135, above the draw.
low.high = 0 draw 0.1: low.high 1/2, low.high@1 1/4
# Now with exp(−4) = 0.018: it is learned.
low.high = 0 draw 0.1: low.high 1/4, low.high@1 1/8
# Other actions are as warm as they were. At `start` the target is γ·1/4.
start.high low.accept = 1/2 draw 0.1: start.high 1/16, start.high@1 1/2, low.accept 1/4,
    low.accept@1 1/2, low.high@1 1/8
""",
    # Bowling and Veloso 2002, table 2: values, π and its average
    "wolf-phc:learning_rate=0.5,delta_win=0.125,delta_lose=0.25": """
# First visit: π = π̄ = 1/2, so it is not winning. Accepting is best: π moves by 1/4 to it.
last.accept = 1/2: last.accept 1/4, last.accept@1 3/4, last.walk@1 1/4, last.accept@2 1/2
# π̄ = (1/2 + 3/4) / 2 = 5/8 < π: winning, so a step of 1/8 only.
last.accept = 1/2: last.accept 3/8, last.accept@1 7/8, last.walk@1 1/8, last.accept@2 5/8
# π̄ = 5/8 + (7/8 − 5/8) / 3 = 17/24: winning still. The other action has 1/8 left: π is pure.
last.accept = 1/2: last.accept@1 1, last.walk@1 0
# Nothing is left to take away.
last.accept = 1/2: last.accept@1 1, last.walk@1 0
# Two decisions: `start` learns γ·max Q(last) = 1/2 · 15/32, and steps by 1/4 to offering 2. There,
# π̄ = 17/24 + 7/24/4 = 25/32 after four visits, and (25/32 · 4 + 1) / 5 = 33/40 after five.
start.high last.walk = 0: start.high 15/128, last.walk 0, start.high@1 3/4, start.low@1 1/4,
    last.accept@1 1, last.accept@2 33/40
# Four actions: each of the three others gives a third of the step.
high.accept = 1: high.accept 1/2, high.accept@1 1/2, high.low@1 1/6, high.high@1 1/6,
    high.walk@1 1/6
""",
    # Erev and Roth 1998
    "roth-erev:forgetting=0.5,experimentation=0.25,initial=1": """
# R = 1/2, of which the action gets 3/4 and the other one 1/4; half of the old is forgotten.
last.accept = 1/2: last.accept 7/8, last.walk 5/8, start.low 1
# Four actions: each of the three others gets a third of 1/4.
high.accept = 1: high.accept 5/4, high.low 7/12, high.high 7/12, high.walk 7/12
# Two decisions: the whole reward reaches the first one, discounted by γ = 1/2.
start.high last.accept = 1/2: last.accept 13/16, last.walk 7/16, start.high 11/16, start.low 9/16
# Without a reward both are forgotten alike.
last.walk = 0: last.accept 13/32, last.walk 7/32
""",
    # Sutton and Barto 2018, sections 13.3 and 13.4: preferences and baseline
    "reinforce:learning_rate=1,baseline_rate=0.5": """
# π = 1/2 everywhere. G is 1/2 at the last decision, and γ·1/2 = 1/4 at the first one.
start.high last.accept = 1/2: last.accept 1/4, last.walk -1/4, last@1 1/4, start.high 1/8,
    start.low -1/8, start@1 1/8
# G − v = 1/4, and 1 − π of accepting is that of a difference of −1/2.
last.accept = 1/2: last.accept ONCE, last.walk -ONCE, last@1 3/8
# A reward below the baseline, G − v = −3/8, makes accepting likelier.
last.walk = 0: last.accept ONCE+3/8*likelier(2*ONCE), last.walk -ONCE-3/8*likelier(2*ONCE),
    last@1 3/16
# Four actions: 1 − 1/4 for the one that was played, −1/4 for each other.
high.accept = 1: high.accept 3/4, high.low -1/4, high.high -1/4, high.walk -1/4
""",
    # without a baseline each reward counts in full
    "reinforce:learning_rate=0.5,baseline_rate=0": """
last.accept = 1: last.accept 1/4
last.accept = 1: last.accept 1/4+1/2*likelier(-1/2), last@1 0
""",
    # section 13.5: preferences and the critic
    "actor-critic:learning_rate=1,critic_rate=0.5": """
# The critic knows nothing of `last` yet, so `start` learns nothing: δ = γ·0 − 0.
start.high last.accept = 1/2: start@1 0, start.high 0, last@1 1/4, last.accept 1/4, last.walk -1/4
# At `start`, δ = γ·1/4 − 0 = 1/8; the reward of 0 does not reach it. At `last`, δ = 0 − 1/4.
start.high last.walk = 0: start@1 1/16, start.high 1/16, start.low -1/16, last@1 1/8,
    last.accept 1/4+1/4*likelier(1/2), last.walk -1/4-1/4*likelier(1/2)
# Four actions: 1 − 1/4 for the one that was played, −1/4 for each other.
high.accept = 1: high@1 1/2, high.accept 3/4, high.low -1/4, high.high -1/4, high.walk -1/4
""",
    "actor-critic:learning_rate=0.5,critic_rate=0": """
last.accept = 1: last.accept 1/4, last@1 0
""",
    # Sokota et al. 2023, equation 12: values, logarithms of chances, and visits
    "sampled-mmd:step=1,fading=1,strongest=1,weakest=0.25": """
# α is 1/4 at ε = 0, and both steps are 1 at the first visit: (0 + 1/2) / (1 + 1/4).
last.accept = 1/2 ε 0: last.accept 1/2, last.accept@1 2/5, last.walk@1 0, last.accept@2 1
# α is 1. The state is passed for the second time, so its step is 1/2: (2/5 + 1/4) / (1 + 1/2).
start.high last.walk = 0 ε 1: last.walk 0, last.accept@1 13/30, start.high 0, start.high@1 0
# α is 1/2. Accepting is worth 1/2 and 1 in the mean: (13/30 + 1/3 · 3/4) / (1 + 1/6). At `start`
# the mean return is that of 0 and γ·1: (0 + 1/2 · 1/4) / (1 + 1/4).
start.high last.accept = 1 ε 1/2: last.accept 3/4, last.accept@1 41/70, start.high 1/4,
    start.high@1 1/10, start.low@1 0
""",
}


def number(text: str) -> float:
    return float(eval(text, {"ONCE": ONCE, "likelier": likelier}))


def entry(place: str) -> tuple[int, int, int]:
    """Table, state and action of a text such as `low.accept@1`; of a state alone action 0."""
    decision, _, table = place.partition("@")
    state, _, action = decision.partition(".")
    return int(table or 0), STATES[state], ACTIONS[action] if action else 0


@pytest.mark.parametrize("spec", UPDATES)
def test_updates(spec: str) -> None:
    game = THREE_ROUNDS if "q-lambda" in spec else TINY
    seller = LearnerAlone(spec, game, discount_rate=0.5)
    lines = UPDATES[spec].replace(",\n", ",").splitlines()
    for line in (line for line in lines if line and line[0] != "#"):
        played, _, entries = line.partition(": ")
        negotiation, _, ending = played.partition(" = ")
        reward, *more = ending.split()
        given = dict(zip(more[::2], map(number, more[1::2]), strict=True))
        decisions = [entry(each)[1:] for each in negotiation.split()]
        seller.learn(decisions, number(reward), given.get("draw", 0.0), given.get("ε", 0.0))
        expected = {
            entry(place): number(value) for place, value in map(str.split, entries.split(","))
        }
        assert {at: seller.entry(*at) for at in expected} == pytest.approx(expected), line


def chances(
    spec: str, state: int, *learned: tuple[int, int, float], draw: float = 0.0
) -> list[float]:
    """What a learner plays in a state after negotiations of one decision each."""
    seller = LearnerAlone(spec)
    for at, action, reward in learned:
        seller.learn([(at, action)], reward, draw)
    return seller.chances(state)


def test_wolf_leaves_losing_fast() -> None:
    """π = (1, 0), then accepting is worth −1/2 on average: π earns less than π̄."""
    spec = "wolf-phc:learning_rate=1,delta_win=0.5,delta_lose=1"
    assert chances(spec, LAST_LOW, (LAST_LOW, ACCEPT, 1 / 2))[ACCEPT:] == [1.0, 0.0]
    lost = (LAST_LOW, ACCEPT, 1 / 2), (LAST_LOW, ACCEPT, -1 / 2)
    assert chances(spec, LAST_LOW, *lost)[ACCEPT:] == [0.0, 1.0]


def test_lenient_forgives_nothing_for_ever() -> None:
    seller = LearnerAlone("lenient:learning_rate=1,temperature=1000,cooling=0.5")
    for _ in range(2000):
        seller.learn([(LOW, OFFER_HIGH)], 1.0)
    seller.learn([(LOW, OFFER_HIGH)], 0.0, draw=0.0)
    assert seller.entry(0, LOW, OFFER_HIGH) == 0.0


def test_roth_erev_s_settings() -> None:
    won = (LAST_LOW, ACCEPT, 1.0)
    for initial, chance in ((0.5, 1.5 / 2), (1, 2 / 3), (3, 4 / 7)):
        spec = f"roth-erev:forgetting=0,experimentation=0,initial={initial}"
        assert chances(spec, LAST_LOW)[ACCEPT:] == [1 / 2, 1 / 2]
        assert chances(spec, LAST_LOW, won)[ACCEPT] == pytest.approx(chance)
    spec = "roth-erev:forgetting=1,experimentation=0"
    assert chances(spec, LAST_LOW, won)[ACCEPT:] == [1.0, 0.0]
    assert chances(spec, LAST_LOW, won, (LAST_LOW, ACCEPT, 0.0))[ACCEPT:] == [1 / 2, 1 / 2]


def test_roth_erev_measures_rewards_from_the_least_if_some_are_below_0() -> None:
    """Prices 1 to 3 earn a seller with reservation value 2 a reward of −1, 0 and 1."""
    prices = {"min": 1, "max": 3}
    sides = {"seller": {**prices, "reservation": 2}, "buyer": {**prices, "reservation": 3}}
    losses = Scenario.from_dict({"prices": 3, "rounds": 1, **sides})
    worst, accept, walk_away = 1, 3, 4
    seller = LearnerAlone("roth-erev:forgetting=0,experimentation=0,initial=1", losses)
    seller.learn([(worst, accept)], -1.0)
    assert seller.chances(worst)[accept:] == [1 / 2, 1 / 2]
    seller.learn([(worst, walk_away)], 0.0)
    assert seller.chances(worst)[accept:] == [1 / 3, 2 / 3]
    assert seller.entry(0, worst, walk_away) == 2.0


def boltzmann(seller: LearnerAlone, epsilon: float, state: int) -> dict[int, float]:
    """The probability of each action with this ε of the training."""
    agents = seller.population.agents
    settings = agents.rates[0]
    legal, row = agents.legal, agents.scratch
    n = seller.seat.algorithm.policy(agents.tables, settings, epsilon, state, legal, row)
    weights = [1 / n] * n if row.weights[0] == UNIFORM else row.weights[:n]
    return dict(zip(row.actions[:n], weights, strict=True))


@pytest.mark.parametrize(
    ("temperature", "epsilon", "difference"),
    [(1, 1, 1 / 4), (1 / 2, 1 / 2, 1), (1, 1 / 100, 25), (1000, 1, 1 / 4000)],
)
def test_boltzmann_s_chances(temperature: float, epsilon: float, difference: float) -> None:
    """Accepting is worth 1/4, walking away 0; both are divided by the temperature times ε."""
    seller = LearnerAlone(f"boltzmann:learning_rate=0.5,temperature={temperature}")
    seller.learn([(LAST_LOW, ACCEPT)], 1 / 2)
    found = boltzmann(seller, epsilon, LAST_LOW)
    assert found[ACCEPT] == pytest.approx(likelier(difference))
    assert sum(found.values()) == pytest.approx(1)
    assert WALK_AWAY in found


@pytest.mark.parametrize("epsilon", [0.0, 1e-320, 1e-300, 1e-9])
def test_boltzmann_plays_the_best_actions_once_it_is_cold(epsilon: float) -> None:
    seller = LearnerAlone("boltzmann:learning_rate=0.5,temperature=0.001")
    seller.learn([(LOW, ACCEPT)], 1 / 2)
    seller.learn([(LOW, OFFER_HIGH)], 1 / 2)
    likely = {action: p for action, p in boltzmann(seller, epsilon, LOW).items() if p > 0}
    assert likely == {OFFER_HIGH: 1 / 2, ACCEPT: 1 / 2}
    assert seller.chances(LOW) == [0, 1 / 2, 1 / 2, 0]


TABULAR = [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]
BY_VALUE = [
    *("q-learning", "sarsa", "expected-sarsa", "double-q", "q-lambda", "monte-carlo"),
    *("monte-carlo:average=true", "boltzmann", "hysteretic", "lenient"),
]
ROUNDING = 1e-12
LEGAL = {0: [0, 1], 1: [0, 1, 2, 3], 2: [0, 1, 2, 3], 3: [2, 3], 4: [2, 3]}
"""The legal actions of each state of TINY."""


@st.composite
def negotiations(draw: st.DrawFn) -> dict[str, Any]:
    """One negotiation in TINY, as the arguments of `LearnerAlone.learn`."""
    path = [draw(st.sampled_from([0, 1, 2])), draw(st.sampled_from([3, 4]))]
    states = path[: draw(st.integers(1, 2))] if draw(st.booleans()) else path[1:]
    unit = st.floats(0, 1, exclude_max=True)
    return {
        "decisions": [(state, draw(st.sampled_from(LEGAL[state]))) for state in states],
        "reward": draw(st.sampled_from([0.0, 1 / 2, 1.0])),
        "draw": draw(unit),
        "epsilon": draw(unit),
    }


many = st.lists(negotiations(), max_size=20)


def tables(seller: LearnerAlone) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array(seller.population.agents.tables).reshape(-1, TINY.n_states, TINY.n_actions)


@pytest.mark.parametrize("name", TABULAR)
@given(before=many, last=negotiations())
@settings(max_examples=10)
def test_only_states_of_the_negotiation_change(
    name: str, before: list[dict[str, Any]], last: dict[str, Any]
) -> None:
    """The loop relies on it: it freezes only the rows of states that were learned from."""
    seller = LearnerAlone(name)
    for each in before:
        seller.learn(**each)
    kept = tables(seller)
    seller.learn(**last)
    others = np.setdiff1d(np.arange(TINY.n_states), [state for state, _ in last["decisions"]])
    np.testing.assert_array_equal(tables(seller)[:, others], kept[:, others])


@pytest.mark.parametrize("spec", BY_VALUE)
def test_values_begin_where_the_training_says(spec: str) -> None:
    algorithm = learner(spec)
    assert isinstance(algorithm, TabularAlgorithm)
    optimist = Parameters(initial_value=1.0, learning_rate=1.0)
    population = Population(TINY, PLAIN, optimist)
    seat = TabularPlayer(algorithm, Role.SELLER, population)
    agents = population.agents
    np.testing.assert_array_equal(seat.values, untrained(TINY, Role.SELLER, 1.0))
    for draw in (0.0, 0.999):  # for each table of double Q-learning; too high to be forgiven
        disappointed = Episode([4], [ACCEPT], 1, 0.0, 0.0, draw, 0.0)
        algorithm.learn(agents.tables, agents.rates[0], agents.legal, agents.scratch, disappointed)
    assert seat.values is not None
    assert seat.values[4, ACCEPT] < 1 == seat.values[4, WALK_AWAY]


@pytest.mark.parametrize(
    "spec",
    [
        *("boltzmann", "hysteretic:decrease=1", "lenient:temperature=0", "q-lambda:trace_decay=0"),
        "expected-sarsa",
    ],
)
@given(negotiations=many)
@settings(max_examples=15)
def test_without_its_own_idea_a_learner_is_q_learning(
    spec: str, negotiations: list[dict[str, Any]]
) -> None:
    other = LearnerAlone(spec, discount_rate=0.9)
    q_learner = LearnerAlone("q-learning", discount_rate=0.9)
    for each in negotiations:
        other.learn(**{**each, "epsilon": 0.0})
        q_learner.learn(**each)
    np.testing.assert_allclose(tables(other)[0], tables(q_learner)[0], rtol=0, atol=ROUNDING)


EXTREMES = [
    "wolf-phc:learning_rate=1,delta_win=1,delta_lose=1",
    "wolf-phc:delta_win=0,delta_lose=0",
    "roth-erev:forgetting=1,experimentation=0",
    "roth-erev:forgetting=1,experimentation=1",
    "roth-erev:forgetting=0,experimentation=0,initial=1000000",
    "roth-erev:forgetting=0.9,experimentation=0,initial=1e-300",
    "reinforce:learning_rate=1,baseline_rate=0",
    "reinforce:learning_rate=1,baseline_rate=1",
    "actor-critic:learning_rate=1,critic_rate=1",
    "actor-critic:learning_rate=1,critic_rate=0",
]
RICH = Scenario.from_dict(
    {
        "prices": [-(10**9), 0, 10**9],
        "rounds": 2,
        "seller": {"min": -(10**9), "max": 10**9, "reservation": 0},
        "buyer": {"min": -(10**9), "max": 10**9, "reservation": 1},
    }
)
"""Rewards from −10⁹ to 10⁹."""
GAMES = [Scenario.from_dict({"prices": 3, "rounds": 2}), RICH]


def training(spec: str, scenario: Scenario, seed: int, **parameters: float) -> ConcurrentTraining:
    values = Parameters.from_dict(parameters)
    occupant = learner(spec)
    return ConcurrentTraining(scenario, values, seed, seller=occupant, buyer=occupant)


def check_chances(training: ConcurrentTraining) -> None:
    tables = tables_of(training.scenario, *(training.policy(role) for role in Role))
    assert tables
    for policy in tables:
        chances = policy.probabilities
        assert (chances >= 0).all()
        np.testing.assert_allclose(chances.sum(axis=1), policy.n_actions > 0, atol=1e-12)


@pytest.mark.parametrize("spec", EXTREMES)
@pytest.mark.parametrize("scenario", GAMES)
def test_no_setting_leads_out_of_the_numbers(spec: str, scenario: Scenario) -> None:
    game = training(spec, scenario, 1, cycles=8, episodes=100, learning_rate=1)
    game.run()
    check_chances(game)
