"""What would have come of another action: from a moment of the past to its end."""

from dataclasses import replace

import numpy as np

from negotiation_tui.human_seat import PERSON
from negotiation_tui.learning.seeds import of_question
from negotiation_tui.negotiation import Player, Position
from negotiation_tui.roles import Role
from negotiation_tui.seats import occupant
from negotiation_tui.snapshot import Negotiation, Snapshot


class _Greedy:
    """A learner that plays the best of its table as it was then, ties drawn uniformly."""

    def __init__(self, then: Snapshot, role: Role) -> None:
        self._table = then.q_tables[role]

    def act(self, position: Position, rng: np.random.Generator) -> int:
        legal = np.array(position.legal)
        worth = np.zeros(len(legal)) if self._table is None else self._table[position.state, legal]
        return int(rng.choice(legal[worth == worth.max()]))


def what_if(then: Snapshot, negotiation: Negotiation, turns: int, action: int) -> Negotiation:
    """The negotiation with another action after so many turns, both seats going on as they were.

    `then` says who sat there and what their tables held; learners play their best by them, and so
    does the seat of a person. The same question gets the same answer. Raises IllegalActionError
    where the rules do not allow the action, BadInputError where a seat's strategy cannot be had
    any more.
    """
    rng = of_question(then.seed, negotiation.number, turns, action)
    players: list[Player] = []
    for role in Role:
        words = then.strategies[role]
        held = occupant(words) if words and words != PERSON else None
        players.append(_Greedy(then, role) if held is None else held)
    transcript = negotiation.transcript.first(turns).followed_by(action)
    while (position := transcript.position) is not None:
        transcript = transcript.followed_by(int(players[position.role].act(position, rng)))
    return replace(negotiation, transcript=transcript, what_if=turns)
