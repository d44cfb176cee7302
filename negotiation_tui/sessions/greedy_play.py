"""Negotiations and tests between the seats of a training, without learning or exploring."""

from negotiation_tui.game.negotiation import Player, Transcript, negotiate
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import Evaluation, evaluate_both
from negotiation_tui.learning.random_streams import generators


class GreedyPlay:
    """Both seats play their best by what was learned; static strategies play as ever."""

    def __init__(self, scenario: Scenario, training: ConcurrentTraining) -> None:
        self._scenario, self._training = scenario, training
        self._rng = generators(training.seed).test
        self._seats: object = None
        self._players: tuple[Player, ...] = ()

    def negotiate(self, opener: Role) -> Transcript:
        """Play one negotiation of a finished training, whose tables change no more."""
        seats = [self._training.strategy(role) for role in Role]
        if seats != self._seats:
            self._seats = seats
            self._players = tuple(self._training.policy(role) for role in Role)
        seller, buyer = self._players
        return negotiate(self._scenario, seller, buyer, opener, self._rng)

    def test(self) -> tuple[Evaluation, ...]:
        """Test the seats as they are now: corrected and as published."""
        seller, buyer = (self._training.policy(role) for role in Role)
        left_over = self._training.statistics.left_over
        return evaluate_both(self._scenario, seller, buyer, self._rng, left_over)
