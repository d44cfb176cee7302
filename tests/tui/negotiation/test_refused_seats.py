"""One key puts a fixed rule in a seat, and back the learner; what cannot be seated is told."""

from dataclasses import replace

import pytest

from negotiation_tui.game.roles import Role, States
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.strategies.registry import STRATEGIES
from negotiation_tui.tui.negotiation.menus import seatings, settings_of_spec
from tests.support.screen_driver import Screen, Seats


def held(screen: Screen) -> Seats:
    return screen.model.snapshot.strategies


def buyers_table(snapshot: Snapshot) -> object:
    table = snapshot.q_tables[Role.BUYER]
    assert table is not None
    return table.tolist()


def test_a_key_toggles_one_seat_and_brings_its_last_strategy_back() -> None:
    screen = Screen().press("s")
    assert held(screen) == ("midpoint", None)
    assert screen.line("seller: midpoint  buyer: learning")
    screen.press("s", "S", *"hardl", "enter", "enter", "b", "s", "s")
    assert held(screen) == ("hardliner", "midpoint")
    assert held(screen.press("b")) == ("hardliner", None)
    assert held(screen.press("t")) == ("hardliner", "midpoint"), "one learned: both static"
    assert held(screen.press("t")) == (None, None)
    assert held(screen.press("s", "b", "s")) == (None, "midpoint")


def test_a_seat_that_cannot_be_taken_says_why_and_one_key_leads_out() -> None:
    """A best response cannot play against a strategy that depends on the whole negotiation."""
    screen = Screen(strategies=("best-response", "zeuthen")).press("s", "B", *"micro", "enter")
    screen.press("enter", "s")
    assert held(screen) == (None, "micro")
    assert "micro, which depends on the whole history" in screen.model.message
    assert held(screen.press("b", "s")) == ("best-response", None)


def test_a_choice_that_needs_whole_games_says_so_and_keeps_the_tables() -> None:
    screen = Screen(states=States.OPENER_AWARE, recipe="reverse-curriculum", cycles=100)
    before = buyers_table(screen.press("c", "c", "S", *"tit-for").model.latest)
    assert "  switches to whole games: " in screen.line("▸ tit-for-tat")
    screen.press("enter", "enter")
    assert screen.line("tit-for-tat plays whole games: no more random starts; tables are kept")
    assert held(screen) == ("tit-for-tat", None)
    assert buyers_table(screen.model.latest) == before
    assert not screen.model.latest.parameters.curriculum_window
    assert buyers_table(screen.press("c", "c").model.latest) != before
    then = screen.press("[", "[").model.snapshot
    assert buyers_table(then) == before, "the past is computed again with the switch"
    assert held(screen.press("end", "r", "r", "c")) == ("tit-for-tat", None)
    assert held(screen.press("s", "c")) == (None, None)


def test_a_choice_that_needs_other_states_begins_again() -> None:
    screen = Screen().press("c", "B", *"cfr")
    assert screen.line("the training begins again, knowing who opened")
    screen.press("enter", "enter")
    assert screen.model.latest.specs[1] == "learned:cfr"
    assert screen.model.latest.scenario.opener_aware
    assert screen.press("c").model.latest.negotiations == 100


@pytest.mark.parametrize("seat", ["S", "B"])
def test_every_line_of_the_list_can_be_taken_in_the_default_game(seat: str) -> None:
    screen = Screen(states=States.OPENER_AWARE, recipe="reverse-curriculum", cycles=100)
    for row in range(1 + len(LEARNERS) + len(STRATEGIES)):
        screen.press(seat)
        screen.model = replace(screen.model, modal_row=row)
        spec = seatings(screen.model)[row].spec
        screen.press("enter", *["enter"] * (spec is not None and bool(settings_of_spec(spec))), "n")
        assert screen.model.modal is None
        now = screen.model.latest.specs["SB".index(seat)]
        assert now == ("learned" if spec in {None, "learned:q-learning"} else spec)
