"""Commands that are asked about once, because something would be lost. Pure."""

from dataclasses import replace

from negotiation_tui.runtime.text import plural
from negotiation_tui.tui.negotiation.human_controls import your_turn
from negotiation_tui.tui.negotiation.model import Model

MOST = 5.0
"""Processor seconds of training that may be lost without a question."""


def asked_first(model: Model, command: str | None) -> Model | None:
    """Return the model with a question if the command would lose something; None otherwise.

    A command that is given a second time at once is carried out.
    """
    loss = _loss(model, command)
    if not loss or command is None or model.asked == command:
        return None
    return replace(model, asked=command).with_message(f"{loss}: press {{{command}}} again")


def _loss(model: Model, command: str | None) -> str:
    """Return what a command would lose, empty if nothing."""
    playing = model.human_playing and model.playback is not None and not model.playback.over
    if command in {"quit", "restart"} and model.latest.unsaved > MOST:
        return f"{_duration(model.latest.unsaved)} of training would be lost"
    if command == "quit" and playing:
        return "you would leave in the middle of a negotiation"
    position = your_turn(model)
    if command == "reject" and position and position.standing_offer is not None:
        return "you would walk away and gain nothing"
    return ""


def _duration(seconds: float) -> str:
    if seconds < 100:
        return plural(round(seconds), "second")
    if seconds < 6000:
        return plural(round(seconds / 60), "minute")
    return plural(round(seconds / 3600), "hour")
