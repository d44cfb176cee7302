"""A session for lessons: it opens one session after the other, and computes what each reveals."""

import warnings
from collections.abc import Callable, Generator, Mapping
from typing import Any

from negotiation_tui.errors import BadInputError, Refusal, reason_of
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.sessions.session import Session

Figures = Mapping[str, str]  # computed values by name, as they stand in a text
Task = Generator[float, None, Figures]
"""Computes facts in pieces of a moment each; yields the share that is done, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Open:
    """Open another session in place of the present one, and begin to compute facts."""

    session: Callable[[], Session]
    work: Callable[[], Task]


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the progress of the user."""

    progress: Any


@dataclass(frozen=True, slots=True)
class TourSnapshot:
    """The snapshot of the session that is open, and the facts as far as they are known."""

    opened: int  # number of sessions opened before this one
    inner: Any
    facts: Figures | None = None  # none until all are computed
    share: float = 0.0  # share of the work that is done, 0 to 1


class TourSession:
    """A session that passes on all commands except its own; `keep` stores the user's progress."""

    def __init__(self, first: Open, keep: Callable[[Any], None]) -> None:
        self._keep = keep
        self._inner = first.session()
        self._work: Task | None = first.work()
        self._snapshot = TourSnapshot(0, self._inner.snapshot)

    @property
    def snapshot(self) -> TourSnapshot:
        """The newest snapshot, replaced only if something is new."""
        inner = self._inner.snapshot
        if inner is not self._snapshot.inner:
            self._snapshot = replace(self._snapshot, inner=inner)
        return self._snapshot

    @property
    def running(self) -> bool:
        return self._work is not None or self._inner.running

    def handle(self, command: Any) -> None:
        match command:
            case Open():
                self._inner.close()
                self._inner, self._work = command.session(), command.work()
                self._snapshot = TourSnapshot(self._snapshot.opened + 1, self._inner.snapshot)
            case Keep(progress):
                try:
                    self._keep(progress)
                except (BadInputError, OSError) as error:
                    text = f"the progress of the tour cannot be saved: {reason_of(error)}"
                    warnings.warn(text, stacklevel=1)
            case _:
                self._inner.handle(command)

    def report(self, refusal: Refusal) -> None:
        self._inner.report(refusal)

    def meanwhile(self, command: Any) -> bool:
        return self._inner.meanwhile(command)

    def idle(self) -> None:
        self._inner.idle()

    def close(self) -> None:
        self._inner.close()

    def step(self) -> float:
        """Compute a piece of the facts and let the open session work; return seconds to rest."""
        if self._work is not None:
            try:
                self._snapshot = replace(self._snapshot, share=next(self._work))
            except StopIteration as done:
                self._snapshot = replace(self._snapshot, share=1.0, facts=done.value)
                self._work = None
        rest = self._inner.step() if self._inner.running else 0.0
        return rest if self._work is None else 0.0
