"""Change the model with each message, purely; and run the screen of a contest.

Commands for the session go to `Model.commands`. The chosen pair opens live, on the screen of two
agents.
"""

from dataclasses import replace
from typing import Any

from negotiation_tui.contest.contest import RunGrid
from negotiation_tui.contest.league import LearnerContest
from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.sweep import Sweep
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.hyperparameters import published
from negotiation_tui.learning.spec import learns
from negotiation_tui.players.run import Run, check_digests
from negotiation_tui.runtime.result_file import ResultFile
from negotiation_tui.sessions.commands import Halt, Play, PlayOn, TakeSeats
from negotiation_tui.sessions.contest_session import ContestSession, ContestSnapshot
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.negotiation import model as two_agents
from negotiation_tui.tui.negotiation.watch import SCREEN, guest
from negotiation_tui.tui.toolkit.paned import Controls, moved
from negotiation_tui.tui.toolkit.run_screen import Opened, RenderOptions, Screen, run_screen
from negotiation_tui.tui.tournament.keys import SWEEP_KEYS
from negotiation_tui.tui.tournament.model import CELLS, ENDINGS, LEADERBOARD, PAIRING, Model
from negotiation_tui.tui.tournament.render import (
    RUN_LIST,
    VIEW,
    choose_run,
    render,
    sentence,
    words_of_cell,
)
from negotiation_tui.tui.widgets.ranked_list import HEADER


def start(model: Model) -> Model:
    """Start a new model."""
    return model.send(PlayOn()) if model.running else model


def new_model(snapshot: ContestSnapshot, **options: Any) -> Model:
    model = Model(snapshot, **options)
    if model.sweep:
        model = replace(model, keys=SWEEP_KEYS, chosen=CELLS, detail=CELLS)
    return start(model)


def _published(model: Model, played: ContestSnapshot) -> Model:
    done = played.finished and not model.latest.finished
    model = replace(model, latest=played)
    text = f"all {len(played.contest.jobs):,} {played.contest.unit} are done: {sentence(model)}"
    return replace(model, message=text) if done else model


def _run(model: Model) -> Model:
    if model.latest.finished:
        return replace(model, message=f"all {model.grid.unit} are done: {sentence(model)}")
    return replace(model, running=not model.running).send(Halt() if model.running else PlayOn())


def _measure(model: Model) -> Model:
    measures = model.grid.measures
    index = (model.measure_index + 1) % len(measures)
    return replace(model, measure_index=index, message=f"heat map: {measures[index].title}")


def _sort(model: Model) -> Model:
    model = replace(model, sort_index=(model.sort_index + 1) % len(model.orders))
    return replace(model, message=f"both lists sorted by {model.order.sort}")


def _scroll(model: Model, command: str) -> Model:
    """Choose another pair, in the order of both lists."""
    if not model.sweep and model.chosen == LEADERBOARD and command in {"left", "right"}:
        return model.with_message("a list has lines alone: {up} and {down} choose one")
    area = model.area_of(model.chosen if model.chosen != PAIRING else model.matrix_pane)
    steps = moved(command, max(1, area.height - HEADER) if area else 1)
    orders, place = model.chosen_place
    one, other = (
        order[min(max(0, order.index(at) + step), len(order) - 1)]
        for order, at, step in zip(orders, place, steps, strict=True)
    )
    if model.sweep and model.chosen == ENDINGS:
        return replace(model, ending=(one, other))
    return replace(model, picked=(one, other), ending=None)


def _take(model: Model) -> Model:
    """Open the only run of the chosen cell, or the list of its runs, or the marked one of them."""
    if model.modal == RUN_LIST:
        return choose_run(model)
    if len(numbers := model.grid.numbers_of(model.key)) == 1:
        return replace(model, opens=numbers[0], modal=None)
    return replace(model, modal=RUN_LIST, modal_row=0)


def _mark(model: Model) -> Model:
    if model.sweep is None:
        return model
    if model.baseline == model.key:
        return replace(model, baseline=None, message="no cell is marked")
    text = f"{words_of_cell(model.sweep, model.key)} is marked: other cells are compared with it"
    return replace(model, baseline=model.key, picked=model.marked, message=text)


def _page(model: Model, step: int) -> Model:
    pages = len(model.grid.pages)
    if pages == 1:
        return replace(model, message="there is no third setting with two values or more")
    return replace(model, page=(model.page + step) % pages, ending=None)


update = Controls(
    view=VIEW,
    commands={
        "run": _run,
        "values": _measure,
        "sort": _sort,
        "take": _take,
        "mark": _mark,
        "next_page": lambda model: _page(model, 1),
        "previous_page": lambda model: _page(model, -1),
    },
    scroll=_scroll,
    published=_published,
).update


_MOMENTS = 40  # of a training that opens at its end
_MEANWHILE = "live: the {} goes on meanwhile, {{close}} leads back to it"
_AFTER = "live: {{close}} leads back to the {}"
_TRAINED = "; first the learner trains in self-play, as for the tournament"


def opened_pair(model: Model) -> tuple[Model, Opened[two_agents.Model] | None]:
    """Return the model without its request, and the screen of its chosen pair if it asks.

    If the two cannot play, the message says why.
    """
    if model.opens is None:
        return model, None
    job, model = model.grid.jobs[model.opens], replace(model, opens=None)
    try:
        check_digests(job)
        run, commands = _preparation(job, model.grid)
        session = TrainingSession(run)
    except BadInputError as error:
        return replace(model, message=f"cannot be played: {error}"), None
    going = model.running and not model.latest.finished
    text = (_MEANWHILE if going else _AFTER).format(model.grid.name)
    trained = bool(commands) and model.grid.name == "tournament"
    message = model.keys.format(text + _TRAINED * trained)
    live = guest(session.snapshot)
    live = replace(live.send(*commands), message=message)
    return model, Opened(session, SCREEN, live)


def _preparation(run: Run, contest: RunGrid) -> tuple[Run, tuple[Play | TakeSeats, ...]]:
    """Return the run that is shown, and the commands before it.

    In a tournament a learner first trains in self-play, then the other player takes its seat.
    """
    if isinstance(contest, LearnerContest | Sweep):
        return run, _pieces(run)
    ways = set(filter(learns, run.players))
    if not ways:
        return replace(run, parameters=published(run.scenario)), ()
    if len(ways) > 1:
        raise BadInputError("expected one way of learning, got two that were trained apart")
    seats = zip(Role, run.players, strict=True)
    others = [TakeSeats(((role, spec),)) for role, spec in seats if not learns(spec)]
    run = run.self_play(*ways)
    return run, (*_pieces(run), *others)


def _pieces(run: Run) -> tuple[Play, ...]:
    """Return the whole training in pieces, so that curves and ribbon have their moments."""
    cycles, episodes = run.parameters.cycles, run.parameters.episodes
    each = -(-cycles // _MOMENTS)
    return (Play(each * episodes),) * -(-cycles // each)


def watch(
    contest: RunGrid,
    file: ResultFile,
    workers: int | None,
    cluster: str | None,
    appearance: RenderOptions,
    paused: bool,
) -> None:
    """Carry out a contest on the screen until the user quits."""
    session = ContestSession(contest, file, workers, cluster)
    model = new_model(session.snapshot, running=not paused)
    run_screen(Opened(session, Screen(update, render, opened_pair), model), appearance)
