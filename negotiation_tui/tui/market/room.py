"""The room: all pairs, and which side of each is ahead."""

from typing import NamedTuple

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.ranking import longest_names
from negotiation_tui.market.snapshot import Ints, MarketSnapshot
from negotiation_tui.runtime.text import abbreviate, plural, split_width
from negotiation_tui.tui.market.layout import ROOM
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.paned import draw_heading

HEADER = 2
_GAP = 1
_NAME = 12
"""Width that a name gets, if it needs it; without that room no names are drawn."""
SELLER, BUYER, EVEN, NONE = range(4)
_STYLES = ("seller", "buyer", "normal", "faint")
_DEALS = ("seller-mark", "buyer-mark", "title", "faint")


class Grid(NamedTuple):
    """The grid of the sellers' cells; a seller always has the same cell."""

    columns: int
    rows: int
    cell: int
    name: int
    """Width of a seller's name; 0 without room for names."""
    first: int
    """The seller of the first visible cell."""

    @classmethod
    def over(cls, place: Rect, snapshot: MarketSnapshot, at_hand: int) -> "Grid":
        """Return the page of cells that has the followed seller."""
        setup, width = snapshot.setup, place.width - 1
        rows = max(1, place.height - HEADER)
        digits = _digits(snapshot)
        seller, buyer = longest_names(setup)
        rest = digits + 5 + _GAP
        wide = width // (min(seller, _NAME) + min(buyer, _NAME) + rest)
        if setup.sellers <= 2 * wide * rows:
            # A few cells are as wide as the room allows.
            columns = min(wide, -(-setup.sellers // rows))
            cell = min(seller + buyer + rest + 8, width // columns)
            page = at_hand // (columns * rows) * columns * rows
            return cls(columns, rows, cell, split_width(cell - rest, seller, buyer)[0], page)
        cell = digits + 4
        columns = max(1, width // cell)
        page = at_hand // (columns * rows) * columns * rows
        return cls(columns, rows, cell, 0, page)


def grid_of(model: Model) -> Grid | None:
    """Return the visible cells; None if the room is not on the screen."""
    area = model.area_of(ROOM)
    return Grid.over(area, model.snapshot, max(0, seller_at_hand(model))) if area else None


def columns_of(model: Model) -> int:
    """Return the number of cells per row."""
    grid = grid_of(model)
    return grid.columns if grid else 1


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
    """Draw a cell per seller: its buyer, the standing offer, and the side that it favours."""
    snapshot, visible = model.snapshot, model.visible
    setup, meetings = snapshot.setup, snapshot.encounters
    prices, ahead, agreed = standing(snapshot, visible)
    over = visible >= meetings.n_turns
    counts = np.bincount(ahead, minlength=4).tolist()
    quits = int((over & (ahead == NONE)).sum())
    closed = plural(int(agreed.sum()), "deal")
    grid = grid_of(model)
    if grid is None:
        return
    last = min(setup.sellers, grid.first + grid.columns * grid.rows)
    page = ""
    if last - grid.first < setup.sellers:
        page = f" · sellers {grid.first + 1:,}–{last:,} of {setup.sellers:,}"
    pairs = plural(len(meetings), "pair")
    draw_heading(canvas, model, pane, "Room", f"{pairs}{page}", pairs)
    _draw_tally(canvas, counts, quits, closed)
    at = np.full(setup.sellers, -1)
    at[meetings.sellers] = np.arange(len(meetings))
    marked = seller_at_hand(model)
    for number in range(grid.first, last):
        y, x = divmod(number - grid.first, grid.columns)
        cell = canvas.subcanvas(Rect(HEADER + y, x * grid.cell, 1, grid.cell - 1))
        k = int(at[number])
        if k < 0:
            _draw_alone(cell, model, number, grid.name)
        else:
            buyer = setup.agents[setup.sellers + int(meetings.buyers[k])].name
            names = (_named(setup.agents[number], grid.name), buyer) if grid.name else None
            price = int(setup.scenario.prices[prices[k]]) if prices[k] >= 0 else None
            state = _State(int(ahead[k]), price, bool(agreed[k]), bool(over[k]))
            _draw_pair(cell, names, state, _digits(snapshot))
        if number == marked:
            cell.write(0, 0, "▸", "bold")


class _State(NamedTuple):
    ahead: int
    price: int | None
    agreed: bool
    over: bool


def _draw_tally(canvas: Canvas, counts: list[int], quits: int, closed: str) -> None:
    """Draw the number of pairs of each kind, in the colours and signs of the cells."""
    x, ahead = 1, " ahead"
    while True:
        parts = (
            (f"◀ {plural(counts[SELLER], 'seller')}{ahead}", "seller"),
            (f"▶ {plural(counts[BUYER], 'buyer')}{ahead}", "buyer"),
            (f"= {counts[EVEN]:,} even", "normal"),
            (f"× {quits:,} no deal", "faint"),
            (closed, "faint"),
        )
        if not ahead or sum(len(text) + 3 for text, _ in parts) - 2 <= canvas.width:
            break
        ahead = ""
    for text, style in parts:
        if x + len(text) > canvas.width:
            break
        canvas.write(1, x, text, style)
        x += len(text) + 3


def _draw_pair(cell: Canvas, names: tuple[str, str] | None, state: _State, digits: int) -> None:
    """Draw `seller ◀ 4   buyer`: the arrow points to the side ahead; a deal is coloured."""
    price = "" if state.price is None else str(state.price)
    left, right = " ", " "
    if state.price is not None:
        left = {SELLER: "◀", EVEN: "="}.get(state.ahead, " ")
        right = {BUYER: "▶", EVEN: "="}.get(state.ahead, " ")
    elif state.over:
        price = "×"
    patch = f"{left}{price:^{digits}}{right}"
    style = (_DEALS if state.agreed else _STYLES)[state.ahead]
    if names is None:
        cell.write(0, 1, patch, style)
        return
    seller, buyer = names
    x = 2 + len(seller)
    cell.write(0, 1, seller, "seller")
    cell.write(0, x, patch, style)
    cell.write(0, x + len(patch) + 1, abbreviate(buyer, cell.width - x - len(patch) - 1), "buyer")


def _draw_alone(cell: Canvas, model: Model, number: int, name: int) -> None:
    """Draw a seller without a partner, or in a negotiation that was not watched."""
    snapshot = model.snapshot
    busy = int(snapshot.free_at[number]) > snapshot.tick
    if not name:
        cell.write(0, 1, "…" if busy else "·", "faint")
        return
    doing = "negotiates …" if busy else "waits" if snapshot.tick else ""
    cell.write(0, 1, f"{_named(snapshot.setup.agents[number], name)} {doing}", "faint")


def _named(agent: Agent, width: int) -> str:
    return f"{abbreviate(agent.name, width):>{width}}"


def _digits(snapshot: MarketSnapshot) -> int:
    prices = snapshot.setup.scenario.prices
    return max(len(str(prices[0])), len(str(prices[-1])))
