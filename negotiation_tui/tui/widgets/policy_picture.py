"""A plan as a picture: a row per price on the table, a column per round, a sign per decision.

Where prices or rounds do not fit, several share a sign: what most of those plan that were tried.
The signs of a cell stand side by side, the lowest price first.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.plan import Kind, Plan
from negotiation_tui.game.scenario import START
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.palettes import HEIGHTS, LEVELS
from negotiation_tui.tui.widgets.announcement import VERBS
from negotiation_tui.tui.widgets.plan_grid import WIDE_LABELS, Grid, fit
from negotiation_tui.tui.widgets.plan_words import RECEIVED, Place, on_table
from negotiation_tui.tui.widgets.words import percent

SIGNS = {Kind.ACCEPT: "✓", Kind.WALK_AWAY: "✗", Kind.UNTRIED: "·"}
TIE = "?"
MIXED = "~"
"""Follows the likeliest action of several."""
_STYLES = {Kind.ACCEPT: "bold", Kind.WALK_AWAY: "no-deal", Kind.UNTRIED: "faint"}
_CHANCE = 8
"""Columns of a cell with room for a probability beside a price of one digit."""
_NOTHING, _ACCEPTS, _ASKS, _WALKS, _UNTRIED, _TIES = range(6)
_CODES = np.full(16, _TIES, np.uint8)
_CODES[[0, Kind.ACCEPT, Kind.ASK, Kind.WALK_AWAY, Kind.UNTRIED]] = range(5)
_SHAPES = (*" ✓", *HEIGHTS, *"✗·?")
_GLYPHS = np.array(_SHAPES * 2)
"""All signs, then again those of the likeliest of several actions."""
_HEATS = tuple(f"heat{level}" for level in range(LEVELS))
_SIGNS = tuple(f"sign{level}" for level in range(LEVELS))
_GLYPH_STYLES = ("normal", "bold", *_SIGNS, "no-deal", "faint", "normal")
_GLYPH_STYLES += ("faint",) * len(_GLYPH_STYLES)

Span = tuple[int, str, str]
"""A column, a text and its style."""


@dataclass(frozen=True, eq=False, slots=True)
class PolicyView:
    """A plan, and the part of it to draw."""

    plan: Plan
    opened: bool
    """True for the plan of the opener, False for that of the responder."""
    cursor: Place


def draw_policy_picture(canvas: Canvas, view: PolicyView) -> None:
    """Draw the whole plan, its cursor and its legend, on any canvas."""
    if canvas.height < 1 or canvas.width < 1:
        return
    plan, opened = view.plan, view.opened
    grid = _grid(plan, canvas.height, canvas.width)
    row, column = view.cursor
    x = grid.labels + column // grid.rounds * grid.cell
    _draw_rounds(canvas, plan, grid, column)
    top = 2 if canvas.height > 2 or row == 0 else 1  # in two lines, the row of the cursor alone
    if top == 2:
        _draw_opening(canvas, view, grid)
    prices = on_table(plan)
    bottom = canvas.height - grid.legend
    for n, spans in enumerate(_spans(plan, opened, grid)):
        y, first = top + n, n * grid.row
        if y >= bottom:
            break
        marked = first < row <= first + grid.row
        label = _label(plan, prices[first : first + grid.row], grid.labels - 2)
        canvas.write(y, 0, "▸" * marked, "bold")
        canvas.write(y, 1, label, "bold" if marked else "faint")
        for at, text, style in spans:
            canvas.write(y, grid.labels + at, text, style)
        if marked:
            sign = (row - 1 - first) // grid.prices if grid.side > 1 else 0
            width = 1 if grid.side > 1 else grid.cell
            _mark(canvas, y, x + sign, width)
    _draw_legend(canvas.rows(bottom, canvas.height), plan, grid)


def _grid(plan: Plan, height: int, width: int) -> Grid:
    return fit(plan.scenario, plan.role, height, width)


def _label(plan: Plan, offers: range, width: int) -> str:
    """Return the price of a row, or its lowest and highest if there is room."""
    low, high = (str(plan.scenario.prices[offer]) for offer in (offers[0], offers[-1]))
    both = f"{low}–{high}"
    return both if len(offers) > 1 and len(both) <= width else low


def _draw_rounds(canvas: Canvas, plan: Plan, grid: Grid, marked: int) -> None:
    """Draw the numbers of the rounds, as many as fit."""
    if grid.labels >= WIDE_LABELS:
        canvas.write(0, 1, RECEIVED[plan.role], "faint")
    columns = -(-plan.scenario.rounds // grid.rounds)
    longest = len(str(plan.scenario.rounds))
    step = next(n for n in _STEPS if n * grid.cell > longest or n >= columns)
    free = 0
    for column in range(columns):
        first = column * grid.rounds
        number = first + 1
        if step > 1 and number % (step * grid.rounds) and (column or step == 2):
            continue
        text = str(number).center(grid.cell) if step == 1 else str(number)
        x = grid.labels + column * grid.cell
        if x >= free:
            here = first <= marked < first + grid.rounds
            canvas.write(0, x, text, "bold" if here else "faint")
            free = x + len(text) + (step > 1)


_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def _draw_opening(canvas: Canvas, view: PolicyView, grid: Grid) -> None:
    """Draw the first row: the opening offer, or the role that makes it."""
    plan, marked = view.plan, view.cursor[0] == 0
    canvas.write(1, 0, "▸" * marked, "bold")
    canvas.write(1, 1, "opening", "bold" if marked else "faint")
    x = max(len(" opening "), grid.labels)
    if plan.opener_aware and not view.opened:
        canvas.write(1, x, f"the {plan.role.other} opens", "faint")
        return
    text, style = _entry(plan, START, grid.cell)
    width = grid.cell if grid.text else len(text) + 2
    canvas.write(1, x, text.center(width), style)
    if marked:
        _mark(canvas, 1, x, width)


def _mark(canvas: Canvas, y: int, x: int, width: int) -> None:
    """Mark the cell of the cursor, with brackets if there is room."""
    cell = canvas.line(y)[x : x + width] if y < canvas.height else ""
    text = cell.strip()
    before = len(cell) - len(cell.lstrip())
    style = canvas.style_at(y, x + before) if text else "normal"
    marked = f"{style}-chosen" if style in {*_HEATS, *_SIGNS} else "chosen"
    canvas.write(y, x, cell, marked)
    if 0 < before < len(cell) - len(text):
        canvas.write(y, x + before - 1, f"[{text}]", marked)


def _level(plan: Plan, price: Any) -> Any:
    """Return the level of a price, or of several, from the lowest of the grid to the highest."""
    low, high = plan.scenario.prices[0], plan.scenario.prices[-1]
    return np.rint((price - low) / (high - low) * (LEVELS - 1)).astype(int)


def _entry(plan: Plan, state: int, room: int) -> tuple[str, str]:
    """Return the text and style of one decision: its sign or price, and its value if it fits.

    The likeliest action of several has its probability instead of a value, or the sign `MIXED`.
    """
    decision = plan.decision(state)
    if not decision.kinds:
        return "", "normal"
    text, style = SIGNS.get(decision.kinds, TIE), _STYLES.get(decision.kinds, "normal")
    if decision.kinds == Kind.ASK and decision.n_prices == 1:
        text, style = str(decision.lowest), f"heat{_level(plan, np.array(decision.lowest))}"
    longer = text
    if decision.chance is not None:
        text, longer = f"{text}{MIXED}", f"{text} {percent(decision.chance)}"
    elif decision.value is not None and decision.kinds != Kind.UNTRIED:
        longer = f"{text} {decision.value:.2f}"
    return longer if len(longer) + 2 <= room else text, style


@lru_cache(maxsize=8)
def _spans(plan: Plan, opened: bool, grid: Grid) -> tuple[tuple[Span, ...], ...]:
    """Return the signs of each row of prices, as spans of one style each."""
    if not grid.text:
        return tuple(_signs(plan, opened, grid))
    states = plan.states(opened)[:, on_table(plan)]
    return tuple(
        tuple(
            (column * grid.cell, text.center(grid.cell), style)
            for column, (text, style) in enumerate(_entry(plan, int(s), grid.cell) for s in row)
        )
        for row in states.T
    )


def _signs(plan: Plan, opened: bool, grid: Grid) -> list[tuple[Span, ...]]:
    glyphs = _glyphs(plan, opened, grid).T  # a row per group of prices
    missing = -len(glyphs) % grid.side
    glyphs = np.concatenate([glyphs, np.zeros((missing, glyphs.shape[1]), glyphs.dtype)])
    # Rows of cells; in each cell signs side by side, and blanks up to the next cell.
    cells = glyphs.reshape(-1, grid.side, glyphs.shape[1]).transpose(0, 2, 1)
    if grid.side == 1:
        cells = np.repeat(cells, grid.cell, axis=2)
    else:
        cells = np.pad(cells, ((0, 0), (0, 0), (0, grid.cell - grid.side)))
    rows = cells.reshape(len(cells), -1)
    texts = _GLYPHS[rows]
    return [
        tuple(_runs("".join(text.tolist()), row.tolist()))
        for text, row in zip(texts, rows, strict=True)
    ]


def _runs(text: str, glyphs: list[int]) -> list[Span]:
    spans = []
    for glyph, run in groupby(enumerate(glyphs), key=itemgetter(1)):
        places = [place for place, _ in run]
        first, stop = places[0], places[-1] + 1
        if glyph:
            spans.append((first, text[first:stop], _GLYPH_STYLES[glyph]))
    return spans


def _glyphs(plan: Plan, opened: bool, grid: Grid) -> NDArray[np.int64]:
    """Return the index of the sign for each group of rounds and prices, the most frequent."""
    offers = on_table(plan)
    states = plan.states(opened)[:, offers.start : offers.stop]
    codes = _CODES[plan.kinds[states]]
    codes[(codes == _ASKS) & (plan.n_prices[states] > 1)] = _TIES
    asked = np.array(plan.scenario.prices)[np.maximum(plan.lowest[states], 0)]
    counts = np.stack([_groups(codes == code, grid) for code in range(1, 6)])
    tried = np.delete(counts, _UNTRIED - 1, axis=0).any(axis=0)
    counts[_UNTRIED - 1, tried] = 0
    most = np.where(counts.any(axis=0), counts.argmax(axis=0) + 1, _NOTHING)
    total = _groups(np.where(codes == _ASKS, asked, 0), grid)
    level = _level(plan, total / np.maximum(counts[_ASKS - 1], 1))
    first = np.array([0, 1, 2, 2 + LEVELS, 3 + LEVELS, 4 + LEVELS])
    signs = first[most] + np.where(most == _ASKS, level, 0)
    several = _groups(~np.isnan(plan.chances[states]), grid) * 2 > _groups(codes > 0, grid)
    return np.where(several, signs + len(_SHAPES), signs)


def _groups(values: NDArray[Any], grid: Grid) -> NDArray[np.int64]:
    """Return the sums over the rounds and prices that share a sign."""
    sums = values.astype(np.int64)
    for axis, each in enumerate((grid.rounds, grid.prices)):
        if each > 1:
            sums = np.add.reduceat(sums, np.arange(0, sums.shape[axis], each), axis=axis)
    return sums


def _draw_legend(canvas: Canvas, plan: Plan, grid: Grid) -> None:
    """Explain the signs, and on a second line the colours and the prices that share a sign."""
    texts: tuple[str, ...] = (
        "✓ accepts  ✗ walks away  · untried  ? tie",
        "✓ accept ✗ walk away · untried ? tie",
        "✓ accept ✗ walk away",
    )
    if not np.isnan(plan.chances).all():
        sign = (MIXED if grid.cell < _CHANCE else "%") if grid.text else "dim:"
        texts = (
            f"{texts[0]}  {sign} the likeliest of several",
            f"✓ accept ✗ walk · untried ? tie {sign} likeliest",
            f"✓ accept ✗ walk ? tie {sign} likeliest",
            f"✓ accept ✗ walk {sign} likeliest",
        )
    canvas.write(0, 1, next((text for text in texts if len(text) < canvas.width), ""), "faint")
    prices, verb = plan.scenario.prices, VERBS[plan.role]
    before, keys, after = f"{verb} {prices[0]} ", list(enumerate(HEIGHTS)), f" {prices[-1]}"
    if grid.text:
        levels = _level(plan, np.array(prices)).tolist()
        lowest = dict(zip(levels[::-1], prices[::-1], strict=True)) | {LEVELS - 1: prices[-1]}
        examples = [(level, f" {price} ") for level, price in sorted(lowest.items())]
        before, keys, after = f"{verb} ", examples, ""
    canvas.write(1, 1, before, "faint")
    x = 1 + len(before)
    for level, key in keys:
        canvas.write(1, x, key, (_HEATS if grid.text else _SIGNS)[level])
        x += len(key)
    canvas.write(1, x, after, "faint")
    x += len(after)
    note = next((note for note in _notes(grid) if x + 2 + len(note) <= canvas.width), "")
    canvas.write(1, x + 2, note, "faint")


def _notes(grid: Grid) -> tuple[str, ...]:
    """Return how many prices and rounds share a sign, in long and short forms."""
    rounds = f"{grid.rounds} rounds" if grid.rounds > 1 else ""
    prices = f"{grid.prices} prices" if grid.prices > 1 else ""
    shared = " × ".join(filter(None, (prices, rounds)))
    if shared:
        return f"a sign: most of {shared}, if tried", f"a sign: {shared}", shared
    return (f"{grid.side} prices side by side",) if grid.side > 1 else ("",)
