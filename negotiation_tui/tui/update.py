"""How each message changes what the screen knows.

Pure: nothing here reads a clock, draws or talks to the trainer. Commands for the trainer are left
in `Model.commands`.
"""

from dataclasses import replace

from negotiation_tui.commands import Play
from negotiation_tui.snapshot import Snapshot
from negotiation_tui.tui.actions import press
from negotiation_tui.tui.messages import KeyPressed, Message, Published, Resized, Tick
from negotiation_tui.tui.model import Model, known_static
from negotiation_tui.tui.transport import run, send, show


def update(model: Model, message: Message) -> Model:
    """The model after a message; the same object if nothing changed."""
    match message:
        case Tick(now):
            return _tick(model, now)
        case Published(snapshot):
            return _published(model, snapshot)
        case Resized(width, height):
            same = (width, height) == (model.width, model.height)
            return model if same else replace(model, width=width, height=height)
        case KeyPressed(key, now):
            return press(replace(model, now=max(now, model.now)), key)


def start(model: Model) -> Model:
    """Set a model going that has just been made."""
    return run(model) if model.running else model


def _tick(model: Model, now: float) -> Model:
    playback = model.playback
    if playback and playback.moving:
        model = replace(model, playback=playback.at(now))
    if not model.running or model.reveal is not None or (playback and now < playback.due):
        return model
    model = replace(model, now=now)
    if playback and not playback.over:
        return replace(model, playback=playback.showing(playback.visible + 1, now))
    newest = model.latest.negotiation
    if newest and (playback is None or newest.number != playback.negotiation.number):
        return show(model, 1)
    if model.free_running or model.waiting:
        return model
    return send(model, Play())


def _published(model: Model, snapshot: Snapshot) -> Model:
    before, model = model.latest, replace(model, latest=snapshot)
    if snapshot.negotiation is not before.negotiation:
        model = replace(model, before=before)
    if snapshot.notices != before.notices:
        model = replace(model, message=snapshot.notice)
    if snapshot.finished and not before.finished:
        cycles = snapshot.parameters.cycles
        text = f"all {cycles} cycles done; now showing test negotiations of what was learned"
        model = replace(model, message=text)
    if snapshot.negotiation is None and before.negotiation is not None:
        model = replace(model, playback=None)
    if model.waiting:
        return model
    static = known_static(snapshot, model.static)
    model = replace(model, strategies=snapshot.strategies, static=static, opener=snapshot.opener)
    if model.reveal is not None:
        model = replace(show(model, model.reveal), reveal=None)
    return model
