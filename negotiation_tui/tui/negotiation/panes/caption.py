"""The sentence below the price bar: what just happened, or the state of the training."""

from negotiation_tui.runtime.text import fitting, shortened
from negotiation_tui.tui.negotiation.captions import pages
from negotiation_tui.tui.negotiation.director import caption, is_late
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.purses import summary
from negotiation_tui.tui.negotiation.score import running
from negotiation_tui.tui.toolkit.canvas import Canvas


def draw_caption(canvas: Canvas, model: Model) -> None:
    """Draw the newest fact, without one the state; for a person, the score and the stake."""
    fact = caption(model)
    if model.latest.score is not None:
        canvas.write(0, 1, "▸", "focus")
        canvas.write(0, 3, fitting(running(model, canvas.width - 4), canvas.width - 4), "bold")
        return
    if fact is None or is_late(model, fact):
        since = f"Nothing new since cycle {fact.cycle:,}" if fact else ""
        canvas.write(0, 1, fitting(filter(None, (since, *summary(model))), canvas.width - 2))
        return
    text = pages(fact, model.keys, model.width)
    playback = model.playback
    page = playback.page if playback and fact is model.latest.caption else 0
    canvas.write(0, 1, "▸", "focus")
    canvas.write(0, 3, shortened(text[min(page, len(text) - 1)], canvas.width - 4), "bold")
