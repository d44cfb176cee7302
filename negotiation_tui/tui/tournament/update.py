"""Change the model with each message. Pure; commands for the session go to `Model.commands`."""

from dataclasses import replace

from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.sessions.tournament_session import TournamentSnapshot
from negotiation_tui.tournament.standings import COLUMNS, MEASURES
from negotiation_tui.tui.toolkit import paned
from negotiation_tui.tui.toolkit.paned import Controls, moved
from negotiation_tui.tui.tournament.help import ABOUT
from negotiation_tui.tui.tournament.layout import HEADER, LEADERBOARD, MATRIX
from negotiation_tui.tui.tournament.model import SORTS, Model
from negotiation_tui.tui.tournament.render import PANES


def start(model: Model) -> Model:
    """Start a new model."""
    return model.send(Run()) if model.running else model


def _published(model: Model, played: TournamentSnapshot) -> Model:
    done = played.finished and not model.latest.finished
    model = replace(model, latest=played)
    text = f"all {len(played.pairings):,} pairings are played"
    return replace(model, message=text) if done else model


def _run(model: Model) -> Model:
    if model.latest.finished:
        return replace(model, message="all pairings are played")
    return replace(model, running=not model.running).send(Halt() if model.running else Run())


def _measure(model: Model) -> Model:
    index = (model.measure_index + 1) % len(MEASURES)
    return replace(model, measure_index=index, message=f"heat map: {MEASURES[index].title}")


def _sort(model: Model) -> Model:
    index = (model.sort_index + 1) % len(COLUMNS)
    text = f"leaderboard sorted by {SORTS[COLUMNS[index]]}"
    return replace(model, sort_index=index, message=text)


def _open(model: Model) -> Model:
    return replace(model, opens=True, modal=None)


def _page(model: Model) -> int:
    """Return the number of visible rows of the chosen pane."""
    area = model.area_of(LEADERBOARD if model.chosen == LEADERBOARD else MATRIX)
    return max(1, area.height - HEADER) if area else 1


def _scroll(model: Model, command: str) -> Model:
    """Choose another pairing; on the leaderboard, sellers follow in its order."""
    rows, columns = moved(command, _page(model))
    last = len(model.entrants) - 1
    buyer = min(max(0, model.buyer + columns), last)
    if model.chosen != LEADERBOARD:
        return replace(model, seller=min(max(0, model.seller + rows), last), buyer=buyer)
    order = [model.entrants.index(standing.name) for standing in model.standings]
    seller = order[min(max(0, order.index(model.seller) + rows), last)]
    return replace(model, seller=seller, buyer=buyer)


def _close(model: Model) -> Model:
    if model.modal or model.zoomed:
        return paned.close(model)
    return model.with_message("nothing to close: {quit} quits")


update = Controls(
    panes=PANES,
    commands={"run": _run, "values": _measure, "sort": _sort, "take": _open, "close": _close},
    scroll=_scroll,
    about=ABOUT,
    published=_published,
).update
