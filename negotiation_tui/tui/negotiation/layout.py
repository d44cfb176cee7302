"""The panes of the two-agent screen in reading order, and the room that each needs. Pure."""

from negotiation_tui.tui.toolkit.layout import ANY, GAP, MIN_HEIGHT, Layout, Lines, Place, TooSmall
from negotiation_tui.tui.toolkit.layout import arrange as arrange_rows
from negotiation_tui.tui.widgets.price_bar import PRICE_HEIGHT

PRICE, SELLER_PLAN, BUYER_PLAN, LEARNING, MONEY, OFFERS = 1, 2, 3, 4, 5, 6
PLANS = SELLER_PLAN, BUYER_PLAN
PLAN_WIDTH, GOOD_PLAN_WIDTH, GOOD_PLAN_HEIGHT = 30, 46, 15
LEARNING_WIDTH = 24
TALLER, TALLEST = 50, 70
"""Heights of a screen from which the bars are two and three rows thick."""
OFFERS_HEIGHT = 44
"""The height of a screen from which the offers are shown unasked."""


def arrange(
    width: int,
    height: int,
    chosen: int,
    detail: int,
    zoomed: bool,
    plan: tuple[int, int],
    advised: bool = False,
    whole: bool = False,
) -> Layout | TooSmall:
    """Return the layout; the chosen pane, the price bar and `detail` are left out last.

    `plan` is the number of rows and columns of a whole plan; `advised` adds a line of advice above
    the footer. With `whole` the plans have all their columns, if there is room for two of them.
    """
    rows, columns = plan
    least_height = min(rows, GOOD_PLAN_HEIGHT, max(4, height - 12))
    beside_learning = min(GOOD_PLAN_WIDTH, (width - LEARNING_WIDTH - 2 * GAP - 2) // 2 - 2)
    half = (width - GAP) // 2 - 2
    least_width = min(columns, max(PLAN_WIDTH, half if whole else beside_learning))
    bar = PRICE_HEIGHT + 2 * ((height >= TALLER) + (height >= TALLEST))
    rows_of_panes = (
        (Place(PRICE, PRICE_HEIGHT, 1, bar, ANY),),
        (
            Place(SELLER_PLAN, least_height, least_width, rows, columns),
            Place(BUYER_PLAN, least_height, least_width, rows, columns),
            Place(LEARNING, 5, LEARNING_WIDTH, ANY, ANY),
        ),
        (Place(MONEY, 4, 30, 5, ANY), Place(OFFERS, 9, 30, 18, 80)),
    )
    last = (OFFERS,) if height >= OFFERS_HEIGHT else ()
    order = chosen, PRICE, detail, SELLER_PLAN, BUYER_PLAN, LEARNING, MONEY, *last
    lines = Lines(caption=15, advice=MIN_HEIGHT + 2 if advised else 0, time_line=18)
    return arrange_rows(width, height, rows_of_panes, order, zoomed, lines)
