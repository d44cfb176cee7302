"""Words as alternatives, and tables in aligned columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.runtime.text import either, table

ROWS = [("", "total", "seller"), ("deals", "1,000", ""), ("wallet", "", "−7")]


@pytest.mark.parametrize(
    ("words", "text"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
)
def test_alternatives(words: list[str], text: str) -> None:
    assert either(words) == text


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        (("<",), ["        total  seller", "deals   1,000", "wallet         −7"]),
        (("<", ">"), ["        total  seller", "deals   1,000", "wallet             −7"]),
        ((">", "<7", ">"), ["        total    seller", " deals  1,000", "wallet               −7"]),
    ],
)
def test_columns(columns: tuple[str, ...], lines: list[str]) -> None:
    assert table(ROWS, *columns) == lines


CELL = st.text("abc", min_size=1)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1))
def test_every_column_stands_below_its_first_cell(rows: list[tuple[str, str, str]]) -> None:
    left = [line.index("|") for line in table([(a, "|" + b) for a, b, _ in rows], "<")]
    right = [len(line) for line in table(rows, "<", ">")]
    assert len(set(left)) == len(set(right)) == 1
    assert [line.split() for line in table(rows, ">")] == [list(row) for row in rows]
