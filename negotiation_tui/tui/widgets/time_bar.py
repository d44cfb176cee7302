"""A line for the whole course of a training: its beginning, its end, and the moment shown."""

from typing import NamedTuple

from negotiation_tui.runtime.text import fitting
from negotiation_tui.sessions.snapshot import Course
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect

_NARROW = 40
"""Columns from which the unit of time is written out."""
_SHORTEST = 16
"""Cells of the shortest track; the keys are left out before it gets shorter."""


class TimeBarView(NamedTuple):
    """The moment shown, and everything else that a time bar shows."""

    line: Course
    """The course; its `now` is the present."""
    here: int
    """The moment shown."""
    in_past: bool = False
    wanted: int | None = None
    """The moment that is being computed; None if none is."""
    typed: str | None = None
    """The digits of a number that is being typed; None if none is."""


def draw_time_bar(canvas: Canvas, view: TimeBarView, hints: tuple[tuple[str, str], ...]) -> None:
    """Draw the line, then as many hints (keys and a word) as fit.

    ● is the moment shown, ○ the present if it is another, ◆ a change that the user made.
    """
    line = view.line
    label = "past" if view.in_past else "now"
    total = f"{max(line.end, view.here) // line.per:,}"
    short = canvas.width < _NARROW
    longest = len(f"{total}/{total}" if short else f"{total} of {total} {line.unit}s")
    here = f"{view.here // line.per:,}"
    number = f"{here}/{total}" if short else f"{here} of {total} {line.unit}s"
    if view.typed is not None:
        number = f"go to {line.unit}: {view.typed}_"
    elif view.wanted is not None:
        number = f"… {line.named(view.wanted)}"
    fixed = 10 + max(longest, len(number))  # the track has its length at every moment
    shown = fitting((f"{keys} {word}" for keys, word in hints), canvas.width - fixed - _SHORTEST)
    width = canvas.width - fixed - (len(shown) + 2 if shown else 0)
    if width < 2:
        canvas.write(0, 1, f"{label} {number}", "focus" if view.in_past else "faint")
        return
    canvas.write(0, 1, f"{label:<4}", "focus" if view.in_past else "faint")
    _draw_track(canvas, 6, width, view)
    canvas.write(0, 7 + width, number, "message" if view.typed is not None else "normal")
    x = canvas.width - len(shown) - 1
    canvas.write(0, x, shown, "faint")


def _draw_track(canvas: Canvas, x: int, width: int, view: TimeBarView) -> None:
    line = view.line
    end = max(line.end, line.now, view.here, 1)

    def column(moment: int) -> int:
        return x + 1 + moment * (width - 3) // end

    canvas.target(Rect(0, x + 1, 1, width - 2), "moment", width - 3, end)
    canvas.write(0, x, "├" + "·" * (width - 2) + "┤", "faint")
    canvas.write(0, x + 1, "─" * (column(line.now) - x), "normal")
    for moment, _ in line.changes:
        canvas.write(0, column(moment), "◆", "key")
    canvas.write(0, column(line.now), "○", "normal")
    canvas.write(0, column(view.here), "●", "focus")
