"""The grid of cells, and its pictures and films, painted again from their elements."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from copy import deepcopy
from functools import partial
from itertools import pairwise
from unicodedata import normalize

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.runtime.text import cells as text_cells
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.svg import CELL_HEIGHT, CELL_WIDTH, MARGIN, film, svg
from negotiation_tui.tui.toolkit.theme import THEMES

anywhere = st.integers(-30, 60)
sizes = st.integers(0, 25)
texts = st.text(max_size=40)
scripts = st.text("ab 田花ひカe\u0301नก🙂", max_size=12).map(str.lstrip)
inner_rects = st.builds(Rect, st.integers(0, 30), st.integers(0, 30), sizes, sizes)
Cells = dict[tuple[int, int], tuple[str, str]]


def cells(canvas: Canvas) -> Cells:
    return {(y, x): cell for y in range(canvas.height) for x, cell in enumerate(canvas.cells(y))}


@settings(deadline=None)
@given(width=sizes, height=sizes, y=anywhere, x=anywhere, text=texts)
def test_text_is_cut_at_the_edges(width: int, height: int, y: int, x: int, text: str) -> None:
    canvas = Canvas(width, height)
    canvas.write(y, x, text, "bold")
    assert all(len(canvas.cells(row)) == width for row in range(height))
    whole = Canvas(100, 1)
    whole.write(0, 0, text, "bold")
    letters = [letter for letter, style in whole.cells(0) if style == "bold"]
    styled = {place for place, (_, style) in cells(canvas).items() if style == "bold"}
    wanted = {(y, x + n) for n in range(len(letters)) if 0 <= y < height and 0 <= x + n < width}
    assert styled == wanted
    assert all(canvas.cells(y)[at][0] in {letters[at - x], " "} for _, at in wanted)


@given(texts=st.lists(st.tuples(st.integers(-4, 14), scripts), max_size=4))
def test_a_terminal_shows_each_cell_there(texts: list[tuple[int, str]]) -> None:
    canvas, terminal = Canvas(14, 1), pyte.Screen(14, 1)
    for x, text in texts:
        canvas.write(0, x, text)
    terminal.reset_mode(pyte.modes.DECAWM)
    pyte.Stream(terminal).feed(canvas.line(0))
    shown = (terminal.buffer[0][x].data for x in range(14))
    for (letter, _), seen in zip(canvas.cells(0), shown, strict=True):
        assert letter.strip("\u0301") == normalize("NFD", seen).strip("\u0301")


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
    top, left, height, width = rect
    for (row, column), cell in cells(canvas).items():
        within = top <= row < top + height and left <= column < left + width
        assert within or cell == before[row, column]


def test_a_part_is_drawn_again_if_it_shows_something_else() -> None:
    drawn = list[str]()

    def draw(part: Canvas, shown: str) -> None:
        drawn.append(shown)
        part.write(0, 0, shown)
        part.target(Rect(0, 0, 1, 2), "key", shown)
        part.tell("event", shown)

    def frame(shown: str, before: Canvas | None) -> Canvas:
        canvas = Canvas(8, 3, before=before)
        inner = canvas.rows(1, 3)  # the place of a part is that on the screen
        part = inner.draw(Rect(0, 2, 1, 4), shown, partial(draw, shown=shown))
        assert part.texts == [("event", (shown,))]
        assert (canvas.text(), canvas.hit(1, 3)) == (f"\n  {shown}\n", ("key", shown, 1))
        return canvas

    first = frame("one", None)
    second = frame("one", first)
    third = frame("two", second)
    assert drawn == ["one", "two"]
    assert [second.changed_rows(first), third.changed_rows(second)] == [[], [1]]
    assert third.changed_rows(Canvas(9, 3)) == [0, 1, 2]


def test_each_character_has_its_cells() -> None:
    controls = "\n\t\x1b\x00\x7f\x9b\ud800\u200b\u202e"
    marks, wide = "\u0301\u20dd\ufe0f\u0e35", "価Ａ🙂"
    for line, characters in {"a?b  ": controls, "a{}b   ": marks, "a{}b ": wide}.items():
        for character in characters:
            canvas = Canvas(5, 1)
            canvas.write(0, 0, f"a{character}b")
            assert canvas.line(0) == line.format(character), ascii(character)


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
            assert {canvas.style_at(y, x + n) for n in range(text_cells(text))} == {style}
        assert all(a[2] != b[2] for a, b in pairwise(runs))


def test_ascii_is_still_to_be_read() -> None:
    for text, plain in (
        ("╶─ Price ─╴└──┘", "-- Price --`--'"),
        ("100×10 −145", "100x10 -145"),
        ("▸ 3.1 ε 0.93", "> 3.1 e 0.93"),
        ("‖ paused ✓ accepts ↓", "| paused y accepts v"),
        ("价é", "??"),
    ):
        canvas = Canvas(len(text), 1, ascii_only=True)
        canvas.write(0, 0, text)
        assert canvas.line(0) == plain


SPACE = "{http://www.w3.org/2000/svg}"
Painted = dict[tuple[int, int], tuple[str, str, str | None]]
"""The character, the look of the text and the ground of each painted cell."""


def painted(document: ET.Element, share: float = 1.0) -> Painted:
    """Paint what a viewer shows after a share of the film."""
    cells: Painted = {}
    rules = document.findtext(f"{SPACE}style") or ""
    looks = dict(re.findall(r"\.(c\d+)\{(.*?)\}", rules))
    begins = re.findall(r"@keyframes (\S+?)\{0%\{visibility:hidden\}([\d.]+)%\{vis", rules)
    shown = {name for name, percent in begins if float(percent) <= 100 * share}
    for element in elements(document, shown):
        look = looks[element.get("class", "")]
        if element.tag == f"{SPACE}path":
            for path in element.get("d", "").split("M")[1:]:
                left, top, wide = map(float, re.findall(r"-?[\d.]+", path)[:3])
                edges = [(x - MARGIN) / CELL_WIDTH for x in (left, left + wide)]
                first, stop = map(round, edges)
                assert all(abs(edge - round(edge)) * CELL_WIDTH <= 0.5 for edge in edges), path
                y, blank = int(top - MARGIN) // CELL_HEIGHT, (" ", "", look.removeprefix("fill:"))
                cells.update({(y, x): blank for x in range(first, stop)})
            continue
        x = (int(element.get("x", "")) - MARGIN) // CELL_WIDTH
        y = (int(element.get("y", "")) - MARGIN) // CELL_HEIGHT
        text = element.text or ""
        line = Canvas(text_cells(text), 1)
        line.write(0, 0, text)
        assert element.get("textLength") in {str(line.width * CELL_WIDTH), None}
        for at, (character, _) in enumerate(line.cells(0), x):
            behind = cells[y, at][2] if (y, at) in cells else None
            cells[y, at] = (character, look, behind)
    return cells


def elements(document: ET.Element, shown: set[str]) -> Iterable[ET.Element]:
    for element in document:
        if element.tag == f"{SPACE}g":
            if element.get("style", "").removeprefix("animation-name:") in shown:
                yield from element
        elif element.get("class"):
            yield element


def text_of(cells: Painted, canvas: Canvas) -> str:
    lines = (
        "".join(cells.get((y, x), " ")[0] for x in range(canvas.width)).rstrip()
        for y in range(canvas.height)
    )
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("theme", "style", "ink", "ground"),
    [
        ("dark", "deal", "#000000;font-weight:bold", "#ff5f00"),
        ("dark", "faint", "#808080", None),
        ("dark", "normal", "#d0d0d0", None),
        ("light", "normal", "#24292f", None),
        ("dark", "title", "#16181d", "#d0d0d0"),
        ("mono", "deal", "#16181d;font-weight:bold", "#d0d0d0"),
        ("high-contrast", "buyer-mark", "#000000;font-weight:bold", "#87ffff"),
    ],
)
def test_a_text_stands_in_its_cells_in_the_colours_of_the_theme(
    theme: str, style: str, ink: str, ground: str | None
) -> None:
    canvas = Canvas(10, 3)
    canvas.write(1, 4, "price", style)
    document = ET.fromstring(svg(canvas, theme))
    assert painted(document) == {
        (1, x): (character, f"fill:{ink}", ground) for x, character in enumerate("price", 4)
    }
    assert "monospace" in document.get("font-family", "")


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=30), st.sampled_from(sorted(THEMES)))
def test_any_text_can_be_read_from_its_picture(text: str, theme: str) -> None:
    canvas = Canvas(30, 1)
    canvas.write(0, 0, text)
    assert text_of(painted(ET.fromstring(svg(canvas, theme))), canvas) == canvas.text()


written = st.tuples(
    st.integers(0, 3),
    st.integers(0, 19),
    st.sampled_from(["a", "  ", "DEAL at 3", "<&>", "▓▓▓"]),
    st.sampled_from(["normal", "deal", "faint", "title"]),
)


@settings(deadline=None)
@given(st.lists(st.lists(written, max_size=4), min_size=1, max_size=6))
def test_each_moment_of_a_film_is_its_frame(frames: list[list[tuple[int, int, str, str]]]) -> None:
    canvases: list[Canvas] = []
    for writings in frames:
        canvas = deepcopy(canvases[-1]) if canvases else Canvas(20, 4)
        for y, x, text, style in writings:
            canvas.write(y, x, text, style)
        canvases.append(canvas)
    text = film(enumerate(canvases), "dark", len(canvases) + 1.0)
    length = re.search(r"animation:([\d.]+)s", text)
    seconds, document = float(length[1]) if length else 1.0, ET.fromstring(text)
    for second, canvas in enumerate(canvases):
        alone = painted(ET.fromstring(svg(canvas, "dark")))
        for moment in (second + 0.01, second + 0.99):
            cells = painted(document, moment / seconds)
            assert text_of(cells, canvas) == canvas.text()
            assert grounds(cells) == grounds(alone)


def grounds(cells: Painted) -> dict[tuple[int, int], str | None]:
    """Return the ground of each cell that does not have the paper's."""
    return {at: cell[2] for at, cell in cells.items() if cell[2] not in {None, "#16181d"}}


def test_two_films_on_one_page_do_not_share_names() -> None:
    films = []
    for words in ("one", "two"):
        canvas = Canvas(5, 1)
        canvas.write(0, 0, words)
        films.append(film([(0.0, Canvas(5, 1)), (1.0, canvas)], "dark", 2.0))
    first, second = ({*re.findall(r"#f\w+|keyframes \S+(?={)", each)} for each in films)
    assert first
    assert not first & second
