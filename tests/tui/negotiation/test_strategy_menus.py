"""The seats: lists of strategies with their settings, one key per seat, and what is refused."""

from dataclasses import replace

import pytest

from negotiation_tui import LEARNERS, BadInputError, Role, States
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.strategies.bidding import RULES
from negotiation_tui.strategies.registry import STRATEGIES, settings_of, settings_table, strategy
from negotiation_tui.tui.negotiation.menus import BOXES, seatings, settings_of_spec
from negotiation_tui.tui.toolkit.boxes import box_lines
from tests.support.game import values_of
from tests.support.screen_driver import Screen, Seats


def listed(screen: Screen) -> list[str | None]:
    return [seating.spec for seating in seatings(screen.model)]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("tit-", ["tit-for-tat", "random-tit-for-tat", "averaged-tit-for-tat"]),
        ("exact best", ["best-response"]),
    ],
)
def test_typing_filters_by_names_or_meanings(typed: str, found: list[str]) -> None:
    screen = Screen().press("S", *typed)
    assert listed(screen) == found
    assert screen.line(f"The seller's seat: {typed}_")
    everything = screen.press(*["backspace"] * len(typed))
    assert len(listed(everything)) == 1 + len(LEARNERS) + len(STRATEGIES)


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("key", ["S", "B"])
def test_every_line_says_what_its_player_does(width: int, key: str) -> None:
    model = Screen(width=width, height=24).press(key).model
    lines = [line.text for line in box_lines(model, BOXES[model.modal])]
    text = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= width - 4
    assert all(learner.summary in text for learner in LEARNERS.values())
    assert all(each.summary in text for each in STRATEGIES.values())
    said = Screen().press(key, *"hardliner", "enter").model.message
    assert said.endswith("plays hardliner: asks its best price to the end (β = 0)")


def test_enter_asks_for_settings_until_they_are_right() -> None:
    screen = Screen().press("B", *"boul", "enter")
    for typed, told in (
        ("beta=-1", "beta: expected a number above 0"),
        ("beta", "expected setting=value"),
    ):
        assert screen.press(*typed).line(told)
        assert screen.press("enter").model.modal == "settings"
        assert screen.model.latest.seating.strategies == (None, None)
        screen.press(*["backspace"] * len(typed))
    assert screen.line("boulware:_")
    assert screen.line("beta     0.2      a number above 0, at most 1,000")
    assert screen.press("esc").model.modal is None


def test_a_learner_with_settings_begins_untrained() -> None:
    screen = Screen().press("c", "S", *"wolf", "enter")
    assert screen.line("delta_win      0.01      a number from 0 to 1")
    screen.press(*"delta_win=0.02", "enter")
    assert screen.line("the seller plays wolf-phc:delta_win=0.02, which has learned nothing yet")
    assert screen.model.latest.seating.specs == ("learned:wolf-phc:delta_win=0.02", "learned")
    assert screen.line("seller: learning (wolf-phc)  buyer: learning")


def test_a_learner_that_is_chosen_again_learns_on() -> None:
    screen = Screen(strategies=("learned:wolf-phc:delta_win=0.02", None)).press("c", "B")
    assert screen.line("goes on learning from its table").rstrip(" ┃│").endswith("table")
    assert screen.press("esc", "S").line("goes on learning from its table: wolf-phc")
    screen.press("esc")
    assert screen.press("S", *"losing", "enter").line("wolf-phc:delta_win=0.02_")
    assert screen.press("enter").line("the seller goes on learning from its table")
    screen.press("B", *"q-learning", "enter", "enter")
    assert screen.model.latest.seating.specs[1] == "learned"


def test_the_learners_that_sat_there_come_back() -> None:
    seats = "learned:wolf-phc", "learned:sarsa"
    screen = Screen(strategies=seats).press("c", "t")
    assert screen.model.latest.seating.specs == ("midpoint", "midpoint")
    learned = screen.model.latest.agents
    screen.press("t")
    assert screen.model.latest.seating.specs == seats
    assert screen.model.latest.agents == learned, "what it had learned"
    assert screen.press("s", "S", "home", "enter").model.latest.seating.specs == seats
    assert screen.press("B", *"=9", "esc").model.latest.seating.specs == seats


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_table_of_settings_begins_with_a_strategys_own_whose_defaults_are_allowed(
    name: str,
) -> None:
    rule, table = STRATEGIES[name], settings_table(STRATEGIES[name])
    names, own = [setting.name for setting in table], list(settings_of(rule))
    assert names[: len(own)] == own
    for setting in table[: len(own)]:
        assert strategy(f"{name}:{setting.name}={setting.default}") == rule
        assert setting.allowed != "anything"
        with pytest.raises(BadInputError, match="expected"):
            strategy(f"{name}:{setting.name}=?")
    if "accept" in names:
        shares = sum(bool(each.setting) for each in RULES.values())
        assert len(names) - names.index("accept") - 1 == shares


def held(screen: Screen) -> Seats:
    seats: Seats = screen.model.snapshot.seating.strategies
    return seats


def buyers_table(snapshot: Snapshot) -> object:
    return values_of(snapshot.agents[Role.BUYER])[:].tolist()


def test_a_key_brings_the_last_strategy_of_a_seat_back() -> None:
    screen = Screen().press("s")
    assert held(screen) == ("midpoint", None)
    assert screen.line("seller: midpoint  buyer: learning")
    screen.press("s", "S", *"hardl", "enter", "enter", "b", "s", "s")
    assert held(screen) == ("hardliner", "midpoint")
    assert held(screen.press("b")) == ("hardliner", None)


def test_one_key_leads_out_of_a_seat_that_cannot_be_taken() -> None:
    """A best response cannot play against a strategy that depends on the whole negotiation."""
    screen = Screen(strategies=("best-response", "zeuthen")).press("s", "B", *"micro", "enter")
    screen.press("enter", "s")
    assert held(screen) == (None, "micro")
    assert "micro, which depends on the whole history" in screen.model.message
    assert held(screen.press("b", "s")) == ("best-response", None)


def with_random_starts(*keys: str) -> Screen:
    screen = Screen(states=States.OPENER_AWARE, recipe="reverse-curriculum", cycles=100)
    return screen.press("c", "c", "S", *"tit-for", *keys)


def test_a_choice_of_whole_games_goes_on_from_the_tables_that_were_learned() -> None:
    screen = with_random_starts()
    before = buyers_table(screen.model.latest)
    assert "  switches to whole games: " in screen.line("▸ tit-for-tat")
    screen.press("enter", "enter")
    assert screen.line("tit-for-tat plays whole games, so random starts end; tables are kept")
    assert held(screen) == ("tit-for-tat", None)
    assert not screen.model.latest.parameters.curriculum_window
    assert buyers_table(screen.model.latest) == before
    assert buyers_table(screen.press("c", "c").model.latest) != before
    then = screen.press("[", "[").model.snapshot
    assert buyers_table(then) == before, "the past is computed again with the switch"


def test_a_restart_keeps_the_choice_of_whole_games() -> None:
    screen = with_random_starts("enter", "enter")
    assert held(screen.press("r", "r", "c")) == ("tit-for-tat", None)
    assert held(screen.press("s", "c")) == (None, None)


def test_a_choice_that_needs_other_states_begins_again() -> None:
    screen = Screen().press("c", "B", *"cfr")
    assert screen.line("the training begins again, with states that say who opened")
    screen.press("enter", "enter")
    assert screen.model.latest.seating.specs[1] == "learned:cfr"
    assert screen.model.latest.scenario.opener_aware
    assert screen.press("c").model.latest.negotiations == 100


@pytest.mark.parametrize(
    ("key", "seats"), [("B", ("best-response", None)), ("S", (None, "best-response"))]
)
def test_the_list_promises_no_seat_that_is_refused(key: str, seats: Seats) -> None:
    screen = Screen("hidden", strategies=seats).press(key, *"cfr")
    assert screen.line("not against best-response: ")
    assert held(screen.press("enter", "enter")) == seats
    assert "cfr: expected an opponent with a table" in screen.model.message


@pytest.mark.parametrize("seat", ["S", "B"])
def test_every_line_of_the_list_can_be_taken_in_the_default_game(seat: str) -> None:
    screen = Screen(states=States.OPENER_AWARE, recipe="reverse-curriculum", cycles=100)
    for row in range(1 + len(LEARNERS) + len(STRATEGIES)):
        screen.press(seat)
        screen.model = replace(screen.model, modal_row=row)
        spec = seatings(screen.model)[row].spec
        screen.press("enter", *["enter"] * (spec is not None and bool(settings_of_spec(spec))), "n")
        assert screen.model.modal is None
        now = screen.model.latest.seating.specs["SB".index(seat)]
        assert now == ("learned" if spec in {None, "learned:q-learning"} else spec)
