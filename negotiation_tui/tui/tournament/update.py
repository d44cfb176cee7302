"""Change the model with each message. Pure; commands for the session go to `Model.commands`."""

from dataclasses import replace

from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.sessions.contest_session import ContestSnapshot
from negotiation_tui.tui.toolkit import paned
from negotiation_tui.tui.toolkit.paned import Controls, moved
from negotiation_tui.tui.tournament.model import LEADERBOARD, MATRIX, Model
from negotiation_tui.tui.tournament.render import PANES, render, sentence
from negotiation_tui.tui.widgets.ranked_list import HEADER


def start(model: Model) -> Model:
    """Start a new model."""
    return model.send(Run()) if model.running else model


def _published(model: Model, played: ContestSnapshot) -> Model:
    done = played.finished and not model.latest.finished
    model = replace(model, latest=played)
    text = f"all {len(played.contest.jobs):,} {played.contest.unit} are played: {sentence(model)}"
    return replace(model, message=text) if done else model


def _run(model: Model) -> Model:
    if model.latest.finished:
        return replace(model, message=f"all {model.contest.unit} are played: {sentence(model)}")
    return replace(model, running=not model.running).send(Halt() if model.running else Run())


def _measure(model: Model) -> Model:
    measures = model.contest.measures
    index = (model.measure_index + 1) % len(measures)
    return replace(model, measure_index=index, message=f"heat map: {measures[index].title}")


def _sort(model: Model) -> Model:
    model = replace(model, sort_index=(model.sort_index + 1) % len(model.orders))
    return replace(model, message=f"both lists sorted by {model.order.sort}")


def _scroll(model: Model, command: str) -> Model:
    """Choose another pair, in the order of both lists."""
    area = model.area_of(LEADERBOARD if model.chosen == LEADERBOARD else MATRIX)
    rows, columns = moved(command, max(1, area.height - HEADER) if area else 1)
    order, last = model.ranking, len(model.entrants) - 1
    steps = rows, columns * (model.chosen != LEADERBOARD)
    one, other = (
        order[min(max(0, order.index(at) + step), last)]
        for at, step in zip(model.marked, steps, strict=True)
    )
    return replace(model, picked=(one, other))


def _close(model: Model) -> Model:
    if model.modal or model.zoomed:
        return paned.close(model)
    return model.with_message("nothing to close: {quit} quits")


update = Controls(
    panes=PANES,
    commands={
        "run": _run,
        "values": _measure,
        "sort": _sort,
        "take": lambda model: replace(model, opens=True, modal=None),
        "close": _close,
    },
    scroll=_scroll,
    published=_published,
    render=render,
).update
