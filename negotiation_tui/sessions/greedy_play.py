"""Negotiations and tests between the players of a training, without learning or exploring."""

from negotiation_tui.game.negotiation import Player, Transcript, negotiate
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import Evaluation, evaluate_both
from negotiation_tui.learning.random_streams import generators


class GreedyPlay:
    """Play of both seats by their greedy policies; static strategies play as usual."""

    def __init__(self, scenario: Scenario, training: ConcurrentTraining) -> None:
        self._scenario, self._training = scenario, training
        self._rng = generators(training.seed).test
        self._present: object = None
        self._players: tuple[Player, ...] = ()

    def negotiate(self, opener: Role) -> Transcript:
        """Play one negotiation that is no episode of the training."""
        present = self._training.episode, *(self._training.strategy(role) for role in Role)
        if present != self._present:
            self._present = present
            self._players = tuple(self._training.policy(role) for role in Role)
        seller, buyer = self._players
        return negotiate(self._scenario, seller, buyer, opener, self._rng)

    def test(self) -> tuple[Evaluation, ...]:
        """Test the current players against each other: corrected and as published."""
        seller, buyer = (self._training.policy(role) for role in Role)
        left_over = self._training.statistics.left_over
        return evaluate_both(self._scenario, seller, buyer, self._rng, left_over)
