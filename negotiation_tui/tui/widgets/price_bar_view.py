"""The negotiation that a price bar shows. Pure."""

from dataclasses import dataclass

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.tui.widgets.limit_strip import LimitStrip


@dataclass(frozen=True, slots=True)
class PriceBarView:
    """A negotiation so far, and everything else that its price bar shows."""

    shown: Transcript
    """The negotiation up to the last turn shown."""
    equilibria: tuple[int, ...] = ()
    """Prices of the equilibria, in ascending order."""
    progress: float = 1.0
    """Share of its way (0 to 1) that the newest marker has moved."""
    flash: bool = False
    """True while the announcement of a deal is in its flash colours."""
    reason: str = ""
    """A remark after the last offer."""
    cursor: int | None = None
    """The price that a person is choosing, if the person must act next."""
    waiting: str = ""
    """The announcement before the first turn."""
    strips: tuple[LimitStrip | None, LimitStrip | None] = (None, None)
    """The strips of seller and buyer; None without hidden limits."""
    ghost: Transcript | None = None
    """The negotiation before this one."""
    notes: tuple[str, ...] = ()
    """Long and short forms of a remark while a limit is hidden, when no zone is shown; the last one
    fits without strips, too."""

    @property
    def hides(self) -> bool:
        """True if a limit is not shown."""
        return any(strip is not None and strip.drawn is None for strip in self.strips)

    def ends(self, role: Role) -> tuple[int, int]:
        """Return a role's lowest and highest price; with a hidden limit those of all its limits."""
        scenario, strip = self.shown.scenario, self.strips[role]
        if strip is not None and strip.drawn is None:
            scenario = scenario.origin
        acceptable = scenario.acceptable_range(role)
        prices = scenario.prices
        return max(acceptable.minimum, prices[0]), min(acceptable.maximum, prices[-1])

    def offers(self, role: Role) -> list[int]:
        """Return the prices that a role offered or accepted, the newest last."""
        return _prices(self.shown, role)

    def ghost_offers(self, role: Role) -> list[int]:
        """Return a role's prices in the negotiation before, until this one has two offers."""
        two = sum(len(self.offers(each)) for each in Role) > 1
        return [] if two or self.ghost is None else _prices(self.ghost, role)

    def chooses(self, role: Role) -> bool:
        """True if a person chooses a price for this role now."""
        position = self.shown.position
        return self.cursor is not None and position is not None and position.role is role

    @property
    def zopa(self) -> tuple[int, int] | None:
        """The zone of possible agreement, None if there is none or a limit is hidden."""
        return None if self.hides else self.shown.scenario.zopa

    @property
    def unexpected(self) -> bool:
        """True if no limit that was held possible takes the last action."""
        strip = self.strips[self.shown.turns[-1].role] if self.shown.turns else None
        return strip is not None and strip.belief is not None and strip.belief.unexpected

    @property
    def broken_off(self) -> bool:
        """True if the negotiation ended without a deal."""
        return self.shown.over and not self.shown.outcome.deal


def _prices(transcript: Transcript, role: Role) -> list[int]:
    return [turn.price for turn in transcript.turns if turn.role is role and turn.price is not None]
