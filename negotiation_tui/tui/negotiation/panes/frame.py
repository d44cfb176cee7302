"""The lines around the panes: title and footer."""

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.tui.negotiation.keys import FOCUS, IN_PAST, IN_PLAY, REFUSED
from negotiation_tui.tui.negotiation.layout import FOCUS_HEIGHT
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.words import player
from negotiation_tui.tui.toolkit import boxes
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.keys import Hint


def draw_title(canvas: Canvas, model: Model) -> None:
    """Draw game, seats, cycle and pace; parts that do not fit are left out."""
    snapshot, scenario = model.snapshot, model.snapshot.scenario
    seats = tuple(f"{role}: {player(snapshot, role)}" for role in Role)
    program = f"replay of {snapshot.recording}" if snapshot.recording else "negotiation-tui"
    prices = f"prices {scenario.prices[0]} to {scenario.prices[-1]}"
    game = f"{prices}, {scenario.rounds} rounds" + ", hidden limits" * scenario.hidden
    name = f"{scenario.name}, opener-aware" if scenario.opener_aware else scenario.name
    opener = "openers alternate" if model.opener is Opener.ALTERNATE else f"{model.opener} opens"
    details = (name, opener, f"seed {snapshot.seed}")
    choices = (
        (program, game, *seats, *details),
        (program, game, *seats),
        (game, *seats),
        (prices, *seats),
        seats,
        (prices,),
    )
    boxes.draw_title_line(canvas, _state(model), choices)


def draw_state(canvas: Canvas, model: Model) -> None:
    """Draw the state at the right end of the title: pace, pause, or distance from the present."""
    canvas.write_right(0, f" {_state(model)} ", "title")


def _state(model: Model) -> str:
    """Return the cycle, then pace, pause, or distance from the present."""
    parameters = model.latest.parameters
    if model.place is not None or model.past.shown or model.origin or model.latest.score:
        return _doing(model)
    done = f"{model.latest.negotiations // parameters.episodes:,}"
    of = " of " if model.width >= boxes.WIDE else "/"
    return f"cycle {done}{of}{parameters.cycles:,}  {_doing(model)}"


def _doing(model: Model) -> str:
    """Return the pace, the pause, the distance from the present, or the seat of a person."""
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
    if model.running:
        return f"{sign} {pace}"
    return f"{sign} paused" + f" ({pace})" * (model.width >= boxes.WIDE)


def draw_footer(canvas: Canvas, model: Model) -> None:
    """Draw the general keys, most important first; on a low screen those of the focus too."""
    unused, hints = _unused(model), list[Hint | None]()
    for row in model.keys:
        if row.command == "cycle" and model.height < FOCUS_HEIGHT and not model.human_playing:
            hints += _focus_hints(model)[:1]
        starts = row.command == "run" and not model.running
        shown = row._replace(footer="run") if starts else row
        if row.command not in unused:
            hints.append(model.keys.footer(shown, model.human_playing))
    boxes.draw_footer_line(canvas, hints)


def _unused(model: Model) -> set[str]:
    """Return the commands that have no effect on what is on the screen."""
    scenario, refused = model.snapshot.scenario, REFUSED if model.latest.recording else ()
    without_limits = () if scenario.hidden else ("limits", "other_limit")
    return {*refused, *without_limits}


def draw_focus(canvas: Canvas, model: Model) -> None:
    """Draw the keys of the pane in focus, of a game, or of the past."""
    boxes.draw_footer_line(canvas, _focus_hints(model), f"{_focus(model)[0]}:")


def _focus(model: Model) -> tuple[str, tuple[str, ...]]:
    if not model.live:
        return IN_PAST
    return IN_PLAY if model.human_playing else FOCUS[model.chosen]


def _focus_hints(model: Model) -> list[Hint]:
    unused = [f"{{{command}}}" for command in _unused(model)]
    texts = (text for text in _focus(model)[1] if not any(name in text for name in unused))
    return [model.keys.hint(text) for text in texts]
