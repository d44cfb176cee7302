"""One negotiation from a script: its hidden limits are drawn, or given."""

import pytest

import negotiation_tui as nt
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from tests.support.hidden import HIDDEN


def test_limits_may_be_given() -> None:
    talk = nt.negotiate("hidden", "boulware", "conceder", limits=(2, 4))
    game = talk.scenario
    assert (game.limit(Role.SELLER), game.limit(Role.BUYER)) == (2, 4)
    assert all(turn.price >= 2 for turn in talk.turns if turn.role is Role.SELLER and turn.price)
    best = nt.negotiate("hidden", "best-response", "linear", limits=(0, 5))
    assert best.scenario.reward(Role.SELLER, best.outcome.price or 0) > 0


def test_a_limit_that_is_not_given_is_drawn() -> None:
    met = {nt.negotiate("hidden", "linear", "linear", rng=seed).scenario for seed in range(40)}
    assert len(met) > 15
    some = {
        nt.negotiate("hidden", "linear", "linear", rng=seed, limits=(None, 1)).scenario
        for seed in range(40)
    }
    assert {game.indices for game in some} == {(k, 0) for k in range(5)}


def test_a_game_that_was_drawn_is_played_as_it_is() -> None:
    game = HIDDEN["hidden"].drawn(3, 4)
    assert nt.negotiate(game, "linear", "linear").scenario is game
    given = nt.negotiate("hidden", "best-response", "boulware", limits=(3, 5))
    assert nt.negotiate(game, "best-response", "boulware").outcome == given.outcome
    trained = nt.train("hidden", cycles=2)
    assert nt.negotiate(game, trained, "boulware").scenario is game


@pytest.mark.parametrize(
    ("scenario", "limits", "said"),
    [
        ("hidden", (5, 1), "limit of the seller: expected 0, 1, 2, 3 or 4, as in scenario hidden"),
        ("original", (None, 3), "limit of the buyer: expected None, as in scenario original"),
        ("hidden", 3, "limits: expected a pair"),
    ],
)
def test_limits_that_a_role_does_not_have(scenario: str, limits: tuple[int], said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        nt.negotiate(scenario, "linear", "linear", limits=limits)
