"""Change the model with each message. Pure; commands for the session go to `Model.commands`."""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.market import ranking
from negotiation_tui.sessions.commands import Follow, Save
from negotiation_tui.tui.market import playback
from negotiation_tui.tui.market.help import ABOUT
from negotiation_tui.tui.market.layout import BUYER_TABLE, LEADERBOARD, SELLER_TABLE
from negotiation_tui.tui.market.leaderboard import TITLES, Board
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.market.pair import table_view
from negotiation_tui.tui.market.render import PANES, render
from negotiation_tui.tui.market.room import columns_of, grid_of, seller_at_hand
from negotiation_tui.tui.toolkit import paned
from negotiation_tui.tui.toolkit.paned import Controls, choose_pane, moved
from negotiation_tui.tui.toolkit.search import edited
from negotiation_tui.tui.toolkit.svg import screen_files
from negotiation_tui.tui.toolkit.timeline import jump

_EMPTY = "the leaderboard is empty: {filter} changes the filter, {search} the search"


def start(model: Model) -> Model:
    """Start a new model."""
    model = playback.started(model)
    return playback.run(model) if model.running else model


def _type(model: Model, key: str) -> Model | None:
    """Handle a key while letters go to the search."""
    if not model.typing:
        return None
    if key == "esc":
        return replace(model, typing=False, search="")
    if key == "enter":
        return replace(model, typing=False)
    text = model.search if key == "backspace" and not model.search else edited(model.search, key)
    if text is None:
        return replace(model, message="type letters of a name, then Enter; Esc ends the search")
    return replace(model, search=text)


def _sort(model: Model) -> Model:
    index = (model.sort_index + 1) % len(ranking.COLUMNS)
    title = TITLES[ranking.COLUMNS[index]]
    return replace(model, sort_index=index, message=f"leaderboard sorted by {title}")


def _filter(model: Model) -> Model:
    known = ranking.filters(model.latest.setup)
    which = known[(known.index(model.filter) + 1) % len(known)]
    return replace(model, filter=which, message=f"leaderboard: {which}")


def _search(model: Model) -> Model:
    model = choose_pane(model, LEADERBOARD, PANES)
    return replace(model, typing=True, search="", message="", modal=None)


def _page(model: Model) -> int:
    """Return the number of visible rows of the chosen pane."""
    if model.chosen in {SELLER_TABLE, BUYER_TABLE}:
        view = table_view(model, model.chosen)
        return view.rows if view else 1
    if model.chosen == LEADERBOARD:
        return Board.of(model).rows
    grid = grid_of(model)
    return grid.rows if grid else 1


def _scroll(model: Model, command: str) -> Model:
    """Scroll a Q-table, or mark another agent."""
    rows, columns = moved(command, _page(model))
    if model.chosen in {SELLER_TABLE, BUYER_TABLE}:
        return _scroll_table(model, rows, columns)
    if model.chosen == LEADERBOARD:
        return _climb(model, rows)
    setup = model.latest.setup
    step = rows * columns_of(model) + columns
    return _mark(model, min(max(0, max(0, seller_at_hand(model)) + step), setup.sellers - 1))


def _climb(model: Model, rows: int) -> Model:
    """Mark another entry of the leaderboard."""
    ranked = model.ranked
    if not len(ranked):
        return model.with_message(_EMPTY)
    marked = Board.of(model).marked
    at = rows + (-1 if marked is None else marked)
    return _mark(model, int(ranked[min(max(0, at), len(ranked) - 1)]))


def _mark(model: Model, entry: int) -> Model:
    """Mark an agent or a team, and follow its negotiations."""
    agents = len(model.latest.setup.agents)
    agent = entry if entry < agents else ranking.best_member(model.latest, entry - agents)
    model = replace(model, picked=entry, scrolled={})
    if agent == model.followed:
        return model
    return replace(model, followed=agent).send(Follow(agent))


def _scroll_table(model: Model, rows: int, columns: int) -> Model:
    view = table_view(model, model.chosen)
    if view is None:
        return model
    first = view.clamped(view.first_row + rows, view.first_column + columns)
    return replace(model, scrolled={**model.scrolled, model.chosen: first})


def _close(model: Model) -> Model:
    if model.search and not model.modal:
        return replace(model, search="")
    return paned.close(model)


_COMMANDS: dict[str, Callable[[Model], Model]] = {
    "run": playback.run_or_pause,
    "offer": playback.next_offer,
    "negotiation": playback.next_tick,
    "cycle": playback.stretch,
    "faster": lambda model: playback.change_pace(model, 1),
    "slower": lambda model: playback.change_pace(model, -1),
    "back": playback.back,
    "earlier": lambda model: jump(model, -playback.JUMP),
    "later": lambda model: jump(model, playback.JUMP),
    "sort": _sort,
    "filter": _filter,
    "search": _search,
    "values": lambda model: replace(model, values=model.values.next),
    "save": lambda model: model.send(Save((), screen_files(render(model), model.theme))),
    "restart": playback.restart,
    "close": _close,
}

update = Controls(
    panes=PANES,
    commands=_COMMANDS,
    scroll=_scroll,
    about=ABOUT,
    published=playback.published,
    tick=playback.tick,
    intercept=_type,
).update
