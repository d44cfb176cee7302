"""Going back and forth through what was on the bar, and asking what if. Pure."""

from dataclasses import replace

from negotiation_tui.sessions.commands import WhatIf
from negotiation_tui.sessions.snapshot import Negotiation
from negotiation_tui.tui.negotiation import history
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.timeline import ALL, jump, say_place, stop

_NOTHING = "nothing was shown yet that one could go back to"


def travel(model: Model, place: int, visible: int = ALL) -> Model:
    """Put an entry of the history on the bar; the newest is the present."""
    return say_place(timeline.travel(model, place, visible))


def present(model: Model) -> Model:
    """Back from a what-if and from the past."""
    return model if model.live else timeline.travel(model, len(model.history.entries))


def back(model: Model) -> Model:
    """Stop, and go one offer back; from a negotiation's first to the end of the one before."""
    model = stop(model)
    playback = model.playback
    if playback is None:
        return replace(model, message=_NOTHING)
    if model.origin and playback.visible <= (playback.negotiation.what_if or 0) + 1:
        return leave_what_if(model)
    if playback.visible > 1:
        earlier = replace(playback.showing(playback.visible - 1, model.now), held=True)
        return replace(model, playback=earlier)
    return jump(model, -1)


def other_cycle(model: Model, step: int) -> Model:
    """Stop, and go to the end of the nearest cycle before or after of which something is kept."""
    model = stop(model)
    if not model.history.entries:
        return replace(model, message=_NOTHING)
    place = history.other_cycle(model.history, model.here, step)
    if place is not None:
        return travel(model, place)
    if step < 0:
        return replace(model, message=f"nothing is kept of a cycle before: {model.history}")
    if model.live:
        return replace(model, message="this is the present")
    return say_place(present(model))


def ask_what_if(model: Model, action: int) -> Model:
    """Have the trainer play on from here with another action."""
    playback = model.playback
    assert playback is not None
    return model.send(WhatIf(model.learned, playback.negotiation, playback.visible, action))


def show_what_if(model: Model, negotiation: Negotiation) -> Model:
    """Put the answer on the bar from the action on that was asked for, and let it play."""
    turns = negotiation.what_if or 0
    begun = replace(model, origin=model.origin or model.playback, running=True)
    return begun.play_back(negotiation, turns + 1)


def leave_what_if(model: Model) -> Model:
    """Back to where it was begun, and rest there."""
    was = replace(model, playback=model.origin, origin=None, running=False)
    return replace(was, message="this is how it was")
