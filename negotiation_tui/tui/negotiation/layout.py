"""The areas of all panes and lines for a screen of any size, computed for each frame. Pure."""

from negotiation_tui.tui.toolkit.canvas import Rect
from negotiation_tui.tui.toolkit.layout import MIN_HEIGHT, MIN_WIDTH, TALL, WIDE, Layout, TooSmall
from negotiation_tui.tui.widgets.price_bar import PRICE_HEIGHT

PRICE, OFFERS, SELLER_TABLE, BUYER_TABLE, STATISTICS = 1, 2, 3, 4, 5

DETAIL_HEIGHT = 5
STATISTICS_HEIGHT = 10


def arrange(
    width: int,
    height: int,
    chosen: int,
    detail: int,
    zoomed: bool,
    table_rows: int,
    advised: bool = False,
) -> Layout | TooSmall:
    """Return the layout; panes without room are left out, the price bar last of all.

    `chosen` fills the screen while `zoomed`; `detail` is the pane to show beside the price bar if
    there is room for only one; `table_rows` is the number of rows of a whole Q-table; `advised`
    adds a line of advice above the footer.
    """
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return TooSmall()
    title = Rect(0, 0, 1, width)
    footer = Rect(height - 1, 0, 1, width) if height >= MIN_HEIGHT + 2 else None
    bottom = height - 1 if footer else height
    advice = Rect(bottom - 1, 0, 1, width) if advised and footer else None
    bottom -= 1 if advice else 0
    if zoomed:
        return Layout({chosen: Rect(1, 0, bottom - 1, width)}, title, footer, advice)
    if width >= WIDE and height >= TALL:
        return Layout(_wide(width, bottom, table_rows, detail), title, footer, advice)
    summary = Rect(bottom - 1, 0, 1, width) if bottom > MIN_HEIGHT else None
    below = bottom - 1 if summary else bottom
    price = _price(width, below, DETAIL_HEIGHT if below >= 12 else 0)
    panes = {PRICE: price}
    y = price.y + price.height
    left = Rect(y, 0, below - y, width)
    if left.height >= DETAIL_HEIGHT:
        panes |= _details(left, detail)
    return Layout(panes, title, footer, advice, summary)


def _price(width: int, bottom: int, others: int) -> Rect:
    """Return the area of the price bar; its bars are two or three rows thick if there is room."""
    spare = bottom - 1 - others - PRICE_HEIGHT
    thicker = 4 if spare >= 40 else 2 if spare >= 16 or (not others and spare >= 2) else 0
    return Rect(1, 0, PRICE_HEIGHT + thicker, width)


def _details(area: Rect, detail: int) -> dict[int, Rect]:
    """Return the area of one pane, or of both Q-tables side by side if they fit."""
    if area.width >= WIDE and detail in {SELLER_TABLE, BUYER_TABLE}:
        return _pair(area, SELLER_TABLE, BUYER_TABLE, area.width // 2)
    return {detail: area}


def _wide(width: int, bottom: int, table_rows: int, detail: int) -> dict[int, Rect]:
    """Return the price bar, offers beside statistics, then both Q-tables.

    A `detail` that is not among these replaces the offers.
    """
    price = _price(width, bottom, 20)
    y = price.y + price.height
    left = bottom - y
    beside = detail if detail > STATISTICS else OFFERS
    tables = min(table_rows + 2, left - max(STATISTICS_HEIGHT, left * 2 // 5 - 3))
    middle = Rect(y, 0, left - tables, width)
    below = Rect(bottom - tables, 0, tables, width)
    return {
        PRICE: price,
        **_pair(middle, beside, STATISTICS, width * 2 // 5),
        **_pair(below, SELLER_TABLE, BUYER_TABLE, width // 2),
    }


def _pair(area: Rect, left: int, right: int, width: int) -> dict[int, Rect]:
    return {
        left: area._replace(width=width - 1),
        right: area._replace(x=area.x + width, width=area.width - width),
    }
