"""The protocol that every live run follows, so that one thread and one screen loop serve all."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from negotiation_tui.errors import BadInputError, Refusal

R = TypeVar("R")


class Session(Protocol):
    """A live run that takes commands and publishes snapshots; it works only if called."""

    @property
    def snapshot(self) -> Any:
        """The newest snapshot: an immutable value."""

    @property
    def running(self) -> bool:
        """True if `step` has something to do."""

    def handle(self, command: Any) -> None:
        """Carry out one command and publish the result."""

    def report(self, refusal: Refusal) -> None:
        """Publish the refusal of a command or a step, or raise it to end the session."""

    def idle(self) -> None:
        """Do optional work while no command waits, such as updating NashConv."""

    def step(self) -> float:
        """Work for a moment; return the seconds to rest."""

    def close(self) -> None:
        """Release resources. Called once, last, from the session's thread."""


def attempt(session: Session, work: Callable[..., R], *arguments: Any) -> R | None:
    """Call a method of a session; a refusal is reported and does not end the session."""
    try:
        return work(*arguments)
    except (BadInputError, OSError) as refusal:
        session.report(refusal)
        return None
