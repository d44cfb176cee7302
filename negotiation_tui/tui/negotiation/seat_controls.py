"""The commands that choose the player in each seat, and the opener. Pure."""

from dataclasses import replace
from typing import TypeVar

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.learning.spec import learns
from negotiation_tui.sessions.commands import SetOpener, TakeSeat
from negotiation_tui.tui.negotiation.menus import (
    SEATS,
    SETTINGS,
    asked_spec,
    every_seating,
    line_of,
    seatings,
    settings_of_spec,
    settings_refused,
)
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.time_travel import present
from negotiation_tui.tui.toolkit.help_box import edited
from negotiation_tui.tui.widgets.words import short

T = TypeVar("T")


def take_seat(model: Model, role: Role, spec: str | None) -> Model:
    """Put a strategy or a learner in a seat, or the learner that sat there last (None)."""
    strategy, does = spec, f"plays {short(spec)}, a fixed rule" if spec else ""
    if spec is None or spec == model.latest.algorithms[role]:
        strategy = None
        does = "plays what it learned" if model.latest.finished else "learns on, from its table"
    elif learns(spec):
        strategy, does = None, f"plays {short(spec)}, untrained at first"
    return replace(
        present(model).send(TakeSeat(role, spec)),
        strategies=_with(model.strategies, role, strategy),
        message=f"the {role} {does}",
    )


def _with(pair: tuple[T, T], role: Role, value: T) -> tuple[T, T]:
    return (value, pair[1]) if role is Role.SELLER else (pair[0], value)


def toggle_seat(model: Model, role: Role) -> Model:
    """Put the last static strategy in a seat that learns, and the learner in any other."""
    learned = model.strategies[role] is None
    return take_seat(model, role, model.static[role] if learned else None)


def menu(model: Model, role: Role) -> Model:
    """Open or close the list for a seat, with its present strategy marked."""
    if model.modal == str(role):
        return replace(model, modal=None)
    choices = [seating.spec for seating in every_seating(model.latest, role)]
    row = line_of(choices, model.strategies[role])
    return replace(model, modal=str(role), modal_row=row, typed="")


def typed(model: Model, key: str) -> Model | None:
    """Return the model after a key that is typed into the box on top; None for any other key.

    In a list the keys of its own commands are not typed, as long as nothing else was.
    """
    command = model.keys.commands.get(key)
    if command == "take" or (command == f"{model.modal}_menu" and not model.typed):
        return None
    text = edited(model.typed, key)
    if text is None:
        return model if key == "backspace" else None
    return replace(model, typed=text, modal_row=0)


def choose(model: Model) -> Model:
    """Seat the marked learner or strategy, or ask for its settings first."""
    known, role = seatings(model), SEATS[str(model.modal)]
    if not known:
        return model
    spec = known[model.modal_row].spec
    if spec is None or not settings_of_spec(spec):
        return take_seat(replace(model, modal=None), role, spec)
    seated = model.strategies[role] or model.latest.algorithms[role]
    name, _, settings = short(seated).partition(":")
    now = settings if name == short(spec) else ""
    return replace(model, modal=SETTINGS, seat=(role, spec), typed=now, modal_row=0)


def choose_settings(model: Model) -> Model:
    """Seat the learner or strategy with the settings that were typed, if they are allowed."""
    wrong = settings_refused(model)
    if wrong or model.seat is None:
        return replace(model, message=wrong)
    return take_seat(replace(model, modal=None), model.seat[0], asked_spec(model))


def toggle(model: Model) -> Model:
    """Put static strategies in both seats if either learns, otherwise both learners."""
    learned = None in model.strategies
    for role in Role:
        model = take_seat(model, role, model.static[role] if learned else None)
    if learned:
        rules = " and ".join(dict.fromkeys(map(short, model.static)))
        return replace(model, message=f"both play fixed rules: {rules}")
    does = "play what they learned" if model.latest.finished else "learn on, from their tables"
    return replace(model, message=f"both {does}")


def next_opener(model: Model) -> Model:
    """Choose the next opener: the seller, the buyer, or both in turns."""
    openers = list(Opener)
    opener = openers[(openers.index(model.opener) + 1) % len(openers)]
    text = "openers alternate" if opener is Opener.ALTERNATE else f"the {opener} opens"
    return replace(present(model).send(SetOpener(opener)), opener=opener, message=text)
