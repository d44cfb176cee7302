"""The room of a plan's picture: its labels and signs in a pane of any size. Pure."""

from dataclasses import dataclass
from functools import lru_cache

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario

MOST_CELL = 12
"""Columns of the canvas in which a price and its value stand apart."""
WIDE_LABELS = 10
"""Columns of the labels, if the opening is one of them."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The places of all signs: below the numbers of the rounds, right of the prices."""

    labels: int
    """Columns of the canvas left of the signs."""
    cell: int
    """Columns of the canvas per column of the picture."""
    rounds: int
    """Rounds that share a sign."""
    prices: int
    """Prices that share a sign."""
    side: int
    """Signs side by side in a cell."""
    legend: int
    """Lines below the picture."""
    text: bool
    """True if there is room for the numbers of prices."""

    @property
    def row(self) -> int:
        """The number of prices in a row."""
        return self.prices * self.side


def picture_size(scenario: Scenario) -> tuple[int, int]:
    """Return the rows and columns in which every decision has a number and a value."""
    prices = max(len(scenario.offers(role)) for role in Role)
    return 4 + prices, WIDE_LABELS + scenario.rounds * MOST_CELL


@lru_cache(maxsize=64)
def fit(scenario: Scenario, role: Role, height: int, width: int) -> Grid:
    """Return the places for a plan on a canvas; prices and rounds share signs if they must."""
    T, n = scenario.rounds, len(scenario.offers(role.other))
    legend = 2 if height >= 8 else 1 if height >= 5 else 0
    rows = max(1, height - 2 - legend)
    longest = max(len(str(price)) for price in (scenario.prices[0], scenario.prices[-1]))
    narrow = longest + 2
    cell = max(1, (width - narrow) // T)
    wide = (width - WIDE_LABELS) // T
    labels = narrow
    if wide >= min(cell, longest + 2):
        labels, cell = WIDE_LABELS, wide
    rounds = -(-T // max(1, width - labels))
    cell = min(cell, MOST_CELL)
    if legend == 2 and n == rows + 1 and cell > longest:
        legend, rows = 1, n  # the row is worth more than the colours of numbers that can be read
    if n <= rows:
        return Grid(labels, cell, rounds, 1, 1, legend, cell > longest)
    side = max(1, min(cell - (cell > 2), -(-n // rows)))
    prices = -(-n // (rows * side))
    while side > 1 and -(-n // (prices * (side - 1))) <= rows:
        side -= 1
    return Grid(labels, cell, rounds, prices, side, legend, False)
