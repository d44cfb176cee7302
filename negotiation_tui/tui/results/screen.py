"""The screen of the results of people, which follows their files."""

from collections.abc import Sequence
from typing import ClassVar

from negotiation_tui.contest.contest import RankingColumn, sorted_by
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.runtime.text import cells, clip, plural
from negotiation_tui.sessions.commands import Halt, PlayOn
from negotiation_tui.sessions.results_session import (
    COLUMNS,
    PersonStanding,
    ResultsSession,
    ResultsSnapshot,
)
from negotiation_tui.tui.results.keys import ABOUT, KEYS
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import ANY, Layout, Lines, PaneRoom, arrange
from negotiation_tui.tui.toolkit.paned import Controls, PanedModel, View, draw_heading, moved
from negotiation_tui.tui.toolkit.run_screen import Opened, RenderOptions, Screen, run_screen
from negotiation_tui.tui.widgets.glossary import GLOSSARY
from negotiation_tui.tui.widgets.ranked_list import HEADER, Title, draw_standings, list_lines

PEOPLE = 1
_ORDERS = [column for column in COLUMNS if column.sort]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(PanedModel[ResultsSnapshot, PlayOn | Halt]):
    """The state that a frame is drawn from."""

    about = ABOUT
    base_pane: ClassVar = PEOPLE
    glossary: ClassVar = GLOSSARY
    subjects = ("People",)

    keys: Keys = KEYS
    chosen: int = PEOPLE
    detail: int = PEOPLE
    sort_index: int = 0
    marked: int = 0  # the place of the marked line

    @property
    def order(self) -> RankingColumn:
        return _ORDERS[self.sort_index]

    @property
    def standings(self) -> Sequence[PersonStanding]:
        return sorted_by(self.order, self.latest.people)

    def layout(self) -> Layout:
        rows = (((PaneRoom(PEOPLE, 4, 40, ANY, ANY),),),)
        return arrange(self.width, self.height, rows, (PEOPLE,), self.zoomed, Lines(caption=8))

    def rest(self, frame_seconds: float, _now: float) -> float:
        return max(frame_seconds, 0.1)


def _draw_people(canvas: Canvas, model: Model, pane: int) -> None:
    by = f"by {model.order.sort}"
    draw_heading(canvas, model, pane, "People", f"rewards per game, {by}", by)
    longest = max((cells(each.name) for each in model.latest.people), default=0)
    draw_standings(canvas, model.standings, COLUMNS, model.order, model.marked, longest, clip)


def _title(model: Model) -> Title:
    state = "▶ follows the files" if model.running else "‖ paused"
    games = plural(model.latest.whole.games, "game")
    return state, (("negotiation-tui", "results", games), ("results", games), ("results",))


def _sort(model: Model) -> Model:
    model = replace(model, sort_index=(model.sort_index + 1) % len(_ORDERS))
    return replace(model, message=f"sorted by {model.order.sort}")


def _scroll(model: Model, command: str) -> Model:
    """Mark another line."""
    area, last = model.area_of(PEOPLE), len(model.latest.people) - 1
    step, _ = moved(command, max(1, area.height - HEADER) if area else 1)
    return replace(model, marked=max(0, min(model.marked + step, last)))


VIEW = View({PEOPLE: ("People", _draw_people)}, list_lines(_title, lambda model: str(model.latest)))
render = VIEW.render
update = Controls(
    view=VIEW,
    commands={
        "run": lambda model: replace(model, running=not model.running).send(
            Halt() if model.running else PlayOn()
        ),
        "sort": _sort,
    },
    scroll=_scroll,
    published=lambda model, snapshot: replace(model, latest=snapshot),
).update


def watch(session: ResultsSession, appearance: RenderOptions) -> None:
    """Show the results and follow their files until the user quits."""
    run_screen(Opened(session, Screen(update, render), Model(session.snapshot)), appearance)
