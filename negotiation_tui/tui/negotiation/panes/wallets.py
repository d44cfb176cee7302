"""The wallets: coins per game of fixed rules and of what was learned, side by side.

In a wide pane the original's wallets stand beside them: the money of the training's cycles.
"""

import textwrap
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.model import NARROW, SIDE_WIDTH, Model
from negotiation_tui.tui.negotiation.panes.learning import groups
from negotiation_tui.tui.negotiation.wallets import PLAYER_KINDS, UNKNOWN, wallets_of
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.chart import (
    LEAST_HEIGHT,
    Chart,
    Scale,
    chart_words,
    curve,
    draw_charts,
    round_steps,
)
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.words import signed

_PAGE = 70  # columns of a pane from which words stand beside the wallets
_TALL = 18  # rows of a pane from which curves stand below them
_ROWS = 8  # the rows of a table of wallets, without the heading
_LABEL, _COLUMN = 13, 9


def draw_wallets(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the wallets; in a wide pane those of the training beside them, in a tall one curves."""
    source = next(each.source for each in wallets_of(model) if each.present)
    unit = "coins per game"
    draw_heading(canvas, model, pane, "Wallets", f"{unit}: {source}", unit, "coins")
    rows, page = canvas.height - 1, canvas.width >= _PAGE
    area = canvas.subcanvas(Rect(1, 1, rows, canvas.width - 2))
    curves = page and rows >= _TALL
    top = min(rows, _ROWS + 3) if curves else rows
    width = min(area.width, SIDE_WIDTH) if page else area.width
    table = area.subcanvas(Rect(0, 0, top, width))
    words = area.subcanvas(Rect(0, width + 2, top, area.width - width - 2))
    canvas.tell("pane", table, words)
    _draw_table(table, model)
    if page:
        _draw_words(words, model)
    if curves and rows - top - 1 >= LEAST_HEIGHT:
        charts, cycles = _money_charts(model.pane_snapshot), model.pane_snapshot.parameters.cycles
        canvas.tell("pane", *chart_words(charts))
        draw_charts(area.rows(top + 1, rows), charts, cycles, 2)


def wallets_line(model: Model, width: int) -> Iterator[tuple[str, str]]:
    """Yield text and style of the parts of one line that stands for the pane."""
    yield "wallets", "faint"
    wallets = sorted(wallets_of(model), key=lambda each: not each.present)
    crowded = len(wallets) == len(PLAYER_KINDS) and width < NARROW
    for wallet in wallets:
        yield f"{' ' * (2 - crowded)}{wallet.kind}", "bold" if wallet.present else "normal"
        for role in Role:
            named = f" {role}" * (wallet.present or width >= NARROW)
            yield f"{named} {wallet.mean(role)}", str(role)
        if wallet.present and not crowded:
            yield f" opener {wallet.opener}", "normal"


def _draw_table(canvas: Canvas, model: Model) -> None:
    """Draw a row per side and per side as opener, a column per kind of players."""
    wallets = [*wallets_of(model)]
    kinds = (each.kind for each in wallets if each.games)
    canvas.tell("field", "wallets", f"{model.pane_snapshot.negotiations}", *kinds)
    while len(wallets) > 1 and _LABEL + _COLUMN * len(wallets) > canvas.width:
        wallets.remove(next(each for each in wallets[::-1] if not each.present))
    now = model.pane_snapshot.theory.nash_conv
    gain = UNKNOWN
    if now is not None and any(each.present and each.games for each in wallets):
        width = model.pane_snapshot.scenario.width  # of each side alone, the seller's first
        gain = "+".join(f"{width * most:.{int(width < 100)}f}" for _, most in now.gain_bounds)
    rows: list[tuple[str, str, list[str]]] = [
        ("opener", "normal", [each.opener for each in wallets]),
        ("other", "normal", [each.other for each in wallets]),
        *((str(role), str(role), [each.mean(role) for each in wallets]) for role in Role),
        ("still to gain", "normal", [gain if each.present else UNKNOWN for each in wallets]),
        ("from", "faint", [each.source for each in wallets]),
    ]
    x = _LABEL
    for wallet in wallets:
        here = "bold" if wallet.present else "faint"
        canvas.write(0, x, f"{wallet.kind:>{_COLUMN}}", here)
        x += _COLUMN
    for y, (name, style, texts) in enumerate(rows, 1):
        canvas.write(y, 0, name, style)
        for n, text in enumerate(texts):
            here = "bold" if wallets[n].present and style != "faint" else "faint"
            canvas.write(y, _LABEL + _COLUMN * n, f"{text:>{_COLUMN}}", here)


def _draw_words(canvas: Canvas, model: Model) -> None:
    """Draw the original's wallets; on the whole screen all other groups that have room too."""
    (seller, buyer), (gain_s, gain_b) = amounts(model.pane_snapshot)
    money = (
        f"the original's wallets, the present cycle: seller {signed(seller)}, buyer {signed(buyer)}"
    )
    gain = f"gain ({_gain(model.pane_snapshot.scenario)}): {signed(gain_s)}, {signed(gain_b)}"
    y = 0
    for group in ((money, gain), *(groups(model) if model.zoomed else ())):
        parts = [*filter(None, group)]
        line = " · ".join(parts)
        texts = [line] if len(line) <= canvas.width else parts
        lines = [part for text in texts for part in textwrap.wrap(text, canvas.width)]
        if y + len(lines) <= canvas.height:
            for line in lines:
                canvas.write(y, 0, line)
                y += 1


def amounts(snapshot: Snapshot) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the money and the gain of both roles in the last cycle, seller first.

    Money is the sum of the prices: the seller's grows, the buyer's shrinks. A gain is the distance
    of the prices from the role's own limit, less what waiting cost.
    """
    cycle = CycleStatistics(snapshot.statistics.last_cycle[None])
    seller, buyer = np.rint(_gains(cycle, snapshot)[0]).astype(int).tolist()
    wallet = snapshot.statistics.left_over
    return (wallet, -wallet), (seller, buyer)


def _gain(scenario: Scenario) -> str:
    """Say which gains the original's wallets have."""
    return "price less cost, worth less price" + ", less the cost of time" * scenario.time_costs


def _gains(statistics: CycleStatistics, snapshot: Snapshot) -> Floats:
    scenario = snapshot.scenario
    per_width = np.nan_to_num(statistics.mean_rewards(scenario))
    return per_width * (scenario.width * statistics.negotiations[:, None])


@lru_cache(maxsize=4)
def _money_charts(snapshot: Snapshot) -> list[Chart]:
    statistics = snapshot.whole_cycles
    x, period, charts = statistics.cycles, statistics.period, []
    wallets: Floats = statistics.wallets.astype(np.float64)
    both = "prices received and paid", _gain(snapshot.scenario)
    rows = zip(("money", "gain"), both, (wallets, _gains(statistics, snapshot)), strict=True)
    for name, meaning, values in rows:
        most = float(np.abs(values).max(initial=1.0))
        top = next(step for step in round_steps() if step >= most)
        scale = Scale(-top if (values < 0).any() else 0, top, lambda y: signed(round(y)), 1)
        curves = [
            curve((str(role),), x, values[:, role], period, str(role), role is Role.BUYER)
            for role in Role
        ]
        charts.append(
            Chart((f"{name} per cycle: {meaning}", f"{name} per cycle", name), scale, curves)
        )
    return charts
