"""The part of the model that says which earlier moment is looked at. Pure."""

from dataclasses import dataclass

from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.toolkit.timeline import ALL


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier moment on the screen, and the one that was wished for last."""

    shown: Snapshot | None = None
    """The moment on the screen; None if it is the present or an entry of the history."""
    before: Snapshot | None = None
    """One negotiation before `shown`; None if there was none."""
    wanted: int | None = None
    """The moment wished for, until it is shown."""
    asked: int = 0
    """The number of the command that asks for a moment; 0 if none is on its way."""
    visible: int = ALL
    """Number of turns to show of it."""
    typed: str | None = None
    """The digits typed so far of a cycle to go to; None unless one is typed."""
