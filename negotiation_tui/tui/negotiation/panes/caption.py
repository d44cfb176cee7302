"""The sentence below the price bar: what just happened, or the state of the training."""

from negotiation_tui.runtime.text import fitting
from negotiation_tui.tui.negotiation.director import caption
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes import money
from negotiation_tui.tui.toolkit.canvas import Canvas


def draw_caption(canvas: Canvas, model: Model) -> None:
    """Draw the newest fact; without one, or for a person, draw the state in one line."""
    fact = caption(model)
    if fact is None or model.latest.score is not None:
        _draw_state(canvas, model)
        return
    sentences = [model.keys.format(sentence) for sentence in fact.says]
    if fact.cycle:
        sentences[0] = f"Cycle {fact.cycle:,}: {sentences[0]}"
    room = canvas.width - 4
    while len(sentences) > 1 and len(" ".join(sentences)) > room:
        sentences.pop()
    canvas.write(0, 1, "▸", "focus")
    canvas.write(0, 3, " ".join(sentences), "bold")


def _draw_state(canvas: Canvas, model: Model) -> None:
    """Draw wallets, NashConv and deals in one line; parts that do not fit are left out."""
    nash_conv = model.learned.nash_conv
    judged = "" if nash_conv is None else f"NashConv {nash_conv.total:.2f}"
    last = money.speed(model) or money.exploration(model)
    parts = money.wallets(model), judged, *money.deals(model), last
    canvas.write(0, 1, fitting(filter(None, parts), canvas.width - 2))
