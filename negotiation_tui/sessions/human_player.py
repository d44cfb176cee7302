"""A person who plays: one negotiation at a time against a player, and the score."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from negotiation_tui.game.negotiation import Player, Position, Transcript, draw_limits, tell_end
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.solvers.best_response import BestResponse, best_response
from negotiation_tui.solvers.subgame_perfect import EQUAL

PERSON = "person"  # the name of a person's seat in a recording


class RatedMove(NamedTuple):
    """A move of a person, and the best one instead; worths are expected rewards."""

    position: Position
    action: int
    worth: float  # if the rest is played best
    best: int  # itself if no other is better
    most: float  # the worth of the best


@dataclass(frozen=True, slots=True)
class Score:
    """The sums of a person's results over finished negotiations; rewards are not discounted."""

    role: Role
    negotiations: int = 0
    deals: int = 0
    possible: int = 0  # number of negotiations with a price that both accept
    wallet: int = 0  # money gained
    earned: float = 0.0  # sum of rewards
    expected: float | None = 0.0
    """Mean sum of rewards of a best response in the same negotiations, which knows its own limit
    alone; None if the opponent has no table."""
    last_earned: float | None = None  # reward of the last negotiation; None before the first
    last_expected: float | None = None  # likewise, by opener and own limit
    exact: bool = True  # False if what is expected is an upper bound
    moves: tuple[RatedMove, ...] = ()  # of the last negotiation; none if no best response is known


class HumanPlayer:
    """A person in a seat; the opponent answers at once, and no move changes hidden limits."""

    def __init__(
        self, scenario: Scenario, role: Role, opponent: Player, rng: np.random.Generator
    ) -> None:
        self._scenario, self._role, self._opponent, self._rng = scenario, role, opponent, rng
        self._limits = rng.spawn(1)[0]
        known = isinstance(opponent, TabularPolicy)
        self.score = Score(role, expected=0.0 if known else None)

    @cached_property
    def _best(self) -> BestResponse | None:
        if not isinstance(self._opponent, TabularPolicy):
            return None
        return best_response(self._scenario, self._role, self._opponent, discount_rate=1.0)

    def new_negotiation(self, opener: Role) -> Transcript:
        """Return a negotiation up to the person's first turn."""
        return self.answered(Transcript(draw_limits(self._scenario, self._limits), opener))

    def answered(self, transcript: Transcript) -> Transcript:
        """Return the negotiation after the opponent's answer, if it is the opponent's turn."""
        position = transcript.position
        if position is not None and position.role is not self._role:
            transcript = transcript.followed_by(self._opponent.act(position, self._rng))
        if not transcript.over:
            return transcript
        tell_end((self._opponent, self._opponent), transcript)
        price, score, game = transcript.outcome.price, self.score, transcript.scenario
        earned = transcript.reward(self._role)
        gain = 0 if price is None else price if self._role is Role.SELLER else -price
        best, expected = self._best, None
        if best is not None:
            expected = best.interim[transcript.opener, game.limit_index(self._role)].item()
        possible = score.possible + (len(game.possible_deals) > 0)
        counts = score.negotiations + 1, score.deals + (price is not None), possible
        total = None if score.expected is None or expected is None else score.expected + expected
        sums = score.wallet + gain, score.earned + earned, total
        exact = best is None or best.exact
        moves = () if best is None else tuple(self._moves(best, transcript))
        self.score = Score(self._role, *counts, *sums, earned, expected, exact, moves)
        return transcript

    def _moves(self, response: BestResponse, transcript: Transcript) -> Iterator[RatedMove]:
        for n, turn in enumerate(transcript.turns):
            position = transcript.first(n).position
            if turn.role is self._role and position is not None:
                values = response.action_value(position)
                best, worth = int(values.argmax()), float(values[turn.action])
                best = turn.action if values[best] - worth < EQUAL else best
                yield RatedMove(position, turn.action, worth, best, float(values[best]))
