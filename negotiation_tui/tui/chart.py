"""Bars of eighths for a series, any number of rows high. Pure."""

from collections.abc import Sequence

from negotiation_tui.tui.canvas import Canvas, Rect

_EIGHTHS = " ▁▂▃▄▅▆▇█"


def draw_series(
    canvas: Canvas, place: Rect, values: Sequence[float], total: int, style: str
) -> None:
    """Draw values as columns from left to right; the place is as wide as `total` of them.

    Values that share a column are averaged; where there is room a value fills several columns.
    The lowest value of all stands one eighth high, the greatest fills the height.
    """
    if not values or place.width < 1 or place.height < 1:
        return
    columns = _columns(values, total, place.width)
    low, high = min(columns), max(columns)
    span = (high - low) or 1.0
    levels = [1 + round((value - low) / span * (8 * place.height - 1)) for value in columns]
    if high == low:
        levels = [4 * place.height] * len(columns)
    for row in range(place.height):
        below = 8 * (place.height - 1 - row)
        line = "".join(_EIGHTHS[max(0, min(8, level - below))] for level in levels)
        canvas.put(place.y + row, place.x, line, style)


def _columns(values: Sequence[float], total: int, width: int) -> list[float]:
    if total <= width:
        each = width // total
        return [value for value in values for _ in range(each)]
    # The same number in every column, or the mixture would draw waves that are not there.
    each = -(-total // width)
    parts = [values[begin : begin + each] for begin in range(0, len(values), each)]
    return [sum(part) / len(part) for part in parts]
