"""How each message changes what the screen knows. Pure; commands are left in `Model.commands`."""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.sessions.tournament_session import Played
from negotiation_tui.tournament.standings import COLUMNS, MEASURES
from negotiation_tui.tui.toolkit.layout import TooSmall
from negotiation_tui.tui.toolkit.messages import KeyPressed, Message, Published, Resized, Tick
from negotiation_tui.tui.toolkit.navigation import MOVES, choose_pane, moved
from negotiation_tui.tui.toolkit.widgets import overlay_rows
from negotiation_tui.tui.tournament.help import help_lines
from negotiation_tui.tui.tournament.layout import HEADER, LEADERBOARD, MATRIX, PAIRING
from negotiation_tui.tui.tournament.model import SORTS, Model
from negotiation_tui.tui.tournament.render import PANES


def update(model: Model, message: Message) -> Model:
    """The model after a message; the same object if nothing changed."""
    match message:
        case Published(snapshot):
            return _published(model, snapshot)
        case Resized(width, height):
            same = (width, height) == (model.width, model.height)
            return model if same else replace(model, width=width, height=height)
        case KeyPressed(key):
            return _press(model, key)
        case Tick():
            return model


def start(model: Model) -> Model:
    """Set a model going that has just been made."""
    return replace(model, commands=(*model.commands, Run())) if model.running else model


def _published(model: Model, played: Played) -> Model:
    done = played.finished and not model.latest.finished
    model = replace(model, latest=played)
    text = f"all {len(played.pairings):,} pairings are played"
    return replace(model, message=text) if done else model


def _press(model: Model, key: str) -> Model:
    model = replace(model, message="")
    command = model.keys.commands.get(key)
    if command is None:
        return replace(model, message=model.keys.no_such(key))
    if command == "pane":
        return _choose(model, model.keys.pane(key))
    if command in MOVES:
        return _move(model, *moved(command, _page(model)))
    return _COMMANDS[command](model)


def _quit(model: Model) -> Model:
    return replace(model, quit=True)


def _help(model: Model) -> Model:
    return replace(model, help=not model.help, help_row=0)


def _run(model: Model) -> Model:
    if model.latest.finished:
        return replace(model, message="all pairings are played")
    command = Halt() if model.running else Run()
    return replace(model, running=not model.running, commands=(*model.commands, command))


def _measure(model: Model) -> Model:
    index = (model.measure_index + 1) % len(MEASURES)
    return replace(model, measure_index=index, message=f"heat map: {MEASURES[index].title}")


def _sort(model: Model) -> Model:
    index = (model.sort_index + 1) % len(COLUMNS)
    text = f"leaderboard sorted by {SORTS[COLUMNS[index]]}"
    return replace(model, sort_index=index, message=text)


def _zoom(model: Model) -> Model:
    return replace(model, zoomed=not model.zoomed)


def _choose(model: Model, pane: int) -> Model:
    return choose_pane(model, pane, PANES, PAIRING)


def _next_pane(model: Model) -> Model:
    return _choose(model, model.chosen % len(PANES) + 1)


def _previous_pane(model: Model) -> Model:
    return _choose(model, (model.chosen - 2) % len(PANES) + 1)


def _page(model: Model) -> int:
    """How many rows are in sight of what is scrolled."""
    if model.help:
        return overlay_rows(model.height)
    placed = model.layout()
    pane = LEADERBOARD if model.chosen == LEADERBOARD else MATRIX
    if isinstance(placed, TooSmall) or pane not in placed.panes:
        return 1
    return max(1, placed.panes[pane].height - HEADER)


def _move(model: Model, rows: int, columns: int) -> Model:
    """To another pairing; on the leaderboard sellers follow one another in its order."""
    if model.help:
        last = max(0, len(help_lines(model.keys, model.width)) - overlay_rows(model.height))
        return replace(model, help_row=min(max(0, model.help_row + rows), last))
    last = len(model.entrants) - 1
    buyer = min(max(0, model.buyer + columns), last)
    if model.chosen != LEADERBOARD:
        return replace(model, seller=min(max(0, model.seller + rows), last), buyer=buyer)
    order = [model.entrants.index(standing.name) for standing in model.standings]
    seller = order[min(max(0, order.index(model.seller) + rows), last)]
    return replace(model, seller=seller, buyer=buyer)


def _repaint(model: Model) -> Model:
    return replace(model, repaints=model.repaints + 1)


def _close(model: Model) -> Model:
    if model.help:
        return replace(model, help=False)
    if model.zoomed:
        return replace(model, zoomed=False)
    return replace(model, message=model.keys.said("nothing to close: {quit} quits"))


_COMMANDS: dict[str, Callable[[Model], Model]] = {
    "quit": _quit,
    "help": _help,
    "run": _run,
    "measure": _measure,
    "sort": _sort,
    "zoom": _zoom,
    "next_pane": _next_pane,
    "previous_pane": _previous_pane,
    "repaint": _repaint,
    "close": _close,
}
