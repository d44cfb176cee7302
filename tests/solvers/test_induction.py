"""Backward induction: the kernel, plain and compiled, gives the bits of numpy."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.solvers import induction
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.induction_kernel import induce_both
from tests.support.game import roles, scenarios, seeds
from tests.support.modules import loaded_by
from tests.support.plans import discounts, kinds, seat


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
    rows = induction.rows_of(policy)
    assert rows.actions.flags.writeable
    assert rows.actions.flags.c_contiguous
    assert nash_conv(scenario, policy, opponent).total == expected


def test_compiling_begins_when_numpy_took_long(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, begun = Scenario.original(), []
    seller, buyer = (greedy(scenario, role, np.zeros((27, 7))) for role in Role)
    matchup = induction.Matchup(scenario, Role.SELLER, seller, buyer, 0.9)
    work = induction.Induction()
    monkeypatch.setattr(work.compiling, "begin", lambda: begun.append(True))
    monkeypatch.setitem(sys.modules, "numba", sys)
    work(matchup)
    assert not begun
    monkeypatch.setattr(induction, "COMPILE_AFTER", 0.0)
    work(matchup)
    assert begun
    monkeypatch.delitem(sys.modules, "numba")
    begun.clear()
    work(matchup)
    assert not begun, "nobody else needed numba"


def test_one_nash_conv_does_not_import_numba() -> None:
    loaded = loaded_by("import negotiation_tui as nt; nt.nash_conv('original', 'random', 'random')")
    assert "negotiation_tui.solvers.induction" in loaded
    assert "numba" not in loaded
