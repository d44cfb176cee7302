"""The strip of hidden limits: where its bars stand, how high they are, and what is written."""

from itertools import product

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.solvers.beliefs import Belief
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.chart import LABELS, Axis, draw_scale
from negotiation_tui.tui.widgets.price_bar import NUMBER, LimitStrip, draw_limit_strip


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


def test_the_likeliest_is_highest_and_what_is_ruled_out_is_a_dot() -> None:
    canvas, axis = strip(range(1, 6), [0.0, 0.5, 0.25, 0.25, 0.0])
    line = canvas.line(1)
    signs = [line[axis.column(limit)] for limit in range(1, 6)]
    assert signs == ["·", "█", "▄", "▄", "·"], "each at its price"
    assert "50 %" in line
    assert line.count("25 %") == 2
    assert " 0 %" not in line


def test_the_drawn_limit_is_marked() -> None:
    assert strip(range(1, 6), EVEN)[0].line(1).startswith(" limit? ")
    canvas, axis = strip(range(1, 6), EVEN, drawn=3)
    line = canvas.line(1)
    assert line.startswith(" limit  ")
    (x,) = (x for x, character in enumerate(line) if character == "3")
    assert canvas.style_at(1, x) == "buyer-mark"
    assert x == axis.column(3)


def test_limits_that_the_scale_does_not_say_are_written() -> None:
    line = strip([-7, 2, 9], [1 / 3] * 3, prices=range(0, 101, 3))[0].line(1)
    for limit in (-7, 2, 9):
        assert str(limit) in line


def test_it_fits_any_width() -> None:
    for n, width in product((1, 2, 11, 100), range(16, 130, 15)):
        chances = np.arange(1, n + 1) / sum(range(1, n + 1))
        for drawn in (None, n - 1):
            canvas, _ = strip(range(n), chances.tolist(), drawn, width, prices=range(101))
            assert any(sign in canvas.line(1) for sign in "▁▂▃▄▅▆▇█") or drawn is not None
