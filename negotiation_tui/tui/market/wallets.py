"""Histograms of the money in the wallets."""

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.market.snapshot import Ints, MarketSnapshot
from negotiation_tui.runtime.text import plural
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.chart import draw_counts
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.words import signed

_MOST = 40
"""Greatest number of columns of a histogram."""


def draw_wallets(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a histogram of the wallets of the sellers, the buyers and, if any, the teams."""
    snapshot = model.accounts
    note = f"money after {plural(snapshot.tick, 'tick')}"
    draw_heading(canvas, model, pane, "Wallets", note)
    groups = wallets(snapshot)
    rows = (canvas.height - 1) // len(groups)
    for number, (name, style, money) in enumerate(groups):
        place = Rect(1 + number * rows, 0, rows, canvas.width)
        _draw_group(canvas.subcanvas(place), name, style, money)


def wallets(snapshot: MarketSnapshot) -> list[tuple[str, str, Ints]]:
    """Return a name, a style and the money in each wallet for sellers, buyers and teams."""
    setup = snapshot.setup
    shared = setup.in_team
    groups = []
    for role in Role:
        agents = np.arange(len(setup.agents))[setup.of_role(role)]
        agents = agents[~shared[agents]]
        groups.append((str(role), str(role), snapshot.wallets[setup.wallet_index[agents]]))
    teams = snapshot.wallets[np.unique(setup.wallet_index[shared])]
    groups.append(("team", "bold", teams))
    return [group for group in groups if len(group[2])]


def _draw_group(canvas: Canvas, name: str, style: str, money: Ints) -> None:
    """Draw a label, the columns and the ends of the scale."""
    who, low, high = plural(len(money), name), int(money.min()), int(money.max())
    canvas.write(0, 1, who, style)
    if low == high:
        canvas.write(0, 3 + len(who), f"{'each ' * (len(money) > 1)}{signed(low)}")
        return
    canvas.write(0, 3 + len(who), f"mean {money.mean():+,.1f}".replace("-", "−"))
    width, height = canvas.width - 2, canvas.height - 2
    if height < 1:
        canvas.write_right(0, f"{signed(low)} … {signed(high)} ", "faint")
        return
    counts = histogram(money, width)
    right = 1 + width // len(counts) * len(counts)
    draw_counts(canvas, Rect(1, 1, height, right - 1), counts.tolist(), style)
    canvas.write_right(0, f"most {int(counts.max()):,} ", "faint")
    canvas.write(1 + height, 1, signed(low), "faint")
    x = max(len(signed(low)) + 3, right - len(signed(high)))
    canvas.write(1 + height, x, signed(high), "faint")


def histogram(money: Ints, width: int) -> Ints:
    """Count the wallets per bin, with as many bins as fit the width.

    All bins have the same size, so the last may reach beyond the greatest amount; bins of
    different sizes would draw false peaks.
    """
    most = width // -(-width // _MOST)
    low, amounts = int(money.min()), int(money.max() - money.min()) + 1
    each = -(-amounts // most)
    return np.bincount((money - low) // each, minlength=-(-amounts // each))
