"""The lines around the panes: title and footer; and the box on top."""

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.tui.negotiation.keys import REFUSED
from negotiation_tui.tui.negotiation.menus import CHOOSES, ENDS, MENUS
from negotiation_tui.tui.negotiation.modals import ABOUT, first_row, modal_lines, title
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.words import player
from negotiation_tui.tui.toolkit import boxes
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.help_box import HELP, draw_help
from negotiation_tui.tui.widgets.words import game

_WIDE = 100
"""Columns from which the title has room for a word before the cycle."""


def draw_title(canvas: Canvas, model: Model) -> None:
    """Draw scenario, strategies, seed and pace; parts that do not fit are left out."""
    snapshot = model.snapshot
    seats = " · ".join(f"{role} {player(snapshot, role)}" for role in Role)
    name = game(snapshot.scenario)
    program = "negotiation-tui"
    seed = f"seed {snapshot.seed}"
    if snapshot.recording:
        program = f"replay of {snapshot.recording}"
    opener = "openers alternate" if model.opener is Opener.ALTERNATE else f"{model.opener} opens"
    choices = (
        (program, name, seats, opener, seed),
        (program, name, seats, seed),
        (name, seats, seed),
        (name, seats),
        (seats,),
        (name,),
    )
    boxes.draw_title_line(canvas, _state(model), choices)


def draw_state(canvas: Canvas, model: Model) -> None:
    """Draw the state at the right end of the title: pace, pause, or distance from the present."""
    canvas.write_right(0, f" {_state(model)} ", "title")


def _state(model: Model) -> str:
    """Return the state: pace, pause, or distance from the present."""
    sign = "▶" if model.running else "‖" if model.live or model.origin else "◀"
    if model.origin:
        return f"{sign} what if"
    if model.past.shown:
        line = model.past.shown.course
        return f"{sign} past: {line.named(line.now)}"
    if model.place is not None:
        return f"{sign} {model.steps_back:,} back"
    if model.latest.score is not None:
        return f"you are the {model.latest.score.role}"
    return _pace(model, sign)


def _pace(model: Model, sign: str) -> str:
    """Return the pace, or the pause."""
    pace = model.pace.text
    if model.latest.recording:
        return f"{sign} replay ({pace})"
    sample = model.playback is not None and not model.playback.negotiation.test
    if model.snapshot.finished and not model.pace.seen and not sample:
        pace = "testing"
    if model.pace.directed and model.running:
        parameters = model.latest.parameters
        done = model.latest.negotiations // parameters.episodes
        word = "  cycle" if model.width >= _WIDE else ""
        return f"{sign} {pace}{word} {done:,}/{parameters.cycles:,}"
    return f"{sign} {pace}" if model.running else f"{sign} paused ({pace})"


def draw_footer(canvas: Canvas, model: Model) -> None:
    """Draw the most important keys."""
    refused = set(REFUSED if model.latest.recording else ())
    if not model.snapshot.scenario.hidden:
        refused.add("limits")
    rows = [row for row in model.keys if row.command not in refused]
    hints = [model.keys.footer(row, model.human_playing) for row in rows]
    boxes.draw_footer_line(canvas, hints)


def draw_modal(canvas: Canvas, model: Model) -> None:
    """Draw the box on top of the panes, if there is one."""
    name = model.modal
    if name is None:
        return
    if name == HELP:
        draw_help(canvas, model, ABOUT)
        return
    lines, first = modal_lines(model), first_row(model, model.modal_row)
    menu = name in MENUS
    ends = model.keys.format(ENDS.get(name, CHOOSES if menu else "{close} closes"))
    boxes.draw_box(canvas, title(model), lines, first, ends, model.modal_row if menu else None)
