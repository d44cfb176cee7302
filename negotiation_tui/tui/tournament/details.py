"""The chosen pair: the last negotiation of two strategies, or the runs of two learners."""

import textwrap

from negotiation_tui.contest.league import AT_LEAST, is_bound
from negotiation_tui.contest.tournament import StrategyContest, last_game
from negotiation_tui.game.negotiation import Transcript, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.run import train_command
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import between, fitting, plural, shortened, table
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.layout import PRICE_HEIGHT
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.widgets.price_bar import PriceBarView, draw_bars, draw_price_bar

_HEAD = ("game", "seed", "seller", "NashConv", "close after", "seller gets", "buyer gets", "deals")


def draw_details(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw both names and the results of the chosen pair."""
    (one, other), row, contest = model.pair, model.cell, model.contest
    pairing = isinstance(contest, StrategyContest)
    runs = [each for each in model.latest.rows if {each["seller"], each["buyer"]} == {one, other}]
    if isinstance(contest, StrategyContest):
        game, verb = last_game(contest.jobs[0], contest.negotiations), "played"
        limits = " (limits {} and {})".format(*game.reservation_values) if game.lottery else ""
        negotiations = plural(contest.negotiations, "negotiation")
        notes = f"the last of {negotiations}{limits}", negotiations
        draw_heading(canvas, model, pane, f"seller {one} · buyer {other}", *notes)
    else:
        heading, verb = f"{one} with {'itself' if one == other else other}", "trained"
        draw_heading(canvas, model, pane, heading, plural(len(runs), "run"))
    if row is None:
        canvas.write(1, 1, f"not {verb} yet", "faint")
    elif row["refused"] is not None and pairing:
        text = f"cannot be {verb}: {row['refused']}"
        for y, line in enumerate(textwrap.wrap(text, max(20, canvas.width - 2)), 1):
            canvas.write(y, 1, line)
    elif isinstance(contest, StrategyContest):
        canvas.write(1, 1, _results(row, canvas.width - 1))
        view = PriceBarView(transcript_of(row["sample"], game))
        if canvas.height > PRICE_HEIGHT:
            draw_price_bar(canvas.rows(1, canvas.height), view)
        elif canvas.height == PRICE_HEIGHT:
            draw_bars(canvas, view)
        else:
            opener, _, turns = row["sample"].partition(": ")
            text = f"last{limits}: the {opener} opens {turns}"
            canvas.write(2, 1, shortened(text, canvas.width - 2), "faint")
    else:
        _draw_runs(canvas, model, row, runs)


def transcript_of(sample: str, game: Scenario) -> Transcript:
    """Parse a negotiation such as `seller: 5 3 accept`, played in a game."""
    opener, _, turns = sample.partition(": ")
    closing = {"accept": game.accept, "quit": game.walk_away}
    actions = iter(
        [closing[t] if t in closing else game.prices.index(int(t)) for t in turns.split()]
    )
    return play_out(game, Role.of(opener), lambda _: next(actions))


def _results(row: Row, width: int) -> str:
    """Return the results of a pairing, as far as they fit, the most important first."""
    possible = f" of {row['possible']:,} possible" if "possible" in row else ""
    parts = [f"deals {row['deal_share']:.0%}{possible}"]
    if row.get("efficiency") is not None:
        parts += [f"{row['efficiency']:.0%} of the possible surplus"]
    if row["deals"]:
        parts += [f"mean price {row['mean_price']:.2f}"]
        if row["share_seller"] is not None:
            parts += [f"seller gets {row['share_seller']:.0%}"]
        parts += [f"{row['mean_rounds']:.1f} rounds"]
        if row["spe_gap"] is not None:
            parts += [f"{row['spe_gap']:.2f} off theory"]
    gains = f"{row['reward_seller']:.2f} and {row['reward_buyer']:.2f}"
    return fitting([*parts, f"gains {gains} (rewards)"], width)


def _draw_runs(canvas: Canvas, model: Model, cell: Row, runs: list[Row]) -> None:
    """Draw the means of the runs, the command that repeats the first, and a line per seed."""
    if cell["refused"] is None:
        conv = "NashConv at most" if any(map(is_bound, runs)) else "NashConv"
        parts = [f"{conv} {cell['nash_conv']:.4f}", f"{cell['close']:.0%} close to equilibrium"]
        if cell["reached"] is not None:
            parts += [f"after {cell['reached']:,.0f} episodes"]
        parts += [f"{model.pair[0]} gets {cell['share']:.0%}", f"deals {cell['deals']:.0%}"]
        parts += [f"{cell['seconds']:.2f} s of a processor"]
        first = fitting(parts, canvas.width - 1)
    else:
        first = f"cannot be trained: {cell['refused']}"
    lines = [first, *textwrap.wrap(train_command(model.job), max(20, canvas.width - 2))]
    played = [row for row in runs if row["refused"] is None]
    if played:
        lines += table([_HEAD, *map(_cells, played)], "<", ">", "<", ">1")
    for y, line in enumerate(lines[: canvas.height - 1], 1):
        canvas.write(y, 1, line, "normal" if y == 1 else "faint")


def _cells(row: Row) -> tuple[str, ...]:
    reached = "never" if row["reached"] is None else f"{row['reached']:,}"
    values = (f"{row[name]:.3f}" for name in ("share_seller", "share_buyer", "deals"))
    most = row["nash_conv"]
    seed, nash_conv = str(row["seed"]), between(row[AT_LEAST] if is_bound(row) else most, most, 4)
    return row["scenario"], seed, row["seller"], nash_conv, reached, *values
