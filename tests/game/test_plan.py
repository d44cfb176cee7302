"""Plans read from Q-tables and from policies."""

import gc
import weakref

import numpy as np
from hypothesis import given

from negotiation_tui import Position, Role, strategy
from negotiation_tui.game.learned import WithBoth, WithValues, learned_of
from negotiation_tui.game.plan import Decision, Kind, Plan, plan_of
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, legal_actions
from negotiation_tui.learning.q_table import untrained
from tests.support.game import ORIGINAL, positions, roles, scenarios, seeds, some
from tests.support.mixed import random_policy


def met(scenario: Scenario, role: Role) -> list[Position]:
    offers = scenario.offers(role.other)
    every = positions(scenario, role)
    return [at for at in every if not at.ply or at.standing_offer_index in offers]


def of_actions(scenario: Scenario, actions: list[int]) -> tuple[Kind, int | None, int | None, int]:
    """The kinds, the lowest and the highest price, and the number of prices of a set of actions."""
    asked = [scenario.prices[action] for action in actions if action < scenario.accept]
    kinds = Kind.ASK if asked else Kind(0)
    kinds |= Kind.ACCEPT if scenario.accept in actions else Kind(0)
    kinds |= Kind.WALK_AWAY if scenario.walk_away in actions else Kind(0)
    return kinds, min(asked, default=None), max(asked, default=None), len(asked)


def parts(decision: Decision) -> tuple[Kind, int | None, int | None, int]:
    return decision.kinds, decision.lowest, decision.highest, decision.n_prices


def at(plan: Plan, price: int, time: int, opened: bool = False) -> Decision:
    position = Position(plan.scenario, plan.role, time, None, price, opened)
    return plan.decision(plan.state(position))


@given(scenarios(), roles, seeds)
def test_a_table_plans_its_best_legal_actions(scenario: Scenario, role: Role, seed: int) -> None:
    rng = np.random.default_rng(seed)
    q = rng.integers(0, 3, (scenario.n_states, scenario.n_actions)) / 4
    plan, policy = plan_of(scenario, role, WithValues(q)), greedy(scenario, role, q)
    for position in met(scenario, role):
        decision, legal = plan.decision(plan.state(position)), list(position.legal)
        assert decision.value == q[position.state, legal].max()
        best = policy.support(position)
        if decision.kinds == Kind.UNTRIED:
            assert best == legal
            assert len(legal) > 1
            assert decision.n_prices == 0
        else:
            assert parts(decision) == of_actions(scenario, best)


@given(scenarios(largest=5, rounds=4), roles, seeds)
def test_weights_plan_what_is_most_likely(scenario: Scenario, role: Role, seed: int) -> None:
    policy = random_policy(scenario, role, np.random.default_rng(seed))
    plan = plan_of(scenario, role, policy)
    for position in met(scenario, role):
        decision, chances = plan.decision(plan.state(position)), policy.probabilities
        row = chances[policy.row(position)]
        likely = np.flatnonzero(row == row.max()).tolist()
        assert parts(decision) == of_actions(scenario, likely)
        assert decision.value is None
        assert decision.chance == (row.max() if (row > 0).sum() > len(likely) else None)


@given(scenarios(), roles)
def test_states_that_never_occur_have_no_plan(scenario: Scenario, role: Role) -> None:
    plan = plan_of(scenario, role, WithValues(np.ones((scenario.n_states, scenario.n_actions))))
    decided = {plan.state(position) for position in met(scenario, role)}
    assert set(np.flatnonzero(plan.kinds)) == decided
    assert np.isnan(plan.values[[s for s in range(scenario.n_states) if s not in decided]]).all()


def test_a_worthless_deal_in_the_last_round_is_a_tie_and_not_untried() -> None:
    values = np.zeros((ORIGINAL.n_states, ORIGINAL.n_actions))
    nothing = plan_of(ORIGINAL, Role.BUYER, WithValues(values))
    assert {*nothing.kinds} == {0, Kind.UNTRIED}
    values[1, 0] = 1  # something is learned
    plan = plan_of(ORIGINAL, Role.BUYER, WithValues(values))
    assert at(plan, 5, 4).kinds == Kind.ACCEPT | Kind.WALK_AWAY
    assert at(plan, 4, 4).kinds == Kind.UNTRIED


def test_a_memory_chooses_among_the_plans_of_a_policy() -> None:
    midpoint = some(strategy("midpoint").tabulated(ORIGINAL, Role.SELLER))
    assert midpoint.remembers_own_offer
    position = Position(ORIGINAL, Role.SELLER, 1, 3, 1)
    plan = plan_of(ORIGINAL, Role.SELLER, midpoint, midpoint.number(position))
    assert parts(at(plan, 1, 1)) == of_actions(ORIGINAL, midpoint.support(position))
    assert parts(at(plan, 1, 1)) != parts(at(plan_of(ORIGINAL, Role.SELLER, midpoint), 1, 1))


def test_plans_live_as_long_as_their_tables() -> None:
    q = WithValues(np.ones((ORIGINAL.n_states, ORIGINAL.n_actions)))
    plan = plan_of(ORIGINAL, Role.SELLER, q)
    assert plan_of(ORIGINAL, Role.SELLER, q) is plan
    assert plan_of(ORIGINAL, Role.BUYER, q) is not plan
    kept = weakref.ref(plan.values)
    del plan, q
    gc.collect()
    assert kept() is None


def learner(chances: dict[int, float], values: bool) -> Decision:
    """The opening of a seller who plays some actions there, and is untrained elsewhere."""
    legal = legal_actions(ORIGINAL, ORIGINAL.offers(Role.SELLER))
    dense = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
    if chances:
        dense[START] = 0
    for action, chance in chances.items():
        dense[START, action] = chance
    q = np.arange(dense.size).reshape(dense.shape) / 100 if values else None
    policy = TabularPolicy.of_probabilities(ORIGINAL, Role.SELLER, dense)
    learned = learned_of(q, policy)
    plan = plan_of(ORIGINAL, Role.SELLER, learned)
    assert plan is plan_of(ORIGINAL, Role.SELLER, learned), "read once"
    assert at(plan, 3, 1).kinds is Kind.UNTRIED
    return plan.decision(START)


def test_a_learner_plans_its_likeliest_actions_with_their_chance_and_value() -> None:
    assert learner({2: 0.3, 3: 0.6, 4: 0.1}, True) == Decision(Kind.ASK, 4, 4, 1, 0.03, 0.6)
    assert learner({2: 0.4, 3: 0.4, 4: 0.2}, False) == Decision(Kind.ASK, 3, 4, 2, None, 0.4)
    assert learner({3: 1.0}, False) == Decision(Kind.ASK, 4, 4, 1, None)
    assert learner({}, False) == Decision(Kind.UNTRIED, None, None, 0, None)


def test_without_a_policy_a_learner_is_greedy() -> None:
    q = np.ones((ORIGINAL.n_states, ORIGINAL.n_actions))
    q[START, 2] = 2
    plan = plan_of(ORIGINAL, Role.SELLER, WithValues(q))
    assert plan.decision(START) == Decision(Kind.ASK, 3, 3, 1, 2.0)


@given(roles, seeds)
def test_each_hidden_limit_has_a_plan_of_its_own(role: Role, seed: int) -> None:
    game = Scenario.of("hidden")
    q = np.random.default_rng(seed).integers(0, 3, (game.n_rows(role), game.n_actions)) / 4
    policy, learned = greedy(game, role, q), WithValues(q)
    both = learned_of(q, policy)
    for limit, view in enumerate(game.views[role]):
        own = q[limit * game.n_states : (limit + 1) * game.n_states]
        pairs = (
            (plan_of(game, role, learned, limit=limit), plan_of(view, role, WithValues(own))),
            (plan_of(game, role, policy, limit=limit), plan_of(view, role, policy.tables[limit])),
            (
                plan_of(game, role, both, limit=limit),
                plan_of(view, role, WithBoth(own, policy.tables[limit])),
            ),
        )
        for plan, alone in pairs:
            assert plan.scenario == view
            for name in ("kinds", "lowest", "highest", "n_prices", "values", "chances"):
                one, other = getattr(plan, name), getattr(alone, name)
                assert np.array_equal(one, other, equal_nan=True)
        assert plan_of(game, role, learned, limit=limit) is pairs[0][0]


@given(scenarios(), roles)
def test_an_untrained_table_is_untried(scenario: Scenario, role: Role) -> None:
    plan = plan_of(scenario, role, WithValues(untrained(scenario, role, 1.5)))
    for position in met(scenario, role):
        kinds = plan.decision(plan.state(position)).kinds
        assert (Kind.UNTRIED in kinds) is (len(position.legal) > 1)
