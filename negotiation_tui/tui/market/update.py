"""How each message changes what the screen knows. Pure; commands are left in `Model.commands`."""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.market import ranking
from negotiation_tui.sessions.commands import Follow, Save
from negotiation_tui.tui.market import stage
from negotiation_tui.tui.market.help import help_lines
from negotiation_tui.tui.market.layout import BUYER_TABLE, LEADERBOARD, NEGOTIATION, SELLER_TABLE
from negotiation_tui.tui.market.leaderboard import TITLES, Board
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.market.pair import table_view
from negotiation_tui.tui.market.render import PANES
from negotiation_tui.tui.market.room import columns_of, grid_of, seller_at_hand
from negotiation_tui.tui.toolkit.messages import KeyPressed, Message, Published, Resized, Tick
from negotiation_tui.tui.toolkit.navigation import MOVES, choose_pane, moved
from negotiation_tui.tui.toolkit.widgets import overlay_rows

_EMPTY = "the leaderboard is empty: {filter} and {search} change what it shows"


def update(model: Model, message: Message) -> Model:
    """The model after a message; the same object if nothing changed."""
    match message:
        case Tick(now):
            return stage.tick(model, now)
        case Published(scene):
            return stage.published(model, scene)
        case Resized(width, height):
            same = (width, height) == (model.width, model.height)
            return model if same else replace(model, width=width, height=height)
        case KeyPressed(key, now):
            model = replace(model, now=max(now, model.now), message="")
            return _type(model, key) if model.typing else _press(model, key)


def start(model: Model) -> Model:
    """Set a model going that has just been made."""
    model = stage.opened(model)
    return stage.run(model) if model.running else model


def _press(model: Model, key: str) -> Model:
    command = model.keys.commands.get(key)
    if command is None:
        return replace(model, message=model.keys.no_such(key))
    if command == "pane":
        return _choose(model, model.keys.pane(key))
    if command in MOVES:
        return _move(model, *moved(command, _page(model)))
    return _COMMANDS[command](model)


def _type(model: Model, key: str) -> Model:
    """A key while letters go to the search."""
    if key == "esc":
        return replace(model, typing=False, search="")
    if key == "enter":
        return replace(model, typing=False)
    if key == "backspace":
        return replace(model, search=model.search[:-1])
    letter = " " if key == "space" else key
    if len(letter) != 1 or not letter.isprintable():
        return replace(model, message="type letters of a name, then Enter; Esc ends the search")
    return replace(model, search=model.search + letter)


def _quit(model: Model) -> Model:
    return replace(model, quit=True)


def _help(model: Model) -> Model:
    return replace(model, help=not model.help, help_row=0)


def _sort(model: Model) -> Model:
    index = (model.sort_index + 1) % len(ranking.COLUMNS)
    title = TITLES[ranking.COLUMNS[index]]
    return replace(model, sort_index=index, message=f"leaderboard sorted by {title}")


def _filter(model: Model) -> Model:
    known = ranking.filters(model.latest.cast)
    which = known[(known.index(model.filter) + 1) % len(known)]
    return replace(model, filter=which, message=f"leaderboard: {which}")


def _search(model: Model) -> Model:
    return replace(_choose(model, LEADERBOARD), typing=True, search="", message="", help=False)


def _choose(model: Model, pane: int) -> Model:
    return choose_pane(model, pane, PANES, NEGOTIATION)


def _next_pane(model: Model) -> Model:
    return _choose(model, model.chosen % len(PANES) + 1)


def _previous_pane(model: Model) -> Model:
    return _choose(model, (model.chosen - 2) % len(PANES) + 1)


def _page(model: Model) -> int:
    """How many rows are in sight of what is scrolled."""
    if model.help:
        return overlay_rows(model.height)
    if model.chosen in {SELLER_TABLE, BUYER_TABLE}:
        view = table_view(model, model.chosen)
        return view.rows if view else 1
    if model.chosen == LEADERBOARD:
        return Board.of(model).rows
    grid = grid_of(model)
    return grid.rows if grid else 1


def _move(model: Model, rows: int, columns: int) -> Model:
    """Scroll, or look at another agent."""
    if model.help:
        last = max(0, len(help_lines(model.keys, model.width)) - overlay_rows(model.height))
        return replace(model, help_row=min(max(0, model.help_row + rows), last))
    if model.chosen in {SELLER_TABLE, BUYER_TABLE}:
        return _scroll(model, rows, columns)
    if model.chosen == LEADERBOARD:
        return _climb(model, rows)
    cast = model.latest.cast
    step = rows * columns_of(model) + columns
    return _mark(model, min(max(0, max(0, seller_at_hand(model)) + step), cast.sellers - 1))


def _climb(model: Model, rows: int) -> Model:
    """To another entry of the leaderboard."""
    ranked = model.ranked
    if not len(ranked):
        return replace(model, message=model.keys.said(_EMPTY))
    marked = Board.of(model).marked
    at = rows + (-1 if marked is None else marked)
    return _mark(model, int(ranked[min(max(0, at), len(ranked) - 1)]))


def _mark(model: Model, entry: int) -> Model:
    """Look at an agent or a team."""
    agents = len(model.latest.cast.agents)
    agent = entry if entry < agents else ranking.best_member(model.latest, entry - agents)
    model = replace(model, picked=entry, scrolled={})
    if agent == model.followed:
        return model
    return stage.send(replace(model, followed=agent), Follow(agent))


def _scroll(model: Model, rows: int, columns: int) -> Model:
    view = table_view(model, model.chosen)
    if view is None:
        return model
    first = view.clamped(view.first_row + rows, view.first_column + columns)
    return replace(model, scrolled={**model.scrolled, model.chosen: first})


def _values(model: Model) -> Model:
    return replace(model, normalized=not model.normalized)


def _zoom(model: Model) -> Model:
    return replace(model, zoomed=not model.zoomed)


def _save(model: Model) -> Model:
    return stage.send(model, Save())


def _repaint(model: Model) -> Model:
    return replace(model, repaints=model.repaints + 1)


def _close(model: Model) -> Model:
    if model.help:
        return replace(model, help=False)
    if model.search:
        return replace(model, search="")
    if model.zoomed:
        return replace(model, zoomed=False)
    return replace(model, scrolled={})


_COMMANDS: dict[str, Callable[[Model], Model]] = {
    "quit": _quit,
    "help": _help,
    "run": stage.run_or_pause,
    "offer": stage.next_offer,
    "tick": stage.next_tick,
    "stretch": stage.stretch,
    "faster": lambda model: stage.change_pace(model, 1),
    "slower": lambda model: stage.change_pace(model, -1),
    "back": stage.back,
    "earlier": lambda model: stage.jump(model, -stage.JUMP),
    "later": lambda model: stage.jump(model, stage.JUMP),
    "sort": _sort,
    "filter": _filter,
    "search": _search,
    "next_pane": _next_pane,
    "previous_pane": _previous_pane,
    "zoom": _zoom,
    "values": _values,
    "save": _save,
    "restart": stage.restart,
    "repaint": _repaint,
    "close": _close,
}
