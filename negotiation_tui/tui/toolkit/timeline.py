"""Screens that play a session at a pace and can go back in time. Pure."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, Self, TypeVar

from negotiation_tui.runtime.records import dataclass, field, replace
from negotiation_tui.sessions.commands import Halt, PlayOn
from negotiation_tui.tui.toolkit.pace import STEADY, Pace
from negotiation_tui.tui.toolkit.paned import C, PanedModel

ALL = 1 << 30  # more turns than an entry can have
MOST = 2000  # greatest number of entries in a history
ALL_BYTES = 16 << 20  # greatest size of a history

S = TypeVar("S", bound=Any)
"""A snapshot; `handled` is the number of commands carried out, `finished` True at the end."""


@dataclass(frozen=True, slots=True)
class History(Generic[S]):
    """Snapshots that were shown, the oldest first, bounded by number and by memory."""

    entries: tuple[S, ...] = ()
    sizes: tuple[int, ...] = ()  # bytes that each entry needs

    @property
    def newest(self) -> S | None:
        return self.entries[-1] if self.entries else None

    def with_newest(self, entry: S, size: int) -> "History[S]":
        """Append an entry and drop as many of the oldest as needed; the new one always stays."""
        entries, sizes = (*self.entries, entry)[-MOST:], (*self.sizes, size)[-MOST:]
        while sum(sizes) > ALL_BYTES and len(entries) > 1:
            entries, sizes = entries[1:], sizes[1:]
        return History(entries, sizes)

    def __str__(self) -> str:
        number, megabytes = len(self.entries), sum(self.sizes) / (1 << 20)
        return f"{number:,} of at most {MOST:,} entries, {megabytes:.1f} of {ALL_BYTES >> 20} MB"


@dataclass(frozen=True, slots=True, init=False)
class TimelineModel(PanedModel[S, C]):
    """State of a screen that shows its session turn by turn, in the present or in the past."""

    paces: ClassVar[tuple[Pace, ...]]
    """The story, if there is one, then all paces, the slowest first."""

    pace_index: int = field(kw_only=True)
    history: History[S] = field(default_factory=History, kw_only=True)
    place: int | None = field(default=None, kw_only=True)
    """Index of the history entry on the screen; None in the present."""
    reveal: int | None = field(default=None, kw_only=True)
    """While stepping: number of turns to show of the snapshot that is on its way."""
    going: str | None = field(default=None, kw_only=True)
    """The digits typed so far of a moment to go to; None unless one is typed."""

    @property
    @abstractmethod
    def unseen(self) -> bool:
        """True if the newest snapshot shows a moment that is not in the history yet."""

    @property
    @abstractmethod
    def goals(self) -> tuple[str, int]:
        """The unit of the moments to go to, and the last of them."""

    @abstractmethod
    def show_entry(self, entry: S, visible: int) -> Self:
        """Show the first `visible` turns of an entry."""

    @property
    def here(self) -> int:
        """Index of the history entry on the screen; in the present that of the newest."""
        return len(self.history.entries) - 1 if self.place is None else self.place

    @property
    def steps_back(self) -> int:
        """Number of entries between the one on the screen and the newest."""
        return len(self.history.entries) - 1 - self.here

    @property
    def live(self) -> bool:
        return self.place is None

    @property
    def pace(self) -> Pace:
        return self.paces[self.pace_index]

    @property
    def turn_seconds(self) -> float:
        return 1 / self.pace.offers

    @property
    def waiting(self) -> bool:
        """True if a command has not been carried out yet."""
        return bool(self.latest.status.handled < self.sent)

    @property
    def free_running(self) -> bool:
        """True if the session runs on its own and the screen shows a sample."""
        on_its_own = self.live and not self.pace.seen
        return self.running and on_its_own and not self.latest.finished


M = TypeVar("M", bound=TimelineModel[Any, Any])


def remember(model: M) -> M:
    """Add the newest snapshot to the history, in place of an earlier one of the same moment."""
    entries, sizes = model.history.entries, model.history.sizes
    history = model.history if model.unseen else History(entries[:-1], sizes[:-1])
    size = model.latest.bytes_beyond(history.newest)
    return replace(model, history=history.with_newest(model.latest, size))


def show_newest(model: M, visible: int) -> M:
    """Return to the present and show the first `visible` turns of the newest snapshot."""
    return replace(remember(model), place=None).show_entry(model.latest, visible)


def travel(model: M, place: int, visible: int = ALL) -> M:
    """Show an entry of the history; the newest is the present."""
    newest = len(model.history.entries) - 1
    place = min(max(0, place), newest)
    model = replace(model, place=place if place < newest else None)
    return model.show_entry(model.history.entries[place], visible)


def pause(model: M) -> M:
    paused = replace(model, running=False)
    return paused.send(Halt()) if model.free_running else paused


def stop(model: M) -> M:
    """Stop, and do not wait for a snapshot that is on its way."""
    return replace(pause(model), reveal=None)


def jump(model: M, step: int) -> M:
    """Stop, and move `step` entries through the history; at either end set a message."""
    model = stop(model)
    if step < 0 and model.here <= 0:
        return replace(model, message=f"this is the oldest entry: {model.history}")
    if step > 0 and model.place is None:
        return replace(model, message="this is the present")
    model = travel(model, model.here + step)
    back = f"{model.steps_back:,} back · {model.history}"
    return replace(model, message="back in the present" if model.place is None else back)


def type_number(model: M, typed: str = "") -> M:
    """Stop, and let the next digits be the moment to go to."""
    unit, last = model.goals
    text = f"go to {unit} (0 to {last:,}): {typed}_   Enter goes, Esc cancels"
    return replace(stop(model), modal=None, going=typed, message=text)


def press_digit(model: M, key: str, go: Callable[[M, int], M]) -> M | None:
    """Return the model after a key while a moment is typed; None while none is."""
    typed = model.going
    if typed is None:
        return None
    if key in {"enter", "esc"}:
        done = replace(model, going=None, message="")
        return go(done, int(typed)) if key == "enter" and typed else done
    digit = key if key.isdecimal() and key.isascii() else ""
    return type_number(model, typed[:-1] if key == "backspace" else (typed + digit)[:12])


def change_pace(model: M, step: int) -> M:
    """Change to a faster (step 1) or slower pace (−1), from the story to the usual pace."""
    index = STEADY if model.pace.directed else model.pace_index + step
    if not 0 <= index < len(model.paces):
        end = "fastest" if step > 0 else "slowest"
        return replace(model, message=f"{model.pace.text} is the {end} pace")
    if model.paces[index].directed:
        return model.with_message(f"{model.pace.text} is the slowest pace; {{story}}: the story")
    changed = replace(model, pace_index=index)
    changed = replace(changed, message=f"pace: {changed.pace.text}")
    if changed.free_running:
        return changed.send(PlayOn(changed.pace.negotiations))
    return changed.send(Halt()) if model.free_running else changed
