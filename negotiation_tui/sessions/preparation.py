"""A training that comes before a screen, as a session that publishes its progress."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from negotiation_tui.sessions.session import PlainSession

LEAVE = "leave"  # the only command


class TrainingProgress(NamedTuple):
    """The number of episodes played, and of all, and the seconds that the others will take."""

    done: int
    total: int
    left: float = 0.0


class Preparation(PlainSession):
    """The rest of a training, by its steps; the snapshot is None when the training is over."""

    def __init__(self, steps: Iterator[TrainingProgress], progress: TrainingProgress) -> None:
        self.snapshot: TrainingProgress | None = progress
        self._steps = steps
        self.left = False

    @property
    def running(self) -> bool:
        return self.snapshot is not None

    def handle(self, command: Any) -> None:
        """Stop, because the user leaves, even if the training is over by then."""
        self.left, self.snapshot = self.left or command == LEAVE, None

    def step(self) -> float:
        self.snapshot = next(self._steps, None)
        return 0.0
