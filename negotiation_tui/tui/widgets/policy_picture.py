"""A plan as a picture: a row per price on the table, a column per round, a sign per decision.

Both cases stand side by side, at the same places at all times: the role opens, the other opens.
Where numbers do not fit a column per round, a number stands once for the rounds that it holds in.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.plan import Kind, Plan
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.runtime.text import first_fitting
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
    """The columns of one case, or of both if the same states serve both."""

    cases: tuple[bool, ...]  # true for the case that the role opens
    x: int
    times: range  # those that are shown
    total: int  # the number of all times


class Grid(NamedTuple):
    """The places of all cells."""

    labels: int
    cell: int
    halves: tuple[Half, ...]
    header: int  # rows above the opening
    prices: tuple[range, ...]  # the prices of each row that is shown, as rows of `on_table`
    total: int  # the number of all rows
    strip: bool  # true if numbers do not fit a cell
    slope: int  # asks of neighbouring rounds that differ by no more are drawn as one line


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


class _Decisions(NamedTuple):
    """Decisions in several states, as arrays of the shape of these states."""

    codes: NDArray[Any]
    asked: NDArray[Any]  # prices; −1 without one
    colours: NDArray[Any]  # −1 without values, in the plan of fixed rules
    several: NDArray[Any]


def _decisions(plan: Plan, states: NDArray[Any]) -> _Decisions:
    codes, values = _CODES[plan.kinds[states]], plan.values[states]
    codes[(codes == _ASKS) & (plan.n_prices[states] > 1)] = _TIES
    asked = np.where(codes == _ASKS, np.array(plan.scenario.prices)[plan.lowest[states]], -1)
    colours = np.where(np.isnan(values), -1, levels(values, most(plan.scenario)))
    return _Decisions(codes, asked, colours, ~np.isnan(plan.chances[states]))


@lru_cache(maxsize=8)
def _all(plan: Plan) -> _Decisions:
    """Return every decision of both cases, shape (2T − 1, prices)."""
    T = plan.scenario.rounds
    cases = [plan.states(opened)[: T - opened, on_table(plan)] for opened in (True, False)]
    return _decisions(plan, np.concatenate(cases))


def _style(code: int, colour: int) -> str:
    if code in {_NEVER, _UNTRIED}:
        return "faint"
    return "normal" if colour < 0 else f"heat{colour}"


def digits(scenario: Scenario) -> int:
    return max(len(str(price)) for price in (scenario.prices[0], scenario.prices[-1]))


def columns_needed(scenario: Scenario) -> int:
    """Return the columns of a plan with a number in each cell."""
    return 9 + (2 * scenario.rounds - 1) * max(3, digits(scenario) + 1) + _GAP


def _columns(scenario: Scenario, width: int, folded: bool) -> tuple[int, int, int, bool]:
    """Return columns of labels and of a cell, the rounds shown of a case, and if it is a strip."""
    T, longest = scenario.rounds, digits(scenario)
    columns, gap, labels = (T, 0, 14) if folded else (2 * T - 1, _GAP, 9)
    options = labels, 9 if folded else 8, max(5, longest + 2)
    for enough in (longest + 2, longest + 1):  # with room for brackets, or without
        for labels in options:
            cell = (width - labels - gap) // columns
            if cell >= enough:
                return labels, min(MOST_CELL, cell), T, False
    some = options if folded else options[1:]
    labels = next((each for each in some if width - each - gap >= columns), options[-1])
    cell = max(1, (width - labels - gap) // columns)
    return labels, cell, min(T, (width - labels - gap) // cell // (2 - folded)), True


def fit(plan: Plan, height: int, width: int, cursor: Place, near: int | None = None) -> Grid:
    """Return the places for a plan on a canvas; it scrolls to its cursor, or to a row near it."""
    game, (row, column) = plan.scenario, cursor
    T, folded = game.rounds, not (plan.opener_aware or game.opener_aware)
    labels, cell, rounds, strip = _columns(game, width, folded)
    opened = opened_at(game, cursor)
    at = 0 if row == 0 else column - _first(T, opened) + (opened and not folded)
    at = 0 if rounds >= T else min(at // max(1, rounds) * rounds, T - rounds)
    halves, x = [], labels
    for cases in ((True, False),) if folded else ((True,), (False,)):
        later = cases == (True,)  # the role that opened answers from round 2 on
        times = range(max(0, at - later), at + rounds - later)
        halves.append(Half(cases, x, times, T - later))
        x += (rounds - (later and rounds >= T)) * cell + _GAP  # the same on each page
    header = 2 if height >= 5 else 1
    room = max(1, height - header - 1)
    groups = _groups(plan, room)
    shown_row = near if row == 0 and near else row
    n = next((n for n, each in enumerate(groups) if shown_row - 1 in each), 0)
    first = min(n // room * room, max(0, len(groups) - room))
    shown, slope = groups[first : first + room], max(1, (game.prices[-1] - game.prices[0]) // 20)
    return Grid(labels, cell, (*halves,), header, shown, len(groups), strip, slope)


def _first(rounds: int, opened: bool) -> int:
    """Return the first column of a case."""
    return 0 if opened else rounds - 1


@lru_cache(maxsize=16)
def _groups(plan: Plan, room: int) -> tuple[range, ...]:
    """Return the prices of each row: one, or all with equal decisions if these rows then fit."""
    n, found = len(on_table(plan)), _all(plan)
    if n > room:
        new = np.zeros(n - 1, bool)
        for part in (found.codes, found.asked):
            new |= (part[:, 1:] != part[:, :-1]).any(axis=0)
        bounds = [0, *(1 + np.flatnonzero(new)).tolist(), n]
        if len(bounds) - 1 <= room:
            return tuple(range(a, b) for a, b in pairwise(bounds))
    return tuple(range(each, each + 1) for each in range(n))


def hidden_words(plan: Plan, grid: Grid) -> list[str]:
    """Say which prices and rounds are shown, if some are not; in long and short forms."""
    prices = [plan.scenario.prices[offer] for offer in on_table(plan)]
    first, last = prices[grid.prices[0][0]], prices[grid.prices[-1][-1]]
    parts, times = [], grid.halves[-1].times
    if len(grid.prices) < grid.total:
        parts.append(f"offers {first}–{last} of {prices[0]}–{prices[-1]} ↕")
    if len(times) < grid.halves[-1].total:
        parts.append(f"rounds {times.start + 1}–{times.stop} of {grid.halves[-1].total} ↔")
    short = [f"{part.split(' of ')[0]} {part[-1]}" for part in parts]
    least = [f"{part[-1]} {part.split(' of ')[0].split(' ')[1]}" for part in parts]
    return [" · ".join(parts), " · ".join(short), " ".join(least)] if parts else []


def draw_policy_picture(canvas: Canvas, plan: Plan, cursor: Place, near: int | None = None) -> None:
    """Draw the plan of both cases, and its cursor, on any canvas."""
    grid = fit(plan, canvas.height, canvas.width, cursor, near)
    row, column = cursor
    opened = opened_at(plan.scenario, cursor)
    time = column - _first(plan.scenario.rounds, opened)
    _draw_heads(canvas, plan, grid, (opened, time) if row else None)
    rows = _rows(plan, grid)
    for y, (label, parts) in enumerate(rows, grid.header):
        here = row - 1 in grid.prices[y - grid.header - 1] if y > grid.header else row == 0
        bracket = here and y > grid.header and grid.strip and len(label) + 2 < grid.labels
        canvas.write(
            y, 1 - bracket, f"[{label}]" if bracket else label, "bold" if here else "faint"
        )
        for x, text, style in parts:
            canvas.write(y, x, text, style)
        if not here or y >= canvas.height:
            continue
        if y == grid.header:
            x, text, _ = parts[0]
            _mark(canvas, y, x, len(text))
        for half in grid.halves if row else ():
            if opened in half.cases and time in half.times:
                _mark(canvas, y, half.x + (time - half.times.start) * grid.cell, grid.cell)


_Parts = list[tuple[int, str, str]]  # columns, texts and styles


@lru_cache(maxsize=8)
def _rows(plan: Plan, grid: Grid) -> list[tuple[str, _Parts]]:
    """Return the label and the parts of each row, first the opening, without a cursor."""
    found, T = _all(plan), plan.scenario.rounds
    prices = [plan.scenario.prices[offer] for offer in on_table(plan)]
    one = _decisions(plan, np.array([[START]]))
    code, asked, colour, several = (int(part[0, 0]) for part in one)
    label = "opening" if grid.labels >= 8 else "open"
    text = f"{asked if code == _ASKS else _SIGNS[code]}{MIXED * several}"
    width = max(grid.cell, len(text) + 2 * (grid.cell < 3))
    x = max(grid.labels, len(label) + 2)
    rows = [(label, [(x, text.center(width), _style(code, colour))])]
    for some in grid.prices:
        label = "–".join(f"{prices[each]}" for each in dict.fromkeys((some[0], some[-1])))
        if len(label) + 2 > grid.labels:
            label = f"{prices[some[0]]}–"[: grid.labels - 1]
        parts: _Parts = []
        for half in grid.halves:
            x, first = half.x, _first(T, half.cases[-1])
            times = range(first + half.times.start, first + half.times.stop)
            cells = _cells(found, some, times, grid)
            for style, run in groupby(cells, itemgetter(1)):  # few writes: the picture is large
                text = "".join(text for text, _ in run)
                parts.append((x, text, style))
                x += len(text)
        rows.append((label, parts))
    return rows


def _cells(found: _Decisions, some: range, times: range, grid: Grid) -> Iterator[tuple[str, str]]:
    """Yield text and style of the cells of a row, as wide as the cells.

    All prices of the row have equal decisions. Where their coins differ a cell has no colour.
    """
    part = slice(times.start, times.stop), slice(some.start, some.stop)
    codes, asked, several = (each[part][:, 0].tolist() for each in (found[0], found[1], found[3]))
    colours = found.colours[part]
    heat = np.where((colours == colours[:, :1]).all(axis=1), colours[:, 0], -1).tolist()
    at, cell = 0, grid.cell
    for price, last, n in _runs([*zip(codes, asked, strict=True)], grid):
        if price >= 0 and grid.strip:
            line = _line(price, last, n * cell, cell)
            texts = [line[x : x + cell] for x in range(0, n * cell, cell)]
        else:
            text = str(price) if price >= 0 else _SIGNS[codes[at]]
            mixed = MIXED * (codes[at] != _NEVER and len(text) + 1 < cell)
            texts = [(text + mixed * each).center(cell) for each in several[at : at + n]]
        for text in texts:
            yield text, _style(codes[at], heat[at])
            at += 1


def _runs(kinds: list[tuple[int, int]], grid: Grid) -> Iterator[tuple[int, int, int]]:
    """Yield the first and last price and the length of each run of equal decisions.

    Asks that drift are one run if not every number has room.
    """
    runs, at = [(price, len([*run]), code) for (code, price), run in groupby(kinds)], 0
    while at < len(runs):
        stop, n, narrow = at, 0, False
        while True:
            price, length, _ = runs[stop]
            n, narrow, stop = n + length, narrow or length * grid.cell <= len(str(price)), stop + 1
            drifts = stop < len(runs) and min(price, runs[stop][0]) >= 0 and grid.strip
            if not drifts or abs(price - runs[stop][0]) > grid.slope:
                break
        if n <= 3 or not narrow:
            stop, n = at + 1, runs[at][1]
        yield runs[at][0], runs[stop - 1][0], n
        at = stop


def _line(price: int, last: int, room: int, cell: int) -> str:
    """Return the text of a run: the ask at its start, of one that drifts also that at its end."""
    text, to = str(price), str(last) * (last != price)
    if room <= len(text):
        return _SHORT_RUN.ljust(cell) * (room // cell)
    if to and room > len(text) + len(to):
        return (text + _SLOPE * (room - len(text) - len(to) - (cell > 1)) + to).ljust(room)
    return text + (_SLOPE if to else "─") * (room - len(text))


def place_at(
    plan: Plan, height: int, width: int, y: int, x: int, cursor: Place, near: int | None
) -> Place | None:
    """Return the place of a cell of the canvas; None beside all cells."""
    grid = fit(plan, height, width, cursor, near)
    n, T = y - grid.header - 1, plan.scenario.rounds
    if n == -1:
        return 0, 0
    if not 0 <= n < len(grid.prices):
        return None
    for half in grid.halves:
        time = half.times.start + (x - half.x) // grid.cell
        if time in half.times:
            opened = half.cases[0] and time < T - 1
            return 1 + grid.prices[n][0], time + _first(T, opened)
    return None


def _draw_heads(canvas: Canvas, plan: Plan, grid: Grid, chosen: tuple[bool, int] | None) -> None:
    """Draw the names of both cases, and the rounds in which the role then decides.

    The rounds are above each other if the same states serve both cases.
    """
    labels, bold = ["offer", "↓"] if grid.header == 2 else ["round"], -1
    for half in grid.halves:
        for y, opened in enumerate(half.cases, grid.header - len(half.cases)):
            here = chosen[1] if chosen and chosen[0] is opened else None
            _draw_rounds(canvas, y, half, grid.cell, opened, here)
            if grid.header == 1:
                canvas.write(0, half.x - 1, "│" * (half.x > grid.labels), "faint")
            elif len(half.cases) > 1:
                labels[y] = _case(plan.role.other, opened, grid.labels - 2)
                bold = y if here is not None else bold
            else:
                x = half.x + (min(grid.cell, 3) - 1) // 2
                room = half.x + len(half.times) * grid.cell + _GAP * opened - x - 1
                canvas.write(0, x, _case(plan.role.other, opened, room))
    for y, text in enumerate(labels):
        shown = text if len(text) + 1 < grid.labels else ""
        canvas.write(y, 1, shown, "bold" if y == bold else "faint")


def _case(other: Role, opened: bool, room: int) -> str:
    texts: tuple[str, ...] = ("it opens, round", "it opens", "opens")
    if not opened:
        texts = f"the {other} opens, round", f"the {other} opens", f"{other} opens", f"{other}"
    return first_fitting(texts, room, texts[-1][: max(0, room)])


def _draw_rounds(
    canvas: Canvas, y: int, half: Half, cell: int, opened: bool, chosen: int | None
) -> None:
    """Draw the numbers of rounds: all, or each fifth and that of the time chosen."""
    every = 1 if cell > len(str(half.total + opened)) else 5
    end = min(canvas.width, half.x + len(half.times) * cell + 1)  # a blank is left in the gap
    for at, time in enumerate(half.times):
        number, x = time + 1 + opened, half.x + at * cell
        if number > half.total + (len(half.cases) == 1) * opened:
            break  # the role that opened has no answer after the last round
        text, apart = str(number), abs(time - (time if chosen is None else chosen)) * cell
        if every == 1:
            canvas.write(y, x, text.center(cell), "bold" if time == chosen else "faint")
        elif time == chosen or (
            (number % every == 0 or number == 1)
            and (chosen is None or apart > len(text))
            and x + len(text) <= end
        ):
            canvas.write(y, x, text, "bold" if time == chosen else "faint")


def _mark(canvas: Canvas, y: int, x: int, width: int) -> None:
    """Mark the cell of the cursor, with brackets if there is room."""
    cell = canvas.line(y)[x : x + width]
    text, before = cell.strip(), len(cell) - len(cell.lstrip())
    style = canvas.style_at(y, min(x, canvas.width - 1))
    style = f"{style}-chosen" if style.startswith("heat") else "chosen"
    canvas.write(y, x, cell, style)
    start = before - 1 if before else 0 if width > len(text) + 1 else -1
    if width > len(text):
        canvas.write(y, x + start, f"[{text or ' '}]", style)
