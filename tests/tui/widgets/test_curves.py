"""Curves from plain values: their places, gaps, scales, names, and every size."""

import sys

import numpy as np

from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.chart import (
    BLOCKS,
    BRAILLE,
    DOTS,
    Chart,
    Curve,
    Scale,
    curve,
    dots,
    draw_chart,
    draw_charts,
)

SHARE = Scale(0, 1, "{:.0%}".format)
HEIGHT, WIDTH = 11, 21


def values(*y: float, reach: int = 1, every: int = 1) -> Curve:
    x = np.arange(1, 1 + every * len(y), every)
    return curve(("long name", "name"), x, np.array(y, np.float64), reach, "normal", broken=False)


def levels(drawn: Curve, cycles: int, height: int = HEIGHT, width: int = WIDTH) -> list[list[int]]:
    """The rows of dots of each column, from the bottom."""
    found = dots(drawn, SHARE, cycles, height, width)
    return [(height - 1 - np.flatnonzero(column)).tolist() for column in found.T]


def frame(chart: Chart, cycles: int = 20, height: int = 12, width: int = 50) -> Canvas:
    canvas = Canvas(width, height)
    draw_chart(canvas, chart, cycles, labelled=True)
    return canvas


def test_values_stand_at_their_heights() -> None:
    for other in (0.0, 0.3, 1.0):
        columns = levels(values(0.0, 0.1, 0.6, 1.0, other, reach=0), WIDTH)
        assert columns[:4] == [[0], [1], [6], [10]]


def test_lines_join_the_values() -> None:
    columns = levels(values(0.0, 1.0), 3)
    assert columns[0][-1] == 0
    assert 10 in columns[10]
    assert columns[11:] == [[]] * 10, "nothing was played there yet"
    everywhere = {row for column in columns for row in column}
    assert everywhere == set(range(11)), "without a hole"


def test_a_gap_is_a_gap_but_for_cycles_that_the_other_learns_in() -> None:
    columns = levels(values(0.5, 0.5, np.nan, np.nan, 0.5, 0.5), 6, width=6)
    assert columns == [[5], [5], [], [], [5], [5]]
    joined = levels(values(0.5, 0.5, 0.5, reach=2, every=2), 5, width=5)
    assert joined == [[5]] * 5
    gap = levels(values(0.5, np.nan, 0.5, reach=2, every=2), 5, width=5)
    assert gap == [[5], [], [], [], [5]]


def test_the_names_tell_as_much_as_fits() -> None:
    one = values(0.25, 0.5)._replace(style="seller")
    other = values(0.75)._replace(style="buyer", broken=True)
    chart = Chart(("share of it", "share"), SHARE, [one, other])
    seen = [frame(chart, width=width).line(0).rstrip() for width in (80, 41, 28, 19, 8)]
    assert seen == [
        "share of it  ─ long name 50%  ┄ long name 75%",
        "share  ─ long name 50%  ┄ long name 75%",
        "share ─ name 50% ┄ name 75%",
        "share ─ name ┄ name",
        "share",
    ]


def test_windows_gets_curves_of_characters_that_its_fonts_have() -> None:
    assert (BLOCKS if sys.platform == "win32" else BRAILLE) == DOTS
    assert set(BLOCKS) == set(" ▀▄█")
    assert BLOCKS.encode("cp437")
    top, bottom = (0b1, 0b10, 0b1000, 0b10000), (0b100, 0b100000, 0b1000000, 0b10000000)
    assert {BLOCKS[dot] for dot in top} == {"▀"}
    assert {BLOCKS[dot] for dot in bottom} == {"▄"}
    assert {BLOCKS[above | below] for above in top for below in bottom} == {"█"}


def test_a_chart_fits_any_size() -> None:
    for cycles in (1, 2, 7, 10**9):
        chart = Chart(("x",), SHARE, [values(0.5), values(0.1, np.nan, 0.9), values()])
        for height in range(1, 9):
            for width in (1, 6, 7, 40):
                canvas = Canvas(width, height, ascii_only=True)
                draw_charts(canvas, [chart, chart], cycles, 2)
                assert canvas.text().isascii()
                assert "?" not in canvas.text()
