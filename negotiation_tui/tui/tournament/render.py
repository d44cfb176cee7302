"""Draw the screen of a contest. Pure."""

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
from negotiation_tui.tui.tournament.runs import draw_runs


def _draw_details(canvas: Canvas, model: Model, pane: int) -> None:
    _DETAILS[model.contest.name][1](canvas, model, pane)


PANES: dict[int, Callable[[Canvas, Model, int], None]] = {
    LEADERBOARD: draw_leaderboard,
    MATRIX: draw_heat_map,
    PAIRING: _draw_details,
}
"""The function that draws each pane, by its number from 1, without a gap."""
_DETAILS = {"tournament": ("Pairing", draw_pairing), "league": ("Runs", draw_runs)}
"""The last pane of each contest."""


def render(model: Model) -> Canvas:
    """Return the whole screen, in the size of the model."""
    names = {LEADERBOARD: "Leaderboard", MATRIX: "Heat map"}
    names[PAIRING] = _DETAILS[model.contest.name][0]
    lines: dict[str, Callable[[Canvas, Model], None]] = {
        "title": _draw_title,
        "strip": partial(draw_strip, names=names),
        "footer": _draw_footer,
    }
    return draw_screen(model, PANES, lines, ABOUT[model.contest.name])


def _draw_title(canvas: Canvas, model: Model) -> None:
    """Draw the scenario, the entrants and the progress, as far as they fit."""
    played, contest = model.latest, model.contest
    done, total = len(played.rows), len(contest.jobs)
    state = (
        f"▶ {done:,} of {total:,} {contest.unit}"
        if model.running
        else f"‖ paused at {done:,} of {total:,}"
    )
    if model.running and played.notice:
        state = f"{done:,} of {total:,}, {played.notice}"
    if played.finished:
        state = f"done: {total:,} {contest.unit}"
    name = contest.about[0]
    choices = (
        ("negotiation-tui", contest.name, *contest.about),
        (contest.name, *contest.about),
        (contest.name, name),
        (name,),
    )
    draw_title_line(canvas, state, choices)


def _draw_footer(canvas: Canvas, model: Model) -> None:
    draw_footer_line(canvas, map(model.keys.footer, model.keys))
