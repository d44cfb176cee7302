"""The panes of the two-agent screen in reading order, and the room that each needs. Pure."""

from negotiation_tui.tui.toolkit.layout import ANY, GAP, MIN_HEIGHT, Layout, Lines, Place, TooSmall
from negotiation_tui.tui.toolkit.layout import arrange as arrange_rows
from negotiation_tui.tui.widgets.price_bar import PRICE_HEIGHT

PRICE, SELLER_PLAN, BUYER_PLAN, LEARNING, MONEY, OFFERS = 1, 2, 3, 4, 5, 6
PLANS = SELLER_PLAN, BUYER_PLAN
PLAN_WIDTH, GOOD_PLAN_WIDTH, GOOD_PLAN_HEIGHT = 30, 46, 15
LEARNING_WIDTH = 24
STRIPS = 16
"""The height of a screen from which there is room for strips below the bars."""
TALL, TALLER, TALLEST = 32, 50, 70
"""Heights of a screen from which strips are two rows thick, bars two and strips three, bars three.
"""
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
    strips: int = 0,
) -> Layout | TooSmall:
    """Return the layout; the chosen pane, the price bar and `detail` are left out last.

    `plan` is the number of rows and columns of a whole plan; `advised` adds a line of advice above
    the footer. With `whole` the plans have all their columns, if there is room for two of them.
    `strips` is the number of roles with hidden limits.
    """
    rows, columns = plan
    strips *= height >= STRIPS
    least_height = min(rows, GOOD_PLAN_HEIGHT, max(4, height - 12 - strips))
    beside_learning = min(GOOD_PLAN_WIDTH, (width - LEARNING_WIDTH - 2 * GAP - 2) // 2 - 2)
    half = (width - GAP) // 2 - 2
    least_width = min(columns, max(PLAN_WIDTH, half if whole else beside_learning))
    thicker = (height >= TALLER) + (height >= TALLEST)
    least_bar = PRICE_HEIGHT + strips
    bar = least_bar + 2 * thicker + strips * ((height >= TALL) + (height >= TALLER))
    rows_of_panes = (
        (Place(PRICE, least_bar, 1, bar, ANY),),
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
