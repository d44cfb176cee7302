"""Return the model after each message.

Pure: nothing here reads a clock, draws or talks to the session. Commands for the session are left
in `Model.commands`.
"""

from dataclasses import replace

from negotiation_tui.game.negotiation import Position
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.actions import COMMANDS, clicked, intercepted, scroll
from negotiation_tui.tui.negotiation.director import direct, directs
from negotiation_tui.tui.negotiation.human_controls import edits
from negotiation_tui.tui.negotiation.menus import MENUS, WHAT_IF
from negotiation_tui.tui.negotiation.modals import modal_lines
from negotiation_tui.tui.negotiation.model import Model, known_static
from negotiation_tui.tui.negotiation.render import PANES, render
from negotiation_tui.tui.negotiation.time_travel import answered, forward, show_what_if
from negotiation_tui.tui.negotiation.transport import LAST, MORE, run, show
from negotiation_tui.tui.toolkit.messages import KeyPressed, Message
from negotiation_tui.tui.toolkit.paned import Controls
from negotiation_tui.tui.toolkit.timeline import pause, remember


def update(model: Model, message: Message) -> Model:
    """Return the model after a message; the same object if nothing changed."""
    after = _CONTROLS.update(model, message)
    again = after.asked == model.asked and isinstance(message, KeyPressed)
    if after.asked and (again or not after.message):
        after = replace(after, asked=None)  # another key, repeated and done, or long ago
    if after.price_typed and isinstance(message, KeyPressed) and not edits(model, message.key):
        after = replace(after, price_typed="")
    over = after.human_playing and after.playback is not None and after.playback.over
    was_over = model.playback is not None and model.playback.over
    if over and not was_over and not after.modal:
        return replace(after, modal="score", modal_row=0)
    if after.modal == "score" and not over:
        return replace(after, modal=None)
    if after.modal == WHAT_IF and _position(after) != _position(model):
        return replace(after, modal=None)  # the list belongs to another position
    return after


def _position(model: Model) -> Position | None:
    return model.playback.position if model.playback else None


def start(model: Model) -> Model:
    """Start a new model; its session may already have handled commands."""
    model = replace(model, sent=model.latest.handled)
    return run(model) if model.running else model


def _tick(model: Model, now: float) -> Model:
    playback = model.playback
    if playback and playback.moving:
        model = replace(model, playback=playback.at(now))
    goes_on = model.running or (model.human_playing and not (playback and playback.rewound))
    if not goes_on or model.reveal is not None or (playback and now < playback.due):
        return model
    later = replace(model, now=now)
    if playback and not playback.ended:
        return replace(later, playback=playback.showing(playback.visible + 1, now))
    if model.human_playing:
        return show(later, 0) if model.unseen and not model.waiting else model
    return _after(later)


def _after(model: Model) -> Model:
    """Return the model after the negotiation on the bar has ended, while running."""
    if model.origin:
        return pause(model)
    if not model.in_present:
        model = model if model.past.asked else forward(model, 1)
        return run(model) if model.in_present else model
    if directs(model):
        return direct(model)
    if model.unseen:
        return show(model, 1)
    if model.latest.recording and model.latest.finished and not model.waiting:
        return pause(model)
    return model if model.free_running or model.waiting else model.send(Play())


def _published(model: Model, snapshot: Snapshot) -> Model:
    before, model = model.latest, replace(model, latest=snapshot)
    if model.void:
        return model
    if _number(snapshot) != _number(before):
        model = replace(model, before=before)
    if snapshot.notices != before.notices:
        model = replace(model, message=snapshot.notice)
    if snapshot.finished and not before.finished:
        model = replace(model, message=_finished(model, snapshot))
    if snapshot.negotiation is None and before.negotiation is not None:
        model = replace(model, playback=None)
    if snapshot.what_if is not before.what_if and snapshot.what_if:
        model = show_what_if(model, snapshot.what_if)
    model = answered(_refreshed(model))
    if model.waiting:
        return model
    static = known_static(snapshot, model.static)
    model = replace(model, strategies=snapshot.strategies, static=static, opener=snapshot.opener)
    if model.reveal is not None:
        model = replace(show(model, model.reveal), reveal=None)
    return model


def _finished(model: Model, snapshot: Snapshot) -> str:
    if snapshot.recording:
        return model.keys.format(LAST)
    done = f"all {snapshot.parameters.cycles:,} cycles done, the plans are learned"
    follows = f"{{sit}} plays against them, {{test}} tests, {{more}} trains {MORE} more"
    return model.keys.format(f"{done}: {follows}")


def _refreshed(model: Model) -> Model:
    """Update the newest negotiation in the history, and on the bar if it is shown there."""
    newest = model.latest.negotiation
    if newest is None or model.unseen:
        return model
    model = remember(model)
    playback = model.playback
    if playback is None or playback.negotiation is newest or not model.live:
        return model
    return replace(model, playback=replace(playback, negotiation=newest))


def _number(snapshot: Snapshot) -> int:
    return snapshot.negotiation.number if snapshot.negotiation else 0


_CONTROLS = Controls(
    panes=PANES,
    commands=COMMANDS,
    scroll=scroll,
    modal_lines=modal_lines,
    published=_published,
    tick=_tick,
    intercept=intercepted,
    menus=MENUS,
    render=render,
    clicked=clicked,
)
