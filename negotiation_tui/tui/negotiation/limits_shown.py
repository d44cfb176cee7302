"""The hidden limits that the screen shows, and the limit whose plan it shows. Pure."""

from dataclasses import replace

from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.widgets.limit_strip import LimitStrip
from negotiation_tui.tui.widgets.words import short


def seen(model: Model, role: Role) -> bool:
    """True if the limit of a role in the negotiation on the bar is shown.

    It is at the end, and to the person who has it; before, only if the user asks.
    """
    playback = model.playback
    if playback is None or playback.negotiation.transcript.scenario.lottery is None:
        return not model.snapshot.scenario.limits[role]
    return model.reveals or playback.over or playback.negotiation.person is role


def strip(model: Model, role: Role) -> LimitStrip | None:
    """Return what the price bar shows of the limit of a role; None if it is not hidden."""
    limits, playback = model.snapshot.scenario.limits[role], model.playback
    if limits is None:
        return None
    negotiation = playback.negotiation if playback else None
    held = negotiation.beliefs[role] if negotiation else None
    belief = held[min(playback.visible, len(held) - 1)] if held and playback else None
    drawn = None
    if negotiation is not None and seen(model, role):
        drawn = negotiation.transcript.scenario.limit(role)
    spec = model.snapshot.strategies[role]
    if negotiation is None:
        unknown = "one is drawn for each negotiation"
    elif negotiation.person is role:
        unknown = "only you know it"
    elif model.hides and not model.advice:
        belief, unknown = None, model.keys.format("hidden while you play: {advice} says more")
    elif spec is not None and spec != PERSON:
        unknown = f"not known: {short(spec)} has no table to judge by"
    else:
        unknown = "not known: there is no table to judge by"
    return LimitStrip(role, limits.values, belief, drawn, unknown)


def limit_shown(model: Model, role: Role) -> int:
    """Return the index of the limit whose plan is shown.

    It is the chosen one, otherwise the one in play if that is seen. Until then, and where
    negotiations pass too fast, it is the one that is best for a deal.
    """
    chosen, limits = model.limits[role], model.snapshot.scenario.limits[role]
    if limits is None:
        return 0
    if chosen is not None:
        return chosen
    in_play = limit_in_play(model, role)
    widest = 0 if role is Role.SELLER else len(limits.values) - 1
    return widest if in_play is None else in_play


def limit_in_play(model: Model, role: Role) -> int | None:
    """Return the index of the limit that was drawn; None unless it is seen and there is time."""
    sampled = model.in_present and model.running and not model.pace.seen
    if model.playback is None or sampled or not seen(model, role):
        return None
    return model.playback.negotiation.transcript.scenario.limit_index(role)


def limit_words(model: Model, role: Role) -> str:
    """Return the limit whose plan is shown, for a title; empty if it is not hidden."""
    limits, index = model.snapshot.scenario.limits[role], limit_shown(model, role)
    if limits is None:
        return ""
    its = "its " * (index == limit_in_play(model, role))
    return f", {its}limit {limits.values[index]}"


def reveal(model: Model) -> Model:
    """Show both limits from the start of each negotiation, or only at its end."""
    if not model.snapshot.scenario.hidden:
        return replace(model, message="this game has no hidden limits")
    text = "limits show at the end of each negotiation" if model.reveals else "both limits show"
    return replace(model, reveals=not model.reveals, message=text)


def next_limit(model: Model) -> Model:
    """Show the plan of the chosen pane at the next limit, after the last one as in play again."""
    role = TABLES.get(model.chosen)
    if role is None:
        return model.with_message("choose a plan first, by {next_pane} or its number")
    limits, index = model.snapshot.scenario.limits[role], model.limits[role]
    if limits is None:
        return replace(model, message=f"the {role} has no hidden limits")
    following = 0 if index is None else index + 1
    chosen = [*model.limits]
    chosen[role] = following if following < len(limits.values) else None
    return replace(model, limits=(chosen[0], chosen[1]))
