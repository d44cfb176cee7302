"""Which offer of which negotiation is on the bar, and when the next one is due. Pure."""

from dataclasses import dataclass, replace

from negotiation_tui.game.negotiation import Position, Transcript, Turn
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.snapshot import Negotiation
from negotiation_tui.tui.widgets.motion import FLASH_SECONDS, flashes, rest, slid


@dataclass(frozen=True, slots=True)
class Playback:
    """A negotiation of which the first `visible` turns are shown, the last of them since `since`.

    Times are in seconds of one clock; `now` is as late as the last tick.
    """

    negotiation: Negotiation
    visible: int
    since: float
    now: float
    turn_seconds: float
    still: bool = False
    """Whether nothing moves but from one turn to the next: no slide, no flash."""
    held: bool = False
    """Whether somebody went back in it, so that a person at the table is not carried on at once."""

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
        """Whether the closing turn is shown."""
        return self.ended and self.negotiation.transcript.over

    @property
    def ended(self) -> bool:
        """Whether all there is of it is shown; over or a person's move."""
        return self.visible == len(self.negotiation.transcript.turns)

    @property
    def deal(self) -> bool:
        """Whether it is over with a deal."""
        return self.over and self.negotiation.transcript.outcome.deal

    @property
    def due(self) -> float:
        """When the next turn should come, or after the last one the next negotiation."""
        return self.since + (rest(self.turn_seconds) if self.over else self.turn_seconds)

    @property
    def progress(self) -> float:
        """How far the newest marker has slid into its place, 0 to 1."""
        return 1.0 if self.still else slid(self.now - self.since, self.turn_seconds)

    @property
    def flash(self) -> bool:
        """Whether the announcement of a deal is in its other colours at this moment."""
        return self._flashes and flashes(self.now - self.since)

    @property
    def moving(self) -> bool:
        """Whether time alone still changes the picture."""
        return self.progress < 1 or self._flashes

    @property
    def _flashes(self) -> bool:
        return self.deal and not self.still and self.now - self.since < FLASH_SECONDS

    @property
    def position(self) -> Position | None:
        """What the party that must act now knows, None when it is over."""
        return self.shown.position

    @property
    def next_mover(self) -> Role | None:
        """Who must act now, None when it is over."""
        position = self.position
        return None if position is None else position.role

    def at(self, now: float) -> "Playback":
        """The same at a later moment."""
        return replace(self, now=now)

    def showing(self, visible: int, now: float) -> "Playback":
        """The same with so many turns shown, the last of them from now on."""
        visible = min(visible, len(self.negotiation.transcript.turns))
        held = self.held and visible < len(self.negotiation.transcript.turns)
        return replace(self, visible=visible, since=now, now=now, held=held)
