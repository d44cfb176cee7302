"""Policies as tables."""

from collections.abc import Sequence
from itertools import product
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position, negotiate
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import fits, greedy, legal_actions, untrained_policy
from negotiation_tui.game.tabulation import tabulate
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.strategies.base import Dependency, Strategy
from negotiation_tui.strategies.fixed_fraction import Midpoint
from negotiation_tui.strategies.registry import strategy
from tests.support.game import RandomPlayer, roles, scenarios, seeds

ORIGINAL = Scenario.original()


class Stubborn(Strategy):
    """Asks its best price until half of the time is over, then takes anything it may."""

    name: ClassVar[str] = "stubborn"
    summary: ClassVar[str] = "gives in half-way through"
    source: ClassVar[str] = "here"

    @property
    def depends_on(self) -> frozenset[Dependency]:
        return frozenset({"time"})

    def support(self, position: Position) -> Sequence[int]:
        scenario, role = position.scenario, position.role
        legal = scenario.legal_actions(position.state, role)
        late = position.time >= scenario.rounds // 2 or position.last_decision
        if position.standing_offer is not None and late:
            return (scenario.accept if scenario.accept in legal else scenario.walk_away,)
        return (scenario.offers(role)[-1 if role is Role.SELLER else 0],)


@given(scenarios(), roles)
def test_legal_actions(scenario: Scenario, role: Role) -> None:
    legal = legal_actions(scenario, scenario.offers(role))
    for state in range(scenario.n_states):
        assert np.flatnonzero(legal[state]).tolist() == list(scenario.legal_actions(state, role))


@given(scenarios(), roles, st.data())
def test_greedy_takes_every_best_legal_action(
    scenario: Scenario, role: Role, data: st.DataObject
) -> None:
    values = np.random.default_rng(data.draw(seeds)).integers(-2, 3, (scenario.n_states, 99))
    q = values[:, : scenario.n_actions] / 2
    policy = greedy(scenario, role, q)
    for state in range(scenario.n_states):
        legal = scenario.legal_actions(state, role)
        top = max((q[state][action] for action in legal), default=0)
        best = [action for action in legal if q[state][action] == top]
        assert policy.actions[state, : policy.n_actions[state]].tolist() == best


@pytest.mark.parametrize(("state", "among"), [("s", range(5)), ("2.1", range(7)), ("3.4", (5, 6))])
def test_ties_are_drawn_uniformly(state: str, among: range | tuple[int, ...]) -> None:
    policy = greedy(ORIGINAL, Role.BUYER, np.zeros((27, 7)))
    price, _, time = state.partition(".")
    position = Position(ORIGINAL, Role.BUYER, int(time or 0), None, int(price) if time else None)
    rng = np.random.default_rng(1)
    draws = 7000
    drawn = np.bincount([policy.act(position, rng) for _ in range(draws)], minlength=7)
    expected = draws / len(among)
    assert set(np.flatnonzero(drawn)) == set(among)
    assert np.abs(drawn[list(among)] - expected).max() < 5 * expected**0.5


def test_the_best_action_is_taken_unless_it_is_illegal() -> None:
    q = np.zeros((27, 7))
    q[:, 3] = 1.0
    q[0, ORIGINAL.accept] = 2.0  # cannot be accepted before there is an offer
    q[21:26, ORIGINAL.walk_away] = 0.5
    policy = greedy(ORIGINAL, Role.SELLER, q)
    played = negotiate(ORIGINAL, policy, policy, "seller")
    assert [turn.action for turn in played.turns] == [3] * 9 + [ORIGINAL.walk_away]


@pytest.mark.parametrize("strategy", [Midpoint(), Stubborn()])
@given(scenario=scenarios(), role=roles)
def test_tabulated_strategies_answer_alike(
    strategy: Strategy, scenario: Scenario, role: Role
) -> None:
    policy = tabulate(scenario, role, strategy)
    rng = np.random.default_rng(0)
    own: list[int | None] = [None, *(scenario.prices[i] for i in scenario.offers(role))]
    positions = [Position(scenario, role)] + [
        Position(scenario, role, time, mine, price)
        for time in range(scenario.rounds)
        for mine in own
        for price in scenario.prices
    ]
    for position in positions:
        assert policy.act(position, rng) == strategy.act(position, rng)


@given(scenarios(), roles, seeds)
def test_tabulated_midpoint_plays_alike(scenario: Scenario, opener: Role, seed: int) -> None:
    midpoint = Midpoint()
    table = tabulate(scenario, Role.BUYER, midpoint)
    played = [
        negotiate(scenario, RandomPlayer(), buyer, opener, np.random.default_rng(seed))
        for buyer in (midpoint, table)
    ]
    assert played[0] == played[1]


class Always(Strategy):
    """Makes one offer for ever, of which its fields know nothing: any two are equal."""

    name: ClassVar[str] = "midpoint"
    summary: ClassVar[str] = "says the same"
    source: ClassVar[str] = "here"
    depends_on = frozenset()

    def __init__(self, offer: int) -> None:
        object.__setattr__(self, "offer", offer)

    def support(self, position: Position) -> Sequence[int]:
        return (vars(self)["offer"] if not position.last_decision else ORIGINAL.walk_away,)


def test_a_table_is_that_of_the_strategy_that_sits_there() -> None:
    for offer in (0, 3):
        policy = Always(offer).tabulated(ORIGINAL, Role.SELLER)
        assert policy is not None
        assert policy.support(Position(ORIGINAL, Role.SELLER)) == [offer]
    fields = (ORIGINAL, Scenario.fine()), Role, ("midpoint", "fixed-fraction:rho=0.1")
    for scenario, role, spec in product(*fields):
        for _ in range(2):
            policy, known = strategy(spec).tabulated(scenario, role), strategy(spec)
            assert policy is not None
            assert np.array_equal(policy.actions, tabulate(scenario, role, known).actions)


def large(rounds: int) -> Scenario:
    whole = PriceRange(1, 1000)
    return Scenario("large", tuple(range(1, 1001)), rounds, whole, whole)


def test_the_largest_table() -> None:
    assert fits(large(19))
    assert not fits(large(20))


@pytest.mark.parametrize("seated", [[], [Role.SELLER], [Role.BUYER]])
def test_a_learner_cannot_hold_too_large_a_table(seated: list[Role]) -> None:
    seats: dict[str, Strategy] = {str(role): Midpoint() for role in seated}
    with pytest.raises(BadInputError, match=r"large .*20,000,000 .*20,002 states"):
        ConcurrentTraining(large(20), seller=seats.get("seller"), buyer=seats.get("buyer"))


def test_two_static_strategies_play_even_there() -> None:
    training = ConcurrentTraining(large(20), seller=Midpoint(), buyer=Midpoint())
    training.run_episodes(2)
    last = training.last_negotiation
    assert last == negotiate(large(20), Midpoint(), Midpoint(), "buyer")
    assert training.statistics.total.negotiations == 2


@given(scenarios(), roles)
def test_the_untrained_policy_is_greedy_over_zeros(scenario: Scenario, role: Role) -> None:
    greedily = greedy(scenario, role, np.zeros((scenario.n_states, scenario.n_actions)))
    policy = untrained_policy(scenario, role)
    assert np.array_equal(policy.actions, greedily.actions)
    assert np.array_equal(policy.n_actions, greedily.n_actions)
    assert policy.responder_offset == greedily.responder_offset
