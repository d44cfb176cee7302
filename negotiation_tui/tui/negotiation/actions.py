"""What each key does. Pure."""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.sessions.commands import Save, Test
from negotiation_tui.tui.negotiation.human_controls import (
    accept,
    choose,
    offer,
    quit_negotiation,
    sit,
    your_turn,
)
from negotiation_tui.tui.negotiation.keys import REFUSED
from negotiation_tui.tui.negotiation.layout import PRICE
from negotiation_tui.tui.negotiation.menus import (
    MENUS,
    SEATS,
    WHAT_IF,
    menu_lines,
    strategy_choices,
    what_if_choices,
)
from negotiation_tui.tui.negotiation.model import TABLES, Model, table_view
from negotiation_tui.tui.negotiation.overlays import first_row
from negotiation_tui.tui.negotiation.render import PANES
from negotiation_tui.tui.negotiation.seat_controls import (
    buyer,
    buyer_menu,
    next_opener,
    seller,
    seller_menu,
    take_seat,
    toggle,
)
from negotiation_tui.tui.negotiation.time_travel import ask_what_if, leave_what_if
from negotiation_tui.tui.negotiation.transport import (
    change_pace,
    earlier_cycle,
    later_cycle,
    next_cycle,
    next_negotiation,
    next_offer,
    pause,
    restart,
    run_or_pause,
    send,
    step_back,
)
from negotiation_tui.tui.toolkit.navigation import MOVES, STEPS, choose_pane, moved
from negotiation_tui.tui.toolkit.widgets import overlay_rows


def press(model: Model, key: str) -> Model:
    """The model after a key, as the terminal names it."""
    model = replace(model, message="")
    command = model.keys.commands.get(key)
    if command is None:
        return replace(model, message=model.keys.no_such(key))
    if model.latest.recording and command in REFUSED:
        why = model.keys.said(REFUSED[command])
        return replace(model, message=f"this is a recording, {why}")
    if command == "pane":
        return _choose(model, model.keys.pane(key))
    if command in MOVES:
        return _scroll(model, command)
    return _COMMANDS[command](model)


def _quit(model: Model) -> Model:
    return replace(model, quit=True)


def _help(model: Model) -> Model:
    return replace(model, overlay=None if model.overlay == "help" else "help", overlay_row=0)


def _close(model: Model) -> Model:
    if model.overlay:
        return replace(model, overlay=None)
    if model.origin:
        return leave_what_if(model)
    if model.zoomed:
        return replace(model, zoomed=False)
    return replace(model, scrolled={})


def _faster(model: Model) -> Model:
    return change_pace(model, 1)


def _slower(model: Model) -> Model:
    return change_pace(model, -1)


def _enter(model: Model) -> Model:
    """Take what is marked in a list; at the table, offer."""
    if model.overlay in SEATS:
        chosen = strategy_choices(model.latest)[model.overlay_row]
        return take_seat(replace(model, overlay=None), SEATS[model.overlay], chosen)
    if model.overlay == WHAT_IF:
        action = what_if_choices(model)[model.overlay_row].action
        return ask_what_if(replace(model, overlay=None), action)
    if model.latest.recording:
        return replace(model, message=model.keys.said("nothing to take: {what_if} opens a list"))
    if model.latest.score is None:
        lists = "{seller_menu}, {buyer_menu} and {what_if} open a list, {sit} takes a seat"
        return replace(model, message=model.keys.said(f"nothing to take: {lists}"))
    return offer(model)


def _what_if(model: Model) -> Model:
    """Open a list of what could be done in the position on the bar."""
    if model.overlay == WHAT_IF:
        return replace(model, overlay=None)
    model = replace(pause(model), reveal=None)
    playback = model.playback
    if playback is None or playback.over:
        text = "nothing is left to decide in this negotiation: {back} goes back to a decision"
        return replace(model, message=model.keys.said(text))
    choices = what_if_choices(model)
    done = playback.negotiation.transcript.turns[playback.visible :]
    row = next((n for n, c in enumerate(choices) if done and c.action == done[0].action), 0)
    return replace(model, overlay=WHAT_IF, overlay_row=row)


def _test(model: Model) -> Model:
    if model.overlay == "test":
        return replace(model, overlay=None)
    return replace(send(model, Test()), overlay="test", overlay_row=0)


def _values(model: Model) -> Model:
    return replace(model, normalized=not model.normalized)


def _advice(model: Model) -> Model:
    return replace(model, advice=not model.advice)


def _zoom(model: Model) -> Model:
    return replace(model, zoomed=not model.zoomed)


def _choose(model: Model, number: int) -> Model:
    return choose_pane(model, number, PANES, PRICE)


def _next_pane(model: Model) -> Model:
    return _choose(model, model.chosen % len(PANES) + 1)


def _previous_pane(model: Model) -> Model:
    return _choose(model, (model.chosen - 2) % len(PANES) + 1)


def _page(model: Model) -> int:
    """How many rows are in sight of what is scrolled."""
    if model.overlay:
        return overlay_rows(model.height)
    view = table_view(model, model.chosen) if model.chosen in TABLES else None
    return view.rows if view else 1


def _scroll(model: Model, command: str) -> Model:
    rows, columns = moved(command, _page(model))
    if model.overlay in MENUS:
        row = min(max(0, model.overlay_row + rows), len(menu_lines(model)) - 1)
        return replace(model, overlay_row=row)
    if model.overlay:
        row = first_row(model, first_row(model, model.overlay_row) + rows)
        return replace(model, overlay_row=row)
    position = your_turn(model)
    if position is not None and command in STEPS:
        return choose(model, position, rows, columns)
    if model.chosen not in TABLES:
        return replace(model, message="this pane shows all it has; choose a Q-table to scroll")
    view = table_view(model, model.chosen)
    if view is None:
        text = "no room for Q-tables here: {zoom} gives one the whole screen"
        return replace(model, message=model.keys.said(text))
    to = view.clamped(view.first_row + rows, view.first_column + columns)
    return replace(model, scrolled={**model.scrolled, model.chosen: to})


def _save(model: Model) -> Model:
    return send(model, Save(model.history.entries))


def _repaint(model: Model) -> Model:
    return replace(model, repaints=model.repaints + 1)


_COMMANDS: dict[str, Callable[[Model], Model]] = {
    "quit": _quit,
    "help": _help,
    "run": run_or_pause,
    "offer": next_offer,
    "negotiation": next_negotiation,
    "cycle": next_cycle,
    "faster": _faster,
    "slower": _slower,
    "toggle": toggle,
    "seller": seller,
    "buyer": buyer,
    "seller_menu": seller_menu,
    "buyer_menu": buyer_menu,
    "take": _enter,
    "back": step_back,
    "earlier": earlier_cycle,
    "later": later_cycle,
    "what_if": _what_if,
    "sit": sit,
    "accept": accept,
    "reject": quit_negotiation,
    "opener": next_opener,
    "test": _test,
    "values": _values,
    "advice": _advice,
    "zoom": _zoom,
    "next_pane": _next_pane,
    "previous_pane": _previous_pane,
    "save": _save,
    "restart": restart,
    "repaint": _repaint,
    "close": _close,
}
