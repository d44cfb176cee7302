"""What the screen of a market knows; `update` says how each message changes it."""

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar, Self

import numpy as np

from negotiation_tui.market import ranking
from negotiation_tui.market.encounters import Ints
from negotiation_tui.market.snapshot import MarketSnapshot
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
    """Everything a frame is drawn from."""

    base_pane: ClassVar = NEGOTIATION
    paces: ClassVar = PACES

    stage: MarketSnapshot
    """The one whose last tick is shown offer by offer."""
    _: KW_ONLY
    keys: Keys = KEYS
    chosen: int = ROOM
    detail: int = ROOM
    pace_index: int = pace.DEFAULT
    beat: int = 0
    """How many offers of that tick were shown, in every pair at once."""
    since: float = 0.0
    """When the last of them came."""
    picked: int | None = None
    """The entry that the user wants to see: an agent by its number, or a team after them."""
    followed: int = 0
    """The agent whose negotiation is on the bar: that one, or the best of the team then."""
    sort_index: int = 0
    filter: str = "all"
    search: str = ""
    typing: bool = False
    """Whether letters go to the search."""
    normalized: bool = False

    @property
    def unseen(self) -> bool:
        """True if the market is further than what was on the stage last."""
        newest = self.history.newest
        return newest is None or self.latest.tick != newest.tick

    def size_of(self, entry: MarketSnapshot, _before: MarketSnapshot | None) -> int:
        """Return the bytes of a scene."""
        return entry.size

    def put_on(self, entry: MarketSnapshot, visible: int) -> Self:
        """Put a scene on the stage, the last of so many offers from now on."""
        return replace(self, stage=entry, beat=min(visible, beats(entry)), since=self.now)

    @property
    def scene(self) -> MarketSnapshot:
        """What all but the price bar and the Q-tables show."""
        return self.latest if self.free_running else self.stage

    @property
    def accounts(self) -> MarketSnapshot:
        """The same as it was before what is still going on on the stage, where that is kept."""
        if self.free_running or self.beat >= beats(self.stage) or self.here < 1:
            return self.scene
        before = self.history.entries[self.here - 1]
        return before if before.tick == self.stage.tick - 1 else self.stage

    @property
    def visible(self) -> Ints:
        """How many turns of each meeting of `scene` are shown."""
        scene = self.scene
        return shown_turns(scene, self.beat if scene is self.stage else ALL)

    @property
    def marked(self) -> int:
        """The entry that one looks at: the one picked, else the one on the bar."""
        return self.followed if self.picked is None else self.picked

    @property
    def ranked(self) -> Ints:
        """The entries of the leaderboard in their order."""
        column = ranking.COLUMNS[self.sort_index]
        return ranking.ranking(self.accounts, column, self.filter, self.search)

    @property
    def last_beat(self) -> int:
        """With how many offers the stage is done: a sample, when the pair at hand is."""
        at = self.stage.encounter_of(self.followed) if self.free_running else None
        return beats(self.stage) if at is None else beat_of(self.stage, at)

    @property
    def due(self) -> float:
        """When the next offer should come, or after the last of a tick the next tick."""
        if self.beat < self.last_beat:
            return self.since + self.turn_seconds
        return self.since + (rest(self.turn_seconds) if len(self.stage.encounters) else 0.0)

    def layout(self) -> Layout | TooSmall:
        """Where everything goes."""
        return arrange(self.width, self.height, self.chosen, self.detail, self.zoomed)

    def wait(self, frame: float, now: float) -> float:
        """Seconds that nothing will happen by itself, given the length of a frame and the time."""
        moving = self.animation and self.now - self.since < FLASH_SECONDS
        if self.waiting or self.free_running or moving:
            return frame
        return max(0.0, self.due - now) if self.running else 0.5


def beats(scene: MarketSnapshot) -> int:
    """How many offers, in every pair at once, the last tick of a scene is shown in.

    Where time is the limit, a tick is a round: two. Else whole negotiations go into a tick.
    """
    if scene.setup.limit.steps:
        return 2 if len(scene.encounters) else 0
    return int(scene.encounters.n_turns.max(initial=0))


def beat_of(scene: MarketSnapshot, at: int) -> int:
    """With which offer of the last tick a meeting ends; it may go on after it."""
    said = int(scene.encounters.n_turns[at])
    if not scene.setup.limit.steps:
        return said
    return min(2, said - 2 * (scene.tick - 1 - int(scene.encounters.begun[at])))


def shown_turns(scene: MarketSnapshot, beat: int) -> Ints:
    """How many turns of each meeting are shown after so many offers of the last tick."""
    meetings = scene.encounters
    before = 2 * (scene.tick - 1 - meetings.begun) if scene.setup.limit.steps else 0
    beat = min(beat, beats(scene))
    return np.minimum(meetings.n_turns, before + beat).astype(np.int64)
