"""Change the model with each message, purely; and run the market screen.

Commands for the session go to `Model.commands`.
"""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.market import ranking
from negotiation_tui.runtime.text import abbreviate
from negotiation_tui.sessions.commands import Follow, Restart, Save
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.tui.market import playback
from negotiation_tui.tui.market.leaderboard import TITLES, Board
from negotiation_tui.tui.market.model import BUYER_TABLE, LEADERBOARD, SELLER_TABLE, Model
from negotiation_tui.tui.market.pair import table_view
from negotiation_tui.tui.market.render import PANES, render
from negotiation_tui.tui.market.room import grid_of, seller_at_hand
from negotiation_tui.tui.toolkit import paned
from negotiation_tui.tui.toolkit.help_box import edited
from negotiation_tui.tui.toolkit.paned import Controls, choose_pane, moved
from negotiation_tui.tui.toolkit.run_screen import RenderOptions, run_screen
from negotiation_tui.tui.toolkit.svg import screen_files

_EMPTY = "the leaderboard is empty: {filter} changes the filter, {search} the search"


def start(model: Model) -> Model:
    """Start a new model."""
    model = playback.started(model)
    return playback.run(model) if model.running else model


def _type(model: Model, key: str) -> Model | None:
    """Handle a key while letters go to the search, or digits to the tick to go to."""
    if model.going is not None:
        return playback.press_while_typing(model, key)
    if not model.typing:
        return None
    if key == "esc":
        return replace(model, typing=False, search="")
    if key == "enter":
        return replace(model, typing=False)
    text = edited(model.search, key)
    return _typed(replace(model, search=model.search if text is None else text))


def _typed(model: Model) -> Model:
    text = f"search: {abbreviate(model.search, 30)}_   Enter keeps it, Esc ends it"
    return replace(model, message=text)


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
    return _typed(replace(model, typing=True, search="", modal=None))


def _scroll(model: Model, command: str) -> Model:
    """Scroll a Q-table, or mark another agent."""
    if model.chosen in {SELLER_TABLE, BUYER_TABLE}:
        view = table_view(model, model.chosen)
        if view is None:
            return model
        rows, columns = moved(command, view.rows)
        first = view.clamped(view.first_row + rows, view.first_column + columns)
        return replace(model, scrolled={**model.scrolled, model.chosen: first})
    if model.chosen == LEADERBOARD:
        board, ranked = Board.of(model), model.ranked
        if not len(ranked):
            return model.with_message(_EMPTY)
        at = moved(command, board.rows)[0] + (-1 if board.marked is None else board.marked)
        return _mark(model, int(ranked[min(max(0, at), len(ranked) - 1)]))
    grid, last = grid_of(model), model.latest.setup.sellers - 1
    rows, columns = moved(command, grid.rows if grid else 1)
    step = rows * (grid.columns if grid else 1) + columns
    return _mark(model, min(max(0, max(0, seller_at_hand(model)) + step), last))


def _mark(model: Model, entry: int) -> Model:
    """Mark an agent or a team, and follow its negotiations."""
    agents = len(model.latest.setup.agents)
    agent = entry if entry < agents else ranking.best_member(model.latest, entry - agents)
    model = replace(model, picked=entry, scrolled={})
    if agent == model.followed:
        return model
    return replace(model, followed=agent).send(Follow(agent))


def _close(model: Model) -> Model:
    if model.search and not model.modal:
        return replace(model, search="")
    return paned.close(model)


_COMMANDS: dict[str, Callable[[Model], Model]] = {
    "run": playback.run_or_pause,
    "offer": playback.next_offer,
    "negotiation": playback.next_tick,
    "cycle": playback.next_point,
    "faster": lambda model: playback.change_pace(model, 1),
    "slower": lambda model: playback.change_pace(model, -1),
    "back": playback.back,
    "earlier": lambda model: playback.other_point(model, -1),
    "later": lambda model: playback.other_point(model, 1),
    "go": playback.type_tick,
    "story": playback.tell_story,
    "sort": _sort,
    "filter": _filter,
    "search": _search,
    "values": lambda model: replace(model, values=model.values.next),
    "save": lambda model: model.send(Save((), screen_files(render(model), model.theme))),
    "restart": lambda model: replace(model, reveal=None).send(Restart()),
    "close": _close,
}

update = Controls(
    panes=PANES,
    commands=_COMMANDS,
    scroll=_scroll,
    published=playback.published,
    tick=playback.tick,
    intercept=_type,
    render=render,
).update


def watch(session: MarketSession, appearance: RenderOptions, pace_index: int, paused: bool) -> None:
    """Show a market until the user quits."""
    from negotiation_tui.tui.toolkit.app import Screen

    def first(options: RenderOptions) -> Model:
        model = Model(session.snapshot, session.snapshot, pace_index=pace_index, running=not paused)
        return start(model.drawn_with(options))

    run_screen(session, Screen(update, render), first, appearance)
