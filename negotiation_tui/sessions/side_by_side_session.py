"""Two workers on one clock: neither gets ahead of the other by more than a batch."""

from dataclasses import dataclass
from typing import Protocol

from negotiation_tui.sessions.commands import Command
from negotiation_tui.sessions.session import Session
from negotiation_tui.sessions.snapshot import Snapshot

Snapshots = tuple[Snapshot, Snapshot]


class CountingSession(Session, Protocol):
    """A worker that says how far it is."""

    @property
    def negotiations(self) -> int:
        """How many it has played."""


@dataclass(frozen=True, slots=True)
class To:
    """A command for one of the two."""

    side: int
    command: Command


class SideBySideSession:
    """Two trainings, or a training and a recording, side by side."""

    def __init__(self, left: CountingSession, right: CountingSession) -> None:
        self._sides = left, right
        self._snapshot: Snapshots = (left.snapshot, right.snapshot)

    @property
    def snapshot(self) -> Snapshots:
        """What both publish; the same object until either has something new."""
        left, right = (side.snapshot for side in self._sides)
        if left is not self._snapshot[0] or right is not self._snapshot[1]:
            self._snapshot = left, right
        return self._snapshot

    @property
    def running(self) -> bool:
        """Whether either has something to do."""
        return any(side.running for side in self._sides)

    def handle(self, command: To) -> None:
        """Have the one it is for carry it out."""
        self._sides[command.side].handle(command.command)

    def idle(self) -> None:
        """Have both do what is worth doing when nothing more was asked."""
        for side in self._sides:
            side.idle()

    def step(self) -> float:
        """Have the one that is behind go on; returns the seconds to rest."""
        running = [side for side in self._sides if side.running]
        behind = min(running, key=lambda side: side.negotiations)
        return behind.step()

    def close(self) -> None:
        """Have both give back what they hold."""
        for side in self._sides:
            side.close()
