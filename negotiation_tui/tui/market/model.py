"""The state of the market screen, and its layout; `update` changes it."""

from typing import ClassVar, Self

import numpy as np

from negotiation_tui.learning.q_table import Values
from negotiation_tui.market import ranking
from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.runtime.arrays import Ints
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.sessions.commands import Follow, Halt, Play, PlayOn, Restart, Save
from negotiation_tui.tui.market import pace
from negotiation_tui.tui.market.keys import ABOUT, KEYS
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import ANY, PRICE_HEIGHT, Layout, Lines, PaneRoom, arrange
from negotiation_tui.tui.toolkit.pace import FLASH_SECONDS, STORY, Pace, rest
from negotiation_tui.tui.toolkit.timeline import TimelineModel
from negotiation_tui.tui.widgets.glossary import GLOSSARY

ROOM, LEADERBOARD, PRICES, WALLETS, NEGOTIATION, SELLER_TABLE, BUYER_TABLE = range(1, 8)
RESULTS = 20  # the smallest height of a screen with a line for the results, above the footer
_TALL, _FULL = 40, 48  # heights from which the price bar has two and four rows more

Told = Play | PlayOn | Halt | Follow | Save | Restart


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(TimelineModel[MarketSnapshot, Told]):
    """The state that a frame is drawn from."""

    about = ABOUT
    base_pane: ClassVar = NEGOTIATION
    glossary: ClassVar = GLOSSARY
    paces: ClassVar = pace.PACES

    keys: Keys = KEYS
    chosen: int = ROOM
    detail: int = ROOM
    pace_index: int = STORY
    frame: int = 0  # number of offers of that tick that are shown, in every pair at once
    since: float = 0.0  # time at which the last of these offers appeared
    picked: int | None = None
    """The entry that the user chose: an agent's number, or the number of agents plus a team's."""
    followed: int = 0
    """The agent on the price bar: the chosen one, or the best member of the chosen team."""
    sort_index: int = 0
    filter: str = "all"
    search: str = ""
    typing: bool = False  # true while letters go to the search
    values: Values = Values.RAW
    guesses: bool = False  # true if a lesson asks for what theory knows, which is hidden then

    @property
    def pace(self) -> Pace:
        """The present pace; the story's depends on what was traded."""
        chosen, setup = self.paces[self.pace_index], self.latest.setup
        if not chosen.directed:
            return chosen
        length = setup.scenario.rounds if setup.limit.steps else 1
        return pace.story(self.latest.tick, setup.ticks, length)

    @property
    def point(self) -> int:
        """The number of ticks of a point of the curves, a hundredth of the time."""
        return max(1, self.latest.setup.ticks // 100)

    @property
    def seconds_left(self) -> float | None:
        """The time to the end of the market at the present pace; None if every offer is shown."""
        speeds = [*filter(None, (self.latest.status.per_second, self.pace.negotiations))]
        left = self.latest.setup.ticks - self.latest.tick
        return left / min(speeds) if self.free_running and speeds else None

    @property
    def subjects(self) -> tuple[str, ...]:
        """The groups of keys that matter most now: those of the pane in focus."""
        tables = dict.fromkeys((SELLER_TABLE, BUYER_TABLE), ("Q-tables",))
        return {LEADERBOARD: ("Leaderboard",), **tables}.get(self.chosen, ())

    @property
    def goals(self) -> tuple[str, int]:
        return "tick", self.latest.setup.ticks

    def arrive(self, entry: MarketSnapshot, visible: int) -> Self:
        """Show the first `visible` offers of a snapshot's last tick, the last offer from now on."""
        return replace(self, here=entry, frame=min(visible, frames(entry)), since=self.now)

    @property
    def snapshot(self) -> MarketSnapshot:
        """The snapshot that the panes of results show; the room and the pair show `here`."""
        return self.latest if self.free_running else self.here

    @property
    def accounts(self) -> MarketSnapshot:
        """The snapshot for results: the one before the tick that is still being shown, if saved."""
        if self.free_running or self.frame >= frames(self.here):
            return self.snapshot
        return self.history.entry(self.here.tick - 1) or self.here

    @property
    def visible(self) -> Ints:
        """Number of turns that are shown of each encounter."""
        return shown_turns(self.here, self.frame)

    @property
    def marked(self) -> int:
        """The marked entry: the one that the user chose, otherwise the agent on the price bar."""
        return self.followed if self.picked is None else self.picked

    @property
    def ranked(self) -> Ints:
        """The sorted entries of the leaderboard."""
        column = ranking.ORDERS[self.sort_index]
        return ranking.ranking(self.accounts, column, self.filter, self.search)

    @property
    def at_end(self) -> bool:
        """True if the tick is shown to its end; of a sample, the pair on the price bar."""
        at = self.here.encounter_of(self.followed) if self.free_running else None
        last = frames(self.here) if at is None else frame_of(self.here, at)
        return self.frame >= last

    @property
    def due(self) -> float:
        """Time at which the next offer or, after the last offer of a tick, the next tick is due."""
        if not self.at_end:
            return self.since + self.turn_seconds
        return self.since + (rest(self.turn_seconds) if len(self.here.encounters) else 0.0)

    def layout(self) -> Layout:
        """Return the layout; the chosen pane, the price bar and `detail` are left out last."""
        bar = PRICE_HEIGHT + 2 * (self.height >= _TALL) + 2 * (self.height >= _FULL)
        charts = max(8, self.height // 4)
        rows = (
            ((PaneRoom(ROOM, 9, 40, ANY, ANY),), (PaneRoom(LEADERBOARD, 9, 48, ANY, ANY),)),
            ((PaneRoom(PRICES, 9, 40, charts, ANY),), (PaneRoom(WALLETS, 9, 40, charts, ANY),)),
            ((PaneRoom(NEGOTIATION, PRICE_HEIGHT, 1, bar, ANY),),),
            (
                (PaneRoom(SELLER_TABLE, 10, 40, ANY, ANY),),
                (PaneRoom(BUYER_TABLE, 10, 40, ANY, ANY),),
            ),
        )
        order = self.chosen, NEGOTIATION, self.detail, *range(ROOM, BUYER_TABLE + 1)
        lines = Lines(caption=8, time_line=RESULTS)
        return arrange(self.width, self.height, rows, order, self.zoomed, lines)

    def rest(self, frame_seconds: float, now: float) -> float:
        moving = self.options.animation and self.now - self.since < FLASH_SECONDS
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
