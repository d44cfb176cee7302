"""The room: all pairs, and which side of each is ahead."""

from typing import NamedTuple

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.market.ranking import longest_names
from negotiation_tui.market.snapshot import Ints, MarketSnapshot
from negotiation_tui.runtime.text import abbreviate, plural, split_width
from negotiation_tui.tui.market.model import ROOM, Model
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.ranked_list import HEADER

_NAME = 12
"""Width that a name gets, if it needs it; without that room no names are drawn."""
SELLER, BUYER, EVEN, NONE = range(4)
_STYLES = ("seller", "buyer", "normal", "faint")
_DEALS = ("seller-mark", "buyer-mark", "title", "faint")
_ARROWS = {SELLER: ("◀", " "), BUYER: (" ", "▶"), EVEN: ("=", "=")}
_WIDE = 76
"""Columns with room for the longest tally."""


class Grid(NamedTuple):
    """The grid of the sellers' cells; a seller always has the same cell."""

    columns: int
    rows: int
    cell: int
    name: int  # width of a seller's name; 0 without room for names
    first: int  # the seller of the first visible cell

    @classmethod
    def over(cls, place: Rect, snapshot: MarketSnapshot, at_hand: int) -> "Grid":
        """Return the page of cells that has the followed seller."""
        setup, width = snapshot.setup, place.width - 1
        rows = max(1, place.height - HEADER)
        digits = _digits(snapshot)
        seller, buyer = longest_names(setup)
        rest = digits + 6
        wide = width // (min(seller, _NAME) + min(buyer, _NAME) + rest)
        if setup.sellers <= 2 * wide * rows:
            # A few cells are as wide as the room allows.
            columns = min(wide, -(-setup.sellers // rows))
            cell = min(seller + buyer + rest + 8, width // columns)
            name = split_width(cell - rest, seller, buyer)[0]
        else:
            cell, name = digits + 4, 0
            columns = max(1, width // cell)
        return cls(columns, rows, cell, name, at_hand // (columns * rows) * columns * rows)


def grid_of(model: Model) -> Grid | None:
    """Return the visible cells; None if the room is not on the screen."""
    area = model.area_of(ROOM)
    return Grid.over(area, model.snapshot, max(0, seller_at_hand(model))) if area else None


def seller_at_hand(model: Model) -> int:
    """Return the seller whose cell is marked; −1 if the followed buyer has no partner."""
    snapshot, followed = model.snapshot, model.followed
    if snapshot.setup.agents[followed].role is Role.SELLER:
        return followed
    at = snapshot.encounter_of(followed)
    return -1 if at is None else int(snapshot.encounters.sellers[at])


def standing(snapshot: MarketSnapshot, visible: Ints) -> tuple[Ints, Ints, Ints]:
    """Return three arrays with an entry per encounter: standing offer, side ahead, agreed.

    The offer is an index of the prices, −1 for none. The side ahead would have the greater surplus
    at that price: SELLER, BUYER, EVEN if both have the same, NONE without a price.
    """
    prices, agreed = snapshot.encounters.after(visible)
    grid, setup = np.array(snapshot.setup.scenario.prices), snapshot.setup
    price = grid[np.maximum(prices, 0)]
    of_seller = price - setup.reservation[snapshot.encounters.sellers]
    of_buyer = setup.reservation[setup.sellers + snapshot.encounters.buyers] - price
    ahead = np.where(of_seller > of_buyer, SELLER, np.where(of_seller < of_buyer, BUYER, EVEN))
    return prices, np.where(prices < 0, NONE, ahead), agreed.astype(np.int64)


def draw_room(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a cell per seller such as `seller-1 ◀4  buyer-2`; the arrow points to the side ahead."""
    snapshot, visible, grid = model.snapshot, model.visible, grid_of(model)
    assert grid
    setup, meetings = snapshot.setup, snapshot.encounters
    prices, ahead, agreed = standing(snapshot, visible)
    over = visible >= meetings.n_turns
    last = min(setup.sellers, grid.first + grid.columns * grid.rows)
    page = ""
    if last - grid.first < setup.sellers:
        page = f" · sellers {grid.first + 1:,}–{last:,} of {setup.sellers:,}"
    pairs = plural(len(meetings), "pair")
    draw_heading(canvas, model, pane, "Room", f"{pairs}{page}", pairs)
    quits = int((over & (ahead == NONE)).sum())
    _draw_tally(canvas, np.bincount(ahead, minlength=4).tolist(), quits, int(agreed.sum()))
    at = np.full(setup.sellers, -1)
    at[meetings.sellers] = np.arange(len(meetings))
    marked = seller_at_hand(model)
    digits = _digits(snapshot)
    for number in range(grid.first, last):
        y, x = divmod(number - grid.first, grid.columns)
        cell = canvas.subcanvas(Rect(HEADER + y, x * grid.cell, 1, grid.cell - 1))
        if number == marked:
            cell.write(0, 0, "▸", "bold")
        name = f"{abbreviate(setup.agents[number].name, grid.name):>{grid.name}}"
        k, name = int(at[number]), name if grid.name else ""
        if k < 0:  # without a partner, or in a negotiation that was not watched
            busy = int(snapshot.free_at[number]) > snapshot.tick
            doing = "negotiates …" if busy else "waits" if snapshot.tick else ""
            cell.write(0, 1, f"{name} {doing}" if name else "…" if busy else "·", "faint")
            continue
        side, price = int(ahead[k]), "×" if over[k] else ""
        if prices[k] >= 0:
            price = str(setup.scenario.prices[prices[k]])
        left, right = _ARROWS.get(side, (" ", " "))
        cell.write(0, 1, name, "seller")
        x = 2 + len(name) if name else 1
        style = (_DEALS if agreed[k] else _STYLES)[side]
        cell.write(0, x, f"{left}{price:^{digits}}{right}", style)
        if name:
            x += digits + 3
            buyer = setup.agents[setup.sellers + int(meetings.buyers[k])].name
            cell.write(0, x, abbreviate(buyer, cell.width - x), "buyer")


def _draw_tally(canvas: Canvas, counts: list[int], quits: int, deals: int) -> None:
    """Draw the number of pairs of each kind, in the colours and signs of the cells."""
    x, ahead = 1, " ahead" if canvas.width >= _WIDE else ""
    for text, style in (
        (f"◀ {plural(counts[SELLER], 'seller')}{ahead}", "seller"),
        (f"▶ {plural(counts[BUYER], 'buyer')}{ahead}", "buyer"),
        (f"= {counts[EVEN]:,} even", "normal"),
        (f"× {quits:,} no deal", "faint"),
        (plural(deals, "deal"), "faint"),
    ):
        if x + len(text) > canvas.width:
            break
        canvas.write(1, x, text, style)
        x += len(text) + 3


def _digits(snapshot: MarketSnapshot) -> int:
    prices = snapshot.setup.scenario.prices
    return max(len(str(prices[0])), len(str(prices[-1])))
