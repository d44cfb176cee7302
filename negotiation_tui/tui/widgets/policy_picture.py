"""A plan as a picture: a row per price on the table, a column per round, a sign per decision.

The colour is the worth of a decision: its value to a learner, otherwise the gain of its deal.
Where prices or rounds do not fit, several share a cell: what most of those plan that were tried.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.plan import Kind, Plan
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.values import deal_values, in_coins, levels, most
from negotiation_tui.tui.widgets.words import Place, on_table, percent, state_at

MIXED = "~"  # follows the likeliest action of several
MOST_CELL = 12  # columns of the canvas in which a price and its value stand apart
WIDE_LABELS, _LABELS = 15, 10
"""Columns of the labels with all words beside the rounds, and with the opening alone."""
_HEADER = 2  # rows above the prices: the rounds, and the opening
_NEVER, _ACCEPTS, _ASKS, _WALKS, _UNTRIED, _TIES = range(6)
_SIGNS = "–✓ ✗·?"
_CODES = np.full(16, _TIES, np.uint8)
_CODES[[0, Kind.ACCEPT, Kind.ASK, Kind.WALK_AWAY, Kind.UNTRIED]] = range(5)

Cell = tuple[str, str]  # a text and its style


@dataclass(frozen=True, slots=True)
class Grid:
    """The places of all cells: below the numbers of the rounds, right of the prices."""

    labels: int  # columns of the canvas left of the cells
    cell: int  # columns of the canvas per cell
    rounds: int  # rounds that share a cell
    prices: int  # prices that share a cell


@lru_cache(maxsize=8)
def legend(plan: Plan, opened: bool) -> list[str]:
    """Return the signs that this plan may have, each with its words, the most needed first."""
    learns = (plan.kinds == Kind.UNTRIED).any()
    return [
        "✓ accepts",
        *(["· = not learned"] if learns else []),
        "✗ walks away",
        "? several equal",
        *(["– never decides"] if opened else []),
        *([f"{MIXED} likeliest of several"] if not np.isnan(plan.chances).all() else []),
    ]


@lru_cache(maxsize=64)
def fit(scenario: Scenario, role: Role, height: int, width: int) -> Grid:
    """Return the places for a plan on a canvas; prices and rounds share cells if they must."""
    T, n = scenario.rounds, len(scenario.offers(role.other))
    longest = max(len(str(price)) for price in (scenario.prices[0], scenario.prices[-1]))
    least = longest + 2
    enough = min(longest + 2, (width - least) // T)
    labels = next((each for each in (WIDE_LABELS, _LABELS) if (width - each) // T >= enough), least)
    rounds = -(-T // max(1, (width - labels) // (longest + 1)))
    cell = max(1, min(MOST_CELL, (width - labels) // -(-T // rounds)))
    return Grid(labels, cell, rounds, -(-n // max(1, height - _HEADER)))


def draw_policy_picture(canvas: Canvas, plan: Plan, opened: bool, cursor: Place) -> None:
    """Draw the whole plan of the opener or of the responder, and its cursor, on any canvas."""
    grid, (row, column) = fit(plan.scenario, plan.role, canvas.height, canvas.width), cursor
    _draw_rounds(canvas, plan, opened, column if row else -1, grid)
    _draw_opening(canvas, plan, opened, row == 0, grid)
    prices = [plan.scenario.prices[offer] for offer in on_table(plan)]
    for n, cells in enumerate(_cells(plan, opened, grid)):
        y, first = _HEADER + n, n * grid.prices
        marked = first < row <= first + grid.prices
        some = prices[first : first + grid.prices]
        both = f"{some[0]}–{some[-1]}"
        label = both if len(some) > 1 and len(both) <= grid.labels - 2 else str(some[0])
        canvas.write(y, 0, "▸" * marked, "bold")
        canvas.write(y, 1, label, "bold" if marked else "faint")
        for at, (text, style) in enumerate(cells):
            canvas.write(y, grid.labels + at * grid.cell, text.center(grid.cell), style)
        if marked:
            x = grid.labels + column // grid.rounds * grid.cell
            text, style = _cell(plan, opened, state_at(plan, opened, cursor), grid.cell)
            canvas.write(y, x, text.center(grid.cell), style)
            _mark(canvas, y, x, grid.cell)


def place_at(plan: Plan, height: int, width: int, y: int, x: int) -> Place | None:
    """Return the place of a cell of the canvas; None beside all cells."""
    grid = fit(plan.scenario, plan.role, height, width)
    row = max(0, y - _HEADER) * grid.prices + (y >= _HEADER)
    column = max(0, x - grid.labels) // grid.cell * grid.rounds
    inside = y >= 1 and row <= len(on_table(plan)) and column < plan.scenario.rounds
    return (row, column if row else 0) if inside else None


def _draw_rounds(canvas: Canvas, plan: Plan, opened: bool, marked: int, grid: Grid) -> None:
    """Draw the numbers of the rounds in which the role decides; none for the opener's last."""
    T = plan.scenario.rounds
    received = "offered" if plan.role is Role.SELLER else "asked"
    words = {WIDE_LABELS: f"{received:<8}round", _LABELS: "round"}
    canvas.write(0, 1, words.get(grid.labels, ""), "faint")
    for at, time in enumerate(range(0, T, grid.rounds)):
        here = time <= marked < time + grid.rounds
        first, last = time + 1 + opened, min(T, time + grid.rounds + opened)
        text = f"{first}–{last}"
        if first >= last or len(text) >= grid.cell:
            text = f"{first}" if first <= T else "–"
        x = grid.labels + at * grid.cell
        canvas.write(0, x, text.center(grid.cell), "bold" if here else "faint")


def _draw_opening(canvas: Canvas, plan: Plan, opened: bool, marked: bool, grid: Grid) -> None:
    """Draw the first row: the opening offer, or the role that makes it."""
    canvas.write(1, 0, "▸" * marked, "bold")
    canvas.write(1, 1, "opening", "bold" if marked else "faint")
    x = max(len(" opening "), grid.labels)
    if not opened:
        canvas.write(1, x, f"the {plan.role.other} opens", "faint")
        return
    text, style = _cell(plan, opened, START, grid.cell)
    canvas.write(1, x, text.center(max(grid.cell, len(text))), style)
    if marked:
        _mark(canvas, 1, x, max(grid.cell, len(text)))


def _mark(canvas: Canvas, y: int, x: int, width: int) -> None:
    """Mark the cell of the cursor, with brackets if there is room."""
    cell = canvas.line(y)[x : x + width] if y < canvas.height else ""
    text = cell.strip()
    before = len(cell) - len(cell.lstrip())
    style = canvas.style_at(y, x + before) if text else "normal"
    marked = f"{style}-chosen" if style.startswith("heat") else "chosen"
    canvas.write(y, x, cell, marked)
    if 0 < before < len(cell) - len(text):
        canvas.write(y, x + before - 1, f"[{text}]", marked)


@lru_cache(maxsize=8)
def _cell(plan: Plan, opened: bool, state: int, room: int) -> Cell:
    return _texts(plan, opened, np.array([[state]]), 1, 1, room)[0][0]


@lru_cache(maxsize=8)
def _cells(plan: Plan, opened: bool, grid: Grid) -> Sequence[Sequence[Cell]]:
    states = plan.states(opened)[:, on_table(plan)]
    return _texts(plan, opened, states, grid.rounds, grid.prices, grid.cell)


def _texts(
    plan: Plan, opened: bool, states: NDArray[Any], rounds: int, prices: int, room: int
) -> Sequence[Sequence[Cell]]:
    """Return text and style for each group of rounds and prices: the most frequent decision.

    The likeliest action of several has its probability instead of a value, or the sign `MIXED`.
    """

    def groups(values: NDArray[Any]) -> NDArray[np.float64]:
        for axis, each in enumerate((rounds, prices)):
            if each > 1:
                begins = np.arange(0, values.shape[axis], each)
                values = np.add.reduceat(values, begins, axis=axis, dtype=np.float64)
        return values.astype(np.float64)

    game, last = plan.scenario, plan.scenario.rounds - 1
    codes = _CODES[plan.kinds[states]]
    if opened:
        times = (states - 1) // game.n_prices % game.rounds
        codes[(states > START) & (times == last)] = _NEVER
    codes[(codes == _ASKS) & (plan.n_prices[states] > 1)] = _TIES
    counts = np.stack([groups(codes == code) for code in range(6)])
    counts[_NEVER] = 0
    tried = np.delete(counts, _UNTRIED, axis=0).any(axis=0)
    counts[_UNTRIED, tried] = 0
    most_of = counts.argmax(axis=0)  # _NEVER without any
    decided = (codes > _NEVER) & (codes != _UNTRIED)
    asked = plan.lowest[states]
    actions = np.where(asked >= 0, asked, game.walk_away)
    actions[codes == _ACCEPTS] = game.accept
    deal = deal_values(game, plan.role, states, actions, opened)
    values, chances = plan.values[states], plan.chances[states]
    worths = np.where(np.isnan(values), deal, values)
    worth = groups(np.where(decided, worths, 0.0)) / np.maximum(groups(decided), 1)
    price = groups(np.where(codes == _ASKS, np.array(game.prices)[asked], 0))
    price /= np.maximum(counts[_ASKS], 1)
    colours = levels(worth, most(game))
    several = groups(~np.isnan(chances)) * 2 > groups(codes > 0)
    alone, known = rounds == prices == 1, ~np.isnan(values)

    def cell(at: tuple[int, int]) -> Cell:
        code = most_of[at]
        if code in {_NEVER, _UNTRIED}:
            return _SIGNS[code], "faint"
        text = longer = f"{price[at]:.0f}" if code == _ASKS else _SIGNS[code]
        if several[at]:
            text, longer = f"{text}{MIXED}", text + f" {percent(chances[at])}" * alone
        elif alone and known[at]:
            longer = f"{text} {in_coins(game, worth[at])}"
        return longer if len(longer) + 2 <= room else text, f"heat{colours[at]}"

    columns, rows = most_of.shape
    return tuple(tuple(cell((x, y)) for x in range(columns)) for y in range(rows))
