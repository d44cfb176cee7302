"""The lessons of the tour in their order: one module each, and one entry here."""

from negotiation_tui.tui.tour.lessons import (
    be_the_buyer,
    exploration,
    first_trained,
    market,
    q_table,
    read_the_bar,
    who_opens,
    why_not_wait,
)

LESSONS = (
    read_the_bar.LESSON,
    be_the_buyer.LESSON,
    why_not_wait.LESSON,
    q_table.LESSON,
    exploration.LESSON,
    who_opens.LESSON,
    first_trained.LESSON,
    market.LESSON,
)
