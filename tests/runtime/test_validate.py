"""Values from outside: accepted and converted, or refused with a one-line message."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.validate import (
    boolean,
    integer,
    number,
    one_of,
    parse_integer,
    parse_like,
    parse_number,
    refusal,
    string,
)
from tests.support.cli import message

HUGE = st.builds(pow, st.just(10), st.just(5000))  # as a sample its digits cannot be shown
MESSAGE = re.compile(r"x: expected [^\n]+, got [^\n]{1,60}")
ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.binary(),
    st.fractions(),
    st.decimals(),
    st.complex_numbers(),
    st.lists(st.integers()),
    HUGE,
    st.lists(HUGE),
    st.sampled_from([-(10**400), np.bool_(True), np.arange(3), object()]),
    st.builds(np.int8, st.integers(-128, 127)),
    st.builds(np.float32, st.floats(width=32)),
)


TAKEN: list[tuple[Callable[[], object], object]] = [
    *((lambda each=each: integer("x", each, 1, 3), 3) for each in (3, np.int8(3), np.uint64(3))),
    (lambda: integer("x", 3, 3), 3),
    (lambda: number("x", 1, 0, 1), 1),
    *((lambda h=h: number("x", h), 0.5) for h in (0.5, np.float32(0.5), Fraction(1, 2))),
    (lambda: parse_like("x", "12", 1), 12),
    (lambda: parse_like("x", "1_000", 1), 1000),
    (lambda: parse_like("x", "1", 0.5), 1.0),
    (lambda: parse_like("x", "1e-3", 0.5), 0.001),
    (lambda: parse_like("x", "True", default=False), True),
    (lambda: parse_like("x", "12", "word"), "12"),
]


@pytest.mark.parametrize(("call", "value"), TAKEN)
def test_what_is_taken_becomes_a_plain_value(call: Callable[[], object], value: object) -> None:
    assert (call(), type(call())) == (value, type(value))


@pytest.mark.parametrize("value", [True, False, np.True_, np.False_])
def test_a_boolean_is_not_a_number(value: object) -> None:
    assert boolean("x", value) is bool(value)
    for check in (integer, number, string):
        with pytest.raises(BadInputError, match=f"got {re.escape(repr(value))}$"):
            check("x", value)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: integer("x", None), "x: expected an integer, got nothing"),
    (lambda: integer("x", "3", 0), "x: expected an integer of at least 0, got '3'"),
    (lambda: integer("x", 11, 1, 10), "x: expected an integer from 1 to 10, got 11"),
    (lambda: number("x", math.nan), "x: expected a number, got nan"),
    (lambda: number("x", 0, 0, 1, above=True), "x: expected a number above 0, at most 1, got 0"),
    (lambda: boolean("x", 1), "x: expected true or false, got 1"),
    (lambda: string("x", ""), "x: expected text, got ''"),
    (lambda: one_of("x", "d", ("a", "b", "c")), "x: expected a, b or c, got 'd'"),
    (lambda: parse_number("x", "much", 0, 1), "x: expected a number from 0 to 1, got 'much'"),
    (lambda: parse_number("x", "1e999"), "x: expected a number, got inf"),
    (lambda: parse_like("x", "1", default=False), "x: expected true or false, got '1'"),
    (lambda: parse_integer("", "many"), "expected an integer, got 'many'"),
]


@pytest.mark.parametrize(("call", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_refused_values(call: Callable[[], object], said: str) -> None:
    assert message(call) == said


def test_a_hint_comes_last() -> None:
    assert str(refusal("x", 5, "6", "use 6")) == "x: expected 6, got 5; use 6"


LONG = {
    "int too long to print": 10**5000,
    "list too long to print": [10**5000],
    "1" + "0" * 58 + "…": 10**4000,
    "'" + "9" * 58 + "…": "9" * 5000,
    r"'a\nb'": "a\nb",
    "array([[0., 0.], [0., 0.]])": np.zeros((2, 2)),
}


@pytest.mark.parametrize("shown", LONG)
def test_the_message_is_one_short_line_for_any_value(shown: str) -> None:
    assert str(refusal("x", LONG[shown], "less")) == f"x: expected less, got {shown}"


def tried(check: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return check(*arguments)
    except BadInputError as error:
        return str(error)


@given(ANYTHING, st.integers(-5, 5), st.integers(0, 9))
def test_anything_is_within_the_limits_or_refused_in_a_line(
    value: Any, low: int, width: int
) -> None:
    for check in (integer, number):
        result = tried(check, "x", value, low, low + width)
        if isinstance(result, str):
            assert MESSAGE.fullmatch(result)
        else:
            assert type(result) is int or (check is number and type(result) is float)
            assert low <= result <= low + width
            assert result == float(value)


@given(st.text())
def test_any_text_is_a_number_or_refused_in_a_line(text: str) -> None:
    for parse in (parse_integer, parse_number):
        result = tried(parse, "x", text)
        assert MESSAGE.fullmatch(result) if isinstance(result, str) else math.isfinite(result)
