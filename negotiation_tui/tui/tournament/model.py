"""What the screen of a tournament knows; `update` says how each message changes it."""

from dataclasses import dataclass

from negotiation_tui.runtime.result_file import Row
from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.sessions.tournament_session import Played
from negotiation_tui.tournament.standings import COLUMNS, MEASURES, Measure, Standing, sorted_by
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import Layout, TooSmall
from negotiation_tui.tui.tournament.keys import KEYS
from negotiation_tui.tui.tournament.layout import MATRIX, arrange

SORTS = {
    "overall": "both seats",
    "seller": "seller",
    "buyer": "buyer",
    "deals": "deals",
    "rounds": "rounds",
    "name": "name",
}
"""What the orders of the leaderboard are called."""


@dataclass(frozen=True, slots=True)
class Model:
    """Everything a frame is drawn from."""

    latest: Played
    keys: Keys = KEYS
    """What each key does, and how it is written."""
    width: int = 80
    height: int = 24
    ascii: bool = False
    running: bool = True
    chosen: int = MATRIX
    detail: int = MATRIX
    """The pane chosen last, the pairing left aside: what a screen with little room shows."""
    zoomed: bool = False
    measure_index: int = 0
    sort_index: int = 0
    seller: int = 0
    buyer: int = 0
    """The pairing at hand, by the numbers of its entrants."""
    help: bool = False
    help_row: int = 0
    commands: tuple[Run | Halt, ...] = ()
    """For the referee, to be taken out and sent."""
    message: str = ""
    repaints: int = 0
    quit: bool = False

    @property
    def entrants(self) -> tuple[str, ...]:
        """Who takes part."""
        return self.latest.entrants

    @property
    def measure(self) -> Measure:
        """What the heat map shows."""
        return MEASURES[self.measure_index]

    @property
    def standings(self) -> list[Standing]:
        """The leaderboard as it is sorted."""
        return sorted_by(COLUMNS[self.sort_index], self.latest.leaderboard)

    @property
    def row(self) -> Row | None:
        """What came of the pairing at hand, None until it is played."""
        pair = self.entrants[self.seller], self.entrants[self.buyer]
        return self.latest.by_players.get(pair)

    def layout(self) -> Layout | TooSmall:
        """Where everything goes."""
        return arrange(
            self.width, self.height, self.chosen, self.detail, self.zoomed, len(self.entrants)
        )

    def wait(self, frame: float, _now: float) -> float:
        """Seconds that nothing will happen by itself, given the length of a frame."""
        return frame if self.running and not self.latest.finished else 0.5
