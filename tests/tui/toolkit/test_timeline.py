"""A screen made of the shared parts alone: panes, history, pace and travel."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar, NamedTuple, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import Layout
from negotiation_tui.tui.toolkit.pace import Pace
from negotiation_tui.tui.toolkit.paned import choose_pane
from negotiation_tui.tui.toolkit.timeline import (
    ALL,
    History,
    TimelineModel,
    change_pace,
    jump,
    pause,
    show_newest,
    stop,
)

NO_KEYS = Keys(())
SLOW, FAST = Pace("1", "1 turn/s", 1.0, True), Pace("flat", "flat out", 5.0, False)


class Moment(NamedTuple):
    number: int
    size: int = 1
    handled: int = 0
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Counter(TimelineModel[Moment, Run | Halt]):
    base_pane: ClassVar = 1
    paces: ClassVar = (SLOW, FAST)

    _: KW_ONLY
    keys: Keys = NO_KEYS
    chosen: int = 2
    detail: int = 2
    pace_index: int = 0
    shown: tuple[int, int] = (0, 0)

    @property
    def unseen(self) -> bool:
        newest = self.history.newest
        return newest is None or newest.number != self.latest.number

    @property
    def goals(self) -> tuple[str, int]:
        return "number", self.latest.number

    def size_of(self, entry: Moment, _before: Moment | None) -> int:
        return entry.size

    def put_on(self, entry: Moment, visible: int) -> Self:
        return replace(self, shown=(entry.number, visible))

    def layout(self) -> Layout:
        return Layout()

    def rest(self, _frame: float, _now: float) -> float:
        return 0.5


def test_the_base_pane_leaves_the_detail_in_its_place() -> None:
    model = choose_pane(Counter(Moment(0), chosen=2, detail=3), 1, (1, 2))
    assert (model.chosen, model.detail) == (1, 3)
    model = choose_pane(model, 2, (1, 2))
    assert (model.chosen, model.detail) == (2, 2)


def after(moments: Sequence[Moment]) -> Counter:
    model = Counter(moments[0], running=False)
    for moment in moments:
        model = show_newest(replace(model, latest=moment), ALL)
    return model


moments = st.lists(st.integers(0, 100), min_size=1, max_size=40).map(
    lambda sizes: [Moment(number, size) for number, size in enumerate(sizes)]
)


@given(entries=moments, most=st.integers(1, 50), most_bytes=st.integers(0, 600))
def test_a_history_keeps_the_newest(entries: list[Moment], most: int, most_bytes: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timeline, "MOST", most)
        patch.setattr(timeline, "MOST_BYTES", most_bytes)
        kept: History[Moment] = History()
        for entry in entries:
            kept = kept.with_newest(entry, entry.size)
    n = len(kept.entries)
    assert kept.entries == tuple(entries[-n:])
    assert kept.sizes == tuple(entry.size for entry in kept.entries)
    assert n == 1 or (n <= most and kept.size <= most_bytes)
    more = entries[-n - 1 :]
    # Even what was dropped early would not fit now: sizes only add up.
    assert n == len(entries) or n == most or sum(entry.size for entry in more) > most_bytes


@given(entries=moments, steps=st.lists(st.integers(-5, 5).filter(bool), max_size=20))
def test_any_journey_shows_the_entry_it_says(entries: list[Moment], steps: list[int]) -> None:
    model = after(entries)
    last, here = len(entries) - 1, len(entries) - 1
    for step in steps:
        model = jump(model, step)
        here = min(max(0, here + step), last)
        assert (model.here, model.steps_back) == (here, last - here)
        assert model.shown == (here, ALL)
        assert (model.place is None) == (here == last) == model.live
    assert jump(model, ALL).shown == after(entries).shown


def test_the_ends_say_so() -> None:
    model = after([Moment(0)])
    assert jump(model, 1).message == "this is the present"
    assert jump(model, -1).message.startswith("this is the oldest entry")
    model = after([Moment(0), Moment(1)])
    assert jump(model, -1).message.startswith("1 back · 2 of at most")
    assert jump(jump(model, -1), 1).message == "back in the present"


def test_the_session_runs_alone_only_at_a_pace_that_is_not_seen() -> None:
    slow = Counter(Moment(0))
    fast = change_pace(slow, 1)
    assert (fast.message, fast.commands, fast.sent) == ("pace: flat out", (Run(None),), 1)
    assert fast.free_running
    assert fast.waiting
    assert change_pace(fast, 1).message == "flat out is the fastest pace"
    assert change_pace(slow, -1).message == "1 turn/s is the slowest pace"
    assert change_pace(fast, -1).commands == (Run(None), Halt())
    assert pause(fast).commands == (Run(None), Halt())
    assert not pause(fast).running
    assert pause(slow).commands == ()
    assert stop(replace(slow, reveal=3)).reveal is None
