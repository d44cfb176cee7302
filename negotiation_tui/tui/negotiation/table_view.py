"""Which part of a Q-table fits into its pane. Pure."""

from dataclasses import dataclass
from typing import Self

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.tui.toolkit.canvas import Rect

CELL = 6
HEADER = 2  # the pane's heading and the labels of the columns


@dataclass(frozen=True, slots=True)
class TableView:
    """A window of so many rows and offer columns; accept and reject are always in sight."""

    first_row: int
    first_column: int
    rows: int
    columns: int
    label_width: int
    last_first_row: int
    last_first_column: int

    @classmethod
    def over(
        cls,
        scenario: Scenario,
        place: Rect,
        row: int,
        column: int,
        scrolled: tuple[int, int] | None,
    ) -> Self:
        """The window in this place: where it was scrolled to, else the page with this cell."""
        longest = max(len(str(scenario.prices[0])), len(str(scenario.prices[-1])))
        seat = 1 if scenario.seated else 0
        label_width = 2 + seat + longest + 1 + len(str(scenario.rounds - 1)) + 1
        rows = max(1, min(scenario.n_states, place.height - HEADER))
        fitting = (place.width - label_width) // CELL - 2
        columns = max(1, min(scenario.n_prices, fitting))
        view = cls(
            0, 0, rows, columns, label_width, scenario.n_states - rows, scenario.n_prices - columns
        )
        first_row, first_column = scrolled or (row // rows * rows, column // columns * columns)
        first_row, first_column = view.clamped(first_row, first_column)
        return cls(
            first_row,
            first_column,
            rows,
            columns,
            label_width,
            view.last_first_row,
            view.last_first_column,
        )

    def clamped(self, first_row: int, first_column: int) -> tuple[int, int]:
        """The nearest window that lies within the table."""
        return (
            max(0, min(first_row, self.last_first_row)),
            max(0, min(first_column, self.last_first_column)),
        )
