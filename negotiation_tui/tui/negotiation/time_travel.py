"""Going back and forth through what was on the bar, and asking what if. Pure."""

from dataclasses import replace

from negotiation_tui.sessions.commands import WhatIf
from negotiation_tui.sessions.snapshot import Negotiation
from negotiation_tui.tui.negotiation.history import MOST, MOST_BYTES
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.playback import Playback

ALL = 1 << 30
"""More turns than a negotiation can have."""


def put_on_bar(model: Model, negotiation: Negotiation, visible: int) -> Model:
    """Show so many turns of a negotiation."""
    seconds, still = 1 / model.pace.offers, not model.animation
    shown = Playback(negotiation, 0, model.now, model.now, seconds, still)
    return replace(model, playback=shown.showing(visible, model.now))


def travel(model: Model, place: int, visible: int = ALL) -> Model:
    """Put an entry of the history on the bar; the newest is the present."""
    newest = len(model.history.entries) - 1
    model = replace(model, place=place if place < newest else None, origin=None)
    model = put_on_bar(model, model.history.negotiation(place), visible)
    return replace(model, message=_where(model))


def here(model: Model) -> int:
    """The entry of the history that is on the bar."""
    return len(model.history.entries) - 1 if model.place is None else model.place


def present(model: Model) -> Model:
    """Back from a what-if and from the past."""
    if model.place is None and model.origin is None:
        return model
    return replace(travel(model, len(model.history.entries) - 1), message="")


def back(model: Model) -> Model:
    """One offer back; from a negotiation's first to the end of the one before."""
    playback = model.playback
    if playback is None:
        return replace(model, message="nothing was shown yet that one could go back to")
    if model.origin and playback.visible <= (playback.negotiation.what_if or 0) + 1:
        return leave_what_if(model)
    if playback.visible > 1:
        earlier = replace(playback.showing(playback.visible - 1, model.now), held=True)
        return replace(model, playback=earlier)
    if here(model) == 0:
        return replace(model, message=f"this is as far back as it goes: {_kept(model)}")
    return travel(model, here(model) - 1)


def other_cycle(model: Model, step: int) -> Model:
    """The end of the nearest cycle before or after of which something is kept."""
    if not model.history.entries:
        return replace(model, message="nothing was shown yet that one could go back to")
    place = model.history.other_cycle(here(model), step)
    if place is not None:
        return travel(model, place)
    if step < 0:
        return replace(model, message=f"nothing is kept of a cycle before: {_kept(model)}")
    if model.place is None and model.origin is None:
        return replace(model, message="this is the present")
    return replace(present(model), message="back in the present")


def ask_what_if(model: Model, action: int) -> Model:
    """Have the trainer play on from here with another action."""
    playback = model.playback
    assert playback is not None
    command = WhatIf(model.learned, playback.negotiation, playback.visible, action)
    return replace(model, commands=(*model.commands, command), sent=model.sent + 1)


def show_what_if(model: Model, negotiation: Negotiation) -> Model:
    """Put the answer on the bar from the action on that was asked for, and let it play."""
    turns = negotiation.what_if or 0
    begun = replace(model, origin=model.origin or model.playback, running=True)
    return put_on_bar(begun, negotiation, turns + 1)


def leave_what_if(model: Model) -> Model:
    """Back to where it was begun, and rest there."""
    was = replace(model, playback=model.origin, origin=None, running=False)
    return replace(was, message="this is how it was")


def _where(model: Model) -> str:
    if model.place is None:
        return "back in the present"
    return f"{len(model.history.entries) - 1 - model.place:,} back · {_kept(model)}"


def _kept(model: Model) -> str:
    """How many of the negotiations that were shown can be gone back to, in how much memory."""
    kept, size = len(model.history.entries), model.history.size / (1 << 20)
    return f"{kept:,} kept of at most {MOST:,}, {size:.1f} of {MOST_BYTES >> 20} MB"
