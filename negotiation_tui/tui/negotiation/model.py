"""The model of the two-agent screen: everything that a frame is drawn from."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, Self

from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.learning.q_table import Values
from negotiation_tui.runtime.records import dataclass, field, replace
from negotiation_tui.sessions.commands import Command
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.solvers.expected_play import Coins
from negotiation_tui.strategies.registry import STRATEGIES
from negotiation_tui.tui.negotiation.keys import (
    BUYER_PLAN,
    GAMES,
    KEYS,
    OFFERS,
    PRICE,
    SELLER_PLAN,
    WALLETS,
)
from negotiation_tui.tui.negotiation.pace import PACES
from negotiation_tui.tui.negotiation.playback import Playback, timetable
from negotiation_tui.tui.negotiation.updates import updates_of_turns
from negotiation_tui.tui.negotiation.words import command_of, pages
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import ANY, GAP, Layout, Lines, PaneRoom, Rows, arrange
from negotiation_tui.tui.toolkit.pace import STEADY, story_turn
from negotiation_tui.tui.toolkit.timeline import ALL, TimelineModel
from negotiation_tui.tui.widgets.glossary import GLOSSARY
from negotiation_tui.tui.widgets.policy_picture import columns_needed
from negotiation_tui.tui.widgets.q_table import CELL, label_columns, n_rows
from negotiation_tui.tui.widgets.ribbon import Game

if TYPE_CHECKING:
    from negotiation_tui.learning.ancestry import Entry


PLAN_WIDTH = 30  # the least columns of a plan
SIDE_WIDTH = 33  # columns of the wallets and, below them, of the offers
STRIPS = 20  # the height of a screen from which there is room for strips below the bars
_TRACKS = 14  # the height from which a bar has a track for each role
_THICKER = 28, 34, 44  # heights from which a bar is one row thicker
_PLAN_ROWS = (58, 24), (48, 15), (36, 9), (0, 6)  # heights, and the rows that a plan needs there
STATE_LINES = 28  # the height from which a line per role has the state at hand
_TIME_LINE = 26  # the height from which the time line has a row of its own
GAMES_SIZE = 72, 36  # the smallest screen on which the ribbon of games has a pane of its own
BESIDE = 100  # columns from which the wallets stand beside it
_HIGH = 44  # the height from which the games take the rows that are left
_AROUND = 42  # rows around a plan on a screen that also has room for the offers
_LARGE = 180, 46  # the smallest screen with a wider pane of offers
"""Columns and rows."""
BOTH_TABLES = 2 * PLAN_WIDTH + GAP + 4  # columns from which both tables have room
LOW = 22  # rows from which the ribbon has two rows if it has no pane
_LEGEND = 16  # rows from which a row above the time line has the signs of the plans, or advice
_SENTENCES, NARROW = 20, 140  # rows from which and columns below which sentences have two rows
GAME_PANE = 9, 44  # rows and columns of the panes of moves and of rewards, while a person plays
QUICK = 0.23  # seconds per turn of a game that stands for a cycle without news
BY_RULES = "Both follow fixed rules, so nobody learns: {toggle} lets both learn, told as a story."
"""The line below the games of two fixed rules, read while the first one stands."""
TABLES = {SELLER_PLAN: Role.SELLER, BUYER_PLAN: Role.BUYER}


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(TimelineModel[Snapshot, Command]):
    """State of the two-agent screen; `update` says how each message changes it."""

    base_pane: ClassVar = PRICE
    paces: ClassVar = PACES

    keys: Keys = KEYS
    chosen: int = SELLER_PLAN
    detail: int = SELLER_PLAN
    pace_index: int = STEADY
    before: Snapshot | None = None
    """The snapshot one negotiation before the one on the screen; None if it is not known."""
    strategies: tuple[str | None, str | None] = (None, None)
    """The strategy last chosen for each seat, None for its learner; seller first."""
    static: tuple[str, str] = (next(iter(STRATEGIES)),) * 2
    """The last static strategy of each seat, which `toggle` brings back; the first if none was."""
    opener: Opener = Opener.ALTERNATE
    playback: Playback | None = None
    awaits: tuple[int, float] | None = None
    """The number of the command that is awaited, and the time since when; None without one."""
    parent: "Model | None" = None
    """The model at the moment from which the what-if on the bar departs; None without one."""
    values: Values | None = None  # the numbers in the panes of the plans; None for the pictures
    other_opener: Role | None = None
    """The role that opens in the plans shown; None if they follow the negotiation on the bar."""
    advice: bool = False  # true if a line above the footer says what would be best now
    tour: bool = False  # true if the user asks for the tour
    guesses: bool = False  # true if a lesson asks for what theory knows, which is hidden then
    seat: tuple[Role, str] | None = None
    """The seat and the name of the strategy whose settings are asked for."""
    why: "Entry | None" = None  # the entry of a Q-table whose origin was asked for
    answer: tuple[str, ...] = ()  # the title and the lines of the answers that were asked for
    price_typed: str = ""  # the digits of a price that the person types
    words: str = ""  # what the person says with the next move
    reveals: bool = False
    """True if hidden limits are shown from the start of a negotiation, not only at its end."""
    limits: tuple[int | None, int | None] = (None, None)
    """The index of the limit of each role whose plan is shown; None if it follows the play."""
    peeks: bool = False  # true if a person who plays sees the plans of both seats
    cursor: int | None = None  # the price that the person chose, as the action that offers it
    published: bool = False  # true if the box of a test shows the original's columns
    games: tuple[Game, ...] = ()
    """The games shown in the present, and those by the plans after each cycle, the oldest first."""
    coins: Mapping[str, Coins] = field(default_factory=dict)
    """The latest coins per game of each kind of players, see `wallets.seats_kind`."""
    guest: bool = False  # true if the screen lies on top of another, which quitting leads back to
    asked: str | None = None  # the command that the person must repeat, because it loses something

    @property
    def about(self) -> Mapping[str, str]:
        return {"this moment": command_of(self.here), **GLOSSARY}

    @property
    def shown(self) -> Transcript | None:
        """The negotiation on the bar up to the last turn shown; None before the first one."""
        return self.playback.shown if self.playback else None

    @property
    def position(self) -> Position | None:
        """The position on the bar, in which a role must act; None if there is none."""
        return self.shown.position if self.shown else None

    @property
    def over(self) -> bool:
        """True if the bar shows the end of a negotiation."""
        return self.playback is not None and self.playback.over

    @property
    def snapshot(self) -> Snapshot:
        """The moment on the screen: all that a frame says of a training is of this snapshot."""
        return self._without_theory(self.here)

    def _without_theory(self, moment: Snapshot) -> Snapshot:
        """Return a moment; without its solutions while a lesson asks for them."""
        if not self.guesses:
            return moment
        return replace(moment, theory=replace(moment.theory, equilibria=((), ())))

    @property
    def pane_snapshot(self) -> Snapshot:
        """The snapshot whose tables and wallets to show: until a negotiation is over, before it."""
        playback = (self.parent or self).playback
        if self.before is None or playback is None or playback.over:
            return self.snapshot
        return self._without_theory(self.before)

    @property
    def games_shown(self) -> tuple[Game, ...]:
        """The games up to the moment on the screen."""
        until = bisect_right if (self.parent or self).over else bisect_left
        return self.games[: until(self.games, self.here.key[1], key=attrgetter("key"))]

    def pages_of(self, fact: Fact, turns: int | None = None) -> list[str]:
        """Return the pages of a fact, each as long as the rows for sentences hold."""
        shown = self.playback.visible if self.playback else 0
        return pages(fact, self.width, 1 + self.two_rows, shown if turns is None else turns)

    @property
    def updates(self) -> list[list[str]]:
        """The pages of each turn's updates; none in a what-if, or beside a fact that is told."""
        if self.parent or self.here.told:
            return []
        return updates_of_turns(self.here, self.width - 2, 1 + self.two_rows)

    @property
    def update(self) -> str:
        """The update of the step on the bar; empty without one, or too fast to be read."""
        step, told = self.playback, self.updates if self.pace.seen or not self.running else []
        now = told[step.visible - 1] if told and step and step.visible else []
        return now[min(step.page, len(now) - 1)] if now and step else ""

    @property
    def two_rows(self) -> bool:
        """True if sentences have two rows."""
        return self.width < NARROW and self.height >= _SENTENCES

    @property
    def in_present(self) -> bool:
        """True if the newest moment that was shown is on the screen; of a recording, its end."""
        newest = self.history.newest
        shown = newest is None or self.here.key >= newest.key
        return shown and self.here.course.now >= self.latest.course.goal

    @property
    def live(self) -> bool:
        """True if the present is on the screen, neither the past nor a what-if."""
        return self.in_present and self.parent is None

    @property
    def goals(self) -> tuple[str, int]:
        course = self.latest.course
        return course.unit, course.last // course.per

    @property
    def subjects(self) -> tuple[str, ...]:
        now = ("Play",) if self.human_playing else () if self.live else ("Time",)
        return (*now, "View") if self.chosen in TABLES else now

    @property
    def human_playing(self) -> bool:
        """True if a person plays and the present is on the bar."""
        return self.latest.score is not None and self.live

    @property
    def hides(self) -> bool:
        """True if the plans are hidden from a person who plays."""
        return self.latest.score is not None and not self.peeks

    def at_rest(self) -> Self:
        shown = self.playback
        return replace(self, now=0.0, playback=shown and replace(shown, now=0.0))

    def with_players(self) -> Self:
        """Return the model with the players and the opener of the newest snapshot."""
        seller, buyer = strategies = self.latest.seating.strategies
        static = seller or self.static[0], buyer or self.static[1]
        return replace(self, strategies=strategies, static=static, opener=self.latest.opener)

    def arrive(self, entry: Snapshot, visible: int, before: Snapshot | None = None) -> Self:
        """Put a moment on the bar, with its first `visible` turns."""
        known = before, self.history.beside(entry.key, -1), self.here
        before = next((each for each in known if each and entry.follows(each)), None)
        model = replace(self, here=entry, before=before, parent=None)
        return model.timed(visible)

    def timed(self, visible: int) -> Self:
        """Return the model with a new playback of the moment on the screen."""
        shown, fact, now = self.here.negotiation, self.here.told, self.now
        if shown is None:
            return replace(self, playback=None)
        seconds, still, turns = (
            self.turn_seconds,
            not self.options.animation,
            shown.transcript.turns,
        )
        read: list[str] = []
        told: list[list[str]] = []
        if self.pace.directed:
            seconds = story_turn(len(turns))
            if fact is None and visible >= ALL:  # cycles pass
                seconds, still = QUICK, True
        if fact and fact.per_turn:
            told = [self.pages_of(fact, n) for n in range(1, len(turns) + 1)]
        elif fact:
            read = self.pages_of(fact, 0)
        elif shown.fixed and visible >= ALL and shown.key.number == 1:  # the first picture
            read = [BY_RULES]
        parts = len(self.updates[-1]) if self.updates else 0
        steps = timetable(shown, seconds, read, told, visible, parts)
        playback = Playback(shown, steps, 0, now, now, seconds, still)
        return replace(self, playback=playback.showing(visible, now))

    def layout(self) -> Layout:
        """Return the layout; the chosen pane, the price bar and `detail` are left out last."""
        scenario, numbers = self.snapshot.scenario, self.values is not None
        width, height = self.width, self.height
        playing = self.latest.score is not None  # games of a person are not in the ribbon
        large = width >= _LARGE[0] and height >= _LARGE[1] and not numbers
        ribbon = width >= GAMES_SIZE[0] and height >= GAMES_SIZE[1] and not playing
        beside = width >= BESIDE
        rows = 4 + max(len(scenario.offers(role)) for role in Role)
        columns, most = columns_needed(scenario), _PLAN_ROWS[0][1]
        tall = beside and not numbers and height >= _AROUND + min(rows, most)
        if numbers:
            rows = 3 + max(n_rows(scenario, role, False) for role in Role)
            columns = label_columns(scenario) + CELL * (scenario.n_prices + 2) + 1
        strips = sum(limits is not None for limits in scenario.limits) * (height >= STRIPS)
        if self.hides:  # the panes speak of the game, see `panes/play.py`
            rows, columns = GAME_PANE
        low = height >= LOW and not (ribbon or playing)
        thick = max(1, 1 + sum(height >= each for each in _THICKER) - strips)
        bar = 3 + min(2, height - _TRACKS) + thick + strips if height >= _TRACKS else 4
        least = min(rows, next(needs for high, needs in _PLAN_ROWS if height >= high))
        half = (width - GAP) // 2 - 2
        least_width = min(columns, half if half >= PLAN_WIDTH else width - 2)
        least_width = PLAN_WIDTH if playing else least_width
        high, few = height >= _HIGH, 6 + ribbon
        games = PaneRoom(GAMES, few, 40, ANY if high else 7, ANY)
        wallets = PaneRoom(WALLETS, few, SIDE_WIDTH, 9 if high else 7, SIDE_WIDTH)
        widest = 46 if large else SIDE_WIDTH if tall else 80
        offers = PaneRoom(OFFERS, 9, SIDE_WIDTH + 10 * large, ANY if tall else 18, widest)
        seller = PaneRoom(SELLER_PLAN, least, least_width, rows, ANY)
        buyer = seller._replace(pane=BUYER_PLAN)
        panes_in_rows: Rows = (
            ((PaneRoom(PRICE, bar, 1, bar + (height >= GAMES_SIZE[1] and rows <= least), ANY),),),
            ((games,), (wallets, offers) if tall else (wallets,)),
            ((seller,), (buyer,)),
            () if tall else ((offers,),),
        )
        detail = SELLER_PLAN if playing else self.detail
        order = [self.chosen, PRICE, detail, SELLER_PLAN, BUYER_PLAN, *(GAMES,) * ribbon]
        order += (WALLETS,) * (playing or (ribbon and beside)) + (OFFERS,) * (tall and ribbon)
        states = 0 if playing or numbers else STATE_LINES
        lines = Lines(
            strip=0,
            caption=14,
            time_line=_TIME_LINE,
            ribbon=LOW if low else 0,
            second=_SENTENCES if self.two_rows else 0,
            words=LOW if scenario.talk else 0,
            legend=_LEGEND,
            state_seller=states,
            state_buyer=states,
        )
        return arrange(width, height, panes_in_rows, order, self.zoomed, lines)

    def rest(self, frame: float, now: float) -> float:
        playback, rests = self.playback, not self.running
        if self.waiting or self.free_running or (playback and playback.moving):
            return frame
        if self.human_playing:
            ended = playback is None or playback.ended
            rests = (playback is not None and playback.rewound) or (ended and not self.unseen)
        if rests:
            return 0.5
        return max(0.0, playback.due - now) if playback else frame
