"""Each strategy plays by the limit that its own role drew, and never by the other's."""

from itertools import product

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import STRATEGIES, strategy
from tests.support.hidden import HIDDEN, games, meeting, positions_of

RULES = {
    spec: strategy(spec)
    for spec in (
        *(name for name in STRATEGIES if name != "best-response"),
        "linear:accept=const,alpha=0.5",
        "boulware:accept=time,time=0.5",
        "tit-for-tat:accept=combi,time=0.4",
        "random-tit-for-tat:largest=3,delta=2",
    )
}
every = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
in_each = pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(scenario, marks=() if name == "narrowed" else pytest.mark.slow, id=name)
        for name, scenario in HIDDEN.items()
    ],
)


@every
@in_each
def test_its_tables_choose_as_it_does_in_each_game(rule: Strategy, scenario: Scenario) -> None:
    for role in Role:
        table = rule.remembering(scenario, role)
        assert (table is None) == ("combi" in repr(rule).lower())
        assert (rule.tabulated(scenario, role) is None) == ("history" in rule.depends_on)
        for n, (game, opener) in enumerate(product(games(scenario, role), Role)):
            for position, action in positions_of(role, meeting(rule, role, game, opener, n)):
                actions = list(rule.support(position))
                assert action in actions
                assert set(actions) <= set(position.legal)
                assert table is None or table.support(position) == actions


@every
@in_each
def test_equal_offers_are_answered_alike_by_each_limit_of_the_other(
    rule: Strategy, scenario: Scenario
) -> None:
    for role in Role:
        for own in range(scenario.n_tables(role)):
            others = range(scenario.n_tables(role.other))
            pairs = [(own, other) if role is Role.SELLER else (other, own) for other in others]
            met = [
                meeting(rule, role, scenario.drawn(*pair), Role(own % 2), own, wild=True)
                for pair in pairs
            ]
            first, *rest = [[action for _, action in positions_of(role, each)] for each in met]
            assert all(actions == first for actions in rest)
