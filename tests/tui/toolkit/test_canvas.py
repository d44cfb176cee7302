"""The grid of cells: what is cut off, what becomes `?`, and what the terminal is handed."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.tui.toolkit.canvas import Canvas, Rect

anywhere = st.integers(-30, 60)
sizes = st.integers(0, 25)
texts = st.text(max_size=40)
rects = st.builds(Rect, anywhere, anywhere, sizes, sizes)
inner_rects = st.builds(Rect, st.integers(0, 30), st.integers(0, 30), sizes, sizes)
Cells = dict[tuple[int, int], tuple[str, str]]


def cells(canvas: Canvas) -> Cells:
    """Every cell as (character, style)."""
    return {
        (y, x): (canvas.line(y)[x], canvas.style_at(y, x))
        for y in range(canvas.height)
        for x in range(canvas.width)
    }


def changed(before: Cells, after: Cells) -> set[tuple[int, int]]:
    return {place for place in after if before[place] != after[place]}


def inside(rect: Rect, place: tuple[int, int]) -> bool:
    y, x = place
    return rect.y <= y < rect.y + rect.height and rect.x <= x < rect.x + rect.width


@settings(deadline=None)
@given(width=sizes, height=sizes, y=anywhere, x=anywhere, text=texts)
def test_text_put_anywhere_is_cut_at_the_edges(
    width: int, height: int, y: int, x: int, text: str
) -> None:
    canvas = Canvas(width, height)
    canvas.write(y, x, text, "bold")
    assert all(len(canvas.line(row)) == width for row in range(height))
    styled = {place for place, (_, style) in cells(canvas).items() if style == "bold"}
    wanted = {(y, x + n) for n in range(len(text)) if 0 <= y < height and 0 <= x + n < width}
    assert styled == wanted


@settings(deadline=None)
@given(x=anywhere, text=st.text("abcdefghij", max_size=40))
def test_what_is_left_of_a_cut_text_stays_in_its_columns(x: int, text: str) -> None:
    canvas = Canvas(12, 1)
    canvas.write(0, x, text)
    wanted = "".join(text[n - x] if 0 <= n - x < len(text) else " " for n in range(12))
    assert canvas.line(0) == wanted


@settings(deadline=None)
@given(rect=inner_rects, inner=inner_rects, y=anywhere, x=anywhere, text=st.text(min_size=1))
def test_nothing_is_written_outside_a_region(
    rect: Rect, inner: Rect, y: int, x: int, text: str
) -> None:
    canvas = Canvas(20, 15)
    before = cells(canvas)
    part = canvas.subcanvas(rect)
    part.write(y, x, text, "bold")
    part.write_right(y, text, "title")
    deeper = part.subcanvas(inner)
    deeper.write(y, x, text, "key")
    deeper.restyle("faint")
    deeper.clear()
    assert all(inside(rect, place) for place in changed(before, cells(canvas)))


@settings(deadline=None)
@given(rect=rects)
def test_a_region_that_begins_outside_is_the_part_within(rect: Rect) -> None:
    canvas = Canvas(20, 15)
    canvas.subcanvas(rect).restyle("bold")
    styled = {place for place, (_, style) in cells(canvas).items() if style == "bold"}
    assert styled == {place for place in cells(canvas) if inside(rect, place)}


def test_a_region_has_its_own_origin() -> None:
    canvas = Canvas(10, 4)
    canvas.subcanvas(Rect(1, 2, 2, 5)).write(0, 0, "abcdefgh")
    canvas.subcanvas(Rect(1, 2, 2, 5)).subcanvas(Rect(1, 1, 1, 9)).write_right(0, "end")
    assert canvas.text() == "\n  abcde\n    end\n"


def test_rows_are_a_region_as_wide_as_the_canvas() -> None:
    canvas = Canvas(4, 4)
    canvas.rows(1, 3).restyle("faint")
    assert [canvas.style_at(y, 3) for y in range(4)] == ["normal", "faint", "faint", "normal"]


def test_clearing_blanks_characters_and_styles() -> None:
    canvas = Canvas(6, 2)
    canvas.write(0, 0, "abcdef", "bold")
    canvas.subcanvas(Rect(0, 2, 1, 2)).clear()
    assert list(canvas.spans(0)) == [(0, "ab", "bold"), (2, "  ", "normal"), (4, "ef", "bold")]


@pytest.mark.parametrize(
    "character",
    [
        pytest.param("\n", id="line feed"),
        pytest.param("\t", id="tab"),
        pytest.param("\x1b", id="escape"),
        pytest.param("\x00", id="nul"),
        pytest.param("\x7f", id="delete"),
        pytest.param("\x9b", id="control sequence introducer"),
        pytest.param("\ud800", id="surrogate"),
        pytest.param("\u200b", id="zero width space"),
        pytest.param("\u202e", id="right-to-left override"),
        pytest.param("\u0301", id="combining accent"),
        pytest.param("\u20dd", id="enclosing circle"),
        pytest.param("\ufe0f", id="variation selector"),
        pytest.param("価", id="wide"),
        pytest.param("Ａ", id="full width"),
        pytest.param("🙂", id="emoji"),
    ],
)
def test_what_does_not_fill_one_cell_becomes_a_question_mark(character: str) -> None:
    canvas = Canvas(5, 1)
    canvas.write(0, 0, f"a{character}b")
    assert canvas.line(0) == "a?b  "


@settings(deadline=None)
@given(st.text(st.characters(categories=["Mn", "Me", "Cc", "Cf", "Cs", "Zl", "Zp"]), min_size=1))
def test_characters_without_a_width_become_question_marks(text: str) -> None:
    canvas = Canvas(len(text), 1)
    canvas.write(0, 0, text)
    left = [f"U+{ord(c):04X} {unicodedata.name(c, '?')}" for c in canvas.line(0) if c != "?"]
    assert not left


@pytest.mark.parametrize("text", ["×", "−", "·", "ε", "é", "╶─╴", "░▒▓█", "▁▇", "●○◆", "▶‖▸"])
def test_narrow_characters_stay(text: str) -> None:
    canvas = Canvas(len(text), 1)
    canvas.write(0, 0, text)
    assert canvas.line(0) == text


def test_runs_are_cut_where_the_style_changes_and_nowhere_else() -> None:
    canvas = Canvas(8, 1)
    canvas.write(0, 1, "ab", "bold")
    canvas.write(0, 3, "cd", "bold")
    canvas.write(0, 5, "e", "key")
    assert list(canvas.spans(0)) == [
        (0, " ", "normal"),
        (1, "abcd", "bold"),
        (5, "e", "key"),
        (6, "  ", "normal"),
    ]


@settings(deadline=None)
@given(
    puts=st.lists(
        st.tuples(st.integers(0, 2), st.integers(-5, 20), texts, st.sampled_from(["bold", "key"]))
    )
)
def test_runs_are_the_row(puts: list[tuple[int, int, str, str]]) -> None:
    canvas = Canvas(16, 3)
    for y, x, text, style in puts:
        canvas.write(y, x, text, style)
    for y in range(3):
        runs = list(canvas.spans(y))
        assert "".join(text for _, text, _ in runs) == canvas.line(y)
        for x, text, style in runs:
            assert {canvas.style_at(y, x + n) for n in range(len(text))} == {style}
        assert all(a[2] != b[2] for a, b in pairwise(runs))


def test_runs_and_text_of_a_region_are_those_of_its_part() -> None:
    canvas = Canvas(8, 2)
    canvas.write(1, 0, "abcdefgh", "bold")
    part = canvas.subcanvas(Rect(1, 2, 1, 3))
    assert part.text() == "cde"
    assert list(part.spans(0)) == [(0, "cde", "bold")]


def test_text_has_no_blanks_at_the_ends_of_lines() -> None:
    canvas = Canvas(8, 3)
    canvas.write(1, 2, "ab")
    assert canvas.text() == "\n  ab\n"


@settings(deadline=None)
@given(text=st.text(max_size=30))
def test_ascii_keeps_the_width_the_styles_and_what_was_ascii(text: str) -> None:
    canvas = Canvas(30, 1)
    canvas.write(0, 0, text, "bold")
    before = cells(canvas)
    canvas.to_ascii()
    assert canvas.line(0).isascii()
    for place, (character, style) in cells(canvas).items():
        old, old_style = before[place]
        assert style == old_style
        assert character == old or not old.isascii()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("╶─ Price ─╴", "-- Price --"),
        ("└──┘", "`--'"),
        ("100×10", "100x10"),
        ("−145", "-145"),
        ("▸ 3.1", "> 3.1"),
        ("ε 0.93", "e 0.93"),
        ("‖ paused", "| paused"),
        ("✓ accepts ↓", "y accepts v"),
        ("价é", "??"),
    ],
)
def test_ascii_is_still_to_be_read(text: str, plain: str) -> None:
    canvas = Canvas(len(text), 1)
    canvas.write(0, 0, text)
    canvas.to_ascii()
    assert canvas.line(0) == plain
