"""The negotiation on the bar, the turns shown so far, and when the next is due. Pure."""

from dataclasses import dataclass, replace

from negotiation_tui.game.negotiation import Position, Transcript, Turn
from negotiation_tui.sessions.snapshot import Negotiation
from negotiation_tui.tui.widgets.motion import FLASH_SECONDS, flashes, rest, slid


@dataclass(frozen=True, slots=True)
class Playback:
    """A negotiation whose first `visible` turns are shown, the last of them since `since`.

    Times are in seconds of one clock; `now` is the time of the last tick.
    """

    negotiation: Negotiation
    visible: int
    since: float
    now: float
    turn_seconds: float
    still: bool = False
    """True if markers do not slide and deals do not flash."""
    hold: float = 0.0
    """Time until which the end of the negotiation stays, at least."""
    page: int = 0
    """The page of its caption that is shown, from 0."""
    rewound: bool = False
    """True after a step back: the playback then waits, even while a person plays."""

    @property
    def shown(self) -> Transcript:
        """The negotiation up to the last turn shown."""
        return self.negotiation.transcript.first(self.visible)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns shown."""
        return self.negotiation.transcript.turns[: self.visible]

    @property
    def over(self) -> bool:
        """True if the closing turn is shown."""
        return self.ended and self.negotiation.transcript.over

    @property
    def ended(self) -> bool:
        """True if all turns so far are shown: it is over, or a person must act."""
        return self.visible == len(self.negotiation.transcript.turns)

    @property
    def due(self) -> float:
        """Time at which the next turn is due, after the last turn the next negotiation."""
        if self.over:
            return max(self.hold, self.since + rest(self.turn_seconds))
        return self.since + self.turn_seconds

    @property
    def progress(self) -> float:
        """Share of its way (0 to 1) that the newest marker has moved."""
        return 1.0 if self.still else slid(self.now - self.since, self.turn_seconds)

    @property
    def flash(self) -> bool:
        """True if the announcement of a deal is in its flash colours now."""
        return self._flashes and flashes(self.now - self.since)

    @property
    def moving(self) -> bool:
        """True if the picture still changes with time alone."""
        return self.progress < 1 or self._flashes

    @property
    def _flashes(self) -> bool:
        deal = self.over and self.negotiation.transcript.outcome.deal
        return deal and not self.still and self.now - self.since < FLASH_SECONDS

    @property
    def position(self) -> Position | None:
        """The position of the role that must act now, None if the negotiation is over."""
        return self.shown.position

    def showing(self, visible: int, now: float) -> "Playback":
        """Return this playback with `visible` turns shown, the last of them from now on."""
        visible = min(visible, len(self.negotiation.transcript.turns))
        rewound = self.rewound and visible < len(self.negotiation.transcript.turns)
        return replace(self, visible=visible, since=now, now=now, rewound=rewound)
