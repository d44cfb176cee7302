"""The lines around the panes: title and footer, and what lies on top."""

from collections.abc import Sequence

from negotiation_tui.roles import Opener, Role
from negotiation_tui.tui.canvas import Canvas, Rect
from negotiation_tui.tui.keys import KEYS, Key
from negotiation_tui.tui.layout import TooSmall
from negotiation_tui.tui.model import Model
from negotiation_tui.tui.overlays import MENUS, TITLES, first_row, overlay_lines, overlay_rows
from negotiation_tui.tui.words import player


def draw_title(canvas: Canvas, model: Model) -> None:
    """Scenario, who plays what, seed and pace; what does not fit is left out."""
    snapshot = model.snapshot
    scenario = snapshot.scenario
    pace = "testing" if snapshot.finished and not model.pace.seen else model.pace.text
    state = f"▶ {pace}" if model.running else f"‖ paused ({pace})"
    canvas.put(0, 0, " " * canvas.width, "title")
    canvas.put_right(0, f" {state} ", "title")
    seats = " · ".join(f"{role} {player(snapshot, role)}" for role in Role)
    seated = " seated" if scenario.seated else ""
    name = f"{scenario.name} {scenario.n_prices}×{scenario.rounds}{seated}"
    program = "negotiation-tui"
    seed = f"seed {snapshot.seed}"
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


def draw_footer(canvas: Canvas, model: Model) -> None:
    """What there is to say, else the keys one needs most."""
    draw_footer_line(canvas, model.message, KEYS)


def draw_footer_line(canvas: Canvas, message: str, keys: Sequence[Key]) -> None:
    """A message, or without one as many hints of keys as fit."""
    if message:
        canvas.put(0, 1, message, "message")
        return
    x = 1
    for key in keys:
        if not key.hint:
            continue
        if x + len(key.hint) > canvas.width:
            break
        names, _, word = key.hint.rpartition(" ")
        canvas.put(0, x, names, "key")
        canvas.put(0, x + len(names) + 1, word, "faint")
        x += len(key.hint) + 2


def draw_overlay(canvas: Canvas, model: Model) -> None:
    """A box over the panes."""
    name = model.overlay
    if name is None:
        return
    lines = overlay_lines(name, model.snapshot, canvas.width)
    first = first_row(name, model.snapshot, model.overlay_row, canvas.width, canvas.height)
    menu = name in MENUS
    ends = "Enter takes it · Esc closes" if menu else "Esc closes"
    draw_box(canvas, TITLES[name], lines, first, ends, model.overlay_row if menu else None)


def draw_box(
    canvas: Canvas,
    title: str,
    lines: Sequence[str],
    first: int,
    ends: str,
    marked: int | None = None,
) -> None:
    """Lines from the first to show in a box amid the canvas, one of them perhaps marked."""
    rows = min(len(lines), overlay_rows(canvas.height))
    width = min(canvas.width, max(map(len, lines)) + 4)
    place = Rect((canvas.height - rows - 2) // 2, (canvas.width - width) // 2, rows + 2, width)
    box = canvas.region(place)
    box.clear()
    edge = "─" * (box.width - 2)
    box.put(0, 0, f"┌{edge}┐", "heading")
    box.put(0, 2, f" {title} ", "focus")
    box.put(rows + 1, 0, f"└{edge}┘", "heading")
    more = f" ↑↓ {len(lines)} lines " if len(lines) > rows else ""
    box.put(rows + 1, 2, f"{more} {ends} ", "heading")
    for y, line in enumerate(lines[first : first + rows]):
        box.put(1 + y, 2, line, "bold" if first + y == marked else "normal")
        if first + y == marked:
            box.put(1 + y, 2, "▸", "bold")
        box.put(1 + y, 0, "│", "heading")
        box.put(1 + y, box.width - 1, "│", "heading")


def draw_too_small(canvas: Canvas, needed: TooSmall) -> None:
    """What a screen says that is too small for any pane."""
    have = f"{canvas.width}×{canvas.height}"
    for y, text in enumerate((f"needs {needed.width}×{needed.height}", f"has {have}", "q quits")):
        canvas.put(y, 0, text)
