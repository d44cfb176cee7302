"""The lines around the panes: title and footer, and what lies on top."""

from negotiation_tui.roles import Opener, Role
from negotiation_tui.tui.canvas import Canvas, Rect
from negotiation_tui.tui.keys import KEYS, REFUSED
from negotiation_tui.tui.menus import MENUS
from negotiation_tui.tui.model import Model
from negotiation_tui.tui.overlays import first_row, overlay_lines, overlay_rows, title
from negotiation_tui.tui.words import player


def draw_title(canvas: Canvas, model: Model) -> None:
    """Scenario, who plays what, seed and pace; what does not fit is left out."""
    snapshot = model.snapshot
    scenario = snapshot.scenario
    state = _state(model)
    canvas.put(0, 0, " " * canvas.width, "title")
    canvas.put_right(0, f" {state} ", "title")
    seats = " · ".join(f"{role} {player(snapshot, role)}" for role in Role)
    seated = " seated" if scenario.seated else ""
    name = f"{scenario.name} {scenario.n_prices}×{scenario.rounds}{seated}"
    program = "negotiation-tui"
    seed = f"seed {snapshot.seed}"
    if snapshot.recording:
        program = f"replay of {snapshot.recording}"
    opener = "openers alternate" if model.opener is Opener.ALTERNATE else f"{model.opener} opens"
    for parts in (
        (program, name, seats, opener, seed),
        (program, name, seats, seed),
        (name, seats, seed),
        (name, seats),
        (seats,),
        (name,),
    ):
        text = "  ".join(parts)
        if len(text) <= canvas.width - len(state) - 4:
            canvas.put(0, 1, text, "title")
            break


def _state(model: Model) -> str:
    """Whether time goes on, and where in it this is."""
    if model.origin:
        return f"{'▶' if model.running else '‖'} what if"
    if model.place is not None:
        back = len(model.history.entries) - 1 - model.place
        return f"{'▶' if model.running else '◀'} {back:,} back"
    if model.latest.score is not None:
        return f"you are the {model.latest.score.role}"
    pace = model.pace.text
    if model.latest.recording:
        return f"{'▶' if model.running else '‖'} replay ({pace})"
    if model.snapshot.finished and not model.pace.seen:
        pace = "testing"
    return f"▶ {pace}" if model.running else f"‖ paused ({pace})"


def draw_footer(canvas: Canvas, model: Model) -> None:
    """What there is to say, else the keys one needs most."""
    if model.message:
        canvas.put(0, 1, model.message, "message")
        return
    x = 1
    for key in KEYS:
        hint = key.at_table if model.at_table else key.hint
        if not hint or (model.latest.recording and key.command in REFUSED):
            continue
        if x + len(hint) > canvas.width:
            break
        keys, _, word = hint.rpartition(" ")
        canvas.put(0, x, keys, "key")
        canvas.put(0, x + len(keys) + 1, word, "faint")
        x += len(hint) + 2


def draw_overlay(canvas: Canvas, model: Model) -> None:
    """A box over the panes."""
    if model.overlay is None:
        return
    lines = overlay_lines(model)
    rows = min(len(lines), overlay_rows(canvas.height))
    more = f" ↑↓ {len(lines)} lines " if len(lines) > rows else ""
    ends = "Enter takes it · Esc closes" if model.overlay in MENUS else "Esc closes"
    edges = f" {title(model)} ", f"{more} {ends} "
    width = min(canvas.width, max(map(len, (*lines, *edges))) + 4)
    place = Rect((canvas.height - rows - 2) // 2, (canvas.width - width) // 2, rows + 2, width)
    box = canvas.region(place)
    box.clear()
    edge = "─" * (box.width - 2)
    box.put(0, 0, f"┌{edge}┐", "heading")
    box.put(0, 2, edges[0], "focus")
    box.put(rows + 1, 0, f"└{edge}┘", "heading")
    box.put(rows + 1, 2, edges[1], "heading")
    first = first_row(model, model.overlay_row)
    for y, line in enumerate(lines[first : first + rows]):
        marked = model.overlay in MENUS and first + y == model.overlay_row
        box.put(1 + y, 2, line, "bold" if marked else "normal")
        if marked:
            box.put(1 + y, 2, "▸", "bold")
        box.put(1 + y, 0, "│", "heading")
        box.put(1 + y, box.width - 1, "│", "heading")
