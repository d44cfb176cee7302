"""Answers to what-if questions: an earlier negotiation with another action, played to its end."""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.learning.random_streams import of_question
from negotiation_tui.players.resolve import strategy_from_spec, trained_players
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.limits_held import with_beliefs
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.strategies.base import Strategy

Resolve = Callable[[str], Strategy | None]


def what_if(
    then: Snapshot,
    negotiation: Negotiation,
    turns: int,
    action: int,
    resolve: Resolve = strategy_from_spec,
) -> Negotiation:
    """Return the negotiation with another action after `turns` turns.

    `then` is the snapshot of that time. Its strategies and the policies of its learners play
    on; a learner's policy plays for a person. Equal arguments give equal results. Raises
    IllegalActionError if the rules do not allow the action, and BadInputError if a strategy cannot
    be loaded.
    """
    rng = of_question(then.seed, negotiation.number, turns, action)
    strategies = [resolve(spec) if spec and spec != PERSON else None for spec in then.strategies]
    discount_rate = then.parameters.discount_rate
    players = trained_players(
        then.scenario, strategies, then.q_tables, discount_rate, then.learned_policies
    )
    transcript = negotiation.transcript.first(turns).followed_by(action)
    while (position := transcript.position) is not None:
        transcript = transcript.followed_by(int(players[position.role].act(position, rng)))
    asked = replace(negotiation, transcript=transcript, what_if=turns)
    seller, buyer = (held and held[: turns + 1] for held in negotiation.beliefs)
    return with_beliefs(asked, players.__getitem__, before=(seller, buyer))
