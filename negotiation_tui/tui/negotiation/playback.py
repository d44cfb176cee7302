"""Which offer of which negotiation is on the bar, and when the next one is due. Pure."""

from dataclasses import dataclass, replace

from negotiation_tui.game.negotiation import Position, Turn
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.snapshot import Negotiation

FLASH_SECONDS = 0.9
FLASHES_PER_SECOND = 5


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
        hold = min(1.5, max(0.25, 1.5 * self.turn_seconds)) if self.over else self.turn_seconds
        return self.since + hold

    @property
    def progress(self) -> float:
        """How far the newest marker has slid into its place, 0 to 1."""
        slide = 0 if self.still else min(0.25, 0.6 * self.turn_seconds)
        return min(1.0, (self.now - self.since) / slide) if slide else 1.0

    @property
    def flash(self) -> bool:
        """Whether the announcement of a deal is in its other colours at this moment."""
        return self._flashes and int((self.now - self.since) * FLASHES_PER_SECOND) % 2 == 1

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
        return self.negotiation.transcript.first(self.visible).position

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

    def cell_of(self, role: Role) -> tuple[int, int]:
        """The row of `state_of` and the column of the role's last offer, 0 where there is none."""
        accept = self.negotiation.transcript.scenario.accept
        mine = (turn.action for turn in reversed(self.turns) if turn.role is role)
        return self.state_of(role) or 0, next((action for action in mine if action < accept), 0)

    def state_of(self, role: Role) -> int | None:
        """The row of the Q-table in which a role acted last, or must act now."""
        position = self.position
        if position is not None and position.role is role:
            return position.state
        return next((turn.state for turn in reversed(self.turns) if turn.role is role), None)
