"""Play by the present plans."""

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.sessions.exhibition import Exhibition
from tests.support.hidden import HIDDEN


@pytest.mark.parametrize("begun", [0, 3, 4])
def test_all_offers_are_within_the_limits_that_are_drawn(begun: int) -> None:
    training, drawn = ConcurrentTraining(HIDDEN["hidden"], seed=6), set()
    play = Exhibition(training.scenario, training)
    for _ in range(10):
        training.run_episodes(1)
        for opener in Role:
            talk = play.by_plans(opener, begun)
            assert talk == play.by_plans(opener, begun), "the same again until the plans change"
            assert talk.turns[0].round == begun // 2
            drawn.add(talk.scenario.indices)
            for turn in talk.turns:
                assert turn.price is None or turn.price in talk.scenario.acceptable_range(turn.role)
    assert len(drawn) > 10
