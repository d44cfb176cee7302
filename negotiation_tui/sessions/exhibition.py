"""Negotiations and tests between the present players, outside the training."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from negotiation_tui.game.learned import WithValues
from negotiation_tui.game.negotiation import (
    NO_STATE,
    Position,
    Transcript,
    draw_limits,
    negotiate,
    play_out,
)
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.random_streams import generators, of_question
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.sessions.timeline import RunTimeline
from negotiation_tui.strategies.base import ReadyPlayer

if TYPE_CHECKING:
    from negotiation_tui.learning.evaluation import Evaluation

BOTH_OFFER = 3  # the turns of a negotiation with an offer by each role and an answer
CANDIDATES = 6  # negotiations from which the story chooses one to show, for each ply they begin at


class Exhibition:
    """Negotiations and tests between the present players, without learning or exploring."""

    def __init__(self, timeline: RunTimeline) -> None:
        self._scenario, self._training = timeline.run.scenario, timeline.training
        self._copies, self._seed = timeline.copies, timeline.run.seed

    @cached_property
    def _rng(self) -> "np.random.Generator":
        return generators(self._seed).test

    @property
    def _players(self) -> tuple[ReadyPlayer, ReadyPlayer]:
        return pair(map(self._training.policy, Role))

    def negotiate(self, opener: Role) -> Transcript:
        return negotiate(self._scenario, *self._players, opener, self._rng)

    def most_learned(self, opener: Role, begins: Sequence[int], game: Scenario) -> Transcript:
        """Play some negotiations by the plans, from each ply; return the one that shows most.

        That is one from the opening on whose moves all have a value above 0 in the Q-tables; else
        one with offers by both roles, and the most such moves.
        """
        agents, states = [self._copies.of(role) for role in Role], game.n_states

        def shows(play: Transcript) -> tuple[bool, bool, float]:
            moves = [turn for turn in play.turns if turn.state != NO_STATE]
            rows = [play.scenario.limit_index(turn.role) * states + turn.state for turn in moves]
            worth = [
                isinstance(agent := agents[turn.role], WithValues)
                and agent.values[row, turn.action] > 0
                for turn, row in zip(moves, rows, strict=True)
            ]
            share = sum(worth) / max(1, len(worth))
            return share == 1 and not play.first_ply, len(play.turns) >= BOTH_OFFER, share

        plays = (self.by_plans(opener, b, game, draw) for b in begins for draw in range(CANDIDATES))
        return max(plays, key=shows)

    def by_plans(
        self, opener: Role, begun: int = 0, game: Scenario | None = None, draw: int = 0
    ) -> Transcript:
        """Play one negotiation by the plans, perhaps from a random offer at the ply `begun`.

        `game` is the game to play if limits were drawn already; each `draw` is another negotiation.
        """
        scenario = game or self._scenario
        players = self._players
        rng = of_question(self._training.seed, self._training.episode, opener, *[draw] * bool(draw))
        if not begun:
            return negotiate(scenario, *players, opener, rng)

        def choose(position: Position) -> int:
            if position.standing_offer is None:
                return int(rng.choice(position.scenario.offers(position.role)))
            return int(players[position.role].act(position, rng))

        return play_out(draw_limits(scenario, rng), opener, choose, first_ply=begun)

    def test(
        self, players: tuple[ReadyPlayer, ReadyPlayer], statistics: CycleStatistics
    ) -> "tuple[Evaluation, ...]":
        """Test the players of a moment, whose training has these statistics."""
        from negotiation_tui.learning.evaluation import evaluate_both

        return evaluate_both(self._scenario, *players, self._rng, statistics.left_over)
