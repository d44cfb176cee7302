"""Commands, pacing and notices as every paced session has them, on a session that only counts."""

import time

from negotiation_tui.sessions.commands import Halt, Play, Restart, Run
from negotiation_tui.sessions.paced_session import PacedSession
from negotiation_tui.sessions.snapshot import Status

LAST = 10**7


class Counter(PacedSession[tuple[int, Status]]):
    """Counts to LAST."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__("at first")
        self.seconds = seconds
        self.count = self.most = self.batches = 0
        self.snapshot = self._snapshot()

    @property
    def _finished(self) -> bool:
        return self.count == LAST

    def _limit(self) -> int:
        return LAST - self.count

    def _play(self, n: int) -> None:
        self.count, self.most = self.count + n, max(self.most, n)
        self.batches += 1
        time.sleep(self.seconds * n)

    def _restart(self) -> str:
        self.count = 0
        return "from zero"

    def _snapshot(self) -> tuple[int, Status]:
        return self.count, self._status()


def test_each_command_is_counted_and_published() -> None:
    session = Counter()
    count, status = session.snapshot
    assert (count, status.notice, status.notices, status.handled) == (0, "at first", 0, 0)
    for command in (Play(3), Play(), Run(5.0), Halt()):
        session.handle(command)
    count, status = session.snapshot
    assert (count, status.notice, status.notices, status.handled) == (4, "at first", 0, 4)
    session.handle(Run())
    session.handle(Restart())
    count, status = session.snapshot
    assert (count, status.notice, status.notices, status.handled) == (0, "from zero", 1, 6)
    assert not session.running


def test_a_run_goes_to_the_end_in_growing_batches_and_publishes_it() -> None:
    session = Counter()
    assert (session.running, session.step()) == (False, 0.0)
    session.handle(Run())
    while session.running:
        assert session.step() == 0.0
    assert session.snapshot[0] == session.count == LAST
    assert session.most > 16
    assert session.batches > 1
    assert session.snapshot[1].per_second is None, "it runs no more"


def test_a_run_that_is_ahead_of_its_pace_rests() -> None:
    session, begun = Counter(), time.perf_counter()
    session.handle(Run(100.0))
    while time.perf_counter() < begun + 0.2:
        session.step()
    assert session.step() >= 0
    assert 0 < session.count <= 100 * (time.perf_counter() - begun)
    session.handle(Run(1e-9))
    assert session.step() > 0, "seconds to rest, for nothing is due"


def test_a_slow_run_plays_one_at_a_time_also_if_it_lags_behind() -> None:
    """So that it obeys between two negotiations."""
    session = Counter(seconds=0.02)
    session.handle(Run(1000.0))
    while session.batches < 8:
        session.step()
    assert session.most == 1
