"""A line for the whole course of a training: its beginning, its end, and the moment shown."""

from collections.abc import Sequence

from negotiation_tui.runtime.text import fitting
from negotiation_tui.sessions.snapshot import Course
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.keys import Hint

_NARROW = 40
"""Columns from which the unit of time is written out."""
_SHORTEST = 16
"""Cells of the shortest track; the keys are left out before it gets shorter."""


def draw_time_bar(
    canvas: Canvas,
    line: Course,
    here: int,
    hints: Sequence[Hint],
    in_past: bool = False,
    wanted: int | None = None,
    typed: str | None = None,
) -> None:
    """Draw the course with the moment `here`, then as many hints as fit.

    ● is this moment, ○ the present if it is another, ◆ a change that the user made. `wanted` is the
    moment that is being computed; `typed` the digits of a number that is being typed.
    """
    label, style = ("past", "focus") if in_past else ("now", "faint")
    total = f"{max(line.end, here) // line.per:,}"
    short = canvas.width < _NARROW
    longest = len(f"{total}/{total}" if short else f"{total} of {total} {line.unit}s")
    at = f"{here // line.per:,}"
    number = f"{at}/{total}" if short else f"{at} of {total} {line.unit}s"
    if typed is not None:
        number = f"go to {line.unit}: {typed}_"
    elif wanted is not None:
        number = f"… {line.named(wanted)}"
    fixed = 10 + max(longest, len(number))  # the track has its length at every moment
    shown = fitting((f"{keys} {word}" for keys, word in hints), canvas.width - fixed - _SHORTEST)
    width = canvas.width - fixed - (len(shown) + 2 if shown else 0)
    if width < 2:
        canvas.write(0, 1, f"{label} {number}", style)
        return
    canvas.write(0, 1, f"{label:<4}", style)
    _draw_track(canvas, 6, width, line, here)
    canvas.write(0, 7 + width, number, "message" if typed is not None else "normal")
    canvas.write(0, canvas.width - len(shown) - 1, shown, "faint")


def _draw_track(canvas: Canvas, x: int, width: int, line: Course, here: int) -> None:
    end = max(line.end, line.now, here, 1)

    def column(moment: int) -> int:
        return x + 1 + moment * (width - 3) // end

    canvas.target(Rect(0, x + 1, 1, width - 2), "moment", width - 3, end)
    canvas.write(0, x, "├" + "·" * (width - 2) + "┤", "faint")
    canvas.write(0, x + 1, "─" * (column(line.now) - x), "normal")
    for moment, _ in line.changes:
        canvas.write(0, column(moment), "◆", "key")
    canvas.write(0, column(line.now), "○", "normal")
    canvas.write(0, column(here), "●", "focus")
