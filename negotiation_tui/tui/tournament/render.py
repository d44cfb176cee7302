"""Draw the screen of a contest: both lists, the chosen pair, and the lines around. Pure."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from negotiation_tui.contest.contest import CellKey, matrix, short_number
from negotiation_tui.contest.league import AT_LEAST, entrants_in, is_bound
from negotiation_tui.contest.tournament import StrategyContest, last_game
from negotiation_tui.experiments.sweep import IF_OPENS, Sweep, difference, estimate, form_of
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.run import train_command
from negotiation_tui.runtime.estimate import Rate, with_error
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
from negotiation_tui.tui.toolkit.boxes import HELP, HELP_BOX, Box
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.layout import PRICE_HEIGHT
from negotiation_tui.tui.toolkit.paned import Pane, View, draw_heading
from negotiation_tui.tui.toolkit.theme import heat
from negotiation_tui.tui.tournament.model import (
    CELLS,
    ENDINGS,
    LEADERBOARD,
    MATRIX,
    PAIRING,
    Model,
    names_of,
)
from negotiation_tui.tui.widgets import ribbon
from negotiation_tui.tui.widgets.heat_map import HeatMap, draw_cells
from negotiation_tui.tui.widgets.price_bar import PriceBarView, draw_bars, draw_price_bar
from negotiation_tui.tui.widgets.ranked_list import HEADER, Title, draw_standings, list_lines
from negotiation_tui.tui.widgets.words import percent, time_left

_SHORT = {"learning_rate": "α", "discount_rate": "γ", "exploration_start": "ε start"}
_SHORT |= {"exploration_end": "ε end", "exploration_decay": "ε decay"}
_NAME = 40  # characters of the longest name in the sentence
_LOW = 8  # rows from which the command that repeats a run stands above the runs
_MEANS_ONLY = "limits are hidden: coins are means over limits, so no endings are counted"
_RIBBON = 7  # most rows of the ribbon with its heading
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
    axes, orders, measure = (
        model.grid.axes,
        model.in_order,
        model.grid.measures[model.measure_index],
    )
    values = matrix(axes, model.latest.cells, measure, model.at_page)
    numbers = [value for row in values for value in row if value is not None]
    low, high = _heat_heading(canvas, model, pane, numbers)

    def in_room(side: int, room: int) -> list[str]:
        names = names_of(axes[side], room)
        return [names[axes[side][n]] for n in orders[side]]

    def drawn(row: int, column: int, width: int) -> tuple[str, str]:
        row, column = orders[0][row], orders[1][column]
        key, value = (axes[0][row], axes[1][column], *model.at_page), values[row][column]
        mark = "◆" * (key == model.baseline)
        if value is None:
            result = model.latest.cells.get(key)
            sign = "·" if result is None else "–" if result["refused"] is None else "×"
            return mark + sign, "faint"
        share = (value - low) / (high - low) if high > low else 0.5
        return mark + short_number(value, width - 1, measure.percent), heat(share)

    row, column = (order.index(n) for order, n in zip(orders, model.marked, strict=True))
    names = partial(in_room, 0), partial(in_room, 1)
    draw_cells(canvas, HeatMap(*names, drawn, (row, column), numbered=not model.sweep))


def _heat_heading(
    canvas: Canvas, model: Model, pane: int, numbers: Sequence[float]
) -> tuple[float, float]:
    """Draw the measure, the names of both sides and the ends of the colours; return the ends."""
    measure = model.grid.measures[model.measure_index]
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 0.0)
    ends = " to ".join(short_number(end, 6, measure.percent) for end in (low, high))
    title = measure.title[0].upper() + measure.title[1:]
    span, sides = ends if numbers else "nothing known yet", _sides(model)
    draw_heading(canvas, model, pane, title, " · ".join(filter(None, [sides[0], span])), *sides)
    return low, high


def _sides(model: Model) -> list[str]:
    """Return the chosen page with the names of rows and columns: in full, as symbols, alone."""
    page = [*zip(model.sweep.paged, model.at_page, strict=True)] if model.sweep else []
    arrows = [(side, arrow) for side, arrow in zip(model.grid.sides, "↓→", strict=True) if side]

    def words(name: Callable[[str], str], *pairs: tuple[str, str]) -> str:
        return " ".join(f"{name(side)} {text}" for side, text in pairs)

    def short(name: str) -> str:
        return _SHORT.get(name, name)

    pages = [words(name, *page) for name in (str, short)]
    sides = [words(name, *arrows) for name in (str, short)]
    both = [" · ".join(filter(None, each)) for each in zip(pages, sides, strict=True)]
    return [*both, *filter(None, [pages[1]])]


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


def draw_endings(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the number of runs by what the seller gets if it opens, and if the buyer opens."""
    ends = model.endings
    runs, roles = plural(ends.total, "run") if ends else "no run yet", ends.roles if ends else ()
    sides = " ".join(f"{role} {arrow}" for role, arrow in zip(roles, "↓→", strict=False))
    draw_heading(canvas, model, pane, "Endings", f"{sides} · {runs}".strip("· "), sides or runs)
    if ends is None or not ends.total:
        reason = "no run has tables" if ends else "not trained yet"
        reason = _MEANS_ONLY if ends and ends.hidden else reason
        for y, line in enumerate(textwrap.wrap(reason, max(20, canvas.width - 2)), 1):
            canvas.write(y, 1, line, "faint")
        return
    (down, across), counts, at = ends.axes, ends.counts, model.chosen_ending
    most, both = max(counts.values()), len(ends.roles) > 1

    def drawn(row: int, column: int, _width: int) -> tuple[str, str]:
        place, count = (row, column), counts[row, column]
        mark = "▲" * (place in ends.theory)
        return f"{mark}{count or '·'}", heat(count / most) if count else "faint"

    opens = "it, or the buyer, opens" if both else f"the {ends.roles[0]} opens"
    notes = ["▲ theory"] * bool(ends.theory) + [f"coins of the seller if {opens}"]
    missing = len((model.cell or {"runs": ()})["runs"]) - ends.total
    notes += [f"{plural(missing, 'run')} without tables"] * bool(missing)
    lines = textwrap.wrap(" · ".join(notes), canvas.width - 2)
    least = max(4, max(map(len, across)) + 2)
    table = HeatMap(
        lambda _: down, lambda _: across, drawn, at, model.chosen == ENDINGS, least=least
    )
    area = canvas.rows(0, max(canvas.height - len(lines), min(canvas.height, HEADER + len(down))))
    for y, line in enumerate(lines, draw_cells(area, table)):
        canvas.write(y, 1, line, "faint")


def draw_cell(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the means of the chosen cell, less those of the marked one, and a column per seed."""
    sweep, cell, width = model.sweep, model.cell, canvas.width - 2
    assert sweep
    whole, first = int(model.job.scenario.origin.width), model.job.seed
    count = min(sweep.runs, max(1, ribbon.room_of(canvas.width, whole)))
    note = f"of {plural(sweep.runs, 'run')}"
    below = f"{note}, below the seeds {first} to {first + count - 1}"
    draw_heading(
        canvas, model, pane, words_of_cell(sweep, model.key), *[below] * (count < sweep.runs), note
    )
    if cell is None:
        canvas.write(1, 1, "not trained yet", "faint")
        return
    marked = model.baseline if model.baseline != model.key else None
    less = model.latest.cells.get(marked) if marked else None
    means = {
        each: with_error(estimate(cell, each.name), form_of(each.name)) for each in sweep.measures
    }
    lines = [fitting((f"{each.title} {mean}" for each, mean in means.items()), width)]
    if less is not None:
        rows = [("", "this cell", "less ◆, by seed", "")]
        for (name, title, *_), mean in means.items():
            found, form = difference(cell, less, name), form_of(name)
            if found is not None:
                carries = abs(found.mean) > found.error  # that of one seed is infinite
                gap = f"{found.mean:+{form}} ± {found.error:{form}}".replace("-", "−")
                rows.append((title, mean, gap, "carries" if carries else "may be chance"))
        lines = table(rows, "<", ">", ">", "<", width=width)
    for y, line in enumerate(lines[: canvas.height - 1], 1):
        canvas.write(y, 1, line, "bold" if "carries" in line else "normal")
    canvas.tell("state", f"{words_of_cell(sweep, model.key)}: {lines[0]}")
    top = 1 + len(lines)
    games = games_of(cell, whole, first, count)
    if games and canvas.height - top >= 2:
        unit = ribbon.AxisUnit("seed", first, "never", lasts=False)
        seeds = ribbon.Past(games, whole, count, 1, ((), ()), unit)
        ribbon.draw_ribbon(canvas.rows(top, min(canvas.height, top + _RIBBON)), seeds)


def games_of(cell: ResultRow, whole: int, first: int, count: int) -> list[ribbon.Game]:
    """Return the games of `count` seeds: what the seller expects of the `whole` if either opens."""
    return [
        ribbon.Game((n, 0), False, role, "learned", False, 0, (coins, whole - coins))
        for row in cell["runs"].values()
        if (n := row["seed"] - first + 1) <= count
        for role, name in zip(Role, IF_OPENS, strict=True)
        if (coins := row.get(name)) is not None
    ]


def words_of_cell(sweep: Sweep, key: CellKey) -> str:
    """Return the settings of a cell in words."""
    sides = (*sweep.sides, *sweep.paged)
    return ", ".join(f"{side} {value}" for side, value in zip(sides, key, strict=True) if side) or (
        sweep.jobs[0].scenario.name
    )


def _changes(model: Model) -> Iterator[tuple[float, str]]:
    """Yield the changes of NashConv along each side through the cell, if an interval carries it."""
    grid, cells, key = model.grid, model.latest.cells, model.key
    for axis, (side, names) in enumerate(zip(grid.sides, grid.axes, strict=True)):
        ends = [(*key[:axis], name, *key[axis + 1 :]) for name in (names[0], names[-1])]
        if len(names) < 2 or not all(end in cells for end in ends):
            continue
        first, last = (cells[end] for end in ends)
        gap = difference(last, first, "nash_conv")
        if gap and abs(gap.mean) > gap.error:
            near = "nearer to" if gap.mean < 0 else "farther from"
            change = " → ".join(short_number(cell["nash_conv"], 3) for cell in (first, last))
            text = f"{side} {names[0]} → {names[-1]}: {near} equilibrium, NashConv {change}"
            yield abs(gap.mean), text


def sweep_sentence(model: Model) -> str:
    """Say the greatest change through the chosen cell, and where its trainings end."""
    cell, ends = model.cell, model.endings
    if cell is None:
        return "No run is done yet." if model.running else f"Press {model.keys['run']}."
    parts = [text for _, text in sorted(_changes(model), reverse=True)[:1]]
    if ends and ends.total:
        (place, count), *others = ends.counts.most_common(2)
        rate = Rate(count, ends.total)
        second = Rate(others[0][1] if others else 0, ends.total)
        if ends.total > 1 and rate.bounds[0] > second.bounds[1]:
            one, *other = ends.named(place)
            where = f"{one}, whoever opens" if [one] == other else " and ".join([one, *other])
            parts += [f"{100 * count / ends.total:.0f}% end at {where}"]
        else:
            parts += [f"{plural(len(ends.counts), 'ending')}"]
    parts = parts or [f"NashConv {with_error(estimate(cell, 'nash_conv'), '.2f')}"]
    return f"{'; '.join(parts)}."


def _title(model: Model) -> Title:
    """Return the progress with the time left, and the scenario and entrants in several lengths."""
    played, contest = model.latest, model.grid
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
    if model.sweep:
        return sweep_sentence(model)
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


def _instead(model: Model) -> dict[int, Pane[Model]]:
    if model.sweep:
        return {
            CELLS: ("Cells", draw_heat_map),
            ENDINGS: ("Endings", draw_endings),
            PAIRING: ("Cell", draw_cell),
        }
    return {PAIRING: ("Runs", draw_runs)} if model.grid.name == "league" else {}


RUN_LIST = "runs"  # name of the box that lists the runs of a cell


def _run_lines(model: Model) -> list[str]:
    """Return a line per run of the chosen cell or ending."""
    rows = dict(zip(model.latest.numbers, model.latest.rows, strict=True))
    return [_run_line(model, n, rows.get(n)) for n in model.numbers] or ["no run ends here"]


def _run_line(model: Model, number: int, row: ResultRow | None) -> str:
    job = model.grid.jobs[number]
    parts = [f"seed {job.seed}"]
    if not model.sweep:
        parts += [job.scenario.name, f"seller {entrants_in(job)[0]}"]
    if row is None:
        return "   ".join([*parts, "not trained yet"])
    if (conv := row["nash_conv"]) is not None:
        parts += [f"NashConv {conv:.4f}"]
    gains = zip(("it", "the buyer"), IF_OPENS, strict=True)
    got = [f"{money(row[name])} if {who} opens" for who, name in gains if row.get(name) is not None]
    parts += [f"seller gets {', '.join(got)}"] * bool(got)
    return "   ".join(parts)


def choose_run(model: Model) -> Model:
    number = dict(enumerate(model.numbers)).get(model.modal_row)
    return replace(model, modal=None, opens=number)


_RUNS: Box[Model] = Box(
    lambda model: (
        "Runs of "
        + (words_of_cell(model.sweep, model.key) if model.sweep else " and ".join(model.pair))
    ),
    _run_lines,
    choose=choose_run,
    does="↑↓ choose · Enter opens it at its end",
    marks=True,
)

VIEW = View(
    {
        LEADERBOARD: ("Leaderboard", draw_leaderboard),
        MATRIX: ("Heat map", draw_heat_map),
        PAIRING: ("Pairing", draw_pairing),
    },
    list_lines(_title, sentence),
    {HELP: HELP_BOX, RUN_LIST: _RUNS},
    instead=_instead,
)
render = VIEW.render
