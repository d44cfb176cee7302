"""A person at the table: one negotiation at a time against a player, and what came of them."""

from dataclasses import dataclass

import numpy as np

from negotiation_tui.game.negotiation import Player, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.solvers.best_response import best_response

PERSON = "person"
"""What a recording says of the seat that a person took."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a person earned over the negotiations that are done; rewards are not discounted."""

    role: Role
    negotiations: int = 0
    deals: int = 0
    wallet: int = 0
    """What its wallet gained."""
    earned: float = 0.0
    """Sum of its rewards."""
    expected: float | None = 0.0
    """What a best response would have earned in them on average; None where the opponent heeds
    the whole negotiation and none can be computed."""
    last_earned: float | None = None
    """Its reward in the last one, None before."""
    last_expected: float | None = None
    """What a best response earns on average with that opener."""


class HumanPlayer:
    """A person in a seat; its opponent answers at once."""

    def __init__(
        self, scenario: Scenario, role: Role, opponent: Player, rng: np.random.Generator
    ) -> None:
        self._scenario, self._role, self._opponent, self._rng = scenario, role, opponent, rng
        self._best: tuple[float, float] | None = None
        if isinstance(opponent, TabularPolicy):
            self._best = best_response(scenario, role, opponent, discount_rate=1.0).values
        self.score = Score(role, expected=None if self._best is None else 0.0)

    def begin(self, opener: Role) -> Transcript:
        """A new negotiation, up to the person's first decision."""
        return self._answered(Transcript(self._scenario, opener))

    def act(self, transcript: Transcript, action: int) -> Transcript:
        """The negotiation after the person's action and the answer to it.

        Raises IllegalActionError where the rules do not allow the action.
        """
        return self._answered(transcript.followed_by(action))

    def _answered(self, transcript: Transcript) -> Transcript:
        position = transcript.position
        if position is not None and position.role is not self._role:
            transcript = transcript.followed_by(int(self._opponent.act(position, self._rng)))
        if transcript.over:
            self.score = self._with(transcript)
        return transcript

    def _with(self, transcript: Transcript) -> Score:
        price, score = transcript.outcome.price, self.score
        earned = 0.0 if price is None else self._scenario.reward(self._role, price)
        gained = 0 if price is None else price if self._role is Role.SELLER else -price
        expected = None if self._best is None else self._best[transcript.opener]
        return Score(
            self._role,
            score.negotiations + 1,
            score.deals + (price is not None),
            score.wallet + gained,
            score.earned + earned,
            None if score.expected is None or expected is None else score.expected + expected,
            earned,
            expected,
        )
