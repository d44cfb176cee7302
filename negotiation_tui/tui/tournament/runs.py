"""The runs of two learners: one line per seed."""

import textwrap

from negotiation_tui.contest.league_standings import AT_LEAST, is_bound
from negotiation_tui.players.run import train_command
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import between, fitting, plural, table
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.tournament.model import Model

_HEAD = ("game", "seed", "seller", "NashConv", "close after", "seller gets", "buyer gets", "deals")


def draw_runs(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw both names, the means, the command of the first run, and every run."""
    one, other = model.pair
    runs = [row for row in model.latest.rows if {row["seller"], row["buyer"]} == {one, other}]
    heading = f"{one} with {'itself' if one == other else other}"
    draw_heading(canvas, model, pane, heading, plural(len(runs), "run"))
    cell = model.cell
    if cell is None:
        canvas.write(1, 1, "not trained yet", "faint")
        return
    refused = f"cannot be trained: {cell['refused']}"
    conv = "NashConv at most" if any(map(is_bound, runs)) else "NashConv"
    first = _means(cell, one, conv, canvas.width - 1) if cell["refused"] is None else refused
    lines = [first, *textwrap.wrap(train_command(model.job), max(20, canvas.width - 2))]
    played = [row for row in runs if row["refused"] is None]
    if played:
        lines += table([_HEAD, *map(_cells, played)], "<", ">", "<", ">1")
    for y, line in enumerate(lines[: canvas.height - 1], 1):
        canvas.write(y, 1, line, "normal" if y == 1 else "faint")


def _means(cell: Row, one: str, conv: str, width: int) -> str:
    """Return the means of the runs, as far as they fit, the most important first."""
    parts = [f"{conv} {cell['nash_conv']:.4f}", f"{cell['close']:.0%} close to equilibrium"]
    if cell["reached"] is not None:
        parts += [f"after {cell['reached']:,.0f} episodes"]
    parts += [f"{one} gets {cell['share']:.0%}", f"deals {cell['deals']:.0%}"]
    return fitting([*parts, f"{cell['seconds']:.2f} s of a processor"], width)


def _cells(row: Row) -> tuple[str, ...]:
    reached = "never" if row["reached"] is None else f"{row['reached']:,}"
    values = (f"{row[name]:.3f}" for name in ("share_seller", "share_buyer", "deals"))
    most = row["nash_conv"]
    seed, nash_conv = str(row["seed"]), between(row[AT_LEAST] if is_bound(row) else most, most, 4)
    return row["scenario"], seed, row["seller"], nash_conv, reached, *values
