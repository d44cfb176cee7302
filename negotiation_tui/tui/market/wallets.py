"""How the money is spread: a histogram of the wallets on each side."""

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.market.encounters import Ints
from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.runtime.text import plural
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.chart import draw_counts
from negotiation_tui.tui.toolkit.widgets import draw_heading_line
from negotiation_tui.tui.widgets.words import signed

_MOST = 40
"""A histogram has at most so many columns."""


def draw_wallets(canvas: Canvas, model: Model, pane: int) -> None:
    """A histogram each of the sellers' wallets, the buyers', and the teams' where there are any."""
    scene = model.accounts
    title = f" {pane} Wallets "
    note = f"how many have how much after {plural(scene.tick, 'tick')}"
    draw_heading_line(canvas, title, model.chosen == pane, note)
    groups = wallets(scene)
    rows = (canvas.height - 1) // len(groups)
    for number, (name, style, held) in enumerate(groups):
        place = Rect(1 + number * rows, 0, rows, canvas.width)
        _draw_group(canvas.subcanvas(place), name, style, held)


def wallets(scene: MarketSnapshot) -> list[tuple[str, str, Ints]]:
    """A name, a style and the money in the wallets of the sellers, the buyers and the teams."""
    cast = scene.setup
    shared = cast.in_team
    groups = []
    for role in Role:
        own = np.arange(len(cast.agents))[cast.of_role(role)]
        own = own[~shared[own]]
        groups.append((str(role), str(role), scene.wallets[cast.wallet_index[own]]))
    teams = scene.wallets[np.unique(cast.wallet_index[shared])]
    groups.append(("team", "bold", teams))
    return [group for group in groups if len(group[2])]


def _draw_group(canvas: Canvas, name: str, style: str, held: Ints) -> None:
    """A label, the columns, and what the ends of the scale are."""
    who, low, high = plural(len(held), name), int(held.min()), int(held.max())
    canvas.write(0, 1, who, style)
    if low == high:
        canvas.write(0, 3 + len(who), f"{'each ' * (len(held) > 1)}{signed(low)}")
        return
    canvas.write(0, 3 + len(who), f"mean {held.mean():+,.1f}".replace("-", "−"))
    width, height = canvas.width - 2, canvas.height - 2
    if height < 1:
        canvas.write_right(0, f"{signed(low)} … {signed(high)} ", "faint")
        return
    counts = histogram(held, width)
    right = 1 + width // len(counts) * len(counts)
    draw_counts(canvas, Rect(1, 1, height, right - 1), counts.tolist(), style)
    canvas.write_right(0, f"most {int(counts.max()):,} ", "faint")
    canvas.write(1 + height, 1, signed(low), "faint")
    x = max(len(signed(low)) + 3, right - len(signed(high)))
    canvas.write(1 + height, x, signed(high), "faint")


def histogram(held: Ints, width: int) -> Ints:
    """How many there are in each stretch of equally many amounts, so many as fill the width.

    The last may reach beyond the greatest amount; were they of 1 and 2 amounts in turn, the
    picture would have teeth that are not there.
    """
    most = width // -(-width // _MOST)
    low, amounts = int(held.min()), int(held.max() - held.min()) + 1
    each = -(-amounts // most)
    return np.bincount((held - low) // each, minlength=-(-amounts // each))
