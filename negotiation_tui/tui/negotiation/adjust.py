"""The list of settings that can change while a training runs. Pure."""

from dataclasses import replace
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.settings_text import in_short
from negotiation_tui.runtime.text import table
from negotiation_tui.runtime.validate import parse_like
from negotiation_tui.sessions.commands import Set
from negotiation_tui.tui.negotiation import time_travel
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.boxes import Box
from negotiation_tui.tui.toolkit.timeline import Wish, stop, wished

_OF_SETTINGS = {
    "learning_rate": "α, the weight of the newest observation",
    "discount_rate": "γ, the worth of a reward one decision later",
    "exploration_start": "ε now, from which it falls",
    "exploration_end": "the limit that ε falls toward",
    "exploration_decay": "speed of the fall of ε, per game",
    "expected_updates": "learn from the mean of all answers",
}
ADJUST = "adjust"


def adjust(model: Model) -> Model:
    """Open or close the list of settings."""
    if model.modal == ADJUST:
        return replace(model, modal=None)
    if model.human_playing:
        return model.with_message(time_travel.PLAYING)
    if not model.snapshot.settings:
        return replace(model, message="only games are shown: they have no settings to change")
    return replace(stop(model), modal=ADJUST, modal_row=0, typed="")


def _settings_title(model: Model) -> str:
    since = (
        "the next game" if model.in_present else model.here.course.named(model.here.negotiations)
    )
    return f"Settings, from {since} on"


def _setting_lines(model: Model) -> tuple[str, ...]:
    row = model.modal_row
    rows = [
        (name, in_short(now), f"→ {model.typed}_" * (n == row), _OF_SETTINGS.get(name, "a step"))
        for n, (name, now) in enumerate(model.snapshot.settings)
    ]
    return tuple(table(rows, "<"))


def _apply_setting(model: Model) -> Model:
    """Send the value that was typed for the marked setting; in the past the run goes on there."""
    name, now = model.snapshot.settings[model.modal_row]
    try:
        value = parse_like(name, model.typed, now)
        if name in _OF_SETTINGS:
            changed: dict[str, Any] = {name: value}
            replace(model.snapshot.parameters, **changed)
    except BadInputError as error:
        return replace(model, message=str(error))
    closed = replace(model, modal=None, typed="")
    if model.in_present:
        return closed.send(Set(name, value))
    return wished(closed, Wish(), Set(name, value, model.here.negotiations))


ADJUST_BOX: Box[Model] = Box(
    _settings_title,
    _setting_lines,
    _apply_setting,
    "type a value, {take} applies",
    marks=True,
    keeps=True,
    typed=ADJUST,
)
