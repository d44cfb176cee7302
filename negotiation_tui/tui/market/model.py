"""The state of the market screen; `update` changes it."""

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar, Self

import numpy as np

from negotiation_tui.learning.q_table import Values
from negotiation_tui.market import ranking
from negotiation_tui.market.snapshot import Ints, MarketSnapshot
from negotiation_tui.sessions.commands import Follow, Halt, Play, Restart, Run, Save
from negotiation_tui.tui.market import pace
from negotiation_tui.tui.market.keys import KEYS
from negotiation_tui.tui.market.layout import NEGOTIATION, ROOM, arrange
from negotiation_tui.tui.market.pace import PACES
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import Layout, TooSmall
from negotiation_tui.tui.toolkit.timeline import ALL, TimelineModel
from negotiation_tui.tui.widgets.motion import FLASH_SECONDS, rest

Told = Play | Run | Halt | Follow | Save | Restart


@dataclass(frozen=True, slots=True)
class Model(TimelineModel[MarketSnapshot, Told]):
    """The state that a frame is drawn from."""

    base_pane: ClassVar = NEGOTIATION
    paces: ClassVar = PACES

    played: MarketSnapshot
    """The snapshot whose last tick is shown offer by offer."""
    _: KW_ONLY
    keys: Keys = KEYS
    chosen: int = ROOM
    detail: int = ROOM
    pace_index: int = pace.DEFAULT
    frame: int = 0
    """Number of offers of that tick that are shown, in every pair at once."""
    since: float = 0.0
    """Time at which the last of these offers appeared."""
    picked: int | None = None
    """The entry that the user chose: an agent's number, or the number of agents plus a team's."""
    followed: int = 0
    """The agent on the price bar: the chosen one, or the best member of the chosen team."""
    sort_index: int = 0
    filter: str = "all"
    search: str = ""
    typing: bool = False
    """True while letters go to the search."""
    values: Values = Values.RAW

    @property
    def unseen(self) -> bool:
        """True if the newest tick was not shown yet."""
        newest = self.history.newest
        return newest is None or self.latest.tick != newest.tick

    def size_of(self, entry: MarketSnapshot, _before: MarketSnapshot | None) -> int:
        """Return the bytes of a snapshot."""
        return entry.size

    def put_on(self, entry: MarketSnapshot, visible: int) -> Self:
        """Show the first `visible` offers of a snapshot's last tick, the last offer from now on."""
        return replace(self, played=entry, frame=min(visible, frames(entry)), since=self.now)

    @property
    def snapshot(self) -> MarketSnapshot:
        """The snapshot that all panes except the price bar and the Q-tables show."""
        return self.latest if self.free_running else self.played

    @property
    def accounts(self) -> MarketSnapshot:
        """The snapshot for results: the one before the tick that is still being shown, if saved."""
        if self.free_running or self.frame >= frames(self.played) or self.here < 1:
            return self.snapshot
        before = self.history.entries[self.here - 1]
        return before if before.tick == self.played.tick - 1 else self.played

    @property
    def visible(self) -> Ints:
        """Number of turns that are shown of each encounter of `snapshot`."""
        snapshot = self.snapshot
        return shown_turns(snapshot, self.frame if snapshot is self.played else ALL)

    @property
    def marked(self) -> int:
        """The marked entry: the one that the user chose, otherwise the agent on the price bar."""
        return self.followed if self.picked is None else self.picked

    @property
    def ranked(self) -> Ints:
        """The sorted entries of the leaderboard."""
        column = ranking.COLUMNS[self.sort_index]
        return ranking.ranking(self.accounts, column, self.filter, self.search)

    @property
    def last_frame(self) -> int:
        """Number of offers after which the tick is done; of a sample, the pair on the price bar."""
        at = self.played.encounter_of(self.followed) if self.free_running else None
        return frames(self.played) if at is None else frame_of(self.played, at)

    @property
    def due(self) -> float:
        """Time at which the next offer or, after the last offer of a tick, the next tick is due."""
        if self.frame < self.last_frame:
            return self.since + self.turn_seconds
        return self.since + (rest(self.turn_seconds) if len(self.played.encounters) else 0.0)

    def layout(self) -> Layout | TooSmall:
        """Return the place of each pane."""
        return arrange(self.width, self.height, self.chosen, self.detail, self.zoomed)

    def rest(self, frame_seconds: float, now: float) -> float:
        """Return the seconds until something may happen without a message."""
        moving = self.animation and self.now - self.since < FLASH_SECONDS
        if self.waiting or self.free_running or moving:
            return frame_seconds
        return max(0.0, self.due - now) if self.running else 0.5


def frames(snapshot: MarketSnapshot) -> int:
    """Return the number of offers, in every pair at once, that show the last tick.

    If steps are the limit, a tick is a round: two offers. Otherwise it is a whole negotiation.
    """
    if snapshot.setup.limit.steps:
        return 2 if len(snapshot.encounters) else 0
    return int(snapshot.encounters.n_turns.max(initial=0))


def frame_of(snapshot: MarketSnapshot, at: int) -> int:
    """Return the number of an encounter's offers in the last tick."""
    said = int(snapshot.encounters.n_turns[at])
    if not snapshot.setup.limit.steps:
        return said
    return min(2, said - 2 * (snapshot.tick - 1 - int(snapshot.encounters.begun[at])))


def shown_turns(snapshot: MarketSnapshot, frame: int) -> Ints:
    """Return the number of turns shown of each encounter after `frame` offers of the last tick."""
    meetings = snapshot.encounters
    before = 2 * (snapshot.tick - 1 - meetings.begun) if snapshot.setup.limit.steps else 0
    frame = min(frame, frames(snapshot))
    return np.minimum(meetings.n_turns, before + frame).astype(np.int64)
