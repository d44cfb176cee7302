"""The playback of a negotiation: its timetable, and the step of it that is shown. Pure."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.sessions.snapshot import Negotiation
from negotiation_tui.tui.toolkit.pace import reading_time, rest, slid
from negotiation_tui.tui.toolkit.timeline import LAST


class PlaybackStep(NamedTuple):
    """A step of a timetable."""

    visible: int  # number of turns shown
    until: float  # seconds from the appearance of the last of them to the next step
    page: int = 0  # of the caption


def timetable(
    negotiation: Negotiation,
    turn_seconds: float,
    pages: Sequence[str] = (),
    told: Sequence[Sequence[str]] = (),
    visible: int = 0,
    parts: int = 0,
) -> tuple[PlaybackStep, ...]:
    """Return the steps of a negotiation, from none of its turns to the last page of its caption.

    `pages` are read while the turns after the first `visible` ones appear, and at the end; `told`
    are the pages of each turn of a negotiation that is told slowly, in their place. `parts` is
    the number of pages that share the time of the end.
    """
    turns = len(negotiation.transcript.turns)
    steps = [PlaybackStep(n, turn_seconds) for n in range(turns + 1)]
    end = rest(turn_seconds) if negotiation.transcript.over else turn_seconds
    if told:
        steps = [steps[0], *(step for n in range(turns) for step in _read(n + 1, told[n]))]
        steps[-1] = steps[-1]._replace(until=max(end, steps[-1].until))
    elif parts > 1:
        steps[-1:] = [PlaybackStep(turns, end * (n + 1) / parts, n) for n in range(parts)]
    else:
        passed = turn_seconds * max(0, turns - visible)
        first, *others = [*map(reading_time, pages)] or [0.0]
        steps[-1] = PlaybackStep(turns, max(end, first - passed))
        for page, seconds in enumerate(others, 1):
            steps.append(PlaybackStep(turns, steps[-1].until + seconds, page))
    return tuple(steps)


def _read(visible: int, pages: Sequence[str]) -> Iterator[PlaybackStep]:
    seconds = reading_time(" ".join(pages)) / len(pages)
    yield from (PlaybackStep(visible, seconds * (page + 1), page) for page in range(len(pages)))


@dataclass(frozen=True, slots=True)
class Playback:
    """A negotiation, and the step of its timetable on the screen.

    Times are in seconds of one clock; `now` is the time of the last tick.
    """

    negotiation: Negotiation
    steps: tuple[PlaybackStep, ...]
    at: int  # the index of the step
    since: float  # the time at which the last turn appeared
    now: float
    turn_seconds: float
    still: bool = False  # true if markers do not slide
    rewound: bool = False
    """True after a step back: the playback then waits, even while a person plays."""

    @property
    def visible(self) -> int:
        return self.steps[self.at].visible

    @property
    def page(self) -> int:
        return self.steps[self.at].page

    @property
    def shown(self) -> Transcript:
        """The negotiation up to the last turn shown."""
        return self.negotiation.transcript.first(self.visible)

    @property
    def over(self) -> bool:
        return self.ended and self.negotiation.transcript.over

    @property
    def ended(self) -> bool:
        """True if all turns so far are shown: it is over, or a person must act."""
        return self.visible == len(self.negotiation.transcript.turns)

    @property
    def last(self) -> bool:
        """True at the last step: after it comes the next negotiation."""
        return self.at == len(self.steps) - 1

    @property
    def due(self) -> float:
        """Time at which the next step is due."""
        return self.since + self.steps[self.at].until

    @property
    def progress(self) -> float:
        """Share of its way (0 to 1) that the newest marker has moved."""
        return 1.0 if self.still else slid(self.now - self.since, self.turn_seconds)

    @property
    def moving(self) -> bool:
        """True if the picture still changes with time alone."""
        return self.progress < 1

    def next(self, now: float) -> "Playback":
        """Return the playback at its next step."""
        if self.steps[self.at + 1].visible > self.visible:
            return self.showing(self.visible + 1, now)
        return replace(self, at=self.at + 1, now=now)

    def showing(self, visible: int, now: float) -> "Playback":
        """Return this playback with `visible` turns shown, the last of them from now on.

        Below them is their first page, but for `LAST`.
        """
        turns = min(visible, len(self.negotiation.transcript.turns))
        pages = [n for n, step in enumerate(self.steps) if step.visible == turns]
        rewound = self.rewound and turns < len(self.negotiation.transcript.turns)
        at = pages[-1 if visible == LAST else 0]
        return replace(self, at=at, since=now, now=now, rewound=rewound)
