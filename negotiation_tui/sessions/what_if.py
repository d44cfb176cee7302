"""What would have come of another action: from a moment of the past to its end."""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.learning.random_streams import of_question
from negotiation_tui.players.resolve import strategy_from_spec, trained_players
from negotiation_tui.sessions.human_player import PERSON
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
    """The negotiation with another action after so many turns, both seats going on as they were.

    `then` says who sat there and what their tables held; learners play their best by them, and so
    does the seat of a person. The same question gets the same answer. Raises IllegalActionError
    where the rules do not allow the action, BadInputError where a seat's strategy cannot be had
    any more.
    """
    rng = of_question(then.seed, negotiation.number, turns, action)
    held = [resolve(words) if words and words != PERSON else None for words in then.strategies]
    seats = trained_players(then.scenario, held, then.q_tables, then.parameters.discount_rate)
    transcript = negotiation.transcript.first(turns).followed_by(action)
    while (position := transcript.position) is not None:
        transcript = transcript.followed_by(int(seats[position.role].act(position, rng)))
    return replace(negotiation, transcript=transcript, what_if=turns)
