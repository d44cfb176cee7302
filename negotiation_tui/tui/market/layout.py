"""The panes of the market screen in reading order, and the room that each needs. Pure."""

from negotiation_tui.tui.toolkit.layout import ANY, Layout, Lines, Place, TooSmall
from negotiation_tui.tui.toolkit.layout import arrange as arrange_rows
from negotiation_tui.tui.widgets.price_bar import PRICE_HEIGHT

ROOM, LEADERBOARD, PRICES, WALLETS, NEGOTIATION, SELLER_TABLE, BUYER_TABLE = range(1, 8)
FULL = 48
LINES = Lines(caption=8)


def arrange(width: int, height: int, chosen: int, detail: int, zoomed: bool) -> Layout | TooSmall:
    """Return the layout; the chosen pane, the price bar and `detail` are left out last."""
    bar = PRICE_HEIGHT + 2 * (height >= FULL)
    charts = max(8, height // 4)
    rows = (
        (Place(ROOM, 9, 40, ANY, ANY), Place(LEADERBOARD, 9, 48, ANY, ANY)),
        (Place(PRICES, 9, 40, charts, ANY), Place(WALLETS, 9, 40, charts, ANY)),
        (Place(NEGOTIATION, PRICE_HEIGHT, 1, bar, ANY),),
        (Place(SELLER_TABLE, 10, 40, ANY, ANY), Place(BUYER_TABLE, 10, 40, ANY, ANY)),
    )
    order = chosen, NEGOTIATION, detail, *range(ROOM, BUYER_TABLE + 1)
    return arrange_rows(width, height, rows, order, zoomed, LINES)
