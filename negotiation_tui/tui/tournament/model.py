"""The state of the tournament screen; `update` changes it."""

from dataclasses import dataclass
from typing import ClassVar

from negotiation_tui.runtime.result_file import Row
from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.sessions.tournament_session import TournamentSnapshot
from negotiation_tui.tournament.pairings import Pairing
from negotiation_tui.tournament.standings import COLUMNS, MEASURES, Measure, Standing, sorted_by
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import Layout, TooSmall
from negotiation_tui.tui.toolkit.paned import PanedModel
from negotiation_tui.tui.tournament.keys import KEYS
from negotiation_tui.tui.tournament.layout import MATRIX, PAIRING, arrange

SORTS = {name: name for name in COLUMNS} | {"overall": "both seats"}
"""The titles of the sort orders of the leaderboard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(PanedModel[TournamentSnapshot, Run | Halt]):
    """The state that a frame is drawn from."""

    base_pane: ClassVar = PAIRING

    keys: Keys = KEYS
    chosen: int = MATRIX
    detail: int = MATRIX
    measure_index: int = 0
    sort_index: int = 0
    seller: int = 0
    """The entrant that sells in the chosen pairing."""
    buyer: int = 0
    """The entrant that buys in the chosen pairing."""
    opens: bool = False
    """True if the user asks to see the chosen pairing live."""

    @property
    def entrants(self) -> tuple[str, ...]:
        """The specs of all participants."""
        return self.latest.entrants

    @property
    def measure(self) -> Measure:
        """The measure that the heat map shows."""
        return MEASURES[self.measure_index]

    @property
    def standings(self) -> list[Standing]:
        """The sorted leaderboard."""
        return sorted_by(COLUMNS[self.sort_index], self.latest.leaderboard)

    @property
    def pairing(self) -> Pairing:
        """The chosen pairing."""
        entrants = len(self.entrants)
        return self.latest.pairings[self.seller * entrants + self.buyer]

    @property
    def row(self) -> Row | None:
        """The results of the chosen pairing; None until it is played."""
        pair = self.entrants[self.seller], self.entrants[self.buyer]
        return self.latest.by_players.get(pair)

    def layout(self) -> Layout | TooSmall:
        """Return the place of each pane."""
        return arrange(
            self.width, self.height, self.chosen, self.detail, self.zoomed, len(self.entrants)
        )

    def rest(self, frame_seconds: float, _now: float) -> float:
        """Return the seconds until something may happen without a message."""
        return frame_seconds if self.running and not self.latest.finished else 0.5
