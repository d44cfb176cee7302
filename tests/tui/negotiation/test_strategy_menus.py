"""The lists of strategies: typing filters them, Enter asks for settings and seats the result."""

from dataclasses import fields

import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.strategies.bidding import RULES
from negotiation_tui.strategies.registry import STRATEGIES, settings_of, settings_table, strategy
from negotiation_tui.tui.negotiation.menus import seatings
from tests.support.screen_driver import Screen


def listed(screen: Screen) -> list[str | None]:
    return [seating.spec for seating in seatings(screen.model)]


def test_typing_filters_by_name_and_by_meaning() -> None:
    screen = Screen().press("S", *"tit-")
    assert listed(screen) == ["tit-for-tat", "random-tit-for-tat", "averaged-tit-for-tat"]
    assert screen.line("The seller's seat: tit-_")
    assert listed(Screen().press("B", *"exact best")) == ["best-response"]
    assert len(listed(screen.press(*["backspace"] * 4))) == 1 + len(LEARNERS) + len(STRATEGIES)


def test_enter_asks_for_settings_and_seats_what_was_typed() -> None:
    screen = Screen().press("B", *"boul", "enter")
    assert screen.line("boulware:_")
    assert screen.line("beta     0.2      a number above 0, at most 1,000")
    screen.press(*"beta=0.4", "enter")
    assert screen.model.modal is None
    assert screen.model.latest.strategies == (None, "boulware:beta=0.4")


def test_learners_have_settings_and_begin_untrained() -> None:
    screen = Screen().press("c", "S", *"wolf", "enter")
    assert screen.line("delta_win      0.01      a number from 0 to 1")
    screen.press(*"delta_win=0.02", "enter")
    assert screen.line("the seller plays wolf-phc:delta_win=0.02, untrained at first")
    assert screen.model.latest.specs == ("learned:wolf-phc:delta_win=0.02", "learned")
    assert screen.line("seller: learning (wolf-phc)  buyer: learning")
    screen.press("S", *"losing", "enter")
    assert screen.line("wolf-phc:delta_win=0.02_")
    screen.press("enter")
    assert screen.line("the seller learns on, from its table")
    screen.press("B", *"q-learning", "enter", "enter")
    assert screen.model.latest.specs[1] == "learned"


def test_static_and_back_to_the_learner_that_sat_there() -> None:
    seats = "learned:wolf-phc", "learned:sarsa"
    screen = Screen(strategies=seats).press("c", "t")
    assert screen.model.latest.specs == ("midpoint", "midpoint")
    learned = screen.model.latest.q_tables
    screen.press("t")
    assert screen.model.latest.specs == seats
    assert screen.model.latest.q_tables == learned, "what it had learned"
    assert screen.press("s", "S", "home", "enter").model.latest.specs == seats
    assert screen.press("B", *"=9", "esc").model.latest.specs == seats


@pytest.mark.parametrize(
    ("typed", "told"),
    [("beta=-1", "beta: expected a number above 0"), ("beta", "expected setting=value")],
)
def test_a_wrong_value_says_so_in_one_line_and_seats_nobody(typed: str, told: str) -> None:
    screen = Screen().press("S", *"boul", "enter", *typed)
    assert screen.line(told)
    screen.press("enter")
    assert screen.model.modal == "settings"
    assert screen.model.latest.strategies == (None, None)
    assert screen.press("esc").model.modal is None


def test_the_table_of_settings_has_all_and_their_defaults_are_allowed() -> None:
    for name, rule in STRATEGIES.items():
        known, own = settings_table(rule), list(settings_of(rule))
        names = [setting.name for setting in known]
        assert names[: len(own)] == own
        for setting in known[: len(own)]:
            assert strategy(f"{name}:{setting.name}={setting.default}") == rule
            assert setting.allowed != "anything"
            with pytest.raises(BadInputError, match="expected"):
                strategy(f"{name}:{setting.name}=?")
        if "accept" in names:
            shares = sum(len(fields(each)) for each in RULES.values())
            assert len(names) - names.index("accept") - 1 == shares
