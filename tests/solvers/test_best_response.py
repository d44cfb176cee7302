"""Best responses and NashConv against sums over all histories, which know nothing of states."""

import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from negotiation_tui import Position, PriceRange, Role, Scenario
from negotiation_tui.game.scenario import PUBLISHED_DISCOUNT
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, legal_rows, untrained_policy
from negotiation_tui.solvers import belief_induction, induction
from negotiation_tui.solvers.best_response import best_response, nash_conv
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.induction_kernel import induce_both
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from negotiation_tui.strategies.base import tabulate
from negotiation_tui.strategies.rational import SubgamePerfect
from tests.support.game import positions, roles, scenarios, seeds
from tests.support.lotteries import Histories, Offers, interim, lottery, stack
from tests.support.plans import discounts, kinds, seat, value

Floats = NDArray[np.float64]


@pytest.mark.parametrize("known", [False, True], ids=["hidden", "known"])
@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=[pytest.mark.slow] if seed >= 25 else []) for seed in range(60)],
)
def test_values_are_sums_over_all_histories(seed: int, known: bool) -> None:
    rng = np.random.default_rng(seed)
    scenario = lottery(rng, 4, 3 if seed % 5 == 0 else 2, known)
    rate = float(rng.choice([1.0, 0.99, 0.5]))
    players = [stack(scenario, role, rng) for role in Role]
    tables = players[0][0], players[1][0]
    found, play = nash_conv(scenario, *tables, rate), expected_play(scenario, *tables)
    openers, gains = list(scenario.opener.roles), []
    for role in Role:
        (_, plans), (_, others) = players[role], players[role.other]
        best = interim(scenario, role, others, rate, None)
        own = interim(scenario, role, others, rate, plans)
        answer, chances = found.responses[role], scenario.chances(role)
        assert answer.interim == pytest.approx(best, abs=1e-12)
        assert answer.values == pytest.approx((best @ chances).tolist(), abs=1e-12)
        assert play.interim(role, rate) == pytest.approx(own, abs=1e-12)
        assert found.values[role] == pytest.approx((own[openers] @ chances).mean(), abs=1e-12)
        gains.append(((best - own)[openers] @ chances).mean())
        ends = play.opened_by(role)
        assert ends.deal + sum(ends.walks) == pytest.approx(1)
        assert (answer.policy is None) == (answer.table is None) == scenario.hidden
        if answer.policy:
            worth = [
                value(scenario, role, answer.policy, tables[role.other], opener, rate)
                for opener in Role
            ]
            assert worth == pytest.approx(answer.values, abs=1e-12), "and it plays so"
    assert found.exploitability == pytest.approx(gains, abs=1e-12)
    assert min(found.exploitability) >= 0
    assert found.total == sum(found.exploitability)
    assert found.bounds == (found.total, found.total)
    assert found.exact


@pytest.mark.parametrize("known", [False, True], ids=["hidden", "known"])
@pytest.mark.parametrize("seed", range(12))
def test_the_value_of_every_action_after_any_offers(seed: int, known: bool) -> None:
    rng = np.random.default_rng(seed)
    scenario = lottery(rng, 3, 2, known)
    role, rate = Role(seed % 2), float(rng.choice([1.0, 0.9]))
    table, others = stack(scenario, role.other, rng)
    answer = best_response(scenario, role, table, rate)
    weights, checked = scenario.chances(role.other), 0
    for limit, opener in product(range(scenario.n_tables(role)), Role):
        game = Histories(scenario, role, limit, others, rate)
        pending: list[tuple[Offers, Floats]] = [((), weights)]
        while pending:
            offers, held = pending.pop()
            if (opener if len(offers) % 2 == 0 else opener.other) is role:
                at = Position.after(game.view, opener, offers)
                scale = held.sum() * rate ** (at.ply // 2)
                expected = {a: game.action(opener, offers, held, a) for a in at.legal}
                found = answer.action_value(at)
                legal = {a: value for a, value in enumerate(found.tolist()) if value > -np.inf}
                assert legal == pytest.approx(
                    {a: v / scale for a, v in expected.items()}, abs=1e-11
                )
                top = max(legal.values())
                assert answer.best(at) == [a for a, value in legal.items() if value >= top - 1e-12]
                after = dict.fromkeys(expected, held)
                checked += 1
            else:
                after = game.reached(opener, offers, held)
            prices = scenario.prices
            pending += [((*offers, prices[a]), w) for a, w in after.items() if a < len(prices)]
    assert checked > 1


def test_different_beliefs_with_equal_keys_stay_different(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    scenario = Scenario.of("hidden")
    table, _ = stack(scenario, Role.BUYER, rng)
    expected = best_response(scenario, Role.SELLER, table, 0.9).values
    monkeypatch.setattr(
        belief_induction, "MULTIPLIERS", np.zeros_like(belief_induction.MULTIPLIERS)
    )
    assert best_response(scenario, Role.SELLER, table, 0.9).values == pytest.approx(
        expected, abs=1e-12
    )


@pytest.mark.parametrize(("rounds", "budget"), [(3, 60), (4, 600)])  # none or one level fits
def test_bounds_beyond_the_budget(
    rounds: int, budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    inexact = 0
    sides = {"seller": {"limits": [0, 1, 2]}, "buyer": {"limits": [1, 2, 3]}}
    scenario = Scenario.from_dict({"prices": [0, 1, 2, 3], "rounds": rounds, **sides})
    for seed in range(8):
        rng = np.random.default_rng(seed)
        seller, buyer = (stack(scenario, role, rng)[0] for role in Role)
        exact = nash_conv(scenario, seller, buyer, 0.9)
        with monkeypatch.context() as patch:
            patch.setattr(belief_induction, "BUDGETS", (budget,))
            found = nash_conv(scenario, seller, buyer, 0.9)
        inexact += not found.exact
        least, most = found.bounds
        assert least - 1e-12 <= exact.total <= most + 1e-12
        assert found.total == most
        assert found.exact == (most - least < 1e-11)
        shown = f"{least:.4f} to {most:.4f}" if f"{least:.4f}" < f"{most:.4f}" else f"{most:.4f}"
        assert f"<NashConv {shown}:" in repr(found)
        for bounded, answer in zip(found.responses, exact.responses, strict=True):
            assert (bounded.bounds[0] - 1e-12 <= answer.interim).all()
            assert (answer.interim <= bounded.interim + 1e-12).all()
    assert inexact > 4


def test_the_values_of_actions_are_said_to_be_exact_or_are_lower_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sides = {"seller": {"limits": [0, 1, 2]}, "buyer": {"limits": [1, 2, 3]}}
    scenario = Scenario.from_dict({"prices": [0, 1, 2, 3], "rounds": 3, **sides})
    told = []
    for seed, game in product(range(8), scenario.views[Role.SELLER]):
        table = stack(scenario, Role.BUYER, np.random.default_rng(seed))[0]
        exact, bounded = (best_response(scenario, Role.SELLER, table) for _ in range(2))
        for offers in ((), (2,), (3, 1), (1, 3, 1)):
            at = Position.after(game, Role.SELLER if len(offers) % 2 == 0 else Role.BUYER, offers)
            values = exact.action_value(at)
            assert exact.exact_at(at)
            with monkeypatch.context() as patch:
                patch.setattr(belief_induction, "BUDGETS", (20, 60))
                told.append(bounded.exact_at(at))
                found = bounded.action_value(at)
            assert (found <= values + 1e-12).all()
            assert not told[-1] or found == pytest.approx(values, abs=1e-11)
    assert 0 < told.count(False) < len(told) / 2


@pytest.mark.slow
def test_the_preset_hidden_is_exact_for_every_policy() -> None:
    """Weights of all legal actions, so that hardly two beliefs are equal."""
    scenario, rng = Scenario.of("hidden"), np.random.default_rng(0)
    policies = []
    for role in Role:
        weights = legal_rows(scenario, role) * rng.exponential(size=(scenario.n_rows(role), 8))
        dense = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        policies.append(TabularPolicy.of_probabilities(scenario, role, dense))
    assert nash_conv(scenario, policies[0], policies[1]).exact


@settings(max_examples=20)
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


@pytest.mark.parametrize("name", ["original", "hidden"])
def test_of_equally_good_actions_the_first_is_played_or_one_is_drawn(name: str) -> None:
    """A deal at the buyer's limit is worth as much as none."""
    scenario, rng = Scenario.of(name), np.random.default_rng(0)
    answer = best_response(scenario, Role.BUYER, untrained_policy(scenario, Role.SELLER))
    price = scenario.limit(Role.BUYER)
    last = Position(scenario.views[Role.BUYER][-1], Role.BUYER, 4, 1, price, False, (price,) * 9)
    assert answer.best(last) == [scenario.accept, scenario.walk_away]
    played = {answer.act(last, rng) for _ in range(40)}
    assert played == ({*answer.best(last)} if scenario.hidden else {scenario.accept})


def check(
    kernel: induction.Kernel, scenario: Scenario, role: Role, one: str, other: str, rate: float
) -> None:
    policy, opponent = seat(scenario, role, one, 1)[0], seat(scenario, role.other, other, 2)[0]
    for own in (policy, None):
        matchup = induction.Matchup(scenario, role, own, opponent, rate)
        values, offers = induction.by_kernel(kernel, matchup)
        expected, expected_offers = induction.by_numpy(matchup)
        assert values == expected
        assert offers.tobytes() == expected_offers.tobytes()


@given(scenarios(), roles, kinds, kinds, discounts)
def test_the_plain_kernel(
    scenario: Scenario, role: Role, one: str, other: str, rate: float
) -> None:
    check(induce_both, scenario, role, one, other, rate)


def test_the_compiled_kernel() -> None:
    pytest.importorskip("numba")
    kernel = induction.compiled()

    @given(scenarios(), roles, kinds, kinds, discounts)
    def equal(scenario: Scenario, role: Role, one: str, other: str, rate: float) -> None:
        check(kernel, scenario, role, one, other, rate)

    equal()


@given(seeds, st.booleans())
def test_arrays_that_cannot_be_written_are_judged_too(seed: int, columns: bool) -> None:
    """They would need a compiled form of their own."""
    scenario = Scenario.original()
    q = np.random.default_rng(seed).random((27, 7))
    policy = greedy(scenario, Role.SELLER, q)
    opponent = greedy(scenario, Role.BUYER, q)
    expected = nash_conv(scenario, policy, opponent).total
    if columns:
        object.__setattr__(policy, "actions", np.asfortranarray(policy.actions))
    policy.actions.flags.writeable = False
    rows = induction.flat_policy(policy)
    assert rows.actions.flags.writeable
    assert rows.actions.flags.c_contiguous
    assert nash_conv(scenario, policy, opponent).total == expected


def test_compiling_begins_when_numpy_took_long(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, begun = Scenario.original(), []
    seller, buyer = (greedy(scenario, role, np.zeros((27, 7))) for role in Role)
    matchup = induction.Matchup(scenario, Role.SELLER, seller, buyer, 0.9)
    work = induction.Induction()
    monkeypatch.setattr(work.compiling, "begin", lambda: begun.append(True))
    monkeypatch.setitem(sys.modules, "numba", numba := pytest.importorskip("numba"))
    work(matchup)
    assert not begun
    monkeypatch.setattr(induction, "COMPILE_AFTER", 0.0)
    work(matchup)
    assert begun
    begun.clear()
    with monkeypatch.context() as told:
        told.setattr(numba.config, "DISABLE_JIT", 1)
        work(matchup)
    assert not begun, "numba compiles nothing"
    monkeypatch.delitem(sys.modules, "numba")
    work(matchup)
    assert not begun, "nobody else needed numba"


@given(scenarios(), discounts, st.sampled_from(TieBreak))
def test_every_action_is_the_best_answer_to_the_others(
    scenario: Scenario, rate: float, rule: TieBreak
) -> None:
    """Also after mistakes; of equally good ones the best price, and closing by the rule.

    With time costs the default of γ stands for 1.
    """
    rate = scenario.discount(None if rate == PUBLISHED_DISCOUNT else rate)
    first = scenario.accept if rule is TieBreak.ACCEPT else scenario.walk_away
    seller, buyer = (tabulate(scenario, role, SubgamePerfect(rate, rule)) for role in Role)
    found = nash_conv(scenario, seller, buyer, rate)
    assert found.total == pytest.approx(0, abs=1e-12)
    for role, table in zip(Role, (seller, buyer), strict=True):

        def liking(action: int, sign: int = 1 if role is Role.SELLER else -1) -> int:
            if action >= scenario.accept:
                return 1000 if action == first else -1000
            return sign * action

        for at in positions(scenario, role):
            assert table.support(at) == [max(found.responses[role].best(at), key=liking)], at
        for opener in Role:
            expected = solve(scenario, opener, rate, rule).values[role]
            assert found.responses[role].values[opener] == pytest.approx(expected, abs=1e-12)
    for opener in Role:
        expected = solve(scenario, opener, rate, rule).values[Role.SELLER]
        worth = value(scenario, Role.SELLER, seller, buyer, opener, rate)
        assert worth == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("opener", Role)
def test_large(opener: Role) -> None:
    whole, size = PriceRange(1, 1000), 1000
    grid = Scenario("grid", tuple(range(1, 1001)), size, whole, whole, reservation=(0, size))
    found = solve(grid, opener)
    assert found.actions.shape == (2 * size, size)
    top = size if opener is Role.SELLER else 1
    assert found.path.outcome.price == top
    assert found.values == pytest.approx((top / size, 1 - top / size))
