"""Charts of bars in steps of an eighth of a cell, any number of rows high. Pure."""

from collections.abc import Sequence

from negotiation_tui.tui.toolkit.canvas import Canvas, Rect

_EIGHTHS = " ▁▂▃▄▅▆▇█"


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
