"""A screen made of the shared parts alone: panes, history, pace and travel."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar, NamedTuple, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.canvas import Rect
from negotiation_tui.tui.toolkit.keys import Key, Keys
from negotiation_tui.tui.toolkit.layout import Layout, TooSmall
from negotiation_tui.tui.toolkit.messages import KeyPressed, Published, Resized, Tick
from negotiation_tui.tui.toolkit.pace import Pace
from negotiation_tui.tui.toolkit.paned import Controls, moved
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

KEYS = Keys(
    (
        Key(("q",), "quit", "quit"),
        Key(("?",), "help", "help"),
        Key(("tab",), "next_pane", "the next pane"),
        Key(("shift-tab",), "previous_pane", "the pane before"),
        Key(tuple("123"), "pane", "a pane"),
        Key(("z",), "zoom", "zoom"),
        Key(("down",), "down", "down"),
        Key(("end",), "last", "to the end"),
        Key(("ctrl-l",), "repaint", "repaint"),
        Key(("esc",), "close", "close"),
        Key(("b",), "back", "back"),
    )
)
HELP = [f"line {n}" for n in range(50)]
SLOW, FAST = Pace("1", "1 turn/s", 1.0, True), Pace("flat", "flat out", 5.0, False)


class Moment(NamedTuple):
    """A snapshot of a session that counts."""

    number: int
    size: int = 1
    handled: int = 0
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Counter(TimelineModel[Moment, Run | Halt]):
    """A screen that shows a number."""

    base_pane: ClassVar = 1
    paces: ClassVar = (SLOW, FAST)

    _: KW_ONLY
    keys: Keys = KEYS
    chosen: int = 2
    detail: int = 2
    pace_index: int = 0
    shown: tuple[int, int] = (0, 0)
    line: int = 0

    @property
    def unseen(self) -> bool:
        newest = self.history.newest
        return newest is None or newest.number != self.latest.number

    def size_of(self, entry: Moment, _before: Moment | None) -> int:
        return entry.size

    def put_on(self, entry: Moment, visible: int) -> Self:
        return replace(self, shown=(entry.number, visible))

    def layout(self) -> Layout | TooSmall:
        place, title = Rect(1, 0, 5, self.width), Rect(0, 0, 1, self.width)
        return TooSmall() if self.width < 40 else Layout({self.detail: place}, title)

    def rest(self, _frame: float, _now: float) -> float:
        return 0.5


def scrolled(model: Counter, command: str) -> Counter:
    return replace(model, line=model.line + moved(command, 5)[0])


update = Controls(
    panes=(1, 2),
    commands={"back": lambda model: jump(model, -1)},
    scroll=scrolled,
    modal_lines=lambda _: HELP,
    published=lambda model, moment: replace(model, latest=moment),
).update


def press(model: Counter, *keys: str) -> Counter:
    for key in keys:
        model = update(model, KeyPressed(key, 1.0))
    return model


def after(moments: Sequence[Moment]) -> Counter:
    """A screen on which all of these were shown."""
    model = Counter(moments[0], running=False)
    for moment in moments:
        model = show_newest(replace(model, latest=moment), ALL)
    return model


moments = st.lists(st.integers(0, 100), min_size=1, max_size=40).map(
    lambda sizes: [Moment(number, size) for number, size in enumerate(sizes)]
)


@given(entries=moments, most=st.integers(1, 50), most_bytes=st.integers(0, 600))
def test_a_history_keeps_as_many_of_the_newest_as_fit(
    entries: list[Moment], most: int, most_bytes: int
) -> None:
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
    assert jump(model, -1).message.startswith("this is the oldest entry: 1 of at most")
    model = after([Moment(0), Moment(1)])
    assert jump(model, -1).message.startswith("1 back · 2 of at most 2,000 entries, 0.0 of 64 MB")
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


def test_a_screen_has_the_shared_commands() -> None:
    model = Counter(Moment(0))
    assert press(model, "q").quit
    assert press(model, "z").zoomed
    assert press(model, "ctrl-l").repaints == 1
    assert press(model, "down", "down").line == 2
    assert [press(model, *["tab"] * n).chosen for n in range(4)] == [2, 1, 2, 1]
    assert press(model, "shift-tab").chosen == 1
    assert press(model, "1").detail == 2
    assert press(model, "3").message == "no pane 3: expected 1 to 2"
    assert press(model, "x").message.startswith("no such key: x")
    assert press(model, "x", "z").message == ""
    assert press(after([Moment(0), Moment(1)]), "b").shown == (0, ALL)


def test_what_lies_on_top_is_scrolled_and_closed_first() -> None:
    model = press(Counter(Moment(0), zoomed=True, scrolled={2: (1, 1)}), "?", "end")
    assert (model.modal, model.modal_row, model.line) == ("help", len(model.keys.rows) - 1, 0)
    for overlay, zoomed, by_hand in ((None, True, 1), (None, False, 1), (None, False, 0)):
        model = press(model, "esc")
        assert (model.modal, model.zoomed, len(model.scrolled)) == (overlay, zoomed, by_hand)


def test_in_a_menu_each_line_can_be_marked() -> None:
    menu: Controls[Counter] = Controls(
        panes=(1, 2),
        commands={},
        scroll=scrolled,
        modal_lines=lambda _: HELP,
        published=lambda model, _: model,
        menus={"list"},
    )
    model = menu.update(Counter(Moment(0), modal="list"), KeyPressed("end", 0.0))
    assert model.modal_row == len(HELP) - 1


def test_what_changes_nothing_leaves_the_model() -> None:
    model = Counter(Moment(0))
    assert update(model, Resized(80, 24)) is model
    assert update(model, Tick(5.0)) is model
    assert update(model, Resized(80, 25)).height == 25
    assert update(model, Published(Moment(3))).latest == Moment(3)
