"""Change the model with each message, purely; and run the market screen.

Ticks are shown offer by offer. Commands for the session go to `Model.commands`.
"""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.market import ranking
from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.runtime.text import abbreviate, plural
from negotiation_tui.sessions.commands import Follow, Halt, Play, PlayOn, Restart, Save
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.tui.market.model import (
    BUYER_TABLE,
    LEADERBOARD,
    NEGOTIATION,
    ROOM,
    SELLER_TABLE,
    Model,
)
from negotiation_tui.tui.market.pair import AgentTable
from negotiation_tui.tui.market.panes import TITLES, grid_of, page, seller_at_hand
from negotiation_tui.tui.market.render import VIEW, render
from negotiation_tui.tui.toolkit import paned, timeline
from negotiation_tui.tui.toolkit.boxes import edited
from negotiation_tui.tui.toolkit.pace import STORY
from negotiation_tui.tui.toolkit.paned import Controls, choose_pane, moved
from negotiation_tui.tui.toolkit.run_screen import Opened, RenderOptions, Screen, run_screen
from negotiation_tui.tui.toolkit.svg import screen_files

_EMPTY = "the leaderboard is empty: {filter} changes the filter, {search} the search"
_TRADING_ON = "trading"
_FOLLOWING = ROOM, LEADERBOARD, NEGOTIATION, SELLER_TABLE, BUYER_TABLE
"""The panes that show which agent is marked."""
_OVER = "the market has closed; {earlier} looks back, {save} saves it, {restart} restarts it"


def start(model: Model) -> Model:
    """Start a history with the newest snapshot, and run unless the model is paused."""
    model = replace(model, history=timeline.History(), here=model.latest, frame=0, wish=None)
    model = timeline.remember(model)
    return _run(model) if model.running else model


def _run(model: Model) -> Model:
    """Run at the present pace."""
    if model.latest.finished and model.live and not model.unseen and model.at_end:
        return replace(model, running=False).with_message(_OVER)
    if _trading_on(model):
        return model.send(Halt())
    return _run_free(replace(model, running=True, wish=None))


def _run_free(model: Model) -> Model:
    """Let the session run on its own, if the pace shows only samples."""
    return model.send(PlayOn(model.pace.negotiations)) if model.free_running else model


def _pause(model: Model) -> Model:
    """Stop; at a pace that shows samples, then show the newest tick."""
    paused = timeline.pause(model)
    return timeline.wished(paused, timeline.Wish()) if model.free_running else paused


def _tick(model: Model, now: float) -> Model:
    """Show the next offer or the next tick if it is due."""
    if now - model.since < model.turn_seconds + 1:  # a marker may still slide
        model = replace(model, now=now)
    if not model.running or model.wish or now < model.due:
        return model
    model = replace(model, now=now)
    return _after(model) if model.at_end else model.arrive(model.here, model.frame + 1)


def _after(model: Model) -> Model:
    """Continue after the end of a tick, while running."""
    if not model.live:
        model = _forward(model, 1)
        return _run(model) if model.live else model
    if model.unseen:
        return timeline.show_newest(model, 1)
    if model.free_running or model.waiting:
        return model
    if model.latest.finished:
        return replace(model, running=False).with_message(_OVER)
    return model.send(Play())


def _published(model: Model, snapshot: MarketSnapshot) -> Model:
    before, was_free = model.latest, model.free_running
    model = replace(model, latest=snapshot)
    if snapshot.status.notices != before.status.notices:
        model = replace(model, message=snapshot.status.notice)
    if snapshot.setup is not before.setup:
        return start(model)
    if was_free and snapshot.finished:
        model = timeline.show_newest(replace(model, running=False), timeline.ALL).with_message(
            _OVER
        )
    elif model.free_running and not was_free:  # the story shows only samples from now on
        model = _run_free(model)
    elif not model.unseen and model.live:  # with other tables
        model = timeline.remember(model)
    if _trading_on(model):
        far = f"{snapshot.tick:,} of {plural(snapshot.setup.ticks, 'tick')}"
        model = model.with_message(f"{_TRADING_ON}, {far}: {{run}} stops it")
    if (wish := model.wish) and not model.waiting:
        message = "" if model.message.startswith(_TRADING_ON) else model.message
        if model.unseen:
            model = timeline.show_newest(model, wish.visible)
        elif wish.visible == timeline.ALL and model.live:  # stay at the sampled tick
            model = model.arrive(model.here, timeline.ALL)
        model = replace(model, wish=None, message=message)
    return model


def _trading_on(model: Model) -> bool:
    """True while a stretch of ticks is so long that snapshots arrive before its end."""
    return model.waiting and model.wish is not None and model.unseen


def _next_turns(model: Model, turns: int) -> Model:
    """Pause, and show more offers of each pair, of the next tick if this one is over."""
    wish = model.wish
    if wish and wish.visible < timeline.ALL:  # of the tick that was asked for
        return replace(model, wish=wish._replace(visible=min(timeline.ALL, wish.visible + turns)))
    model = _pause(model)
    if model.at_end:
        return _next(model, turns)
    return model.arrive(model.here, model.frame + turns)


def _trade_to(model: Model, goal: int) -> Model:
    """Pause, and trade to a tick."""
    model = _pause(model)
    return _next(_present(model), timeline.ALL, goal - model.latest.tick)


def _next(model: Model, frame: int, ticks: int = 1) -> Model:
    """Show offers of the next tick: from the history, from the newest snapshot, or to be traded."""
    if not model.live:
        return _forward(model, frame)
    if model.unseen:
        return timeline.show_newest(model, frame)
    if model.latest.finished and not model.waiting:
        return model.with_message(_OVER)
    return timeline.wished(model, timeline.Wish(frame), Play(ticks))


def _forward(model: Model, frame: int) -> Model:
    """Show offers of the entry after the one on the screen."""
    entry = model.history.beside(model.here.key, 1)
    return model.arrive(entry, frame) if entry else model


def _present(model: Model) -> Model:
    newest = model.history.newest
    return model if model.live or newest is None else model.arrive(newest, timeline.ALL)


def _back(model: Model) -> Model:
    """Pause, and go one offer back, into the past."""
    if model.frame > 1:
        return timeline.stop(model).arrive(model.here, model.frame - 1)
    return timeline.jump(model, -1, model.history.beside(model.here.key, -1))


def _other_point(model: Model, step: int) -> Model:
    """Pause, and go to the tick shown nearest to the point of the curves before or after."""
    model, history = timeline.stop(model), model.history
    goal = ((model.here.tick - (step < 0)) // model.point + (step > 0)) * model.point
    return timeline.jump(model, step, history.entry(goal) or history.beside(goal, step))


def _type(model: Model, key: str) -> Model | None:
    """Handle a key while letters go to the search, or digits to the tick to go to."""
    if not model.typing:
        return timeline.press_digit(model, key, _go_to)
    if key in {"esc", "enter"}:
        return replace(model, typing=False, search=model.search if key == "enter" else "")
    text = edited(model.search, key)
    return _typed(replace(model, search=model.search if text is None else text))


def _go_to(model: Model, goal: int) -> Model:
    """Show the last tick shown up to a goal; trade up to a goal in the future."""
    if goal > model.latest.tick:
        return _trade_to(model, goal)
    history = model.history
    entry = history.entry(goal) or history.beside(goal, -1) or history.entries[0]
    text = f"tick {entry.tick:,}, the last shown up to {goal:,}"
    return replace(model.arrive(entry, timeline.ALL), message=text)


def _change_pace(model: Model, step: int) -> Model:
    """Choose a faster or slower pace; after a sample, show the newest tick."""
    after = timeline.change_pace(model, step)
    sampled = model.free_running and not after.free_running and after.unseen
    return timeline.show_newest(after, timeline.ALL) if sampled else after


def _tell_story(model: Model) -> Model:
    """Let the story choose the pace, and run."""
    model = _pause(_present(model))
    model = _run(replace(model, pace_index=STORY))
    return model.with_message("the story goes on; {faster} and {slower} take over")


def _typed(model: Model) -> Model:
    text = f"search: {abbreviate(model.search, 30)}_   Enter keeps it, Esc ends it"
    return replace(model, message=text)


def _sort(model: Model) -> Model:
    index = (model.sort_index + 1) % len(ranking.ORDERS)
    title = TITLES[ranking.ORDERS[index]]
    return replace(model, sort_index=index, message=f"leaderboard sorted by {title}")


def _filter(model: Model) -> Model:
    filters = ranking.filters(model.latest.setup)
    which = filters[(filters.index(model.filter) + 1) % len(filters)]
    return replace(model, filter=which, message=f"leaderboard: {which}")


def _search(model: Model) -> Model:
    model = choose_pane(model, LEADERBOARD, VIEW.panes)
    return _typed(replace(model, typing=True, search="", modal=None))


def _scroll(model: Model, command: str) -> Model:
    """Scroll a Q-table, or mark another agent."""
    if model.chosen in {SELLER_TABLE, BUYER_TABLE}:
        return _scroll_table(model, command)
    if not any(map(model.area_of, _FOLLOWING)):
        return replace(model, message="no agent to choose on this pane: panes 1 and 2 list them")
    if model.chosen == LEADERBOARD:
        return _choose_line(model, command)
    grid, last = grid_of(model), model.latest.setup.sellers - 1
    rows, columns = moved(command, grid.rows if grid else 1)
    step = rows * (grid.columns if grid else 1) + columns
    return _mark(model, min(max(0, max(0, seller_at_hand(model)) + step), last))


def _scroll_table(model: Model, command: str) -> Model:
    view = AgentTable(model, model.chosen).view
    if view is None:
        return model
    rows, columns = moved(command, view.rows)
    first = view.first_row + rows, view.first_column + columns
    return replace(model, scrolled={**model.scrolled, model.chosen: first})


def _choose_line(model: Model, command: str) -> Model:
    """Mark another agent of the leaderboard."""
    (lines, marked), ranked = page(model), model.ranked
    if not len(ranked):
        return model.with_message(_EMPTY)
    if command in {"left", "right"}:
        return model.with_message("a list has lines alone: {up} and {down} choose one")
    at = moved(command, lines)[0] + (-1 if marked is None else marked)
    return _mark(model, int(ranked[min(max(0, at), len(ranked) - 1)]))


def _values(model: Model) -> Model:
    if not any(map(model.area_of, (SELLER_TABLE, BUYER_TABLE))):
        return replace(model, message="no Q-table is on the screen: choose pane 6 or 7")
    return replace(model, values=model.values.next)


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
    "run": lambda model: _pause(model) if model.running else _run(model),
    "offer": lambda model: _next_turns(model, 1),
    "negotiation": lambda model: _next_turns(model, timeline.ALL),
    "cycle": lambda model: _trade_to(model, (model.latest.tick // model.point + 1) * model.point),
    "faster": lambda model: _change_pace(model, 1),
    "slower": lambda model: _change_pace(model, -1),
    "back": _back,
    "earlier": lambda model: _other_point(model, -1),
    "later": lambda model: _other_point(model, 1),
    "go": timeline.type_number,
    "story": _tell_story,
    "sort": _sort,
    "filter": _filter,
    "search": _search,
    "values": _values,
    "save": lambda model: model.send(Save((), screen_files(render(model), model.options.theme))),
    "restart": lambda model: replace(model, wish=None).send(Restart()),
    "close": _close,
}

update = Controls(
    view=VIEW, commands=_COMMANDS, scroll=_scroll, published=_published, tick=_tick, intercept=_type
).update


def watch(session: MarketSession, appearance: RenderOptions, pace_index: int, paused: bool) -> None:
    """Show a market until the user quits."""
    model = Model(
        session.snapshot, here=session.snapshot, pace_index=pace_index, running=not paused
    )
    run_screen(Opened(session, Screen(update, render), start(model)), appearance)
