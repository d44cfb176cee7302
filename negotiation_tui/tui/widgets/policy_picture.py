"""A plan as a picture: a row per price on the table, a column per round, a sign per decision.

Both cases stand side by side, at the same places at all times: the role opens, the other opens.
Where numbers do not fit a column per round, a number stands once for the rounds that it holds in.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.plan import Kind, Plan
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.values import levels, most
from negotiation_tui.tui.widgets.words import Place, on_table, opened_at

MIXED = "~"  # follows the likeliest action of several
MOST_CELL = 4
_NEVER, _ACCEPTS, _ASKS, _WALKS, _UNTRIED, _TIES = range(6)
_SIGNS = " ✓ ✗·="
_SHORT_RUN, _SLOPE = "▪", "╌"
_CODES = np.full(16, _TIES, np.uint8)
_CODES[[0, Kind.ACCEPT, Kind.ASK, Kind.WALK_AWAY, Kind.UNTRIED]] = range(5)
_GAP = 2  # blank columns between both cases


class Half(NamedTuple):
    """One of both cases: its first column on the canvas, and the times that are shown."""

    opened: bool
    x: int
    first: int
    stop: int
    whole: int  # number of all times


class Grid(NamedTuple):
    """The places of all cells."""

    labels: int
    cell: int
    halves: tuple[Half, Half]
    header: int  # rows above the opening
    prices: Sequence[range]  # the prices of each row that is shown, as rows of `on_table`
    total: int  # the number of all rows
    strip: bool  # true if numbers do not fit a cell
    slope: int = 0  # asks of neighbouring rounds that differ by no more are drawn as one line


@lru_cache(maxsize=8)
def legend(plan: Plan) -> list[str]:
    """Return the signs that this plan may have, each with its words, the most needed first."""
    learns = (plan.kinds == Kind.UNTRIED).any()
    return [
        "✓ accepts",
        "= a tie",
        *(["· not learned"] if learns else []),
        "✗ walks away",
        *([f"{MIXED} likeliest of several"] if not np.isnan(plan.chances).all() else []),
    ]


class _All(NamedTuple):
    """Every decision of both cases; shape (2T − 1, prices)."""

    codes: NDArray[Any]
    asked: NDArray[Any]  # prices; −1 without one
    colours: NDArray[Any]
    several: NDArray[Any]


@lru_cache(maxsize=8)
def _all(plan: Plan) -> _All:
    game = plan.scenario
    parts = []
    for opened in (True, False):
        states = plan.states(opened)[: game.rounds - opened, on_table(plan)]
        codes = _CODES[plan.kinds[states]]
        codes[(codes == _ASKS) & (plan.n_prices[states] > 1)] = _TIES
        asked = np.where(codes == _ASKS, np.array(game.prices)[plan.lowest[states]], -1)
        several = ~np.isnan(plan.chances[states])
        parts.append((codes, asked, _colours(plan, states), several))
    return _All(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _colours(plan: Plan, states: Any) -> NDArray[Any]:
    """Return the colours of the values of states; −1 in the plan of fixed rules, without values."""
    values = plan.values[states]
    return np.where(np.isnan(values), -1, levels(values, most(plan.scenario)))


def _style(colour: int) -> str:
    return "normal" if colour < 0 else f"heat{colour}"


def digits(scenario: Scenario) -> int:
    return max(len(str(price)) for price in (scenario.prices[0], scenario.prices[-1]))


def columns_needed(scenario: Scenario) -> int:
    """Return the columns of a plan with a number in each cell."""
    return 9 + (2 * scenario.rounds - 1) * max(3, digits(scenario) + 1) + _GAP


def _columns(scenario: Scenario, width: int, folded: bool) -> tuple[int, int, int, bool]:
    """Return columns of labels and of a cell, the rounds shown of a case, and if it is a strip."""
    longest, cells = digits(scenario), scenario.rounds if folded else 2 * scenario.rounds - 1
    if folded:
        width += _GAP
    least = max(5, longest + 2)
    for enough in (longest + 2, longest + 1):  # with room for brackets, or without
        for labels in (14, 9) if folded else (9, 8, least):
            cell = (width - labels - _GAP) // cells
            if cell >= enough:
                return labels, min(MOST_CELL, cell), scenario.rounds, False
    labels = 8 if width - 8 - _GAP >= cells else least
    if folded:
        labels = next((each for each in (14, 9) if width - each - _GAP >= cells), least)
        cell = max(1, (width - labels - _GAP) // cells)
        return labels, cell, min(scenario.rounds, width - labels - _GAP), True
    cell = max(1, (width - labels - _GAP) // cells)
    return labels, cell, min(scenario.rounds, (width - labels - _GAP) // cell // 2), True


def folds(plan: Plan) -> bool:
    """True if both cases are one, because states do not tell who opened."""
    return not (plan.opener_aware or plan.scenario.opener_aware)


def fit(plan: Plan, height: int, width: int, cursor: Place, near: int | None = None) -> Grid:
    """Return the places for a plan on a canvas; it scrolls to its cursor, or to a row near it."""
    game, (row, column) = plan.scenario, cursor
    folded = folds(plan)
    labels, cell, rounds, strip = _columns(game, width, folded)
    opened, T = opened_at(game, cursor), game.rounds
    time = 0 if row == 0 else column if opened else column - (T - 1)
    halves, x = [], labels
    number = time + opened  # the round, from 0
    first_round = 0 if rounds >= T else min(number // rounds * rounds, T - rounds)
    for opens in (True, False):
        if folded:
            at = 0 if rounds >= T else min(time // rounds * rounds, T - rounds)
            stop = min(T - opens, at + rounds)
            halves.append(Half(opens, x, at, stop, T - opens))
            continue
        whole = T - opens
        first = max(0, first_round - opens)
        stop = min(whole, first_round + rounds - opens)
        halves.append(Half(opens, x, first, stop, whole))
        shown = rounds - (opens and rounds >= T)
        x += shown * cell + _GAP
    header = 2 if height >= 5 else 1
    room = max(1, height - header - 1)
    groups = _groups(plan, room)
    shown_row = near if row == 0 and near else row
    at = next((n for n, each in enumerate(groups) if shown_row - 1 in each), 0)
    first = min(at // room * room, max(0, len(groups) - room))
    return Grid(
        labels,
        cell,
        (halves[0], halves[1]),
        header,
        groups[first : first + room],
        len(groups),
        strip,
        max(1, (game.prices[-1] - game.prices[0]) // 20),
    )


def _groups(plan: Plan, room: int) -> list[range]:
    """Return the prices of each row: one, or all with equal decisions if these rows then fit."""
    n, found = len(on_table(plan)), _all(plan)
    if n > room:
        new = np.zeros(n - 1, bool)
        for part in (found.codes, found.asked):
            new |= (part[:, 1:] != part[:, :-1]).any(axis=0)
        bounds = [0, *(1 + np.flatnonzero(new)).tolist(), n]
        if len(bounds) - 1 <= room:
            return [range(a, b) for a, b in pairwise(bounds)]
    return [range(each, each + 1) for each in range(n)]


def hidden_words(plan: Plan, grid: Grid) -> list[str]:
    """Say which prices and rounds are shown, if some are not; in long and short forms."""
    prices = [plan.scenario.prices[offer] for offer in on_table(plan)]
    first, last = prices[grid.prices[0][0]], prices[grid.prices[-1][-1]]
    parts = []
    if len(grid.prices) < grid.total:
        parts.append(f"offers {first}–{last} of {prices[0]}–{prices[-1]} ↕")
    other = grid.halves[1]
    if other.stop - other.first < other.whole:
        parts.append(f"rounds {other.first + 1}–{other.stop} of {other.whole} ↔")
    short = [f"{part.split(' of ')[0]} {part[-1]}" for part in parts]
    least = [f"{part[-1]} {part.split(' of ')[0].split(' ')[1]}" for part in parts]
    return [" · ".join(parts), " · ".join(short), " ".join(least)] if parts else []


def draw_policy_picture(canvas: Canvas, plan: Plan, cursor: Place, near: int | None = None) -> None:
    """Draw the plan of both cases, and its cursor, on any canvas."""
    grid, (row, column) = fit(plan, canvas.height, canvas.width, cursor, near), cursor
    (_draw_folded if folds(plan) else _draw_heads)(canvas, plan, grid, cursor)
    _draw_opening(canvas, plan, grid, row == 0)
    prices = [plan.scenario.prices[offer] for offer in on_table(plan)]
    found, T = _all(plan), plan.scenario.rounds
    for n, some in enumerate(grid.prices):
        y = grid.header + 1 + n
        marked = row - 1 in some
        both = f"{prices[some[0]]}–{prices[some[-1]]}"
        label = both if len(some) > 1 else str(prices[some[0]])
        if len(label) + 2 > grid.labels:
            label = f"{prices[some[0]]}–"
        if marked and grid.strip and len(label) + 2 < grid.labels:
            label = f"[{label}]"
            canvas.write(y, 0, label, "bold")
        else:
            canvas.write(y, 1, label[: grid.labels - 1], "bold" if marked else "faint")
        for half in grid.halves:
            base = 0 if half.opened else T - 1
            mine = marked and opened_at(plan.scenario, cursor) is half.opened
            if folds(plan) and half.opened:
                continue
            cells = _row(found, some, range(base + half.first, base + half.stop), grid)
            runs = groupby(cells, itemgetter(1))  # few writes: the picture is large
            parts = (("".join(text for text, _ in run), style) for style, run in runs)
            canvas.write_parts(y, half.x, parts)
            time = column - base
            if marked and folds(plan):
                mine, time = True, column if opened_at(plan.scenario, cursor) else time
            if mine and half.first <= time < half.stop:
                _mark(canvas, y, half.x + (time - half.first) * grid.cell, grid.cell)


def _row(found: _All, some: range, times: range, grid: Grid) -> list[tuple[str, str]]:
    """Return text and style of the cells of a row, as wide as the cells.

    All prices of the row have equal decisions. Where their coins differ a cell has no colour.
    """
    first, cell, cells = some.start, grid.cell, list[tuple[str, str]]()
    kinds = [(int(found.codes[t, first]), int(found.asked[t, first])) for t in times]
    colours = found.colours[:, some.start : some.stop]
    one = (colours == colours[:, :1]).all(axis=1)
    at = 0
    while at < len(kinds):
        end = _end(kinds, at, grid)
        (code, price), shown = kinds[at], times[at:end]
        plain = "faint" if code in {_NEVER, _UNTRIED} else "normal"
        coloured = [one[t] and plain == "normal" for t in shown]
        styles = [
            _style(colours[t, 0]) if heat else plain
            for t, heat in zip(shown, coloured, strict=True)
        ]
        if code == _ASKS and grid.strip:
            texts = _run(price, kinds[end - 1][1], end - at, cell)
        else:
            text = str(price) if code == _ASKS else _SIGNS[code]
            several = (code != _NEVER and len(text) + 1 < cell) * found.several[shown, first]
            texts = [f"{text}{MIXED * int(each)}".center(cell) for each in several]
        cells += zip(texts, styles, strict=True)
        at = end
    return cells


def _end(kinds: Sequence[tuple[int, int]], at: int, grid: Grid) -> int:
    """Return the end of the run from `at` on: equal decisions, or asks that drift."""
    end = slope = next((n for n in range(at, len(kinds)) if kinds[n] != kinds[at]), len(kinds))
    while grid.strip and slope < len(kinds):
        (code, price), (following, then) = kinds[slope - 1], kinds[slope]
        if not (code == following == _ASKS and abs(price - then) <= grid.slope):
            break
        slope += 1
    runs = groupby(kinds[at:slope])
    narrow = any(len([*run]) * grid.cell <= len(str(price)) for (_, price), run in runs)
    return slope if slope - at > 3 and narrow else end  # not every number has room


def _run(price: int, last: int, n: int, cell: int) -> list[str]:
    """Return the texts of `n` cells: the ask at the start of a run, of one that drifts both."""
    room, text, to = n * cell, str(price), str(last) * (last != price)
    fill = _SLOPE if to else "─"
    if room <= len(text):
        text = _SHORT_RUN.ljust(cell) * n
    elif to and room > len(text) + len(to):
        line = fill * (room - len(text) - len(to) - (cell > 1))
        text = f"{text}{line}{to}".ljust(room)
    else:
        text += fill * (room - len(text))
    return [text[at : at + cell] for at in range(0, room, cell)]


def place_at(
    plan: Plan, height: int, width: int, y: int, x: int, cursor: Place, near: int | None
) -> Place | None:
    """Return the place of a cell of the canvas; None beside all cells."""
    grid = fit(plan, height, width, cursor, near)
    n = y - grid.header - 1
    if n == -1:
        return 0, 0
    if not 0 <= n < len(grid.prices):
        return None
    for half in grid.halves:
        time = half.first + (x - half.x) // grid.cell
        if x >= half.x and time < half.stop:
            return 1 + grid.prices[n][0], time + (0 if half.opened else plan.scenario.rounds - 1)
    return None


def _draw_heads(canvas: Canvas, plan: Plan, grid: Grid, cursor: Place) -> None:
    """Draw who opens, and the rounds in which the role then decides."""
    other, T = plan.role.other, plan.scenario.rounds
    y = grid.header - 1
    if grid.header == 2:
        canvas.write(0, 1, "offer" * (grid.labels > 6), "faint")
        canvas.write(1, 1, "↓", "faint")
    else:
        canvas.write(0, 1, "round" * (grid.labels > 6), "faint")
    for half in grid.halves:
        shown = half.stop - half.first
        width = shown * grid.cell + (_GAP if half.opened else 0)
        texts = ["it opens, round", "it opens", "opens"]
        if not half.opened:
            texts = [
                f"the {other} opens, round",
                f"the {other} opens",
                f"{other} opens",
                f"{other}",
            ]
        pad = max(0, (min(grid.cell, 3) - 1) // 2)
        text = next(
            (each for each in texts if len(each) + pad < width), texts[-1][: max(0, width - 1)]
        )
        if grid.header == 2:
            canvas.write(0, half.x + pad, text, "normal")
        elif not half.opened:
            canvas.write(0, half.x - 1, "│", "faint")
        here = opened_at(plan.scenario, cursor) is half.opened and cursor[0] > 0
        time = cursor[1] - (0 if half.opened else T - 1)
        every = 1 if grid.cell > len(str(T)) else 5
        free = half.x
        for at in range(half.first, half.stop):
            number, marked = at + 1 + half.opened, here and at == time
            x = half.x + (at - half.first) * grid.cell
            text = str(number)
            if every > 1 and number % every and number != 1:
                continue
            if every > 1 and here and abs(at - time) * grid.cell <= len(text):
                continue
            if every == 1:
                canvas.write(y, x, text.center(grid.cell), "bold" if marked else "faint")
            elif x >= free and x + len(text) <= half.x + shown * grid.cell:
                canvas.write(y, x, text, "faint")
                free = x + len(text) + 1
        if every > 1 and here and half.first <= time < half.stop:
            text = str(time + 1 + half.opened)
            x = half.x + (time - half.first) * grid.cell
            canvas.write(y, x, text, "bold")


def _draw_folded(canvas: Canvas, plan: Plan, grid: Grid, cursor: Place) -> None:
    """Draw the rounds of both cases above each other: the same states serve both."""
    T, numbers = plan.scenario.rounds, grid.cell > len(str(plan.scenario.rounds))
    names = {True: "it opens", False: f"{plan.role.other} opens"}
    if grid.labels < 13:
        names = {
            True: "it opens"[: grid.labels - 2],
            False: str(plan.role.other)[: grid.labels - 2],
        }
    if grid.header == 1:
        names = {False: "round"}
    for y, half in enumerate(grid.halves[2 - grid.header :]):
        name = names[half.opened]
        here = opened_at(plan.scenario, cursor) is half.opened and cursor[0] > 0
        canvas.write(y, 1, name, "bold" if here else "faint")
        free = 0
        for at in range(half.first, half.stop):
            x = half.x + (at - half.first) * grid.cell
            number = at + 1 + half.opened
            mine = here and at == cursor[1] - (0 if half.opened else T - 1)
            style = "bold" if mine else "faint"
            if numbers:
                canvas.write(y, x, str(number).center(grid.cell), style)
            elif (number % 5 == 0 or number == 1) and x >= free:
                canvas.write(y, x, str(number), style)
                free = x + len(str(number)) + 1


def _draw_opening(canvas: Canvas, plan: Plan, grid: Grid, marked: bool) -> None:
    """Draw the opening offer."""
    y = grid.header
    word = "opening" if grid.labels >= 8 else "open"
    canvas.write(y, 1, word, "bold" if marked else "faint")
    text, style = opening(plan)
    x = max(grid.halves[0].x, len(word) + 2)
    width = max(grid.cell, len(text))
    if grid.cell < 3:
        canvas.write(
            y,
            x,
            f"[{text}]" if marked else f" {text} ",
            f"{style}-chosen" if marked and style.startswith("heat") else style,
        )
        return
    canvas.write(y, x, text.center(width), style)
    if marked:
        _mark(canvas, y, x, width)


def opening(plan: Plan) -> tuple[str, str]:
    code = int(_CODES[plan.kinds[START]])
    if code == _ASKS and plan.n_prices[START] > 1:
        code = _TIES
    if code in {_NEVER, _UNTRIED}:
        return _SIGNS[code], "faint"
    lowest = int(plan.lowest[START])
    text = str(plan.scenario.prices[lowest]) if code == _ASKS else _SIGNS[code]
    if not np.isnan(plan.chances[START]):
        text += MIXED
    return text, _style(int(_colours(plan, START)))


def _mark(canvas: Canvas, y: int, x: int, width: int) -> None:
    """Mark the cell of the cursor, with brackets if there is room."""
    cell = canvas.line(y)[x : x + width] if y < canvas.height else ""
    text = cell.strip()
    before = len(cell) - len(cell.lstrip())
    style = canvas.style_at(y, x + before) if text and y < canvas.height else "normal"
    marked = f"{style}-chosen" if style.startswith("heat") else "chosen"
    canvas.write(y, x, cell, marked)
    if width > len(text) + 1 or before:
        start = max(0, before - 1)
        canvas.write(y, x + start, f"[{text or ' '}]", marked)
    elif width > len(text):
        canvas.write(y, x - 1, f"[{text}]", marked)
