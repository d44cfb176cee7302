"""The grid of cells: what is cut off, what becomes `?`, what the terminal gets; and its SVG."""

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.svg import CELL_WIDTH, MARGIN, svg
from negotiation_tui.tui.toolkit.theme import THEMES

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
def test_text_is_cut_at_the_edges(width: int, height: int, y: int, x: int, text: str) -> None:
    canvas = Canvas(width, height)
    canvas.write(y, x, text, "bold")
    assert all(len(canvas.line(row)) == width for row in range(height))
    styled = {place for place, (_, style) in cells(canvas).items() if style == "bold"}
    wanted = {(y, x + n) for n in range(len(text)) if 0 <= y < height and 0 <= x + n < width}
    assert styled == wanted
    assert all(canvas.line(y)[at] in {text[at - x], "?"} for _, at in wanted)


@settings(deadline=None)
@given(rect=inner_rects, inner=inner_rects, y=anywhere, x=anywhere, text=st.text(min_size=1))
def test_none_is_written_outside_a_region(
    rect: Rect, inner: Rect, y: int, x: int, text: str
) -> None:
    canvas = Canvas(20, 15)
    before = cells(canvas)
    part = canvas.subcanvas(rect)
    part.write(y, x, text, "bold")
    part.write_right(y, text, "title")
    deeper = part.subcanvas(inner)
    deeper.write(y, x, text, "key")
    deeper.clear()
    assert all(inside(rect, place) for place in changed(before, cells(canvas)))


def test_what_does_not_fill_one_cell_becomes_a_question_mark() -> None:
    controls = "\n\t\x1b\x00\x7f\x9b"
    widthless = "\ud800\u200b\u202e\u0301\u20dd\ufe0f"
    for character in controls + widthless + "価Ａ🙂":
        canvas = Canvas(5, 1)
        canvas.write(0, 0, f"a{character}b")
        assert canvas.line(0) == "a?b  ", ascii(character)


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


def test_ascii_is_still_to_be_read() -> None:
    for text, plain in (
        ("╶─ Price ─╴└──┘", "-- Price --`--'"),
        ("100×10 −145", "100x10 -145"),
        ("▸ 3.1 ε 0.93", "> 3.1 e 0.93"),
        ("‖ paused ✓ accepts ↓", "| paused y accepts v"),
        ("价é", "??"),
    ):
        canvas = Canvas(len(text), 1)
        canvas.write(0, 0, text)
        canvas.to_ascii()
        assert canvas.line(0) == plain


SPACE = "{http://www.w3.org/2000/svg}"


def drawn(canvas: Canvas, theme: str = "dark") -> ET.Element:
    return ET.fromstring(svg(canvas, theme))


def drawn_texts(canvas: Canvas, theme: str = "dark") -> list[ET.Element]:
    return list(drawn(canvas, theme).iter(f"{SPACE}text"))


def test_each_text_stands_in_its_cells() -> None:
    canvas = Canvas(20, 3)
    canvas.write(1, 4, "DEAL at 3", "deal")
    (text,) = drawn_texts(canvas)
    assert text.text == "DEAL at 3"
    assert float(text.get("x", "")) == pytest.approx(MARGIN + 4 * CELL_WIDTH, abs=0.05)
    assert float(text.get("textLength", "")) == pytest.approx(9 * CELL_WIDTH, abs=0.05)
    assert text.get("font-weight") == "bold"
    assert "monospace" in drawn(canvas).get("font-family", "")


@pytest.mark.parametrize(
    ("theme", "style", "ink", "ground"),
    [
        ("dark", "deal", "#000000", "#ff5f00"),
        ("dark", "faint", "#808080", None),
        ("dark", "normal", "#d0d0d0", None),
        ("light", "normal", "#24292f", None),
        ("dark", "title", "#16181d", "#d0d0d0"),
        ("mono", "deal", "#16181d", "#d0d0d0"),
        ("high-contrast", "buyer-mark", "#000000", "#87ffff"),
    ],
)
def test_colours_are_those_of_the_theme(
    theme: str, style: str, ink: str, ground: str | None
) -> None:
    canvas = Canvas(10, 1)
    canvas.write(0, 0, "price", style)
    (text,) = drawn_texts(canvas, theme)
    assert text.get("fill") == ink
    grounds = [rect.get("fill") for rect in drawn(canvas, theme).iter(f"{SPACE}rect")][1:]
    assert grounds == ([] if ground is None else [ground])


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=30), st.sampled_from(sorted(THEMES)))
def test_any_text_is_valid_xml_and_stays_as_it_is(text: str, theme: str) -> None:
    canvas = Canvas(30, 1)
    canvas.write(0, 0, text)
    assert (
        "".join(each.text or "" for each in drawn_texts(canvas, theme)).strip()
        == canvas.line(0).strip()
    )
