"""Best responses, values and NashConv against a plain recursion over whole histories."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.solvers.best_response import best_response, nash_conv
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from tests.support.game import roles, scenarios, seeds
from tests.support.plans import Plan, discounts, kinds, seat, value

tiny = scenarios(largest=4, rounds=3)
small = settings(max_examples=20)


class Recursion:
    """The value of a negotiation for a role, by playing out every history.

    A role without a plan plays the best action, knowing the whole history.
    """

    def __init__(self, role: Role, own: Plan | None, other: Plan, rate: float) -> None:
        self.role, self.own, self.other, self.rate = role, own, other, rate

    def worth(self, at: Position, others: int | None = None, made: int = 0) -> float:
        """The value of a position; `others` is the last price of the role that does not move."""
        options = self.options(at, others, made)
        plan = self.own if at.role is self.role else self.other
        if plan is None:
            return max(options.values())
        return sum(share * options[action] for action, share in plan(at).items())

    def options(self, at: Position, others: int | None = None, made: int = 0) -> dict[int, float]:
        """The value of each legal action, after the role `made` a number of decisions."""
        game = at.scenario
        made += at.role is self.role
        values = {game.walk_away: 0.0}
        for action in game.legal_actions(at.state, at.role):
            if action == game.accept:
                assert at.standing_offer is not None
                values[action] = self.rate ** (made - 1) * game.reward(self.role, at.standing_offer)
            elif action < game.accept:
                price = game.prices[action]
                time = 0 if at.standing_offer is None else at.time + at.opened
                after = Position(game, at.role.other, time, others, price, not at.opened)
                values[action] = self.worth(after, price, made)
        if at.standing_offer is None:
            del values[game.walk_away]
        return values


def opening(scenario: Scenario, opener: Role) -> Position:
    return Position(scenario, opener, opened=True)


def positions(scenario: Scenario, role: Role) -> list[Position]:
    """All decisions of a role, ignoring its own last price."""
    return [opening(scenario, role)] + [
        Position(scenario, role, time, None, price, opened)
        for opened in (True, False)
        for time in range(scenario.rounds - opened)
        for price in scenario.prices
    ]


@small
@given(tiny, roles, roles, kinds, kinds, seeds, discounts)
def test_value(
    scenario: Scenario, role: Role, opener: Role, one: str, other: str, seed: int, rate: float
) -> None:
    policy, plan = seat(scenario, role, one, seed)
    opponent, others_plan = seat(scenario, role.other, other, seed + 1)
    found = value(scenario, role, policy, opponent, opener, rate)
    expected = Recursion(role, plan, others_plan, rate).worth(opening(scenario, opener))
    assert found == pytest.approx(expected, abs=1e-12)


@small
@given(tiny, roles, kinds, seeds, discounts)
def test_best_response(scenario: Scenario, role: Role, kind: str, seed: int, rate: float) -> None:
    opponent, plan = seat(scenario, role.other, kind, seed)
    found = best_response(scenario, role, opponent, rate)
    recursion = Recursion(role, None, plan, rate)
    rng = np.random.default_rng(0)
    playing = Recursion(role, lambda at: {found.act(at, rng): 1.0}, plan, rate)
    for opener in Role:
        begin = opening(scenario, opener)
        best = recursion.worth(begin)
        assert found.values[opener] == pytest.approx(best, abs=1e-12)
        assert playing.worth(begin) == pytest.approx(best, abs=1e-12), "and it plays so"


@small
@given(tiny, roles, kinds, seeds, discounts)
def test_the_worth_of_every_action(
    scenario: Scenario, role: Role, kind: str, seed: int, rate: float
) -> None:
    opponent, plan = seat(scenario, role.other, kind, seed)
    found = best_response(scenario, role, opponent, rate)
    recursion = Recursion(role, None, plan, rate)
    for at in positions(scenario, role):
        if at.standing_offer is not None and at.standing_offer_index not in scenario.offers(
            role.other
        ):
            continue
        expected = recursion.options(at, others=at.standing_offer)
        worth = dict(enumerate(found.action_value(at).tolist()))
        legal = {action: w for action, w in worth.items() if w != -np.inf}
        assert legal == pytest.approx(expected, abs=1e-12)
        top = max(expected.values())
        assert found.best(at) == [a for a in legal if expected[a] >= top - 1e-11]


@small
@given(scenarios(), roles, kinds, seeds)
def test_a_row_allows_what_is_best_as_opener_and_as_responder(
    scenario: Scenario, role: Role, kind: str, seed: int
) -> None:
    found = best_response(scenario, role, seat(scenario, role.other, kind, seed)[0])
    expected: dict[int, set[int]] = {}
    for at in positions(scenario, role):
        best = set(found.best(at))
        expected[at.state] = expected.get(at.state, best) & best
    assert found.table is not None
    assert found.table.shape == (scenario.n_states, scenario.n_actions)
    for state, best in expected.items():
        assert set(np.flatnonzero(found.table[state])) == best
    if scenario.opener_aware:
        assert all(expected.values()), "a row is for one of both"


def equilibrium_policy(
    scenario: Scenario, role: Role, rate: float, rule: TieBreak
) -> TabularPolicy:
    """The equilibria of both openers in one opener-aware policy."""
    game = replace(scenario, states=States.OPENER_AWARE)
    ties = np.zeros((game.n_states, 1), np.int32)
    solutions = {opener: solve(scenario, opener, rate, rule) for opener in Role}
    for at in positions(game, role):
        ties[at.state] = solutions[role if at.opened else role.other].action(at)
    return TabularPolicy(scenario, ties, np.ones(len(ties), np.int32), opener_aware=True)


@given(scenarios(), discounts, st.sampled_from(TieBreak))
def test_in_equilibrium_nobody_gains(scenario: Scenario, rate: float, rule: TieBreak) -> None:
    seller, buyer = (equilibrium_policy(scenario, role, rate, rule) for role in Role)
    found = nash_conv(scenario, seller, buyer, rate)
    assert found.total == pytest.approx(0, abs=1e-12)
    for opener in Role:
        solution = solve(scenario, opener, rate, rule)
        worth = value(scenario, Role.SELLER, seller, buyer, opener, rate)
        assert worth == pytest.approx(solution.values[Role.SELLER], abs=1e-12)


@small
@given(scenarios(), kinds, kinds, seeds, discounts)
def test_nash_conv_is_made_of_values_and_best_responses(
    scenario: Scenario, one: str, other: str, seed: int, rate: float
) -> None:
    policies = [seat(scenario, role, (one, other)[role], seed)[0] for role in Role]
    openers = [*Role] if scenario.opener is Opener.ALTERNATE else [Role.of(scenario.opener.value)]
    found = nash_conv(scenario, policies[0], policies[1], rate)
    for role in Role:
        own, opponent = policies[role], policies[role.other]
        best = best_response(scenario, role, opponent, rate).values
        now = [value(scenario, role, own, opponent, opener, rate) for opener in openers]
        gain = np.mean([best[opener] for opener in openers]) - np.mean(now)
        assert found.values[role] == pytest.approx(float(np.mean(now)), abs=1e-12)
        assert found.exploitability[role] == pytest.approx(float(gain), abs=1e-12)
        assert found.exploitability[role] >= 0
    assert found.total == sum(found.exploitability)


def test_two_random_players_in_the_smallest_game() -> None:
    whole = PriceRange(1, 2)
    game = Scenario("smallest", (1, 2), 1, whole, whole, Opener.SELLER, reservation=(0, 2))
    seller, buyer = (greedy(game, role, np.zeros((4, 4))) for role in Role)
    found = nash_conv(game, seller, buyer)
    assert found.values == pytest.approx((0.375, 0.125))
    assert found.exploitability == pytest.approx((0.125, 0.125))


@pytest.mark.parametrize("states", States)
def test_equilibria_need_opener_aware_states(states: States) -> None:
    """One row for opener and responder cannot hold the equilibrium of both."""
    game = replace(Scenario.original(), states=states)
    q = np.zeros((2, game.n_states, game.n_actions))
    for role in Role:
        for at in positions(game, role):
            opener = role if at.opened else role.other
            q[role, at.state, solve(game, opener).action(at)] = 1
    seller, buyer = (greedy(game, role, q[role]) for role in Role)
    assert (nash_conv(game, seller, buyer).total > 0.01) == (states is States.PUBLISHED)


def test_the_published_training_levels_off_far_from_equilibrium() -> None:
    found = []
    for seed in range(20):
        training = ConcurrentTraining(Scenario.original(), seed=seed)
        training.run()
        seller, buyer = (greedy(Scenario.original(), role, training.q_table(role)) for role in Role)
        found.append(nash_conv(Scenario.original(), seller, buyer, 1.0).total)
    assert 0.43 < np.mean(found) < 0.51
