"""The room: who negotiates with whom, and who is winning."""

from typing import NamedTuple

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.encounters import Ints
from negotiation_tui.market.ranking import longest_names
from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.runtime.text import abbreviate, plural, split_width
from negotiation_tui.tui.market.layout import ROOM
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.layout import TooSmall
from negotiation_tui.tui.toolkit.widgets import draw_heading_line

HEADER = 2
_GAP = 1
_NAME = 12
"""A name has at least so much room, if it needs it, or there are none."""
SELLER, BUYER, EVEN, NONE = range(4)
_STYLES = ("seller", "buyer", "normal", "faint")
_DEALS = ("seller-mark", "buyer-mark", "title", "faint")


class Grid(NamedTuple):
    """Where the cells of the sellers are: each has its place."""

    columns: int
    rows: int
    cell: int
    name: int
    """How wide a seller's name is; 0 where there is no room for names."""
    first: int
    """The seller of the first cell in sight."""

    @classmethod
    def over(cls, place: Rect, scene: MarketSnapshot, at_hand: int) -> "Grid":
        """The cells in this place; a page of them, that with the seller at hand."""
        cast, width = scene.setup, place.width - 1
        rows = max(1, place.height - HEADER)
        digits = _digits(scene)
        seller, buyer = longest_names(cast)
        rest = digits + 5 + _GAP
        wide = width // (min(seller, _NAME) + min(buyer, _NAME) + rest)
        if cast.sellers <= 2 * wide * rows:
            # Few: as wide as there is room for.
            columns = min(wide, -(-cast.sellers // rows))
            cell = min(seller + buyer + rest + 8, width // columns)
            page = at_hand // (columns * rows) * columns * rows
            return cls(columns, rows, cell, split_width(cell - rest, seller, buyer)[0], page)
        cell = digits + 4
        columns = max(1, width // cell)
        page = at_hand // (columns * rows) * columns * rows
        return cls(columns, rows, cell, 0, page)


def grid_of(model: Model) -> Grid | None:
    """The cells that are to be seen; None where the room is not on the screen."""
    placed = model.layout()
    if isinstance(placed, TooSmall) or ROOM not in placed.panes:
        return None
    return Grid.over(placed.panes[ROOM], model.scene, max(0, seller_at_hand(model)))


def columns_of(model: Model) -> int:
    """How many cells lie side by side."""
    grid = grid_of(model)
    return grid.columns if grid else 1


def seller_at_hand(model: Model) -> int:
    """The seller whose cell is marked; −1 for none, where a buyer is followed that waits."""
    scene, followed = model.scene, model.followed
    if scene.setup.agents[followed].role is Role.SELLER:
        return followed
    at = scene.encounter_of(followed)
    return -1 if at is None else int(scene.encounters.sellers[at])


def standing(scene: MarketSnapshot, visible: Ints) -> tuple[Ints, Ints, Ints]:
    """Of each meeting the price on the table (its index or −1), who is ahead, whether agreed.

    Whoever would have the greater surplus if this price were agreed on is ahead; nobody is where
    both would have the same. Without a price there is no deal, or none yet.
    """
    prices, agreed = scene.encounters.after(visible)
    grid, cast = np.array(scene.setup.scenario.prices), scene.setup
    price = grid[np.maximum(prices, 0)]
    mine = price - cast.reservation[scene.encounters.sellers]
    theirs = cast.reservation[cast.sellers + scene.encounters.buyers] - price
    ahead = np.where(mine > theirs, SELLER, np.where(mine < theirs, BUYER, EVEN))
    return prices, np.where(prices < 0, NONE, ahead), agreed.astype(np.int64)


def draw_room(canvas: Canvas, model: Model, pane: int) -> None:
    """A cell for each seller: whom it talks to, the price on the table, and whom that favours."""
    scene, visible = model.scene, model.visible
    cast, meetings = scene.setup, scene.encounters
    chosen = model.chosen == pane
    prices, ahead, agreed = standing(scene, visible)
    over = visible >= meetings.n_turns
    counts = np.bincount(ahead, minlength=4).tolist()
    quits = int((over & (ahead == NONE)).sum())
    closed = plural(int(agreed.sum()), "deal")
    grid = grid_of(model)
    if grid is None:
        return
    last = min(cast.sellers, grid.first + grid.columns * grid.rows)
    page = ""
    if last - grid.first < cast.sellers:
        page = f" · sellers {grid.first + 1:,}–{last:,} of {cast.sellers:,}"
    pairs = plural(len(meetings), "pair")
    draw_heading_line(canvas, f" {pane} Room ", chosen, f"{pairs}{page}", pairs)
    _draw_tally(canvas, counts, quits, closed)
    at = np.full(cast.sellers, -1)
    at[meetings.sellers] = np.arange(len(meetings))
    marked = seller_at_hand(model)
    for number in range(grid.first, last):
        y, x = divmod(number - grid.first, grid.columns)
        cell = canvas.subcanvas(Rect(HEADER + y, x * grid.cell, 1, grid.cell - 1))
        k = int(at[number])
        if k < 0:
            _draw_alone(cell, model, number, grid.name)
        else:
            buyer = cast.agents[cast.sellers + int(meetings.buyers[k])].name
            names = (_named(cast.agents[number], grid.name), buyer) if grid.name else None
            price = int(cast.scenario.prices[prices[k]]) if prices[k] >= 0 else None
            state = _State(int(ahead[k]), price, bool(agreed[k]), bool(over[k]))
            _draw_pair(cell, names, state, _digits(scene))
        if number == marked:
            cell.write(0, 0, "▸", "bold")


class _State(NamedTuple):
    ahead: int
    price: int | None
    agreed: bool
    over: bool


def _draw_tally(canvas: Canvas, counts: list[int], quits: int, closed: str) -> None:
    """How many pairs there are of each kind; colours and signs are those of the cells."""
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
    """`seller ◀ 4   buyer`: the arrow points to who is ahead; a patch where there is a deal."""
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
    """A seller that talks to nobody, or to somebody since before anyone watched."""
    scene = model.scene
    busy = int(scene.free_at[number]) > scene.tick
    if not name:
        cell.write(0, 1, "…" if busy else "·", "faint")
        return
    doing = "negotiates …" if busy else "waits" if scene.tick else ""
    cell.write(0, 1, f"{_named(scene.setup.agents[number], name)} {doing}", "faint")


def _named(agent: Agent, width: int) -> str:
    return f"{abbreviate(agent.name, width):>{width}}"


def _digits(scene: MarketSnapshot) -> int:
    prices = scene.setup.scenario.prices
    return max(len(str(prices[0])), len(str(prices[-1])))
