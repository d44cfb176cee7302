"""Screens that play a session at a pace and can go back in time. Pure."""

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from operator import attrgetter
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from negotiation_tui.runtime.records import dataclass, field, replace
from negotiation_tui.sessions.commands import Halt, PlayOn
from negotiation_tui.tui.toolkit.pace import STEADY, Pace
from negotiation_tui.tui.toolkit.paned import C, PanedModel

ALL = 1 << 30  # more turns than an entry can have
LAST = ALL + 1  # all turns, and the last page below them
MOST = 2000  # greatest number of entries in a history
ALL_BYTES = 16 << 20  # greatest size of a history

S = TypeVar("S", bound=Any)
"""A snapshot: `key` orders those of one run; `handled` is the number of commands carried out;
`finished` is True at the end."""


@dataclass(frozen=True, slots=True)
class History(Generic[S]):
    """Snapshots that were shown, by ascending keys, bounded by number and by memory."""

    entries: tuple[S, ...] = ()
    sizes: tuple[int, ...] = ()  # bytes that each entry needs

    @property
    def newest(self) -> S | None:
        return self.entries[-1] if self.entries else None

    def index(self, key: Any) -> int:
        """Return the number of entries before a key."""
        return bisect_left(self.entries, key, key=attrgetter("key"))

    def entry(self, key: Any) -> S | None:
        """Return the entry with a key, if there is one."""
        found = self.entries[(n := self.index(key)) : n + 1]
        return found[0] if found and found[0].key == key else None

    def beside(self, key: Any, step: int) -> S | None:
        """Return the entry before a key (step −1) or after it (1); None without one."""
        n = self.index(key) if step < 0 else self.index(key) + (self.entry(key) is not None)
        beside = self.entries[max(0, n - 1) : n] if step < 0 else self.entries[n : n + 1]
        return beside[0] if beside else None

    def with_newest(self, entry: S) -> "History[S]":
        """Add an entry, in place of one with its key; drop as many of the oldest as needed."""
        entries, sizes = self.entries, self.sizes
        if entries and entries[-1].key == entry.key:
            entries, sizes = entries[:-1], sizes[:-1]
        size = entry.bytes_beyond(entries[-1] if entries else None)
        entries, sizes = (*entries, entry)[-MOST:], (*sizes, size)[-MOST:]
        while sum(sizes) > ALL_BYTES and len(entries) > 1:
            entries, sizes = entries[1:], sizes[1:]
        return History(entries, sizes)

    def __str__(self) -> str:
        number, megabytes = len(self.entries), sum(self.sizes) / (1 << 20)
        return f"{number:,} of at most {MOST:,} entries, {megabytes:.1f} of {ALL_BYTES >> 20} MB"


class Wish(NamedTuple):
    """The moment that a key asked for, which comes when the session has answered."""

    visible: int = ALL  # number of turns to show of it
    moment: int | None = None  # of the timeline; None for the newest
    seeks: bool = False  # True while cycles pass on the way to the story's next game
    command: int = 0  # the number of the command that it waits for, see `wished`


@dataclass(frozen=True, slots=True, init=False)
class TimelineModel(PanedModel[S, C]):
    """State of a screen that shows its session turn by turn, in the present or in the past."""

    paces: ClassVar[tuple[Pace, ...]]
    """The story, if there is one, then all paces, the slowest first."""

    pace_index: int = field(kw_only=True)
    here: S = field(kw_only=True)
    """The snapshot on the screen: the present if none was shown after it, else the past."""
    history: History[S] = field(default_factory=History, kw_only=True)
    wish: Wish | None = field(default=None, kw_only=True)
    going: str | None = field(default=None, kw_only=True)
    """The digits typed so far of a moment to go to; None unless one is typed."""

    @property
    @abstractmethod
    def goals(self) -> tuple[str, int]:
        """The unit of the moments to go to, and the last of them."""

    @abstractmethod
    def arrive(self, entry: S, visible: int) -> Self:
        """Put a snapshot on the screen, with its first `visible` turns."""

    @property
    def unseen(self) -> bool:
        """True if the newest snapshot shows a moment that is not in the history yet."""
        newest = self.history.newest
        return newest is None or bool(self.latest.key != newest.key)

    @property
    def steps_back(self) -> int:
        """Number of entries between the one on the screen and the newest."""
        return max(0, len(self.history.entries) - 1 - self.history.index(self.here.key))

    @property
    def in_present(self) -> bool:
        """True if the newest snapshot that was shown is on the screen."""
        return self.history.newest is None or bool(self.here.key >= self.history.newest.key)

    @property
    def live(self) -> bool:
        return self.in_present

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
    here = model.latest if model.live and not model.unseen else model.here
    return replace(model, history=model.history.with_newest(model.latest), here=here)


def show_newest(model: M, visible: int) -> M:
    """Return to the present and show the first `visible` turns of the newest snapshot."""
    return remember(model).arrive(model.latest, visible)


def wished(model: M, wish: Wish, *commands: Any) -> M:
    """Send commands, and wish for the moment that the last of them brings."""
    model = model.send(*commands)
    return replace(model, wish=wish._replace(command=model.sent))


def pause(model: M) -> M:
    paused = replace(model, running=False)
    return paused.send(Halt()) if model.free_running else paused


def stop(model: M) -> M:
    """Stop, and drop a wish that is on its way."""
    return replace(pause(model), wish=None)


def jump(model: M, step: int, entry: S | None) -> M:
    """Stop and show an entry of the history; without one say that its end was reached."""
    model = stop(model)
    if entry is None:
        oldest = f"this is the oldest entry: {model.history}"
        return replace(model, message=oldest if step < 0 else "this is the present")
    model = model.arrive(entry, ALL)
    back = f"{model.steps_back:,} back · {model.history}"
    return replace(model, message="back in the present" if model.live else back)


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
