"""Negotiations and tests between the players of a training, without learning or exploring."""

from negotiation_tui.game.negotiation import Position, Transcript, draw_limits, negotiate, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import Evaluation, evaluate_both
from negotiation_tui.learning.random_streams import generators, of_question
from negotiation_tui.strategies.base import ReadyPlayer


class Exhibition:
    """Negotiations between the present players; static strategies play as usual."""

    def __init__(self, scenario: Scenario, training: ConcurrentTraining) -> None:
        self._scenario, self._training = scenario, training
        self._rng = generators(training.seed).test
        self._present: object = None
        self._kept: tuple[ReadyPlayer, ...] = ()

    @property
    def _players(self) -> tuple[ReadyPlayer, ...]:
        present = self._training.episode, self._training.players.seated
        if present != self._present:
            self._present = present
            self._kept = tuple(self._training.policy(role) for role in Role)
        return self._kept

    def negotiate(self, opener: Role) -> Transcript:
        """Play one negotiation that is no episode of the training."""
        seller, buyer = self._players
        return negotiate(self._scenario, seller, buyer, opener, self._rng)

    def by_plans(self, opener: Role, begun: int = 0) -> Transcript:
        """Play one negotiation by the present plans; the same again until they change.

        If `begun` is above 0, it begins with a random offer at that ply.
        """
        scenario = self._scenario
        players = seller, buyer = self._players
        rng = of_question(self._training.seed, self._training.episode, opener)
        if not begun:
            return negotiate(scenario, seller, buyer, opener, rng)

        def choose(position: Position) -> int:
            if position.standing_offer is None:
                return int(rng.choice(position.scenario.offers(position.role)))
            return int(players[position.role].act(position, rng))

        return play_out(draw_limits(scenario, rng), opener, choose, first_ply=begun)

    def test(self) -> tuple[Evaluation, ...]:
        """Test the current players against each other: corrected and as published."""
        seller, buyer = self._players
        left_over = self._training.statistics.left_over
        return evaluate_both(self._scenario, seller, buyer, self._rng, left_over)
