"""The lessons of the tour, in their order."""

from negotiation_tui.tui.tour.lessons.haggling import BE_THE_BUYER, READ_THE_BAR, WHY_NOT_WAIT
from negotiation_tui.tui.tour.lessons.learning import EXPLORATION, FIRST_TRAINED, Q_TABLE, WHO_OPENS
from negotiation_tui.tui.tour.lessons.market import LESSON as MARKET
from negotiation_tui.tui.tour.lessons.patience import LESSON as WHO_CAN_WAIT

LESSONS = (
    READ_THE_BAR,
    BE_THE_BUYER,
    WHY_NOT_WAIT,
    WHO_CAN_WAIT,
    Q_TABLE,
    EXPLORATION,
    WHO_OPENS,
    FIRST_TRAINED,
    MARKET,
)
