"""A pair of a contest, live on the screen of two agents."""

from dataclasses import replace
from typing import TYPE_CHECKING

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, States
from negotiation_tui.league.matches import Match
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.learning.spec import learns
from negotiation_tui.players import file_digest
from negotiation_tui.sessions.commands import Play, TakeSeat
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tournament.pairings import Pairing
from negotiation_tui.tui.negotiation import model as two_agents
from negotiation_tui.tui.negotiation.watch import guest, screen
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.tournament.model import Model

if TYPE_CHECKING:
    from negotiation_tui.tui.toolkit.app import Opened

_MEANWHILE = "live: the {} goes on meanwhile, {{close}} leads back to it"
_AFTER = "live: {{close}} leads back to the {}"
_TRAINED = "; first the learner trains in self-play, as for the tournament"


def opened(model: Model, options: RenderOptions) -> "tuple[Model, Opened[two_agents.Model] | None]":
    """Return the model without its request, and the screen of its chosen pair if it asks.

    If the two cannot play, the message says why.
    """
    if not model.opens:
        return model, None
    from negotiation_tui.tui.toolkit.app import Opened

    model = replace(model, opens=False)
    job: Pairing | Match = model.job
    try:
        file_digest.check_digests(_specs(job), job.file_digests)
        session = _session(job)
    except BadInputError as error:
        return replace(model, message=f"cannot be played: {error}"), None
    going = model.running and not model.latest.finished
    text = (_MEANWHILE if going else _AFTER).format(model.contest.name)
    commands = _preparation(job)
    live = guest(session.snapshot, options, model.ascii).send(*commands)
    return model, Opened(session, screen(), live.with_message(text + _TRAINED * bool(commands)))


def _specs(job: Pairing | Match) -> tuple[str, str]:
    return job.specs if isinstance(job, Match) else (job.seller, job.buyer)


def _session(job: Pairing | Match) -> TrainingSession:
    """Return both players; for a tournament a learner trains in self-play with its seed."""
    scenario, parameters, specs = job.scenario, Parameters(), _specs(job)
    if isinstance(job, Match):
        return TrainingSession(scenario, job.parameters, job.seed, specs)
    ways = list(dict.fromkeys(filter(learns, specs)))
    if not ways:
        return TrainingSession(scenario, parameters, job.seed, specs)
    if len(ways) > 1:
        raise BadInputError("expected one way of learning, got two that were trained apart")
    scenario = replace(scenario, states=States.OPENER_AWARE)
    return TrainingSession(scenario, RECIPES[job.recipe](scenario), job.seed, (ways[0], ways[0]))


def _preparation(job: Pairing | Match) -> tuple[Play | TakeSeat, ...]:
    """Return the commands that train a learner of a tournament and then seat the other player."""
    specs = _specs(job)
    if isinstance(job, Match) or not any(map(learns, specs)):
        return ()
    scenario = replace(job.scenario, states=States.OPENER_AWARE)
    train = Play(RECIPES[job.recipe](scenario).total)
    others = [(role, spec) for role, spec in zip(Role, specs, strict=True) if not learns(spec)]
    return train, *(TakeSeat(role, spec) for role, spec in others)
