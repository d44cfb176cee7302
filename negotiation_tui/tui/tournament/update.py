"""Change the model with each message, purely; and run the screen of a contest.

Commands for the session go to `Model.commands`. The chosen pair opens live, on the screen of two
agents.
"""

from dataclasses import replace

from negotiation_tui.contest.contest import Contest
from negotiation_tui.contest.league import LearnerContest
from negotiation_tui.errors import BadInputError
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
from negotiation_tui.tui.tournament.model import LEADERBOARD, MATRIX, Model
from negotiation_tui.tui.tournament.render import VIEW, render, sentence
from negotiation_tui.tui.widgets.ranked_list import HEADER


def start(model: Model) -> Model:
    """Start a new model."""
    return model.send(PlayOn()) if model.running else model


def _published(model: Model, played: ContestSnapshot) -> Model:
    done = played.finished and not model.latest.finished
    model = replace(model, latest=played)
    text = f"all {len(played.contest.jobs):,} {played.contest.unit} are played: {sentence(model)}"
    return replace(model, message=text) if done else model


def _run(model: Model) -> Model:
    if model.latest.finished:
        return replace(model, message=f"all {model.contest.unit} are played: {sentence(model)}")
    return replace(model, running=not model.running).send(Halt() if model.running else PlayOn())


def _measure(model: Model) -> Model:
    measures = model.contest.measures
    index = (model.measure_index + 1) % len(measures)
    return replace(model, measure_index=index, message=f"heat map: {measures[index].title}")


def _sort(model: Model) -> Model:
    model = replace(model, sort_index=(model.sort_index + 1) % len(model.orders))
    return replace(model, message=f"both lists sorted by {model.order.sort}")


def _scroll(model: Model, command: str) -> Model:
    """Choose another pair, in the order of both lists."""
    if model.chosen == LEADERBOARD and command in {"left", "right"}:
        return model.with_message("a list has lines alone: {up} and {down} choose one")
    area = model.area_of(LEADERBOARD if model.chosen == LEADERBOARD else MATRIX)
    steps = moved(command, max(1, area.height - HEADER) if area else 1)
    order, last = model.ranking, len(model.entrants) - 1
    one, other = (
        order[min(max(0, order.index(at) + step), last)]
        for at, step in zip(model.marked, steps, strict=True)
    )
    return replace(model, picked=(one, other))


update = Controls(
    view=VIEW,
    commands={
        "run": _run,
        "values": _measure,
        "sort": _sort,
        "take": lambda model: replace(model, opens=True, modal=None),
    },
    scroll=_scroll,
    published=_published,
).update


_MEANWHILE = "live: the {} goes on meanwhile, {{close}} leads back to it"
_AFTER = "live: {{close}} leads back to the {}"
_TRAINED = "; first the learner trains in self-play, as for the tournament"


def opened_pair(model: Model) -> tuple[Model, Opened[two_agents.Model] | None]:
    """Return the model without its request, and the screen of its chosen pair if it asks.

    If the two cannot play, the message says why.
    """
    if not model.opens:
        return model, None
    model = replace(model, opens=False)
    try:
        check_digests(model.job)
        run, commands = _preparation(model.job, model.contest)
        session = TrainingSession(run)
    except BadInputError as error:
        return replace(model, message=f"cannot be played: {error}"), None
    going = model.running and not model.latest.finished
    text = (_MEANWHILE if going else _AFTER).format(model.contest.name)
    message = model.keys.format(text + _TRAINED * bool(commands))
    live = replace(guest(session.snapshot).send(*commands), message=message)
    return model, Opened(session, SCREEN, live)


def _preparation(run: Run, contest: Contest) -> tuple[Run, tuple[Play | TakeSeats, ...]]:
    """Return the run that is shown, and the commands before it.

    In a tournament a learner first trains in self-play, then the other player takes its seat.
    """
    if isinstance(contest, LearnerContest):
        return run, ()
    ways = set(filter(learns, run.players))
    if not ways:
        return replace(run, parameters=published(run.scenario)), ()
    if len(ways) > 1:
        raise BadInputError("expected one way of learning, got two that were trained apart")
    seats = zip(Role, run.players, strict=True)
    others = [TakeSeats(((role, spec),)) for role, spec in seats if not learns(spec)]
    run = run.self_play(*ways)
    return run, (Play(run.parameters.total), *others)


def watch(
    contest: Contest,
    file: ResultFile,
    workers: int | None,
    cluster: str | None,
    appearance: RenderOptions,
    paused: bool,
) -> None:
    """Carry out a contest on the screen until the user quits."""
    session = ContestSession(contest, file, workers, cluster)
    model = start(Model(session.snapshot, running=not paused))
    run_screen(Opened(session, Screen(update, render, opened_pair), model), appearance)
