"""Draw the tournament screen. Pure."""

from collections.abc import Callable
from functools import partial

from negotiation_tui.tui.toolkit.boxes import draw_footer_line, draw_title_line
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_screen
from negotiation_tui.tui.toolkit.strip import draw_strip
from negotiation_tui.tui.tournament.heat_map import draw_heat_map
from negotiation_tui.tui.tournament.help import ABOUT
from negotiation_tui.tui.tournament.layout import LEADERBOARD, MATRIX, PAIRING
from negotiation_tui.tui.tournament.leaderboard import draw_leaderboard
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.pairing import draw_pairing

PANES: dict[int, Callable[[Canvas, Model, int], None]] = {
    LEADERBOARD: draw_leaderboard,
    MATRIX: draw_heat_map,
    PAIRING: draw_pairing,
}
"""The function that draws each pane, by its number from 1, without a gap."""
NAMES = {LEADERBOARD: "Leaderboard", MATRIX: "Heat map", PAIRING: "Pairing"}
"""The name of each pane in the strip."""


def render(model: Model) -> Canvas:
    """Return the whole screen, in the size of the model."""
    lines: dict[str, Callable[[Canvas, Model], None]] = {
        "title": _draw_title,
        "strip": partial(draw_strip, names=NAMES),
        "footer": _draw_footer,
    }
    return draw_screen(model, PANES, lines, ABOUT)


def _draw_title(canvas: Canvas, model: Model) -> None:
    """Draw the scenario, the entrants and the progress, as far as they fit."""
    played, first = model.latest, model.latest.pairings[0]
    done, total = len(played.rows), len(played.pairings)
    state = (
        f"▶ {done:,} of {total:,} pairings"
        if model.running
        else f"‖ paused at {done:,} of {total:,}"
    )
    if model.running and played.notice:
        state = f"{done:,} of {total:,}, {played.notice}"
    if played.finished:
        state = f"done: {total:,} pairings"
    scenario = first.scenario
    name = f"{scenario.name} {scenario.n_prices}×{scenario.rounds}"
    number, seed = f"{len(played.entrants)} entrants", f"seed {first.seed}"
    choices = (
        ("negotiation-tui", "tournament", name, number, seed),
        ("tournament", name, number, seed),
        ("tournament", name),
        (name,),
    )
    draw_title_line(canvas, state, choices)


def _draw_footer(canvas: Canvas, model: Model) -> None:
    draw_footer_line(canvas, map(model.keys.footer, model.keys))
