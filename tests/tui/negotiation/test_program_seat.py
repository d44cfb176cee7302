"""A program in a seat on the screen: its words, its answers, its name and its mark."""

from dataclasses import replace

import pytest

from negotiation_tui.game.negotiation import Spoken, negotiate
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.tui.negotiation.keys import SELLER_PLAN
from negotiation_tui.tui.negotiation.words import said
from negotiation_tui.tui.toolkit.messages import Published
from negotiation_tui.tui.widgets.words import short
from tests.support.panes import inside
from tests.support.programs import ENDS, TALKER
from tests.support.screen_driver import Screen

WORDS = "seller: I paid more than that myself, and my children eat the paint off the"


def talks(width: int = 120, height: int = 36) -> Screen:
    return Screen(width=width, height=height, strategies=(TALKER, None), opener=Opener.SELLER)


@pytest.mark.parametrize(
    ("size", "ends"),
    [
        ((80, 24), "off the …"),
        ((90, 15), "off the walls at …"),
        ((120, 36), "off the walls at night."),
        ((200, 60), "off the walls at night."),
        ((140, 14), "off the …   ▲"),
    ],
)
def test_words_stand_below_the_bar_while_there_is_room(size: tuple[int, int], ends: str) -> None:
    screen = talks(*size).press(".")
    assert ends in screen.line(WORDS.removeprefix("" if size[1] >= 15 else "seller: "))


def test_words_stay_until_others_come_and_come_back_in_the_past() -> None:
    screen = Screen(strategies=(TALKER, "hardliner"), opener=Opener.SELLER).press(".", ".")
    assert WORDS in screen.text()
    screen.press(".")
    assert WORDS not in screen.text()
    screen.press("n", "n", *"," * 5)
    assert WORDS in screen.text()


def test_a_failure_is_told_in_a_sentence() -> None:
    screen = Screen(strategies=(ENDS, "hardliner"), opener=Opener.SELLER).press("n")
    assert screen.line("seller: it ended with 3: walked away")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[no answer in time; did it flush its output?]", "no answer in time: walked away"),
        ("Hm [sic] [it closed its output]", "it closed its output: walked away"),
    ],
)
def test_the_reason_of_a_failure(text: str, told: str) -> None:
    class Failing:
        def act(self, position: object, rng: object) -> int:
            return Spoken(Scenario.original().walk_away, text, failed=True)

    class Opens:
        def act(self, position: object, rng: object) -> int:
            return 2

    played = negotiate(Scenario.original(), Opens(), Failing(), Role.SELLER)
    assert said(played) == (Role.BUYER, told)


def test_the_plan_fills_as_the_program_answers() -> None:
    screen = talks().press("2")
    screen.settle()
    before = "\n".join(inside(screen.model, screen.frame(), SELLER_PLAN))
    assert "answers: talker.py" in before
    assert "opening, not asked yet:" in before
    assert "· not asked yet" in before
    screen.press("n", "home")
    screen.settle()
    pane = "\n".join(inside(screen.model, screen.frame(), SELLER_PLAN))
    assert "100 %" in pane
    assert "✓ " in pane.split("opening")[-1]


def test_enter_shows_what_was_answered_and_what_it_costs() -> None:
    screen = talks().press(*"nnn", "2", *["up"] * 9, "enter")
    text = screen.text()
    assert "Seller's answers:" in text.splitlines()[-2]
    assert "Enter what it answered" in text.splitlines()[-2]
    assert "The seller's answers, opening" in text
    assert "│ asks 4      3   0.01 " in text
    assert "0.01 on average; best: it asks 5" in text
    assert "if the buyer plays on as it would now" in text
    screen.press("esc", *["down"] * 9, "enter")
    assert "not asked yet" in screen.text()


def test_without_a_table_opposite_no_cost_is_known() -> None:
    screen = Screen(strategies=(TALKER, "tit-for-tat"), opener=Opener.SELLER)
    screen.press("n", "2", *["up"] * 9, "enter")
    assert "the buyer has no table, so that the cost is not known" in screen.text()


@pytest.mark.parametrize("keys", ["e", "[", "3\r"])
def test_a_program_is_not_asked_again_for_what_is_past(keys: str) -> None:
    screen = talks().press(*"nnn").press(*("enter" if key == "\r" else key for key in keys))
    assert "program" in screen.text().splitlines()[-1]


def test_a_mark_says_that_a_program_thinks() -> None:
    screen = talks()
    for seconds, mark in ((0, "talker.py thinking  "), (12, "talker.py thinking 12 s")):
        thinking = replace(screen.model.latest, thinking=(Role.SELLER, seconds))
        assert mark in screen.tell(Published(thinking)).text()


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("cmd:./bot --fast", "bot"),
        ("cmd:python3 -u /long/path/bot.py --x", "bot.py"),
        ("cmd:'/a b/my bot'", "my bot"),
        ("cmd:/usr/bin/python3.12 bot.py", "bot.py"),
        ("cmd:'", "cmd:'"),
        ("cmd:", "cmd:"),
        ("cmd:sh", "sh"),
    ],
)
def test_the_short_name_of_a_program(spec: str, name: str) -> None:
    assert short(spec) == name
