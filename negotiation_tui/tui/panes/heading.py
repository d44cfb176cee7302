"""The line above each pane."""

from negotiation_tui.tui.canvas import Canvas
from negotiation_tui.tui.model import Model


def draw_heading(canvas: Canvas, model: Model, pane: int, title: str, *notes: str) -> None:
    """The pane's number and title, and at the right end the first note that has room."""
    draw_heading_line(canvas, f" {pane} {title} ", model.chosen == pane, *notes)


def draw_heading_line(canvas: Canvas, name: str, chosen: bool, *notes: str) -> None:
    """The line itself."""
    canvas.put(0, 0, "╶" + "─" * (canvas.width - 2) + "╴", "heading")
    canvas.put(0, 1, name, "focus" if chosen else "heading")
    note = next((note for note in notes if len(name) + len(note) + 6 <= canvas.width), None)
    if note:
        canvas.put(0, canvas.width - 3 - len(note), f" {note} ", "heading")
