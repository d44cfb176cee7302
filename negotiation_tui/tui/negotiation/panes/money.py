"""Deals, money and exploration as totals."""

from collections.abc import Iterator

from negotiation_tui.runtime.text import fitting
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.words import count, rate, signed


def draw_money(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the totals of all cycles, and the wallets of the present one."""
    draw_heading(canvas, model, pane, "Money and deals", "deals: all cycles")
    width = canvas.width - 2
    lines = (deals(model), (wallets(model), *_gains(model)), (speed(model), exploration(model)))
    for y, parts in enumerate(lines, 1):
        canvas.write(y, 1, fitting(filter(None, parts), width))


def wallets(model: Model) -> str:
    """Return the gains of both wallets in the present cycle; without one, in the last."""
    wallet = model.learned.statistics.left_over
    done = model.snapshot.negotiations >= model.snapshot.parameters.total
    cycle = "last cycle" if done else "this cycle"
    return f"{cycle}: seller {signed(wallet)}, buyer {signed(-wallet)}"


def deals(model: Model) -> Iterator[str]:
    """Yield the number of deals, their mean price and their rounds."""
    total = model.learned.statistics.total
    yield f"deals {count(total.deals)} of {count(total.negotiations)}"
    if total.mean_price is not None and total.mean_rounds is not None:
        yield f"mean price {total.mean_price:.2f}"
        yield f"{total.mean_rounds:.1f} rounds to a deal"


def _gains(model: Model) -> Iterator[str]:
    """Yield the gain of each role's best response; their sum is NashConv."""
    if model.learned.nash_conv is not None:
        seller, buyer = model.learned.nash_conv.exploitability
        yield f"best responses gain: seller {seller:.2f}, buyer {buyer:.2f}"


def exploration(model: Model) -> str:
    """Return the share of random decisions; empty before the first negotiation."""
    if model.playback is None:
        return ""
    shown = model.playback.negotiation
    if shown.learner is None:
        return "nobody learns"
    return f"exploration ε {shown.epsilon:.2f}"


def speed(model: Model) -> str:
    """Return the negotiations per second; empty while each one is seen."""
    per_second = model.snapshot.per_second
    if not per_second or not model.free_running:
        return ""
    return f"{rate(per_second)} {'compiled' if model.snapshot.compiled else 'plain Python'}"
