"""Moving through the history of the bar, and what-ifs. Pure."""

from dataclasses import replace

from negotiation_tui.sessions.commands import WhatIf
from negotiation_tui.sessions.snapshot import Negotiation
from negotiation_tui.tui.negotiation import history
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.timeline import ALL, jump, say_place, stop

_NOTHING = "nothing to go back to yet"


def travel(model: Model, place: int, visible: int = ALL) -> Model:
    """Put an entry of the history on the bar; the newest is the present."""
    return say_place(timeline.travel(model, place, visible))


def present(model: Model) -> Model:
    """Return from a what-if or from the past to the present."""
    return model if model.live else timeline.travel(model, len(model.history.entries))


def back(model: Model) -> Model:
    """Stop and go one offer back, from a first offer to the end of the negotiation before."""
    model = stop(model)
    playback = model.playback
    if playback is None:
        return replace(model, message=_NOTHING)
    if model.origin and playback.visible <= (playback.negotiation.what_if or 0) + 1:
        return leave_what_if(model)
    if playback.visible > 1:
        earlier = replace(playback.showing(playback.visible - 1, model.now), rewound=True)
        return replace(model, playback=earlier)
    return jump(model, -1)


def other_cycle(model: Model, step: int) -> Model:
    """Stop and go to the end of the nearest earlier or later cycle in the history."""
    model = stop(model)
    if not model.history.entries:
        return replace(model, message=_NOTHING)
    place = history.other_cycle(model.history, model.here, step)
    if place is not None:
        return travel(model, place)
    if step < 0:
        return replace(model, message=f"no earlier cycle in the history: {model.history}")
    if model.live:
        return replace(model, message="this is the present")
    return say_place(present(model))


def ask_what_if(model: Model, action: int) -> Model:
    """Ask the session to continue from here with another action."""
    playback = model.playback
    assert playback is not None
    return model.send(WhatIf(model.learned, playback.negotiation, playback.visible, action))


def show_what_if(model: Model, negotiation: Negotiation) -> Model:
    """Play a what-if on the bar, from its own action on."""
    turns = negotiation.what_if or 0
    model = replace(model, origin=model.origin or model.playback, running=True)
    return model.play_back(negotiation, turns + 1)


def leave_what_if(model: Model) -> Model:
    """Return to the position where the what-if began, and pause."""
    message = "back from the what-if: this was really played"
    return replace(model, playback=model.origin, origin=None, running=False, message=message)
