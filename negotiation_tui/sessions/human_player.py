"""A person who plays: one negotiation at a time against a player, and the score."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from negotiation_tui.game.negotiation import Player, Transcript, draw_limits
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.solvers.best_response import BestResponse, best_response

PERSON = "person"
"""The name of a person's seat in a recording."""


@dataclass(frozen=True, slots=True)
class Score:
    """The sums of a person's results over finished negotiations; rewards are not discounted."""

    role: Role
    negotiations: int = 0
    deals: int = 0
    possible: int = 0
    """Number of negotiations with a price that both accept."""
    wallet: int = 0
    """Money gained."""
    earned: float = 0.0
    """Sum of rewards."""
    expected: float | None = 0.0
    """Mean sum of rewards of a best response in the same negotiations, which knows its own limit
    alone; None if the opponent has no table, because then no best response can be computed."""
    last_earned: float | None = None
    """Reward of the last negotiation; None before the first."""
    last_expected: float | None = None
    """Mean reward of a best response with the opener and the own limit of the last negotiation."""
    exact: bool = True
    """False if what is expected is an upper bound."""


class HumanPlayer:
    """A person in a seat; the opponent answers at once.

    Hidden limits are drawn from a stream of their own, so that moves do not change them.
    """

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

    def begin(self, opener: Role) -> Transcript:
        """Return a new negotiation, up to the person's first decision."""
        return self._answered(Transcript(draw_limits(self._scenario, self._limits), opener))

    def act(self, transcript: Transcript, action: int) -> Transcript:
        """Return the negotiation after the person's action and the opponent's answer.

        Raises IllegalActionError if the rules do not allow the action.
        """
        return self._answered(transcript.followed_by(action))

    def _answered(self, transcript: Transcript) -> Transcript:
        position = transcript.position
        if position is not None and position.role is not self._role:
            transcript = transcript.followed_by(int(self._opponent.act(position, self._rng)))
        if transcript.over:
            self.score = self._score_with(transcript)
        return transcript

    def _score_with(self, transcript: Transcript) -> Score:
        price, score, game = transcript.outcome.price, self.score, transcript.scenario
        earned = 0.0 if price is None else game.reward(self._role, price)
        gain = 0 if price is None else price if self._role is Role.SELLER else -price
        best, expected = self._best, None
        if best is not None:
            expected = best.interim[transcript.opener, game.limit_index(self._role)].item()
        return Score(
            self._role,
            score.negotiations + 1,
            score.deals + (price is not None),
            score.possible + (len(game.possible_deals) > 0),
            score.wallet + gain,
            score.earned + earned,
            None if score.expected is None or expected is None else score.expected + expected,
            earned,
            expected,
            best is None or best.exact,
        )
