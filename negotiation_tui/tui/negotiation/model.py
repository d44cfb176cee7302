"""What the screen knows, and what can happen to it; `update` says how each message changes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.sessions.commands import Command
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.strategies.registry import STRATEGIES
from negotiation_tui.tui.negotiation import pace
from negotiation_tui.tui.negotiation.history import History
from negotiation_tui.tui.negotiation.keys import KEYS
from negotiation_tui.tui.negotiation.layout import BUYER_TABLE, SELLER_TABLE, arrange
from negotiation_tui.tui.negotiation.pace import PACES
from negotiation_tui.tui.negotiation.playback import Playback
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import Layout, TooSmall
from negotiation_tui.tui.toolkit.pace import Pace
from negotiation_tui.tui.widgets.q_table import cell_of
from negotiation_tui.tui.widgets.viewport import Viewport

FIRST = (next(iter(STRATEGIES)), next(iter(STRATEGIES)))
"""What `toggle` seats where no static strategy was."""
TABLES = {SELLER_TABLE: Role.SELLER, BUYER_TABLE: Role.BUYER}


@dataclass(frozen=True, slots=True)
class Model:
    """Everything a frame is drawn from."""

    latest: Snapshot
    """The newest of the trainer."""
    keys: Keys = KEYS
    """What each key does, and how it is written."""
    before: Snapshot | None = None
    """The last snapshot from before the newest negotiation."""
    width: int = 80
    height: int = 24
    ascii: bool = False
    animation: bool = True
    """Whether markers slide into their places and a deal flashes."""
    now: float = 0.0
    running: bool = True
    pace_index: int = pace.DEFAULT
    strategies: tuple[str | None, str | None] = (None, None)
    """What each seat was last asked to hold, None for its learner; seller first."""
    static: tuple[str, str] = FIRST
    """The static strategy each seat held last, which `toggle` brings back."""
    tried: tuple[str | None, str | None] = (None, None)
    """What each seat was last asked to hold, even where it could not: `s` and `b` go on there."""
    opener: Opener = Opener.ALTERNATE
    playback: Playback | None = None
    history: History = field(default_factory=History)
    place: int | None = None
    """Which entry of the history is on the bar, None for the present."""
    origin: Playback | None = None
    """What a what-if on the bar was begun from, None where there is none."""
    reveal: int | None = None
    """How many turns of the next negotiation to show when it comes, while stepping."""
    sent: int = 0
    """Commands sent so far; the trainer has answered when it has handled as many."""
    commands: tuple[Command, ...] = ()
    """For the trainer, to be taken out and sent."""
    chosen: int = SELLER_TABLE
    detail: int = SELLER_TABLE
    """The pane chosen last, the price bar left aside: what a screen with little room shows."""
    zoomed: bool = False
    scrolled: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """First row and column shown, of the panes that were scrolled by hand."""
    overlay: str | None = None
    """What lies on top, by its name in `overlays.TITLES`."""
    overlay_row: int = 0
    normalized: bool = False
    advice: bool = False
    """Whether a line below the price bar says what would be best now."""
    cursor: int | None = None
    """The price that a person at the table chose, as the action that offers it."""
    message: str = ""
    repaints: int = 0
    quit: bool = False

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot to show."""
        return self.latest if self.place is None else self.history.entries[self.place]

    @property
    def pace(self) -> Pace:
        """The step of the ladder."""
        return PACES[self.pace_index]

    @property
    def learned(self) -> Snapshot:
        """The snapshot whose tables and wallets to show.

        Where every negotiation is seen and the newest is still going on on the bar, that is the
        one before it.
        """
        playback, before = self.origin or self.playback, self.before
        if self.place is not None:
            before = self.history.entries[self.place - 1] if self.place else None
        sampled = self.place is None and self.running and not self.pace.seen
        if before is None or playback is None or playback.over or sampled:
            return self.snapshot
        return before if playback.negotiation is self.snapshot.negotiation else self.snapshot

    @property
    def waiting(self) -> bool:
        """Whether a command is still on its way."""
        return self.latest.handled < self.sent

    @property
    def unseen(self) -> bool:
        """Whether the trainer has something newer than what was shown last."""
        newest, entries = self.latest.negotiation, self.history.entries
        return newest is not None and (
            not entries or newest.number != self.history.negotiation(-1).number
        )

    @property
    def at_table(self) -> bool:
        """Whether a person sits there, and the bar shows what goes on."""
        return self.latest.score is not None and self.place is None and self.origin is None

    @property
    def free_running(self) -> bool:
        """Whether the trainer plays on by itself."""
        on_its_own = self.place is None and self.origin is None and not self.pace.seen
        return self.running and on_its_own and not self.latest.finished

    def layout(self) -> Layout | TooSmall:
        """Where everything goes."""
        tables = [table for table in self.snapshot.q_tables if table is not None]
        rows = len(tables[0]) if tables else 3
        return arrange(
            self.width, self.height, self.chosen, self.detail, self.zoomed, rows, self.advice
        )

    def wait(self, frame: float, now: float) -> float:
        """Seconds that nothing will happen by itself, given the length of a frame and the time."""
        if self.waiting or self.free_running:
            return frame
        if self.playback and self.playback.moving:
            return frame
        if self.at_table:
            ended = self.playback is None or self.playback.ended
            held = self.playback is not None and self.playback.held
            rests = held or (ended and not self.unseen)
        else:
            rests = not self.running
        if rests:
            return 0.5
        return max(0.0, self.playback.due - now) if self.playback else frame


def table_view(model: Model, pane: int) -> Viewport | None:
    """Which part of a Q-table is to be seen; None where its pane is not on the screen."""
    placed = model.layout()
    if isinstance(placed, TooSmall) or pane not in placed.panes:
        return None
    cell = cell_of(model.playback.shown if model.playback else None, TABLES[pane])
    scrolled = model.scrolled.get(pane)
    return Viewport.over(model.snapshot.scenario, placed.panes[pane], cell, scrolled)


def known_static(snapshot: Snapshot, before: tuple[str, str]) -> tuple[str, str]:
    """The static strategy each seat held last, given what was known before."""
    seller, buyer = snapshot.strategies
    return seller or before[0], buyer or before[1]
