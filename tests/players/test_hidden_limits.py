"""Players from files and of the user's own play by the limit that was drawn."""

from dataclasses import replace

import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.limits import Limits
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.strategies.base import Strategy
from tests.support.hidden import HIDDEN, games, meeting, positions_of
from tests.support.trained_tables import trained

in_each = pytest.mark.parametrize("scenario", HIDDEN.values(), ids=HIDDEN)


def player_of(spec: str) -> Strategy:
    found = strategy_from_spec(spec)
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["hidden", "one side", "narrowed"])
@pytest.mark.parametrize("way", ["learned", "learned:roth-erev"])
def test_a_saved_table_plays_the_policy_of_the_limit(name: str, way: str) -> None:
    scenario = HIDDEN[name]
    tables = trained(scenario, seller=learner(way), buyer=learner(way))
    player = player_of("t.npz")
    for role in Role:
        policy = tables.policy(role)
        for n, game in enumerate(games(scenario, role)):
            for position, action in positions_of(role, meeting(player, role, game, role, n)):
                assert action in policy.support(position)
                assert sorted(player.support(position)) == sorted(policy.support(position))


def test_a_saved_table_keeps_to_narrower_ranges_and_other_weights() -> None:
    scenario = HIDDEN["narrowed"]
    trained(replace(scenario, seller=replace(scenario.seller, minimum=1)))
    limits = Limits.of("seller", [-3, 3, 8], [5, 1, 1]), scenario.limits[Role.BUYER]
    played = replace(scenario, limits=limits, opener=Opener.BUYER)
    training = ConcurrentTraining(played, Parameters(cycles=1), seller=player_of("t.npz"))
    training.run()
    assert training.statistics.total.negotiations == 100


@pytest.mark.parametrize(
    ("saved", "played", "said"),
    [
        ("other", "hidden", "expected hidden limits 0, 1, 2, 3, 4 of the seller as in scenario hi"),
        ("plain", "hidden", "of the seller as in scenario hidden, got no hidden limits; use tab"),
        ("hidden", "plain", "expected no hidden limits of the seller as in scenario plain, got hi"),
    ],
)
def test_tables_of_other_limits_are_refused(saved: str, played: str, said: str) -> None:
    hidden = HIDDEN["hidden"]
    known = {
        "hidden": hidden,
        "plain": replace(hidden, name="plain", limits=(None, None)),
        "other": replace(hidden, limits=(Limits.of("seller", [0, 2]), hidden.limits[1])),
    }
    trained(known[saved])
    with pytest.raises(BadInputError, match=said):
        ConcurrentTraining(known[played], seller=player_of("t.npz"))


def test_a_role_without_hidden_limits_plays_its_table_whatever_the_other_has() -> None:
    one = HIDDEN["one side"]
    trained(replace(one, limits=(None, None)))
    player = player_of("t.npz")
    assert player.tabulated(one, Role.BUYER) is not None
    with pytest.raises(BadInputError, match="expected hidden limits 1, 3, 4 of the seller"):
        player.tabulated(one, Role.SELLER)
