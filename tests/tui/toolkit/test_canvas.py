"""The grid of cells: what is cut off, what becomes `?`, what the terminal gets; and its SVG."""

from itertools import pairwise

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
