"""The state of the screen of a contest; `update` changes it."""

from dataclasses import dataclass
from typing import ClassVar

from negotiation_tui.contest.contest import Contest
from negotiation_tui.contest.standings import AnyStanding, Column, Measure, sorted_by
from negotiation_tui.players.run import Run as TrainingRun
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.sessions.contest_session import ContestSnapshot
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import Layout, TooSmall
from negotiation_tui.tui.toolkit.paned import PanedModel
from negotiation_tui.tui.tournament.keys import KEYS
from negotiation_tui.tui.tournament.layout import MATRIX, PAIRING, arrange


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(PanedModel[ContestSnapshot, Run | Halt]):
    """The state that a frame is drawn from."""

    base_pane: ClassVar = PAIRING

    keys: Keys = KEYS
    chosen: int = MATRIX
    detail: int = MATRIX
    measure_index: int = 0
    sort_index: int = 0
    one: int = 0
    """The entrant of the chosen row of the heat map."""
    other: int = 0
    """The entrant of the chosen column."""
    opens: bool = False
    """True if the user asks to see the chosen pair live."""

    @property
    def contest(self) -> Contest:
        """The contest."""
        return self.latest.contest

    @property
    def entrants(self) -> tuple[str, ...]:
        """The specs of all participants."""
        return self.contest.entrants

    @property
    def measure(self) -> Measure:
        """The measure that the heat map shows."""
        return self.contest.measures[self.measure_index]

    @property
    def orders(self) -> list[Column]:
        """The columns that the leaderboard can be sorted by."""
        return [column for column in self.contest.columns if column.sort]

    @property
    def order(self) -> Column:
        """The column that the leaderboard is sorted by."""
        return self.orders[self.sort_index]

    @property
    def standings(self) -> list[AnyStanding]:
        """The sorted leaderboard."""
        return sorted_by(self.order, self.latest.leaderboard)

    @property
    def pair(self) -> tuple[str, str]:
        """The chosen entrants."""
        return self.entrants[self.one], self.entrants[self.other]

    @property
    def job(self) -> TrainingRun:
        """The run, or the first run, of the chosen pair."""
        return self.contest.job_of(*self.pair)

    @property
    def cell(self) -> Row | None:
        """The results of the chosen pair; None until there are any."""
        return self.latest.cells.get(self.pair)

    def layout(self) -> Layout | TooSmall:
        """Return the place of each pane."""
        return arrange(
            self.width, self.height, self.chosen, self.detail, self.zoomed, len(self.entrants)
        )

    def rest(self, frame_seconds: float, _now: float) -> float:
        """Return the seconds until something may happen without a message."""
        return frame_seconds if self.running and not self.latest.finished else 0.5
