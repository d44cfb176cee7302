"""Draws from rows of a policy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.game.draws import UNIFORM, drawn, share

ALMOST_ONE = 1 - 2.0**-53


@pytest.mark.parametrize(
    ("u", "column"), [(0.0, 0), (0.2499, 0), (0.25, 1), (0.7499, 1), (0.75, 2), (ALMOST_ONE, 2)]
)
def test_weights_decide(u: float, column: int) -> None:
    rows = [UNIFORM, 0.9, 1.0, 0.25, 0.75, 1.0]
    assert drawn(rows, 3, 3, u) == column


@given(st.integers(2, 1002), st.floats(0, ALMOST_ONE))
def test_equal_weights_are_drawn_as_ever(n: int, u: float) -> None:
    assert drawn([UNIFORM] * n, 0, n, u) == int(u * n)


def test_an_action_of_no_weight_is_never_drawn() -> None:
    assert drawn([0.0, 1.0, 1.0], 0, 3, 0.0) == 1
    assert drawn([0.0, 1.0, 1.0], 0, 3, ALMOST_ONE) == 1


def test_shares_are_the_probabilities_times_their_number() -> None:
    rows = [UNIFORM, 0.9, 1.0, 0.25, 0.75, 1.0]
    assert [share(rows, 0, 3, k) for k in range(3)] == [1.0, 1.0, 1.0]
    assert [share(rows, 3, 3, k) for k in range(3)] == [0.75, 1.5, 0.75]
