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
    strategy_choices,
)
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.time_travel import present
from negotiation_tui.tui.toolkit.search import edited
from negotiation_tui.tui.widgets.words import short

T = TypeVar("T")


def take_seat(model: Model, role: Role, spec: str | None) -> Model:
    """Put a strategy or a learner in a seat, or the learner that sat there last (None)."""
    strategy, plays = spec, short(spec) if spec else "its learned table"
    if spec and learns(spec):
        strategy, last = None, model.latest.algorithms[role]
        plays = "its learned table" if spec == last else f"{short(spec)}, untrained at first"
    return replace(
        present(model).send(TakeSeat(role, spec)),
        strategies=_with(model.strategies, role, strategy),
        tried=_with(model.tried, role, strategy),
        message=f"the {role} plays {plays}",
    )


def _with(pair: tuple[T, T], role: Role, value: T) -> tuple[T, T]:
    return (value, pair[1]) if role is Role.SELLER else (pair[0], value)


def next_strategy(model: Model, role: Role) -> Model:
    """Choose the next strategy for a seat."""
    names = strategy_choices(model.latest)
    now = line_of(names, model.tried[role])
    return take_seat(model, role, names[(now + 1) % len(names)])


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
    """Put static strategies in both seats if either learns, otherwise both learned tables.

    A seat whose static strategy was just refused does not count as learning.
    """
    learned = any(
        strategy is None and tried != static
        for strategy, tried, static in zip(model.strategies, model.tried, model.static, strict=True)
    )
    for role in Role:
        model = take_seat(model, role, model.static[role] if learned else None)
    what = "their static strategies" if learned else "their learned tables"
    return replace(model, message=f"both seats play {what}")


def next_opener(model: Model) -> Model:
    """Choose the next opener: the seller, the buyer, or both in turns."""
    openers = list(Opener)
    opener = openers[(openers.index(model.opener) + 1) % len(openers)]
    text = "openers alternate" if opener is Opener.ALTERNATE else f"the {opener} opens"
    return replace(present(model).send(SetOpener(opener)), opener=opener, message=text)
