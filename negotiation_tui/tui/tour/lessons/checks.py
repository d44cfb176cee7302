"""Checks of the two-agent screen that several lessons use."""

from collections.abc import Callable

from negotiation_tui.game.roles import Role
from negotiation_tui.tui.negotiation.model import Model

Check = Callable[[Model], bool]


def shown(turns: int) -> Check:
    """Return a check that at least this number of turns of a negotiation are on the bar."""
    return lambda model: model.playback is not None and model.playback.visible >= turns


def over(model: Model) -> bool:
    """True if the bar shows the end of a negotiation."""
    return model.playback is not None and model.playback.over


def opened_by(role: Role) -> Check:
    """Return a check that the bar shows the end of a negotiation which this role opened."""
    return lambda model: (
        model.playback is not None
        and over(model)
        and model.playback.negotiation.transcript.opener is role
    )


def finished(model: Model) -> bool:
    """True if the training is done."""
    return model.latest.finished
