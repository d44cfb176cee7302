"""The panes of the whole market: its room, leaderboard, prices and wallets."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.market import economics, ranking
from negotiation_tui.market.ranking import longest_names
from negotiation_tui.market.setup import MarketSetup
from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.runtime.arrays import Ints
from negotiation_tui.runtime.text import abbreviate, plural, split_width
from negotiation_tui.tui.market.model import LEADERBOARD, ROOM, Model
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.chart import draw_axes, draw_counts
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.ranked_list import HEADER, Column, Line, draw_ranked_list
from negotiation_tui.tui.widgets.words import short, signed

_NAME = 12
"""Width that a name in the room gets, if it needs it; without that room no names are drawn."""
SELLER, _BUYER, EVEN, NONE = range(4)
_STYLES = ("seller", "buyer", "normal", "faint")
_DEALS = ("seller-mark", "buyer-mark", "title", "faint")
_AHEAD = "the seller ahead", "the buyer ahead", "even", ""
_ARROWS = {SELLER: ("◀", " "), _BUYER: (" ", "▶"), EVEN: ("=", "=")}
_WIDE = 76  # columns with room for the longest tally
_COLUMNS = {
    "surplus": ("gain", 9, "gain (surplus)"),
    "money": ("money", 9, "money"),
    "each": ("each", 7, "gain per negotiation"),
    "deals": ("deals", 8, "deals"),
    "met": ("of", 8, "negotiations"),
}
"""The title and the least width of each column of numbers, and the name of the order by it."""
TITLES = {"name": "name"} | {name: title for name, (_, _, title) in _COLUMNS.items()}
"""The names of the sort orders."""
_SHADES = " ░▒▓█"
_SHARES = (0.0, 0.05, 0.25, 0.5)
"""Share of a column's deals above which each shade is drawn."""
_SPOKEN = 6  # most stretches of the history in words
_WIDEST = 4  # most columns for one row of the history: a first tick does not fill the chart
_MOST = 40  # greatest number of columns of a histogram


class RoomGrid(NamedTuple):
    """The grid of the sellers' cells in the room; a seller always has the same cell."""

    columns: int
    rows: int
    cell: int
    name: int  # width of a seller's name; 0 without room for names
    first: int  # the seller of the first visible cell


def grid_of(model: Model) -> RoomGrid | None:
    """Return the page of cells with the followed seller; None if the room is not on the screen."""
    area, snapshot = model.area_of(ROOM), model.here
    if area is None:
        return None
    setup, width = snapshot.setup, area.width - 1
    rows = max(1, area.height - HEADER)
    digits = _digits(setup)
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
    page = columns * rows
    return RoomGrid(columns, rows, cell, name, max(0, seller_at_hand(model)) // page * page)


def _digits(setup: MarketSetup) -> int:
    return max(len(str(price)) for price in (setup.scenario.prices[0], setup.scenario.prices[-1]))


def seller_at_hand(model: Model) -> int:
    """Return the seller whose cell is marked; −1 if the followed buyer has no partner."""
    snapshot, followed = model.here, model.followed
    if snapshot.setup.agents[followed].role is Role.SELLER:
        return followed
    at = snapshot.encounter_of(followed)
    return -1 if at is None else int(snapshot.encounters.sellers[at])


def standing(snapshot: MarketSnapshot, visible: Ints) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Return three arrays with an entry per encounter: standing offer, side ahead, agreed.

    The offer is an index of the prices, −1 for none. The side ahead would have the greater surplus
    at that price: SELLER, _BUYER, EVEN if both have the same, NONE without a price.
    """
    prices, agreed = snapshot.encounters.after(visible)
    grid, setup = np.array(snapshot.setup.scenario.prices), snapshot.setup
    price = grid[np.maximum(prices, 0)]
    offer = np.maximum(np.minimum(visible, snapshot.encounters.n_turns) - 1 - agreed, 0)
    left = (np.array(each)[offer] for each in setup.scenario.time_factors)
    of_seller = (price - setup.reservation[snapshot.encounters.sellers]) * next(left)
    of_buyer = (setup.reservation[snapshot.encounters.buyers] - price) * next(left)
    ahead = np.where(of_seller > of_buyer, SELLER, np.where(of_seller < of_buyer, _BUYER, EVEN))
    return prices, np.where(prices < 0, NONE, ahead), agreed


def draw_room(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a cell per seller such as `seller-1 ◀4  buyer-2`; the arrow points to the side ahead."""
    snapshot, visible, grid = model.here, model.visible, grid_of(model)
    assert grid
    setup, meetings = snapshot.setup, snapshot.encounters
    prices, ahead, agreed = standing(snapshot, visible)
    over = visible >= meetings.n_turns
    last = min(setup.sellers, grid.first + grid.columns * grid.rows)
    page = f" · sample: tick {snapshot.tick:,}" * model.free_running
    if last - grid.first < setup.sellers:
        page += f" · sellers {grid.first + 1:,}–{last:,} of {setup.sellers:,}"
    pairs = plural(len(meetings), "pair")
    draw_heading(canvas, model, pane, "Room", f"{pairs}{page}", pairs)
    quits = int((over & (ahead == NONE)).sum())
    _draw_tally(canvas, np.bincount(ahead, minlength=4).tolist(), quits, int(agreed.sum()))
    at = np.full(setup.sellers, -1)
    at[meetings.sellers] = np.arange(len(meetings))
    marked, digits = seller_at_hand(model), _digits(setup)
    told: list[str] = []
    canvas.tell("field", "room", f"{snapshot.tick}")
    for number in range(grid.first, last):
        y, x = divmod(number - grid.first, grid.columns)
        cell = canvas.subcanvas(Rect(HEADER + y, x * grid.cell, 1, grid.cell - 1))
        mark, seller = "▸" * (number == marked), setup.agents[number].name
        cell.write(0, 0, mark, "bold")
        name = f"{abbreviate(seller, grid.name):>{grid.name}}"
        k, name = int(at[number]), name if grid.name else ""
        if k < 0:  # without a partner, or in a negotiation that was not watched
            busy = int(snapshot.free_at[number]) > snapshot.tick
            doing = "negotiates …" if busy else "waits" if snapshot.tick else ""
            cell.write(0, 1, f"{name} {doing}" if name else "…" if busy else "·", "faint")
            told.append(f"{mark}{seller} {doing}")
            continue
        side, price = int(ahead[k]), "×" if over[k] else ""
        if prices[k] >= 0:
            price = str(setup.scenario.prices[prices[k]])
        buyer = setup.agents[int(meetings.buyers[k])].name
        ended = "deal" if agreed[k] else "no deal" if over[k] else ""
        told.append(f"{mark}{seller} and {buyer}  {price.strip('×')}  {_AHEAD[side]}  {ended}")
        left, right = _ARROWS.get(side, (" ", " "))
        cell.write(0, 1, name, "seller")
        x = 2 + len(name) if name else 1
        style = (_DEALS if agreed[k] else _STYLES)[side]
        cell.write(0, x, f"{left}{price:^{digits}}{right}", style)
        if name:
            x += digits + 3
            cell.write(0, x, abbreviate(buyer, cell.width - x), "buyer")
    canvas.tell("pane", canvas.rows(1, 2), *told)


def _draw_tally(canvas: Canvas, counts: list[int], quits: int, deals: int) -> None:
    """Draw the number of pairs of each kind, in the colours and signs of the cells."""
    x, ahead = 1, " ahead" if canvas.width >= _WIDE else ""
    for text, style in (
        (f"◀ {plural(counts[SELLER], 'seller')}{ahead}", "seller"),
        (f"▶ {plural(counts[_BUYER], 'buyer')}{ahead}", "buyer"),
        (f"= {counts[EVEN]:,} even", "normal"),
        (f"× {quits:,} no deal", "faint"),
        (plural(deals, "deal"), "faint"),
    ):
        if x + len(text) > canvas.width:
            break
        canvas.write(1, x, text, style)
        x += len(text) + 3


def page(model: Model) -> tuple[int, int | None]:
    """Return the rows of a page of the leaderboard, and the place of the marked entry.

    Until the user picks an entry, only one on the first page is marked.
    """
    area = model.area_of(LEADERBOARD)
    rows = max(1, area.height - HEADER) if area else 1
    places = np.flatnonzero(model.ranked == model.marked).tolist()
    if not places or (model.picked is None and places[0] >= rows):
        return rows, None
    return rows, places[0]


def draw_leaderboard(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a line per entry of the page, with a mark at the chosen one."""
    ranked, sort, setup = model.ranked, ranking.ORDERS[model.sort_index], model.latest.setup
    title = "Leaderboard"
    if model.search or model.typing:
        title += f" /{abbreviate(model.search, canvas.width // 2)}{'_' * model.typing}"
    by, shown = f"by {TITLES[sort]}", f"{model.filter}, " if model.filter != "all" else ""
    draw_heading(canvas, model, pane, title, f"{shown}{len(ranked):,} {by}", by)
    if not len(ranked):
        text = "no entries: {filter} changes the filter, {search} and Enter end the search"
        canvas.write(1, 1, model.keys.format(text), "faint")
        return
    values, columns = ranking.values(model.accounts), []
    canvas.tell("field", "leaderboard", f"{model.accounts.tick}")
    for name, (heading, width, _) in _COLUMNS.items():
        numbers = values[name]
        ends = np.fmin.reduce(numbers), np.fmax.reduce(numbers)
        widest = max(width, *(len(_number(name, end)) + 2 for end in ends))
        columns.append(Column(heading, widest, name == sort))
    longest = max(*longest_names(setup), *map(len, setup.teams))
    way = ranking.longest_learner(setup)
    names = Column("who", 1 + longest + (2 + way if way else 0), sort == "name")

    def line(place: int) -> Line:
        return _line(setup, values, place, int(ranked[place]))

    draw_ranked_list(canvas, names, columns, len(ranked), line, page(model)[1], abbreviate)


def _line(setup: MarketSetup, values: dict[str, NDArray[Any]], place: int, entry: int) -> Line:
    """Return the line of an agent or a team."""
    rank = f"{place + 1:,}"
    numbers = [_number(name, values[name][entry]) for name in _COLUMNS]
    if entry >= len(setup.agents):
        return Line(rank, setup.teams[entry - len(setup.agents)], numbers, "bold", ["a team"])
    agent = setup.agents[entry]
    plays = "" if agent.strategy == LEARNED else short(agent.strategy)
    brief = plays.partition(":")[0] if learns(agent.strategy) else plays
    beside = [plays, brief]
    if agent.team:
        beside = [*(f"{words}  in {agent.team}".lstrip() for words in beside), brief]
    return Line(rank, agent.name, numbers, str(agent.role), beside)


def _number(column: str, value: float) -> str:
    if column == "each":
        return "–" if np.isnan(value) else f"{value:,.2f}"
    return signed(int(value)) if column == "money" else f"{round(value):,}"


def draw_prices(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a column per stretch of ticks: darker for more deals; ● is their mean."""
    snapshot = model.accounts
    setup, result = snapshot.setup, _last_row(snapshot)
    prices, stretches = setup.scenario.prices, min(_SPOKEN, max(1, len(snapshot.sold)))
    means = (economics.mean_price(prices, each) for each in columns(snapshot.sold, stretches))
    told = ", ".join("no deals" if mean is None else f"{mean:.2f}" for mean in means)
    canvas.tell("pane", f"mean prices from tick 1 to {snapshot.tick:,}: {told}", result)
    canvas.tell("field", "prices", f"{snapshot.tick}")
    theory = f"◂ theory {competitive(setup)}"
    notes = f"● mean, ░▒▓█ more deals, {theory} (competitive)", f"● mean, {theory}", theory
    draw_heading(canvas, model, pane, "Prices per tick", *() if model.guesses else notes)
    axis = _digits(setup) + 2
    height, width = canvas.height - 3, canvas.width - axis - 3
    if height < 2 or width < 2:
        canvas.write(1, 1, result, "faint")
        return

    def row(price: float) -> int:
        share = (prices[-1] - price) / (prices[-1] - prices[0])
        return round(min(max(share, 0.0), 1.0) * (height - 1))

    labels = prices if len(prices) <= height else (prices[0], prices[-1])
    draw_axes(canvas, axis, 1 + height, width, [(1 + row(price), str(price)) for price in labels])
    drawn, area = columns(snapshot.sold, width), Rect(1, axis + 1, height, width)
    _draw_deals(canvas.subcanvas(area), drawn, setup, np.array([row(price) for price in prices]))
    for n in np.flatnonzero(drawn.any(1)).tolist():
        mean = economics.mean_price(prices, drawn[n])
        canvas.write(1 + row(mean or 0.0), axis + 1 + n, "●", "bold")
    for price in () if model.guesses else setup.competitive:
        canvas.write(1 + row(price), canvas.width - 2, "◂", "bold")
    first, last = "tick 1", f"{snapshot.tick:,}"
    canvas.write(2 + height, axis + 1, first, "faint")
    x = axis + 3 + len(first)
    if snapshot.tick > 1:  # below the last column
        end = max(x, axis + 1 + len(drawn) - len(last))
        canvas.write(2 + height, end, last, "faint")
        if end - x < len(result) + 2:
            x = end + len(last) + 2
    if x + len(result) < canvas.width:
        canvas.write(2 + height, x, result, "faint")


def competitive(setup: MarketSetup) -> str:
    """Return the competitive price, or the prices between which it lies."""
    low, high = setup.competitive
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def columns(sold: Ints, width: int) -> Ints:
    """Sum the rows of deals per price into at most `width` columns, each of as many rows."""
    rows = len(sold)
    if rows <= width:
        return np.repeat(sold, min(_WIDEST, width // max(1, rows)), axis=0)
    return np.add.reduceat(sold, np.arange(0, rows, -(-rows // width)), axis=0)


def _draw_deals(canvas: Canvas, sold: Ints, setup: MarketSetup, rows: Ints) -> None:
    """Draw each column's deals as shades; `rows` are those of the prices."""
    counts = np.zeros((canvas.height, len(sold)))
    np.add.at(counts, rows, sold.T)
    levels = (counts[..., None] / np.maximum(1, sold.sum(1))[:, None] > _SHARES).sum(-1)
    low, high = setup.competitive
    for y in range(canvas.height):
        nearest = len(rows) - 1 - int(np.argmin(np.abs(rows[::-1] - y)))
        # A price above the competitive ones favours the sellers, below them the buyers.
        price = setup.scenario.prices[nearest]
        style = "buyer" if price < low else "seller" if price > high else "normal"
        canvas.write(y, 0, "".join(_SHADES[level] for level in levels[rows[nearest]]), style)


def _last_row(snapshot: MarketSnapshot) -> str:
    """Describe the deals in the last row of the history."""
    prices, sold = snapshot.setup.scenario.prices, snapshot.sold
    last = sold[-1] if len(sold) else np.zeros(len(prices), np.int64)
    mean, spread = economics.mean_price(prices, last), economics.dispersion(prices, last)
    if mean is None or spread is None:
        return "last: no deals" if sold.any() else "no deals yet"
    return f"last {mean:.2f} ± {spread:.2f}"


def draw_histogram(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a histogram of the wallets of the sellers, the buyers and, if any, the teams."""
    snapshot, setup = model.accounts, model.accounts.setup
    note = f"money after {plural(snapshot.tick, 'tick')}"
    draw_heading(canvas, model, pane, "Wallets", note)
    alone = np.where(setup.in_team, -1, setup.wallet_index)
    wallets = {str(role): alone[setup.of_role(role)] for role in Role}
    wallets["team"] = np.unique(setup.wallet_index[setup.in_team])
    groups = {name: snapshot.wallets[members[members >= 0]] for name, members in wallets.items()}
    groups = {name: money for name, money in groups.items() if len(money)}
    rows = (canvas.height - 1) // len(groups)
    for n, (name, money) in enumerate(groups.items()):
        part = canvas.subcanvas(Rect(1 + n * rows, 0, rows, canvas.width))
        _draw_group(part, name, "bold" if name == "team" else name, money)


def _draw_group(canvas: Canvas, name: str, style: str, money: Ints) -> None:
    """Draw a label, the columns and the ends of the scale."""
    who, low, high = plural(len(money), name), int(money.min()), int(money.max())
    mean = f"mean {money.mean():+,.1f}".replace("-", "−")
    canvas.tell("pane", f"{who}  {mean}  from {signed(low)} to {signed(high)}")
    canvas.write(0, 1, who, style)
    if low == high:
        canvas.write(0, 3 + len(who), f"{'each ' * (len(money) > 1)}{signed(low)}")
        return
    canvas.write(0, 3 + len(who), mean)
    width, height = canvas.width - 2, canvas.height - 2
    if height < 1:
        canvas.write_right(0, f"{signed(low)} … {signed(high)} ", "faint")
        return
    counts = histogram(money, width)
    right = 1 + width // len(counts) * len(counts)
    draw_counts(canvas, Rect(1, 1, height, right - 1), counts.tolist(), style)
    canvas.write_right(0, f"most {int(counts.max()):,} ", "faint")
    canvas.write(1 + height, 1, signed(low), "faint")
    x = max(len(signed(low)) + 3, right - len(signed(high)))
    canvas.write(1 + height, x, signed(high), "faint")


def histogram(money: Ints, width: int) -> Ints:
    """Count the wallets per bin, with as many bins as fit the width.

    All bins have the same size, so the last may reach beyond the greatest amount; bins of
    different sizes would draw false peaks.
    """
    most = width // -(-width // _MOST)
    low, amounts = int(money.min()), int(money.max() - money.min()) + 1
    each = -(-amounts // most)
    return np.bincount((money - low) // each, minlength=-(-amounts // each))
