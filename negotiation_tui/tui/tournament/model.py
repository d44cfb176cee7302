"""The state of the screen of a contest, and its layout; `update` changes it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from negotiation_tui.contest.contest import (
    AnyStanding,
    CellKey,
    Contest,
    RankingColumn,
    RunGrid,
    sorted_by,
)
from negotiation_tui.experiments.sweep import MOST_BINS, Endings, Sweep
from negotiation_tui.players.run import Run
from negotiation_tui.players.spec import PROGRAM, short_name
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.text import distinct
from negotiation_tui.sessions.commands import Halt, PlayOn
from negotiation_tui.sessions.contest_session import ContestSnapshot
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import ANY, PRICE_HEIGHT, Layout, Lines, PaneRoom, arrange
from negotiation_tui.tui.toolkit.paned import PanedModel
from negotiation_tui.tui.tournament.keys import ABOUT, KEYS
from negotiation_tui.tui.widgets.glossary import GLOSSARY
from negotiation_tui.tui.widgets.heat_map import HIGHEST_CELL
from negotiation_tui.tui.widgets.ranked_list import HEADER

LEADERBOARD, MATRIX, PAIRING = 1, 2, 3
CELLS, ENDINGS = 1, 2  # of a sweep, in place of the first two
_PAIRING_ROWS, _HIGH = 12, 24
"""Most rows of the pairing, and the height from which it has room for a price bar."""


@lru_cache(maxsize=8)
def names_of(entrants: tuple[str, ...], room: int = ANY) -> dict[str, str]:
    """Return the name of each entrant, different from all others; a program's is short."""
    files = [*map(short_name, entrants)]
    alone = (
        file if files.count(file) == 1 else each.removeprefix(PROGRAM)
        for file, each in zip(files, entrants, strict=True)
    )
    return dict(zip(entrants, distinct([*alone], room), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(PanedModel[ContestSnapshot, PlayOn | Halt]):
    """The state that a frame is drawn from."""

    base_pane: ClassVar = PAIRING
    glossary: ClassVar = GLOSSARY

    keys: Keys = KEYS
    chosen: int = MATRIX
    detail: int = MATRIX
    measure_index: int = 0
    sort_index: int = 0
    picked: tuple[int, int] | None = None  # the row and the column that the user chose
    page: int = 0
    ending: tuple[int, int] | None = None  # the place that the user chose among the endings
    baseline: CellKey | None = None  # the cell that others are compared with
    opens: int | None = None  # the number of the run that the user asks to see

    @property
    def about(self) -> Mapping[str, str]:
        """The words in the help of this contest."""
        return ABOUT[self.grid.name]

    @property
    def subjects(self) -> tuple[str, ...]:
        """The group of keys that matter most now: those of the pane in focus."""
        if self.sweep:
            return ("Cells",)
        return ({LEADERBOARD: "Leaderboard", MATRIX: "Heat map", PAIRING: "Pair"}[self.chosen],)

    @property
    def grid(self) -> RunGrid:
        return self.latest.contest

    @property
    def sweep(self) -> Sweep | None:
        return self.grid if isinstance(self.grid, Sweep) else None

    @property
    def contest(self) -> Contest:
        assert isinstance(self.grid, Contest)
        return self.grid

    @property
    def matrix_pane(self) -> int:
        return CELLS if self.sweep else MATRIX

    @property
    def entrants(self) -> tuple[str, ...]:
        return self.contest.entrants

    @property
    def orders(self) -> list[RankingColumn]:
        """The columns that the leaderboard can be sorted by."""
        return [column for column in self.contest.columns if column.sort]

    @property
    def order(self) -> RankingColumn:
        return self.orders[self.sort_index]

    @property
    def standings(self) -> list[AnyStanding]:
        return sorted_by(self.order, self.latest.leaderboard)

    @property
    def ranking(self) -> list[int]:
        """The entrants in the order of the leaderboard, which is that of the heat map, too."""
        return [self.entrants.index(standing.name) for standing in self.standings]

    @property
    def in_order(self) -> tuple[list[int], list[int]]:
        """The rows and the columns in the order in which they are drawn."""
        if self.sweep:
            down, across = ([*range(len(names))] for names in self.grid.axes)
            return down, across
        return self.ranking, self.ranking

    @property
    def marked(self) -> tuple[int, int]:
        """The marked row and column.

        Until the user chooses, the leader and the best other with whom it could play; of a league
        that runs, the pair that was trained last; of a sweep the cell nearest to equilibrium.
        """
        if self.picked is not None:
            return self.picked
        if self.sweep:
            cells, (down, across) = self.latest.cells, self.grid.axes
            known = [
                (conv, n, k)
                for n, a in enumerate(down)
                for k, b in enumerate(across)
                if (cell := cells.get((a, b, *self.at_page)))
                and (conv := cell["nash_conv"]) is not None
            ]
            return min(known, default=(0.0, 0, 0))[1:]
        if self.grid.name == "league" and self.latest.rows and not self.latest.finished:
            newest = self.latest.rows[-1]
            return self.entrants.index(newest["seller"]), self.entrants.index(newest["buyer"])
        first, *others = self.ranking
        cells, names = self.latest.cells, self.entrants
        met = (cells.get((names[first], names[other])) for other in others)
        played = [n for n, cell in zip(others, met, strict=True) if cell and not cell["refused"]]
        return first, (*played, *others, first)[0]

    @property
    def at_page(self) -> tuple[str, ...]:
        return self.grid.pages[self.page]

    @property
    def key(self) -> CellKey:
        """The names of the chosen cell."""
        (down, across), (row, column) = self.grid.axes, self.marked
        return (down[row], across[column], *self.at_page)

    @property
    def pair(self) -> tuple[str, str]:
        return self.key[0], self.key[1]

    @property
    def numbers(self) -> Sequence[int]:
        """The runs of the chosen cell, or those that end at the chosen place of the endings."""
        if self.sweep and self.chosen == ENDINGS:
            return self.endings.runs.get(self.chosen_ending, ()) if self.endings else ()
        return self.grid.numbers_of(self.key)

    @property
    def job(self) -> Run:
        """The run, or the first run, of the chosen cell."""
        return self.grid.jobs[self.grid.numbers_of(self.key)[0]]

    @property
    def cell(self) -> ResultRow | None:
        """The results of the chosen cell; None until there are any."""
        return self.latest.cells.get(self.key)

    @property
    def endings(self) -> Endings | None:
        return self.cell["endings"] if self.sweep and self.cell else None

    @property
    def chosen_ending(self) -> tuple[int, int]:
        """The place that the user chose; until then, where most trainings end."""
        most = self.endings.counts.most_common(1) if self.endings else ()
        return self.ending or (most[0][0] if most else (0, 0))

    @property
    def chosen_place(self) -> tuple[Sequence[Sequence[int]], tuple[int, int]]:
        """The rows and the columns of the chosen table in their order, and the marked ones."""
        if self.sweep and self.chosen == ENDINGS:
            sides = self.endings.axes if self.endings else ((),) * 2
            return [range(max(1, len(names))) for names in sides], self.chosen_ending
        return self.in_order, self.marked

    def layout(self) -> Layout:
        """Return the place of each pane; the chosen pane and the pairing are left out last."""
        if self.sweep:
            return self._sweep_layout()
        total = len(self.entrants) + HEADER
        bar = PRICE_HEIGHT if self.height >= _HIGH else 3
        table = min(total, max(4, self.height - bar - 6))
        columns = sum(column.width for column in self.contest.columns)
        needed = 7 + max(map(len, names_of(self.entrants).values())) + columns
        widest = max(44, min(needed, self.width * 3 // 7))
        rows = (
            (
                (PaneRoom(LEADERBOARD, table, 44, total, widest),),
                (PaneRoom(MATRIX, table, 44, HIGHEST_CELL * (total - HEADER) + HEADER, ANY),),
            ),
            ((PaneRoom(PAIRING, bar, 1, _PAIRING_ROWS, ANY),),),
        )
        order = self.chosen, PAIRING, self.detail, LEADERBOARD, MATRIX
        return arrange(self.width, self.height, rows, order, self.zoomed, Lines(caption=8))

    def _sweep_layout(self) -> Layout:
        total, bins = len(self.grid.axes[0]) + HEADER, MOST_BINS + HEADER + 1
        lower = 8 if self.height >= _HIGH else 4
        table = min(max(total, bins), max(4, self.height - lower - 6))
        most = max(bins, HIGHEST_CELL * (total - HEADER) + HEADER)
        rows = (
            ((PaneRoom(CELLS, table, 34, most, ANY),), (PaneRoom(ENDINGS, table, 40, most, 46),)),
            ((PaneRoom(PAIRING, lower, 1, 14, ANY),),),
        )
        order = self.chosen, PAIRING, self.detail, CELLS, ENDINGS
        return arrange(self.width, self.height, rows, order, self.zoomed, Lines(caption=8))

    def rest(self, frame_seconds: float, _now: float) -> float:
        return frame_seconds if self.running and not self.latest.finished else 0.5
