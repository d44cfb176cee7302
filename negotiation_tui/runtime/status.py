"""The state of a live run, as its snapshots tell it."""

from negotiation_tui.runtime.records import dataclass


@dataclass(frozen=True, eq=False)
class Status:
    """The state of a session itself: commands, notices and speed."""

    notice: str = ""  # the latest message for the user
    notices: int = 0  # number of messages so far
    handled: int = 0  # number of commands carried out
    per_second: float | None = None  # units of its work; None unless running
    compiled: bool = False
