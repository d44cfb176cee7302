"""A pairing of the tournament, live on the screen of two agents."""

from dataclasses import replace
from typing import TYPE_CHECKING

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, States
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.learning.spec import LEARNED
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

_MEANWHILE = "live: the tournament goes on meanwhile, {close} leads back to it"
_AFTER = "live: {close} leads back to the tournament"
_TRAINED = "; first the learner trains in self-play, as for the tournament"


def opened(model: Model, options: RenderOptions) -> "tuple[Model, Opened[two_agents.Model] | None]":
    """Return the model without its request, and the screen of its chosen pairing if it asks.

    If the pairing cannot be played, the message says why.
    """
    if not model.opens:
        return model, None
    from negotiation_tui.tui.toolkit.app import Opened

    model = replace(model, opens=False)
    pairing = model.pairing
    try:
        for spec, digest in zip(_specs(pairing), pairing.file_digests, strict=True):
            file_digest.check_digest(spec, digest)
        session = _session(pairing)
    except BadInputError as error:
        return replace(model, message=f"cannot be played: {error}"), None
    going = model.running and not model.latest.finished
    text = (_MEANWHILE if going else _AFTER) + (_TRAINED if LEARNED in _specs(pairing) else "")
    live = guest(session.snapshot, options, model.ascii).send(*_preparation(pairing))
    return model, Opened(session, screen(), live.with_message(text))


def _specs(pairing: Pairing) -> tuple[str, str]:
    return pairing.seller, pairing.buyer


def _session(pairing: Pairing) -> TrainingSession:
    """Return both players; a learner trains in self-play with the tournament's seed."""
    scenario, parameters = pairing.scenario, Parameters()
    seller, buyer = _specs(pairing)
    if LEARNED not in {seller, buyer}:
        return TrainingSession(scenario, parameters, pairing.seed, (seller, buyer))
    scenario = replace(scenario, states=States.OPENER_AWARE)
    parameters = RECIPES[pairing.recipe](scenario)
    return TrainingSession(scenario, parameters, pairing.seed)


def _preparation(pairing: Pairing) -> tuple[Play | TakeSeat, ...]:
    """Return the commands that train a learner and then seat the other player."""
    specs = _specs(pairing)
    if LEARNED not in specs:
        return ()
    scenario = replace(pairing.scenario, states=States.OPENER_AWARE)
    train = Play(RECIPES[pairing.recipe](scenario).total)
    others = [(role, spec) for role, spec in zip(Role, specs, strict=True) if spec != LEARNED]
    return train, *(TakeSeat(role, spec) for role, spec in others)
