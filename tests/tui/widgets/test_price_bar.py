"""The price bar and its strips of hidden limits, from views alone: what they show, and where."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.solvers.beliefs import Belief
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.chart import LABELS, Axis, draw_scale
from negotiation_tui.tui.widgets.price_bar import (
    NUMBER,
    LimitStrip,
    PriceBarView,
    draw_limit_strip,
    draw_price_bar,
    reason,
)

SCENARIO = Scenario.original()
LEARNED, STATIC = (True, True), (False, False)


def talk(*prices: int, closing: int | None = None) -> Transcript:
    """A negotiation that the seller opens, with these offers and a closing action."""
    transcript = Transcript(SCENARIO, Role.SELLER)
    for price in prices:
        transcript = transcript.followed_by(SCENARIO.prices.index(price))
    return transcript if closing is None else transcript.followed_by(closing)


def drawn(view: PriceBarView) -> Canvas:
    canvas = Canvas(100, 6)
    draw_price_bar(canvas, view)
    return canvas


def test_reasons() -> None:
    offered = talk(4)
    assert reason(talk(), Role.SELLER, 0.5, LEARNED) == ""
    assert reason(offered, None, 0.5, LEARNED) == ""
    assert reason(offered, Role.SELLER, 0.5, LEARNED) == "its best: it guesses 50 % of its moves"
    frozen = "as it knew how to a cycle ago"
    assert reason(offered, Role.BUYER, 0.5, LEARNED) == frozen
    assert reason(offered, Role.BUYER, 0.5, STATIC) == ""
    guessed = talk().followed_by(SCENARIO.prices.index(4), explored=True)
    assert reason(guessed, Role.SELLER, 0.5, LEARNED) == "a guess: it guesses 50 % of its moves"
    begun = replace(guessed, turns=(replace(guessed.turns[0], state=NO_STATE),))
    assert reason(begun, Role.BUYER, 0.5, LEARNED) == "a random start"


@pytest.mark.parametrize("earlier", [(5, 1), ()])
def test_a_marker_slides_from_its_last_price_or_else_the_best(earlier: tuple[int, ...]) -> None:
    def marker(view: PriceBarView) -> tuple[int, int]:
        found = re.findall(r"^(.*) (\d) ", drawn(view).line(5))
        return len(found[0][0]), int(found[0][1])

    offers, start = talk(*earlier, 2), marker(PriceBarView(talk(5, 1, 5)))
    places = [marker(PriceBarView(offers, progress=at / 3)) for at in range(4)]
    assert places == sorted(places, reverse=True), "the number moves with its marker"
    assert places[0] == start
    assert [price for _, price in places] == [5, 4, 3, 2]


def test_the_negotiation_before_is_a_ghost_until_there_are_two_offers() -> None:
    ghost = talk(5, 1, 3)
    for shown, dotted in ((talk(), 3), (talk(4), 2), (talk(4, 2), 0)):
        canvas = drawn(PriceBarView(shown, ghost=ghost))
        assert sum(canvas.line(y).count("┊") for y in (3, 5)) == dotted


def test_no_deal_dims_the_bars() -> None:
    canvas = drawn(PriceBarView(talk(4, 2, closing=SCENARIO.walk_away)))
    styles = {style for y in (3, 5) for _, _, style in canvas.spans(y)}
    assert {"buyer-range", "seller-range", "buyer", "seller"} <= styles
    assert not styles & {"faint", "buyer-mark", "seller-mark"}


def strip(
    limits: range | list[int],
    chances: list[float] | None,
    drawn: int | None = None,
    width: int = 78,
    prices: range = range(6),
) -> tuple[Canvas, Axis]:
    """Draw the scale of prices, and below it the strip of the buyer."""
    canvas = Canvas(width, 2)
    axis = Axis(prices[0], prices[-1], LABELS + 1, width - LABELS - 3 - NUMBER)
    numbered = draw_scale(canvas, axis, prices, 0)
    belief = None if chances is None else Belief(np.array(chances))
    view = LimitStrip(Role.BUYER, tuple(limits), belief, drawn)
    draw_limit_strip(canvas.rows(1, 2), axis, view, numbered)
    return canvas, axis


EVEN = [0.2] * 5


def test_the_drawn_limit_is_marked() -> None:
    assert strip(range(1, 6), EVEN)[0].line(1).startswith(" limit? ")
    canvas, axis = strip(range(1, 6), EVEN, drawn=3)
    line = canvas.line(1)
    assert line.startswith(" limit  ")
    (x,) = (x for x, character in enumerate(line) if character == "3")
    assert canvas.style_at(1, x) == "buyer-mark"
    assert x == axis.column(3)
    line = strip([-7, 2, 9], [1 / 3] * 3, prices=range(0, 101, 3))[0].line(1)
    for limit in (-7, 2, 9):
        assert str(limit) in line, "though the scale does not say it"


def test_it_fits_any_width() -> None:
    for n, width in product((1, 2, 11, 100), range(16, 130, 15)):
        chances = np.arange(1, n + 1) / sum(range(1, n + 1))
        for drawn in (None, n - 1):
            canvas, _ = strip(range(n), chances.tolist(), drawn, width, prices=range(101))
            assert any(sign in canvas.line(1) for sign in "▁▂▃▄▅▆▇█") or drawn is not None
