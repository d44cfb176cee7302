"""Pictures and films: each document is painted again from its elements, cell by cell."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.svg import CELL_HEIGHT, CELL_WIDTH, MARGIN, film, svg
from negotiation_tui.tui.toolkit.theme import THEMES

SPACE = "{http://www.w3.org/2000/svg}"
Painted = dict[tuple[int, int], tuple[str, str, str | None]]
"""The character, the look of the text and the ground of each painted cell."""


def looks(document: ET.Element) -> dict[str, str]:
    """The look of each class."""
    rules = document.findtext(f"{SPACE}style") or ""
    return dict(re.findall(r"\.(c\d+)\{(.*?)\}", rules))


def begins(document: ET.Element) -> dict[str, float]:
    """The share of the film after which each group is shown."""
    rules = document.findtext(f"{SPACE}style") or ""
    found = re.findall(r"@keyframes (\S+?)\{0%\{visibility:hidden\}([\d.]+)%\{vis", rules)
    return {name: float(share) / 100 for name, share in found}


def painted(document: ET.Element, share: float = 1.0) -> Painted:
    """Paint what a viewer shows after a share of the film."""
    cells: Painted = {}
    classes, times = looks(document), begins(document)
    for element in elements(document, times, share):
        look = classes[element.get("class", "")]
        if element.tag == f"{SPACE}path":
            left, top, wide = map(float, re.findall(r"-?[\d.]+", element.get("d", ""))[:3])
            first, stop = ((x - MARGIN) / CELL_WIDTH for x in (left, left + wide))
            for x in range(round(first), round(stop)):
                cells[int(top - MARGIN) // CELL_HEIGHT, x] = (" ", "", look.removeprefix("fill:"))
            continue
        x = (int(element.get("x", "")) - MARGIN) // CELL_WIDTH
        y = (int(element.get("y", "")) - MARGIN) // CELL_HEIGHT
        text = element.text or ""
        assert element.get("textLength") == str(len(text) * CELL_WIDTH)
        for at, character in enumerate(text, x):
            ground = cells[y, at][2] if (y, at) in cells else None
            cells[y, at] = (character, look, ground)
    return cells


def elements(document: ET.Element, times: dict[str, float], share: float) -> Iterable[ET.Element]:
    for element in document:
        if element.tag == f"{SPACE}g":
            name = element.get("style", "").removeprefix("animation-name:")
            if times[name] <= share:
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
def test_any_text_is_valid_xml_and_stays_as_it_is(text: str, theme: str) -> None:
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
        canvas = Canvas(20, 4)
        if canvases:
            canvas.paste(canvases[-1])
        for y, x, text, style in writings:
            canvas.write(y, x, text, style)
        canvases.append(canvas)
    text = film(enumerate(canvases), "dark", len(canvases) + 1.0)
    length = re.search(r"animation:([\d.]+)s", text)
    seconds, document = float(length[1]) if length else 1.0, ET.fromstring(text)
    for second, canvas in enumerate(canvases):
        cells = painted(document, (second + 0.01) / seconds)
        assert text_of(cells, canvas) == canvas.text()
        alone = painted(ET.fromstring(svg(canvas, "dark")))
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
