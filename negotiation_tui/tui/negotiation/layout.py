"""The panes of the two-agent screen in reading order, and the room that each needs. Pure."""

from negotiation_tui.tui.toolkit.layout import (
    ANY,
    GAP,
    MIN_HEIGHT,
    PRICE_HEIGHT,
    Layout,
    Lines,
    Place,
)
from negotiation_tui.tui.toolkit.layout import arrange as arrange_rows

PRICE, SELLER_PLAN, BUYER_PLAN, PURSES, LEARNING, OFFERS = 1, 2, 3, 4, 5, 6
PLANS = SELLER_PLAN, BUYER_PLAN
PLAN_WIDTH, GOOD_PLAN_WIDTH, GOOD_PLAN_HEIGHT = 30, 46, 12
SIDE_WIDTH = 24
"""Columns of the purses and, below them, of the curves."""
STRIPS = 16
"""The height of a screen from which there is room for strips below the bars."""
TWO_ROWS, THREE_ROWS, STRIPS_GROW = 24, 36, 50
"""Heights of a screen from which bars are two rows thick, three rows, and strips grow too."""
FOCUS_HEIGHT = 30
"""The height of a screen from which the keys of the pane in focus have a line of their own."""
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
) -> Layout:
    """Return the layout; the chosen pane, the price bar and `detail` are left out last.

    `plan` is the number of rows and columns of a whole plan; `advised` adds a line of advice above
    the footer. With `whole` the plans have all their columns, if there is room for two of them.
    `strips` is the number of roles with hidden limits.
    """
    rows, columns = plan
    strips *= height >= STRIPS
    least_height = min(rows, GOOD_PLAN_HEIGHT, max(4, height - 13 - strips))
    beside_learning = min(GOOD_PLAN_WIDTH, (width - SIDE_WIDTH - 2 * GAP - 2) // 2 - 2)
    half = (width - GAP) // 2 - 2
    whole_width = half if columns <= half else width - 2
    least_width = min(columns, max(PLAN_WIDTH, whole_width if whole else beside_learning))
    least_bar = PRICE_HEIGHT + strips + (height >= TWO_ROWS) + 4 * (height >= THREE_ROWS)
    bar = least_bar + (2 * strips if height >= STRIPS_GROW else 0)
    rows_of_panes = (
        ((Place(PRICE, least_bar, 1, bar, ANY),),),
        (
            (Place(SELLER_PLAN, least_height, least_width, rows, columns),),
            (Place(BUYER_PLAN, least_height, least_width, rows, columns),),
            (Place(PURSES, 4, SIDE_WIDTH, 10, ANY), Place(LEARNING, 5, SIDE_WIDTH, ANY, ANY)),
        ),
        ((Place(OFFERS, 9, 30, 18, 80),),),
    )
    last = (OFFERS,) if height >= OFFERS_HEIGHT else ()
    beside = () if whole else (PURSES, LEARNING, *last)
    order = chosen, PRICE, detail, SELLER_PLAN, BUYER_PLAN, *beside
    lines = Lines(
        focus=FOCUS_HEIGHT,
        strip=25,
        caption=15,
        advice=MIN_HEIGHT + 2 if advised else 0,
        time_line=18,
    )
    return arrange_rows(width, height, rows_of_panes, order, zoomed, lines)
