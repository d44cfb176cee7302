"""Change the model with each message. Pure; commands for the session go to `Model.commands`."""

from dataclasses import replace

from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.sessions.contest_session import ContestSnapshot
from negotiation_tui.tui.toolkit import paned
from negotiation_tui.tui.toolkit.messages import Message
from negotiation_tui.tui.toolkit.paned import Controls, moved
from negotiation_tui.tui.tournament.help import ABOUT
from negotiation_tui.tui.tournament.layout import HEADER, LEADERBOARD, MATRIX
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.render import PANES


def start(model: Model) -> Model:
    """Start a new model."""
    return model.send(Run()) if model.running else model


def _published(model: Model, played: ContestSnapshot) -> Model:
    done = played.finished and not model.latest.finished
    model = replace(model, latest=played)
    text = f"all {len(played.contest.jobs):,} {played.contest.unit} are played"
    return replace(model, message=text) if done else model


def _run(model: Model) -> Model:
    if model.latest.finished:
        return replace(model, message=f"all {model.contest.unit} are played")
    return replace(model, running=not model.running).send(Halt() if model.running else Run())


def _measure(model: Model) -> Model:
    measures = model.contest.measures
    index = (model.measure_index + 1) % len(measures)
    return replace(model, measure_index=index, message=f"heat map: {measures[index].title}")


def _sort(model: Model) -> Model:
    model = replace(model, sort_index=(model.sort_index + 1) % len(model.orders))
    return replace(model, message=f"leaderboard sorted by {model.order.sort}")


def _open(model: Model) -> Model:
    return replace(model, opens=True, modal=None)


def _page(model: Model) -> int:
    """Return the number of visible rows of the chosen pane."""
    area = model.area_of(LEADERBOARD if model.chosen == LEADERBOARD else MATRIX)
    return max(1, area.height - HEADER) if area else 1


def _scroll(model: Model, command: str) -> Model:
    """Choose another pair; on the leaderboard, rows follow in its order."""
    rows, columns = moved(command, _page(model))
    last = len(model.entrants) - 1
    other = min(max(0, model.other + columns), last)
    if model.chosen != LEADERBOARD:
        return replace(model, one=min(max(0, model.one + rows), last), other=other)
    order = [model.entrants.index(standing.name) for standing in model.standings]
    one = order[min(max(0, order.index(model.one) + rows), last)]
    return replace(model, one=one, other=other)


def _close(model: Model) -> Model:
    if model.modal or model.zoomed:
        return paned.close(model)
    return model.with_message("nothing to close: {quit} quits")


_CONTROLS = {
    name: Controls(
        panes=PANES,
        commands={"run": _run, "values": _measure, "sort": _sort, "take": _open, "close": _close},
        scroll=_scroll,
        about=about,
        published=_published,
    )
    for name, about in ABOUT.items()
}


def update(model: Model, message: Message) -> Model:
    """Return the model after a message; the same object if nothing changed."""
    return _CONTROLS[model.contest.name].update(model, message)
