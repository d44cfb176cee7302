"""The strip of panes, on a screen without room for all of them."""

from collections.abc import Mapping
from typing import Any

from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.layout import Layout
from negotiation_tui.tui.toolkit.paned import PanedModel


def draw_strip(canvas: Canvas, model: PanedModel[Any, Any], names: Mapping[int, str]) -> None:
    """Draw the numbers of all panes, with names if they have room, and brackets at the focus."""
    layout = model.layout()
    shown = layout.panes if isinstance(layout, Layout) else {}
    named = [f"{pane} {name}" for pane, name in names.items()]
    short = [text if pane in shown else str(pane) for pane, text in zip(names, named, strict=True)]
    numbers = list(map(str, names))
    only = [n if n != str(model.chosen) else text for n, text in zip(numbers, named, strict=True)]
    for texts in (named, short, only, numbers):
        parts = [
            (pane, f"[{text[0]}]{text[1:]}" if pane == model.chosen else text)
            for pane, text in zip(names, texts, strict=True)
        ]
        if sum(len(text) + 2 for _, text in parts) <= canvas.width:
            break
    x = 1
    for pane, text in parts:
        style = "focus" if pane == model.chosen else "key" if pane in shown else "faint"
        canvas.write(0, x, text, style)
        canvas.target(Rect(0, x, 1, len(text)), "pane", pane)
        x += len(text) + 2
