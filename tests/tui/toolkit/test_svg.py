"""A canvas as a picture: valid XML, the text in its cells, the colours of the theme."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.svg import CELL_WIDTH, MARGIN, svg
from negotiation_tui.tui.toolkit.theme import THEMES

SPACE = "{http://www.w3.org/2000/svg}"


def drawn(canvas: Canvas, theme: str = "dark") -> ET.Element:
    return ET.fromstring(svg(canvas, theme))


def texts(canvas: Canvas, theme: str = "dark") -> list[ET.Element]:
    return list(drawn(canvas, theme).iter(f"{SPACE}text"))


def test_each_text_stands_in_its_cells() -> None:
    canvas = Canvas(20, 3)
    canvas.write(1, 4, "DEAL at 3", "deal")
    (text,) = texts(canvas)
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
    (text,) = texts(canvas, theme)
    assert text.get("fill") == ink
    grounds = [rect.get("fill") for rect in drawn(canvas, theme).iter(f"{SPACE}rect")][1:]
    assert grounds == ([] if ground is None else [ground])


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=30), st.sampled_from(sorted(THEMES)))
def test_any_text_is_valid_xml_and_stays_as_it_is(text: str, theme: str) -> None:
    canvas = Canvas(30, 1)
    canvas.write(0, 0, text)
    assert (
        "".join(each.text or "" for each in texts(canvas, theme)).strip() == canvas.line(0).strip()
    )
