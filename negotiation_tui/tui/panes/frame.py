"""The lines around the panes: title and footer, and what lies on top."""

from collections.abc import Iterable, Sequence

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.tui.canvas import Canvas, Rect
from negotiation_tui.tui.keys import REFUSED, Keys
from negotiation_tui.tui.layout import TooSmall
from negotiation_tui.tui.menus import MENUS
from negotiation_tui.tui.model import Model
from negotiation_tui.tui.overlays import first_row, overlay_lines, overlay_rows, title
from negotiation_tui.tui.words import game, player


def draw_title(canvas: Canvas, model: Model) -> None:
    """Scenario, who plays what, seed and pace; what does not fit is left out."""
    snapshot = model.snapshot
    canvas.put(0, 0, " " * canvas.width, "title")
    draw_state(canvas, model)
    seats = " · ".join(f"{role} {player(snapshot, role)}" for role in Role)
    name = game(snapshot.scenario)
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
        if len(text) <= canvas.width - len(_state(model)) - 4:
            canvas.put(0, 1, text, "title")
            break


def draw_state(canvas: Canvas, model: Model) -> None:
    """At the right end of the title: whether it runs, how fast, or where in time this is."""
    canvas.put_right(0, f" {_state(model)} ", "title")


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
    refused = REFUSED if model.latest.recording else {}
    rows = [row for row in model.keys if row.command not in refused]
    hints = [model.keys.hint(row, model.at_table) for row in rows]
    draw_footer_line(canvas, model.message, hints)


def draw_footer_line(canvas: Canvas, message: str, hints: Iterable[str]) -> None:
    """A message, or without one as many hints, keys and word, as fit; empty ones are none."""
    if message:
        canvas.put(0, 1, message, "message")
        return
    x = 1
    for hint in filter(None, hints):
        if x + len(hint) > canvas.width:
            break
        names, _, word = hint.rpartition(" ")
        canvas.put(0, x, names, "key")
        canvas.put(0, x + len(names) + 1, word, "faint")
        x += len(hint) + 2


def draw_overlay(canvas: Canvas, model: Model) -> None:
    """A box over the panes."""
    name = model.overlay
    if name is None:
        return
    lines, first = overlay_lines(model), first_row(model, model.overlay_row)
    menu = name in MENUS
    ends = model.keys.said("{take} takes it · {close} closes" if menu else "{close} closes")
    draw_box(canvas, title(model), lines, first, ends, model.overlay_row if menu else None)


def draw_box(
    canvas: Canvas,
    heading: str,
    lines: Sequence[str],
    first: int,
    ends: str,
    marked: int | None = None,
) -> None:
    """Lines from the first to show in a box amid the canvas, one of them perhaps marked."""
    rows = min(len(lines), overlay_rows(canvas.height))
    more = f" ↑↓ {len(lines)} lines " if len(lines) > rows else ""
    edges = f" {heading} ", f"{more} {ends} "
    width = min(canvas.width, max(map(len, (*lines, *edges))) + 4)
    place = Rect((canvas.height - rows - 2) // 2, (canvas.width - width) // 2, rows + 2, width)
    box = canvas.region(place)
    box.clear()
    edge = "─" * (box.width - 2)
    box.put(0, 0, f"┌{edge}┐", "heading")
    box.put(0, 2, edges[0], "focus")
    box.put(rows + 1, 0, f"└{edge}┘", "heading")
    box.put(rows + 1, 2, edges[1], "heading")
    for y, line in enumerate(lines[first : first + rows]):
        box.put(1 + y, 2, line, "bold" if first + y == marked else "normal")
        if first + y == marked:
            box.put(1 + y, 2, "▸", "bold")
        box.put(1 + y, 0, "│", "heading")
        box.put(1 + y, box.width - 1, "│", "heading")


def draw_too_small(canvas: Canvas, needed: TooSmall, keys: Keys) -> None:
    """What a screen says that is too small for any pane."""
    have = f"{canvas.width}×{canvas.height}"
    quits = f"{keys['quit']} quits"
    for y, text in enumerate((f"needs {needed.width}×{needed.height}", f"has {have}", quits)):
        canvas.put(y, 0, text)
