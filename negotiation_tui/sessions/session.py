"""The protocol that every live run follows, so that one thread and one screen loop serve all."""

from typing import Any, Protocol


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

    def idle(self) -> None:
        """Do optional work while no command waits, such as updating NashConv."""

    def step(self) -> float:
        """Work for a moment; return the seconds to rest."""

    def close(self) -> None:
        """Release resources. Called once, last, from the session's thread."""
