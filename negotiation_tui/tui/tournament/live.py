"""Run the screen of a contest; its chosen pair opens live on the screen of two agents."""

from dataclasses import replace
from functools import partial

from negotiation_tui.contest.contest import Contest
from negotiation_tui.contest.league import LearnerContest
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.spec import learns
from negotiation_tui.players.run import Run, check_digests
from negotiation_tui.runtime.result_file import ResultFile
from negotiation_tui.sessions.commands import Play, TakeSeat
from negotiation_tui.sessions.contest_session import ContestSession
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.negotiation import model as two_agents
from negotiation_tui.tui.negotiation.watch import SCREEN, guest
from negotiation_tui.tui.toolkit.run_screen import Opened, RenderOptions, Screen, run_screen
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.render import render
from negotiation_tui.tui.tournament.update import start, update

_MEANWHILE = "live: the {} goes on meanwhile, {{close}} leads back to it"
_AFTER = "live: {{close}} leads back to the {}"
_TRAINED = "; first the learner trains in self-play, as for the tournament"


def opened(model: Model, options: RenderOptions) -> tuple[Model, Opened[two_agents.Model] | None]:
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
    live = guest(session.snapshot, options._replace(ascii=model.ascii)).send(*commands)
    return model, Opened(session, SCREEN, live.with_message(text + _TRAINED * bool(commands)))


def _preparation(run: Run, contest: Contest) -> tuple[Run, tuple[Play | TakeSeat, ...]]:
    """Return the run that is shown, and the commands before it.

    In a tournament a learner first trains in self-play, then the other player takes its seat.
    """
    if isinstance(contest, LearnerContest):
        return run, ()
    ways = set(filter(learns, run.players))
    if not ways:
        return replace(run, parameters=Parameters()), ()
    if len(ways) > 1:
        raise BadInputError("expected one way of learning, got two that were trained apart")
    seats = zip(Role, run.players, strict=True)
    others = [TakeSeat(role, spec) for role, spec in seats if not learns(spec)]
    run = run.self_play(*ways)
    return run, (Play(run.parameters.total), *others)


def watch(
    contest: Contest,
    file: ResultFile | None,
    workers: int | None,
    cluster: str | None,
    appearance: RenderOptions,
    paused: bool,
) -> None:
    """Carry out a contest on the screen until the user quits."""
    session = ContestSession(contest, file, workers, cluster)

    def first(options: RenderOptions) -> Model:
        return start(Model(session.snapshot, running=not paused).drawn_with(options))

    opening = partial(opened, options=appearance)
    run_screen(session, Screen(update, render, opening), first, appearance)
