"""Place the panes on a screen of any size. Pure."""

from negotiation_tui.tui.toolkit.canvas import Rect
from negotiation_tui.tui.toolkit.layout import MIN_HEIGHT, MIN_WIDTH, TALL, WIDE, Layout, TooSmall
from negotiation_tui.tui.widgets.price_bar import PRICE_HEIGHT

ROOM, LEADERBOARD, PRICES, WALLETS, NEGOTIATION, SELLER_TABLE, BUYER_TABLE = range(1, 8)
FULL = 48
_PAIRS = ((ROOM, LEADERBOARD), (PRICES, WALLETS), (SELLER_TABLE, BUYER_TABLE))


def arrange(width: int, height: int, chosen: int, detail: int, zoomed: bool) -> Layout | TooSmall:
    """Place the panes that have room.

    `chosen` fills the screen while `zoomed`. `detail` is the pane to show above the price bar if
    there is room for only one pane or one pair of panes.
    """
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return TooSmall()
    title = Rect(0, 0, 1, width)
    footer = Rect(height - 1, 0, 1, width) if height >= MIN_HEIGHT + 2 else None
    bottom = height - 1 if footer else height
    if zoomed:
        return Layout({chosen: Rect(1, 0, bottom - 1, width)}, title, footer)
    summary = Rect(bottom - 1, 0, 1, width) if bottom > MIN_HEIGHT else None
    below = bottom - 1 if summary else bottom
    # The price bar is thicker on a large screen and left out on a small one.
    bar = (
        PRICE_HEIGHT + 2 if height >= FULL else PRICE_HEIGHT if below >= 2 * PRICE_HEIGHT + 1 else 0
    )
    panes = {NEGOTIATION: Rect(below - bar, 0, bar, width)} if bar else {}
    main = Rect(1, 0, below - bar - 1, width)
    if width < WIDE:
        only = ROOM if detail == NEGOTIATION else detail
        return Layout({only: main, **panes}, title, footer, None, summary)
    pair = next((pair for pair in _PAIRS if detail in pair), _PAIRS[0])
    shown = [_PAIRS[0], _PAIRS[1], _PAIRS[2]]
    if height < TALL:
        shown = [pair]
    elif height < FULL:
        shown = [_PAIRS[0], _PAIRS[1] if pair is _PAIRS[0] else pair]
    y, left = main.y, main.height
    for number, (one, other) in enumerate(shown):
        rows = -(-left // (len(shown) - number))
        half = width // 2
        panes[one] = Rect(y, 0, rows, half - 1)
        panes[other] = Rect(y, half, rows, width - half)
        y, left = y + rows, left - rows
    return Layout(panes, title, footer, None, summary)
