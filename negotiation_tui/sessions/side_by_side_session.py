"""Two sessions side by side; neither gets ahead of the other by more than a batch."""

from negotiation_tui.errors import Refusal
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.sessions.commands import Command
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.training_session import TrainingSession

Snapshots = tuple[Snapshot, Snapshot]


@dataclass(frozen=True, slots=True)
class To:
    """A command for one of the two sessions: 0 is the left one, 1 the right one."""

    side: int
    command: Command


class SideBySideSession:
    """Two trainings side by side, each perhaps of a recording."""

    def __init__(self, left: TrainingSession, right: TrainingSession) -> None:
        self._sides = left, right
        self._acting = left  # the session that works now, or did so last
        self._snapshot: Snapshots = (left.snapshot, right.snapshot)

    @property
    def snapshot(self) -> Snapshots:
        """Both snapshots; the tuple is replaced only if one of them is new."""
        left, right = (side.snapshot for side in self._sides)
        if left is not self._snapshot[0] or right is not self._snapshot[1]:
            self._snapshot = left, right
        return self._snapshot

    @property
    def running(self) -> bool:
        return any(side.running for side in self._sides)

    def handle(self, command: To) -> None:
        self._acting = self._sides[command.side]
        self._acting.handle(command.command)

    def meanwhile(self, command: To | None) -> bool:
        side = self._acting if command is None else self._sides[command.side]
        return side.meanwhile(None if command is None else command.command)

    def report(self, refusal: Refusal) -> None:
        self._acting.report(refusal)

    def idle(self) -> None:
        for side in self._sides:
            self._acting = side
            side.idle()

    def step(self) -> float:
        """Let the session that has played less work for a moment; return the seconds to rest."""
        running = [side for side in self._sides if side.running]
        self._acting = min(running, key=lambda side: side.played)
        return self._acting.step()

    def close(self) -> None:
        for side in self._sides:
            side.close()
