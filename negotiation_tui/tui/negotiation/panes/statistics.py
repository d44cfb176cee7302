"""Wallets, counts and NashConv, cycle by cycle."""

from collections.abc import Iterator
from typing import NamedTuple

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.nash_conv_series import NashConvs, judged_until
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.chart import Values, draw_series
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.words import count, rate, signed

_LABELS, _VALUES = 20, 10


class _Series(NamedTuple):
    label: str
    value: str
    values: Values
    style: str


def draw_statistics(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw seven series with a chart each, then lines of totals."""
    cycles = model.snapshot.parameters.cycles
    cycle = "last cycle" if _all_done(model) else "this cycle"
    notes = f"wallets: {cycle} · counts: all cycles", f"wallets: {cycle}"
    draw_heading(canvas, model, pane, "Wallets and statistics", *notes)
    series = list(_series(model))
    totals = list(_totals(model, canvas.width - 2))
    room = canvas.height - 1 - len(totals)
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
    for text in totals:
        canvas.write(y, 1, text)
        y += 1


def _all_done(model: Model) -> bool:
    """True if no cycle follows; a recording may end before that."""
    return model.snapshot.negotiations >= model.snapshot.parameters.total


def draw_summary(canvas: Canvas, model: Model) -> None:
    """Draw the statistics in one line; parts that do not fit are left out."""
    total = model.learned.statistics.total
    wallet = _wallet(model)
    cycle = "last cycle" if _all_done(model) else "cycle"
    parts = [f"{cycle}: seller {signed(wallet)}, buyer {signed(-wallet)}"]
    if model.learned.nash_conv is not None:
        parts.append(f"NashConv {model.learned.nash_conv.total:.2f}")
    parts.append(f"all: {count(total.deals)} deals of {count(total.negotiations)}")
    if total.mean_price is not None:
        parts.append(f"mean price {total.mean_price:.2f}")
    parts.append(_speed(model) or _exploration(model))
    canvas.write(0, 1, _fitting(parts, canvas.width - 2))


def _fitting(parts: list[str], width: int) -> str:
    """Join as many of the parts, in their order, as fit in one line."""
    text = ""
    for part in filter(None, parts):
        longer = f"{text} · {part}" if text else part
        if len(longer) > width:
            break
        text = longer
    return text


def _wallet(model: Model) -> int:
    """Return the gain of the seller's wallet in the present cycle."""
    return model.learned.statistics.left_over


def _series(model: Model) -> Iterator[_Series]:
    statistics = model.learned.statistics
    total, wallet = statistics.total, _wallet(model)
    # The present, partial cycle would look like a fall.
    whole = model.learned.negotiations // model.snapshot.parameters.episodes // statistics.period
    wallets = statistics.wallets[:whole]
    yield _Series("seller's wallet", signed(wallet), wallets[:, Role.SELLER].tolist(), "seller")
    yield _Series("buyer's wallet", signed(-wallet), wallets[:, Role.BUYER].tolist(), "buyer")
    for name, counts, totals in (
        ("validated", statistics.agreements, (total.agreements_seller, total.agreements_buyer)),
        ("rejected", statistics.breakdowns, (total.breakdowns_seller, total.breakdowns_buyer)),
    ):
        for role in Role:
            values = counts[:whole, role].tolist()
            yield _Series(f"{name} by {role}", count(totals[role]), values, str(role))
    nash_conv = model.learned.nash_conv
    value = "" if nash_conv is None else f"{nash_conv.total:.3f}"
    yield _Series(
        "NashConv", value, _by_row(model.learned.nash_convs, whole, statistics.period), "bold"
    )


def _by_row(nash_convs: NashConvs, rows: int, period: int) -> Values:
    """Return NashConv for each row of `period` cycles, None where no table was judged.

    A judged cycle stands for those that are passed over before it, too.
    """
    values: list[float | None] = [None] * rows
    for done, value in nash_convs:
        first, last = judged_until(done - 1) // period, (done - 1) // period
        values[first : last + 1] = [value] * len(values[first : last + 1])
    return values


def _totals(model: Model, width: int) -> Iterator[str]:
    total = model.learned.statistics.total
    parts = [f"deals {count(total.deals)} of {count(total.negotiations)}"]
    if total.mean_price is not None and total.mean_rounds is not None:
        parts.append(f"mean price {total.mean_price:.2f}")
        parts.append(f"{total.mean_rounds:.1f} rounds to a deal")
    yield _fitting(parts, width)
    yield _fitting([_exploration(model), _speed(model), *_gains(model)], width)


def _gains(model: Model) -> Iterator[str]:
    """Yield the gain of each role's best response; their sum is NashConv."""
    if model.learned.nash_conv is not None:
        seller, buyer = model.learned.nash_conv.exploitability
        yield f"best responses gain: seller {seller:.2f}, buyer {buyer:.2f}"


def _exploration(model: Model) -> str:
    if model.playback is None:
        return ""
    shown = model.playback.negotiation
    if shown.learner is None:
        return "nobody learns"
    return f"exploration ε {shown.epsilon:.2f}"


def _speed(model: Model) -> str:
    speed = model.snapshot.per_second
    if not speed or not model.free_running:
        return ""
    return f"{rate(speed)} {'compiled' if model.snapshot.compiled else 'plain Python'}"
