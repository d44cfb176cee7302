"""Series of each cycle: wallets, deals, walks away and NashConv."""

from collections.abc import Iterator
from typing import NamedTuple

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.nash_conv_series import NashConvs, judged_until
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.chart import Values, draw_series
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.words import count, signed

_LABELS, _VALUES = 18, 8


class _Series(NamedTuple):
    label: str
    value: str
    values: Values
    style: str


def draw_learning(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw series with a chart each, as many as have room."""
    cycles = model.snapshot.parameters.cycles
    draw_heading(canvas, model, pane, "Learning")
    series = list(_series(model))
    room = canvas.height - 1
    thick = max(1, min(4, room // len(series)))
    y = 1
    for line in series[: max(0, room // thick)]:
        foot = y + thick - 1
        canvas.write(foot, 1, line.label, line.style)
        canvas.write(foot, 1 + _LABELS, line.value.rjust(_VALUES))
        x = _LABELS + _VALUES + 3
        area = Rect(y, x, thick, canvas.width - x - 1)
        draw_series(canvas, area, line.values, cycles, line.style)
        y += thick


def _series(model: Model) -> Iterator[_Series]:
    statistics = model.learned.statistics
    total, wallet = statistics.total, statistics.left_over
    # The present, partial cycle would look like a fall.
    whole = model.learned.negotiations // model.snapshot.parameters.episodes // statistics.period
    wallets = statistics.wallets[:whole]
    nash_conv = model.learned.nash_conv
    value = "" if nash_conv is None else f"{nash_conv.total:.3f}"
    judged = _by_row(model.learned.nash_convs, whole, statistics.period)
    yield _Series("NashConv", value, judged, "bold")
    yield _Series("seller's wallet", signed(wallet), wallets[:, Role.SELLER].tolist(), "seller")
    yield _Series("buyer's wallet", signed(-wallet), wallets[:, Role.BUYER].tolist(), "buyer")
    for name, counts, totals in (
        ("accepted", statistics.agreements, (total.agreements_seller, total.agreements_buyer)),
        ("quit", statistics.breakdowns, (total.breakdowns_seller, total.breakdowns_buyer)),
    ):
        for role in Role:
            values = counts[:whole, role].tolist()
            yield _Series(f"{role} {name}", count(totals[role]), values, str(role))


def _by_row(nash_convs: NashConvs, rows: int, period: int) -> Values:
    """Return NashConv for each row of `period` cycles, None where no table was judged.

    A judged cycle stands for those that are passed over before it, too.
    """
    values: list[float | None] = [None] * rows
    for done, value in nash_convs:
        first, last = judged_until(done - 1) // period, (done - 1) // period
        values[first : last + 1] = [value] * len(values[first : last + 1])
    return values
