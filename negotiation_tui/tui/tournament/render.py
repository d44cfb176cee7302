"""Draw the screen of a contest: both lists, the chosen pair, and the lines around. Pure."""

import textwrap
from collections.abc import Sequence

from negotiation_tui.contest.contest import matrix, short_number
from negotiation_tui.contest.league import AT_LEAST, is_bound
from negotiation_tui.contest.tournament import StrategyContest, last_game
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.run import train_command
from negotiation_tui.runtime.estimate import Rate
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.text import (
    between,
    clip,
    coins,
    fitting,
    joined,
    money,
    plural,
    shortened,
    table,
)
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.layout import PRICE_HEIGHT
from negotiation_tui.tui.toolkit.paned import View, draw_heading
from negotiation_tui.tui.toolkit.theme import LEVELS
from negotiation_tui.tui.tournament.model import (
    HIGHEST_CELL,
    LEADERBOARD,
    MATRIX,
    PAIRING,
    Model,
    names_of,
)
from negotiation_tui.tui.widgets.price_bar import PriceBarView, draw_bars, draw_price_bar
from negotiation_tui.tui.widgets.ranked_list import (
    HEADER,
    Title,
    draw_standings,
    first_shown,
    list_lines,
)
from negotiation_tui.tui.widgets.words import percent, time_left

_CELL, _NUMBERED, _NAMED = 4, 8, 12
"""Least width of a cell; greatest below a number; least and greatest below a name."""
_WIDEST = 26
_LABEL = 15  # columns that the names of rows get, if they need them, before all columns fit
_NAME = 40  # characters of the longest name in the sentence
_LOW = 8  # rows from which the command that repeats a run stands above the runs
_HEAD = ("game", "seed", "seller", "NashConv", "close after", "seller gets", "buyer gets", "deals")


def draw_leaderboard(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a line per entrant of the page, with a mark at the chosen row."""
    by, longest = f"by {model.order.sort}", max(map(len, names_of(model.entrants).values()))
    draw_heading(canvas, model, pane, "Leaderboard", f"{model.contest.scores}, {by}", by)

    def shorten(name: str, room: int) -> str:
        return names_of(model.entrants, room)[name]

    ranking = model.standings, model.contest.columns, model.order
    at, coins = model.ranking.index(model.marked[0]), coins_in_game(model)
    draw_standings(canvas, *ranking, at, longest, shorten, coins)


def draw_heat_map(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the page of the matrix with the chosen pair: numbers on colours."""
    names, order = model.entrants, model.ranking
    measure = model.contest.measures[model.measure_index]
    values = matrix(names, model.latest.cells, measure)
    numbers = [value for row in values for value in row if value is not None]
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 0.0)
    ends = " to ".join(short_number(end, 6, measure.percent) for end in (low, high))
    sides = "{} ↓ {} →".format(*model.contest.sides)
    title = measure.title[0].upper() + measure.title[1:]
    span = ends if numbers else "nothing known yet"
    draw_heading(canvas, model, pane, title, f"{sides} · {span}", sides)

    total, digits = len(names), len(str(len(names)))
    longest = max(map(len, names_of(names).values()))
    label = min(longest + digits + 4, max(_LABEL, canvas.width - _CELL * total))
    cell = (canvas.width - label) // total
    named = cell >= min(_NAMED, longest + digits + 2)
    cell = max(_CELL, min(cell, min(_WIDEST, longest + digits + 2) if named else _NUMBERED))
    columns = min(total, (canvas.width - label) // cell)
    if columns < total:  # room for the sign that there are more
        columns = max(1, (canvas.width - label - 1) // cell)
    height = max(1, min(HIGHEST_CELL, (canvas.height - HEADER) // total))
    rows = min(total, max(1, (canvas.height - HEADER) // height))
    at = order.index(model.marked[0]), order.index(model.marked[1])
    top, left = first_shown(at[0], rows, total), first_shown(at[1], columns, total)

    def drawn(row: int, column: int) -> tuple[str, str]:
        """Return the text of a cell and its style."""
        value = values[row][column]
        if value is None:
            result = model.latest.cells.get((names[row], names[column]))
            return "·" if result is None else "–" if result["refused"] is None else "×", "faint"
        share = (value - low) / (high - low) if high > low else 0.5
        level = min(LEVELS - 1, int(share * LEVELS))
        return short_number(value, cell - 1, measure.percent), f"heat{level}"

    for n in range(left, left + columns):
        name = f" {names_of(names, cell - 2 - digits)[names[order[n]]]}" if named else ""
        text, end = f"{n + 1}{name}", label + (n - left + 1) * cell
        canvas.write(1, end - len(text), text, "chosen" if n == at[1] else "buyer")
    canvas.write(1, 0, "↑" * (top > 0) + "↓" * (top + rows < total), "faint")
    if left:
        canvas.write(1, label - 1, "←", "faint")
    if left + columns < total:
        canvas.write(1, min(canvas.width - 1, label + columns * cell), "→")
    for row in range(top, top + rows):
        line = canvas.rows(HEADER + (row - top) * height, HEADER + (row - top + 1) * height)
        middle = (height - 1) // 2
        name = names_of(names, label - 2 - digits)[names[order[row]]]
        mark, style = ("▸", "bold") if row == at[0] else (" ", "seller")
        line.write(middle, 0, f"{mark}{row + 1:>{digits}} {name}", style)
        for column in range(left, left + columns):
            text, style = drawn(order[row], order[column])
            style = "title" if (row, column) == at else style
            for y in range(height):
                shown = text if y == middle else ""
                line.write(y, label + (column - left) * cell, f"{shown:>{cell}}", style)


def draw_pairing(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the results of two strategies, and their last negotiation."""
    contest = model.contest
    assert isinstance(contest, StrategyContest)
    seller, buyer = map(names_of(model.entrants).__getitem__, model.pair)
    row = model.cell
    game = last_game(contest.jobs[0], contest.negotiations)
    limits = " (limits {} and {})".format(*game.reservation_values) if game.lottery else ""
    many = plural(contest.negotiations, "negotiation")
    notes = f"the last of {many}{limits}", many
    draw_heading(canvas, model, pane, f"seller {seller} · buyer {buyer}", *notes)
    if row is None:
        canvas.write(1, 1, "not played yet", "faint")
        return
    if row["refused"] is not None:
        text = f"cannot be played: {row['refused']}"
        for y, line in enumerate(textwrap.wrap(text, max(20, canvas.width - 2)), 1):
            canvas.write(y, 1, line)
        return
    canvas.write(1, 1, text := _results(row, coins_in_game(model), canvas.width - 2))
    canvas.tell("state", f"seller {seller}, buyer {buyer}: {text}")
    view = PriceBarView(transcript_of(row["sample"], game))
    if model.zoomed:
        canvas.write(2, 1, _shares(row, canvas.width - 2), "faint")
        canvas = canvas.rows(1, canvas.height)
    if canvas.height > PRICE_HEIGHT:
        draw_price_bar(canvas.rows(1, canvas.height), view)
    elif canvas.height == PRICE_HEIGHT:
        draw_bars(canvas, view)
    else:
        opener, _, turns = row["sample"].partition(": ")
        text = f"last{limits}: the {opener} opens {turns}"
        canvas.write(2, 1, shortened(text, canvas.width - 2), "faint")


def coins_in_game(model: Model) -> int:
    """Return what there is to divide in a game, in the money of the price: a reward of 1."""
    return model.contest.jobs[0].scenario.origin.width


def transcript_of(sample: str, game: Scenario) -> Transcript:
    """Parse a negotiation such as `seller: 5 3 accept`, played in a game."""
    opener, _, turns = sample.partition(": ")
    closing = {"accept": game.accept, "quit": game.walk_away}
    actions = [closing[t] if t in closing else game.prices.index(int(t)) for t in turns.split()]
    return Transcript.of(game, Role.of(opener), actions)


def _results(row: ResultRow, whole: int, width: int) -> str:
    """Return the results of a pairing, as far as they fit, the most important first.

    `whole` is what there is to divide, in coins.
    """
    possible = f" of {row['possible']:,} possible" if "possible" in row else ""
    seller, buyer = (money(row[f"reward_{role}"] * whole) for role in Role)
    parts = [f"per game seller {seller}, buyer {buyer} coins"]
    parts += [f"deals {percent(row['deal_share'])}{possible}"]
    if row["deals"]:
        parts += [f"price {row['mean_price']:.2f}", f"{row['mean_rounds']:.1f} rounds"]
    if row["spe_gap"] is not None:
        parts += [f"{row['spe_gap']:.2f} off theory"]
    return fitting(parts, width)


def _shares(row: ResultRow, width: int) -> str:
    """Return rewards and shares of the surplus, for the page of a pairing alone."""
    parts = ["rewards {:.2f} and {:.2f}".format(*(row[f"reward_{role}"] for role in Role))]
    if row["share_seller"] is not None:
        parts += [f"seller gets {percent(row['share_seller'])} of the surplus"]
    if row.get("efficiency") is not None:
        parts += [f"{percent(row['efficiency'])} of the possible surplus"]
    return fitting(parts, width)


def draw_runs(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the means of the runs of two learners, a line per seed, and the command of the first."""
    (one, other), cell, width = model.pair, model.cell, canvas.width - 2
    runs = [each for each in model.latest.rows if {each["seller"], each["buyer"]} == {one, other}]
    heading = f"{one} with {'itself' if one == other else other}"
    draw_heading(canvas, model, pane, heading, plural(len(runs), "run"))
    if cell is None:
        canvas.write(1, 1, "not trained yet", "faint")
        return
    if cell["refused"] is None:
        conv = "NashConv at most" if any(map(is_bound, runs)) else "NashConv"
        close = Rate(round(cell["close"] * cell["runs"]), cell["runs"])
        parts = [f"{conv} {cell['nash_conv']:.4f}", f"close to equilibrium {close}"]
        if cell["reached"] is not None:
            parts += [f"after {cell['reached']:,.0f} episodes"]
        parts += [f"{one} gets {percent(cell['share'])}", f"deals {percent(cell['deals'])}"]
        first = fitting([*parts, f"{cell['seconds']:.2f} s of a processor"], width)
    else:
        first = f"cannot be trained: {cell['refused']}"
    command = textwrap.wrap(train_command(model.job), max(20, width))
    played = [_HEAD, *(_cells(row) for row in runs if row["refused"] is None)]
    lines = table(played, "<", ">", "<", ">1", width=width) if len(played) > 1 else []
    lines = [*command, *lines] if canvas.height >= _LOW else [*lines, *command]
    canvas.tell("state", f"{heading}: {first}")
    for y, line in enumerate([first, *lines][: canvas.height - 1], 1):
        canvas.write(y, 1, line, "normal" if y == 1 else "faint")


def _cells(row: ResultRow) -> tuple[str, ...]:
    reached = "never" if row["reached"] is None else f"{row['reached']:,}"
    values = (f"{row[name]:.3f}" for name in ("share_seller", "share_buyer", "deals"))
    most = row["nash_conv"]
    seed, nash_conv = str(row["seed"]), between(row[AT_LEAST] if is_bound(row) else most, most, 4)
    return row["scenario"], seed, row["seller"], nash_conv, reached, *values


def _title(model: Model) -> Title:
    """Return the progress with the time left, and the scenario and entrants in several lengths."""
    played, contest = model.latest, model.contest
    far = f"{len(played.rows):,} of {len(contest.jobs):,}"
    left = "" if played.seconds_left is None else f", {time_left(played.seconds_left)}"
    state = f"‖ paused at {far}"
    if played.finished:
        state = f"done: {len(contest.jobs):,} {contest.unit}"
    elif model.running and played.notice:
        state = f"{far}{left}, {played.notice}"
    elif model.running:
        state = f"▶ {far} {contest.unit}{left}"
    name, whole = contest.about[0], (contest.name, *contest.about)
    return state, (("negotiation-tui", *whole), whole, (contest.name, name), (name,))


def sentence(model: Model) -> str:
    """Say who leads or has won, and by how much."""
    played, contest = model.latest, model.contest
    board = [each for each in played.leaderboard if each.rank is not None]
    if not board:
        text = f"The {contest.name} {'has no result' if played.finished else 'begins'}."
        return text if model.running or played.finished else f"{text} Press {model.keys['run']}."
    called = names_of(model.entrants)
    names = [_brief(called[each.name], [*called.values()]) for each in board]
    ties = sum(each.rank == 1 for each in board)
    who = joined(names[:ties] if ties < 4 else [names[0], f"{ties - 1} others"])
    verb = ("win" if played.finished else "lead") + "s" * (ties == 1)
    scores = [contest.columns[0].value(each) for each in board]
    second = ties < len(board)
    if contest.name == "league":
        how = f"{scores[0]:.4f} still to gain"
        how += f", {names[ties]} {scores[ties]:.4f}" if second else ""
    else:
        whole = coins_in_game(model)
        how = f"{money(scores[0] * whole)} of {coins(whole)} per game"
        ahead = money((scores[0] - scores[ties]) * whole) if second else "0"
        how += f", {ahead} more than {names[ties]}" if ahead != "0" else ""
    return f"{who} {verb}: {how}."


def _brief(name: str, entrants: Sequence[str]) -> str:
    """Leave the settings out of a name if no other entrant is called so."""
    stem = name.partition(":")[0]
    alike = [other for other in entrants if other.partition(":")[0] == stem]
    return stem if len(alike) == 1 else clip(name, _NAME)


VIEW = View(
    {
        LEADERBOARD: ("Leaderboard", draw_leaderboard),
        MATRIX: ("Heat map", draw_heat_map),
        PAIRING: ("Pairing", draw_pairing),
    },
    list_lines(_title, sentence),
    instead=lambda model: {PAIRING: ("Runs", draw_runs)} if model.contest.name == "league" else {},
)
render = VIEW.render
