"""The part of a Q-table that fits into its pane. Pure."""

from dataclasses import dataclass, replace
from typing import Self

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.tui.toolkit.canvas import Rect

CELL = 6
HEADER = 2  # the pane's heading and the labels of the columns


@dataclass(frozen=True, slots=True)
class Viewport:
    """The visible rows and offer columns; the columns of accept and reject are always visible."""

    first_row: int
    first_column: int
    rows: int
    columns: int
    label_width: int
    last_first_row: int
    last_first_column: int
    legend: bool
    """True if the last row of the pane is left for the legend."""

    @classmethod
    def over(
        cls, scenario: Scenario, area: Rect, cell: tuple[int, int], scrolled: tuple[int, int] | None
    ) -> Self:
        """Return the part that begins at `scrolled`; if that is None, the page with `cell`."""
        longest = max(len(str(scenario.prices[0])), len(str(scenario.prices[-1])))
        opener = 1 if scenario.opener_aware else 0
        label_width = 2 + opener + longest + 1 + len(str(scenario.rounds - 1)) + 1
        legend = area.height >= HEADER + 3
        rows = max(1, min(scenario.n_states, area.height - HEADER - legend))
        fitting = (area.width - label_width) // CELL - 2
        columns = max(1, min(scenario.n_prices, fitting))
        last = scenario.n_states - rows, scenario.n_prices - columns
        view = cls(0, 0, rows, columns, label_width, *last, legend)
        first = scrolled or (cell[0] // rows * rows, cell[1] // columns * columns)
        first_row, first_column = view.clamped(*first)
        return replace(view, first_row=first_row, first_column=first_column)

    def clamped(self, first_row: int, first_column: int) -> tuple[int, int]:
        """Return the nearest first row and column that stay inside the table."""
        return (
            max(0, min(first_row, self.last_first_row)),
            max(0, min(first_column, self.last_first_column)),
        )
