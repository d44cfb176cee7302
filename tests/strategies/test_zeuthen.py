"""Zeuthen: who risks less concedes, just enough that the other risks less."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.zeuthen import Zeuthen
from tests.support.game import roles, scenarios
from tests.support.moves import answers, position_of


@pytest.mark.parametrize(
    ("words", "where", "role", "opens", "heard", "said"),
    [
        # 0.8 against 1; 0.67 against 0.5; at 2 it is 0.33 for both, and nothing lies between
        ("zeuthen", "original", "seller", True, "1 1 2", "5 3 3 0"),
        ("zeuthen", "original", "seller", False, "1 1 1 2", "5 3 3 0"),
        # 1 against 0.8: it stays; 0.75 for both; 0.67 against 0.5; 0.33 for both
        ("zeuthen", "original", "buyer", True, "5 4 4 3", "1 1 2 2 0"),
        # 1 for both: 79 is the first that buyer can like; then below 100 − 30 and 100 − 40
        ("zeuthen", "legacy", "seller", True, "0 30 30 40", "100 79 69 69 59"),
        ("zeuthen", "legacy", "buyer", False, "100 100 70 60", "0 21 31 41"),
        ("zeuthen", "gaps", "buyer", True, "9 8 5", "1 2 3 0"),
        ("zeuthen", "gaps", "seller", False, "1 2 5 5", "9 5 0"),
    ],
)
def test_moves(words: str, where: str, role: str, opens: bool, heard: str, said: str) -> None:
    assert answers(words, where, role, opens, heard) == said


@given(scenarios(), roles, st.data())
def test_a_concession_stops_at_the_price_on_the_table(
    scenario: Scenario, role: Role, data: st.DataObject
) -> None:
    own, on_table = (
        data.draw(st.sampled_from([scenario.prices[i] for i in scenario.offers(held)]))
        for held in (role, role.other)
    )
    (price,) = Zeuthen().offers(position_of(scenario, role, (own, on_table)))
    assert min(own, on_table) <= price <= max(own, on_table)


def test_a_stricter_acceptance_does_not_make_it_give_more_than_it_is_asked() -> None:
    said = answers("zeuthen:accept=const,alpha=1", "original", "buyer", True, "4 3")
    assert said == "1 2 3"
