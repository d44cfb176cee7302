"""The areas of the panes at any size; and no fact is told by colour alone."""

from dataclasses import replace
from functools import cache
from itertools import chain, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.learning.q_table import Values
from negotiation_tui.tui.negotiation.keys import PRICE, SELLER_PLAN, WALLETS
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.render import PANES, render
from negotiation_tui.tui.toolkit.layout import MIN_HEIGHT, MIN_WIDTH
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.toolkit.theme import styles_of
from tests.support.screen_driver import STATIC, Screen, picture
from tests.support.screen_loop import headings

STYLES = styles_of("dark")
widths, heights = st.integers(1, 250), st.integers(1, 80)
panes, details = (st.sampled_from([*PANES][n:]) for n in (0, 1))
games = st.sampled_from(["original", "legacy", "fine", "hidden"])
new_screen = cache(Screen)


@cache
def playing() -> Screen:
    return Screen().press("n")


@settings(deadline=None)
@given(width=widths, height=heights, chosen=panes, detail=details, game=games, data=st.data())
def test_panes_neither_overlap_nor_leave_the_screen(
    width: int, height: int, chosen: int, detail: int, game: str, data: st.DataObject
) -> None:
    model = replace(new_screen(game).model, width=width, height=height)
    zoomed, advice, values = (data.draw(st.booleans()) for _ in range(3))
    numbers = Values.RAW if values else None
    model = replace(model, zoomed=zoomed, advice=advice, values=numbers)
    layout = replace(model, chosen=chosen, detail=detail).layout()
    if not layout.panes:
        assert width < MIN_WIDTH or height < MIN_HEIGHT
        return
    assert chosen in layout.panes
    taken: set[tuple[int, int]] = set()
    for y, x, high, wide in (*layout.panes.values(), *layout.lines.values()):
        assert 0 <= y < y + high <= height
        assert 0 <= x < x + wide <= width
        cells = {(row, column) for row in range(y, y + high) for column in range(x, x + wide)}
        assert not cells & taken
        taken |= cells


@pytest.mark.parametrize(
    ("width", "height", "detail", "shown"),
    [(120, 70, SELLER_PLAN, {*PANES}), (80, 24, WALLETS, {PRICE, WALLETS})],
)
def test_panes_without_room_are_dropped_the_price_bar_last(
    width: int, height: int, detail: int, shown: set[int]
) -> None:
    text = Screen(width=width, height=height).press(str(detail), "n").text()
    assert set(headings(text)) == shown


def test_each_pane_has_its_room() -> None:
    screen = Screen().press("n")
    for size, rooms in {
        (80, 24): "1: 78x6 4: 38x9 5: 37x9",
        (120, 36): "1: 118x9 2: 82x7 3: 33x7 4: 58x9 5: 57x9",
        (160, 52): "1: 158x10 2: 122x23 3: 33x9 4: 78x9 5: 77x9 6: 33x13",
        (200, 60): "1: 198x10 2: 149x31 3: 46x9 4: 98x9 5: 97x9 6: 46x21",
        (250, 80): "1: 248x10 2: 199x51 3: 46x9 4: 123x9 5: 122x9 6: 46x41",
    }.items():
        areas = sorted(screen.resize(*size).model.layout().panes.items())
        assert " ".join(f"{pane}: {wide}x{high}" for pane, (_, _, high, wide) in areas) == rooms


@settings(deadline=None)
@given(width=widths, height=heights)
def test_below_the_minimum_the_screen_asks_for_more(width: int, height: int) -> None:
    text = render(replace(playing().model, width=width, height=height)).text()
    if width >= MIN_WIDTH and height >= MIN_HEIGHT:
        assert "needs" not in text
        return
    lines = (f"needs {MIN_WIDTH}×{MIN_HEIGHT}", f"has {width}×{height}", "q quits")
    wanted = [line[:width].rstrip() for line in lines][:height]
    assert text.rstrip("\n").split("\n") == wanted


@cache
def situations() -> tuple[Model, ...]:
    """Models that together have every kind of thing there is to show."""
    deal = Screen("legacy", strategies=STATIC).press("n")
    refused = Screen().press("n")
    while "NO DEAL" not in refused.text():
        refused.press("n")
    learned = Screen().press(*"cccc", "v", ".", ".")
    haggling = Screen("legacy", strategies=STATIC).press(*"....")
    others = [Screen().press("c", key) for key in ("?", "e", "y")]
    return tuple(screen.model for screen in (deal, refused, learned, haggling, *others))


def test_every_style_of_the_theme_is_drawn_somewhere() -> None:
    rows = chain.from_iterable(picture(render(model)) for model in situations())
    seen = {style for row in rows for _, _, style in row}
    unused = {name for name in STYLES if name not in seen and not name.startswith("heat")}
    assert unused == {"deal"}, "that of the figures"


def test_every_glyph_drawn_has_one_below_128() -> None:
    for model, size in product(situations(), ((40, 7), (80, 24), (120, 36), (200, 60))):
        sized = replace(model, width=size[0], height=size[1])
        text = render(replace(sized, options=RenderOptions(ascii=True))).text()
        assert text.isascii()
        assert text.count("?") == render(sized).text().count("?")
