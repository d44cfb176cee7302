"""Charts of bars in steps of an eighth of a cell, any number of rows high. Pure."""

import math
from collections.abc import Sequence

from negotiation_tui.tui.toolkit.canvas import Canvas, Rect

_EIGHTHS = " ▁▂▃▄▅▆▇█"


Values = Sequence[float | None]
"""The values of a series, None for a missing one."""


def draw_series(canvas: Canvas, area: Rect, values: Values, total: int, style: str) -> None:
    """Draw values as columns from left to right; the area is as wide as `total` of them.

    Values that share a column are averaged; if there is room a value fills several columns.
    The lowest value is one eighth of a cell high, the greatest fills the height.
    """
    columns = _columns(values, total, area.width) if area.width > 0 else []
    known = [value for value in columns if value is not None]
    if not known or area.height < 1:
        return
    low, high = min(known), max(known)
    span = (high - low) or 1.0
    top = 8 * area.height - 1
    levels = [0 if v is None else 1 + round((v - low) / span * top) for v in columns]
    if high == low:
        levels = [0 if value is None else 4 * area.height for value in columns]
    for row in range(area.height):
        below = 8 * (area.height - 1 - row)
        line = "".join(_EIGHTHS[max(0, min(8, level - below))] for level in levels)
        canvas.write(area.y + row, area.x, line, style)


def draw_counts(canvas: Canvas, area: Rect, counts: Sequence[int], style: str) -> None:
    """Draw counts as columns that start at zero, the greatest as high as the area.

    If there is room a count fills several columns. A count above 0 is at least an eighth high.
    """
    each, most = area.width // max(1, len(counts)), max(counts, default=0)
    if not each or not most:
        return
    full = 8 * area.height
    levels = [max(1, round(n / most * full)) if n else 0 for n in counts for _ in range(each)]
    for row in range(area.height):
        below = 8 * (area.height - 1 - row)
        line = "".join(_EIGHTHS[max(0, min(8, level - below))] for level in levels)
        canvas.write(area.y + row, area.x, line, style)


def _columns(values: Values, total: int, width: int) -> list[float | None]:
    if total <= width:
        each = width // total
        return [value for value in values for _ in range(each)]
    # As many values in every column, and no column that is not full yet: otherwise the unequal
    # means would draw waves that are not in the data.
    each = -(-total // width)
    whole = max(1, len(values) // each) * each
    parts = (values[begin : begin + each] for begin in range(0, min(whole, len(values)), each))
    return [_mean([value for value in part if value is not None]) for part in parts]


def _mean(values: list[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
