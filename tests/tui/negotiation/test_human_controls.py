"""A person or a program in a seat: keys, refusals and the score; words, answers and marks."""

from dataclasses import replace

import pytest

from negotiation_tui import Opener, Role, Scenario
from negotiation_tui.game.negotiation import Spoken, negotiate
from negotiation_tui.tui.negotiation.keys import SELLER_PLAN
from negotiation_tui.tui.negotiation.words import said
from negotiation_tui.tui.toolkit.messages import Published
from negotiation_tui.tui.widgets.words import short
from tests.support.game import Script
from tests.support.programs import ENDS, TALKER
from tests.support.screen_driver import STATIC, Screen
from tests.support.screen_loop import headings


def playing(role: str = "buyer", opener: Opener = Opener.SELLER) -> Screen:
    screen = Screen("legacy", strategies=STATIC, opener=opener)
    return screen.press(*"p" * (1 if role == "buyer" else 2)).tick(3)


def message_shown(screen: Screen) -> str:
    frame = screen.frame()
    rows = [y for y in range(frame.height) if frame.style_at(y, 1) == "message"]
    return " ".join(frame.line(y).strip() for y in rows)


def test_a_whole_negotiation_to_a_deal() -> None:
    screen = playing()
    assert screen.line("your turn: type a price or ←→, Enter offers 0, x walks away")
    assert screen.line("▶ [0] ")
    screen.press(*["up"] * 5, "left", "left", "enter").tick(3)
    assert screen.line("seller asks 74")
    assert screen.line("Enter offers 48, a accepts 74, x walks away")
    for width in (100, 120):
        assert screen.resize(width, 30).line("seller asks 74   ")
    screen.resize(120, 36)
    screen.press("a").tick(3)
    assert screen.line("DEAL at 74: you, the buyer, gain 6 of the 60 coins, the seller")
    assert screen.line(
        "you earn 6 coins; the best answer to the seller's midpoint when the seller opens"
    )
    assert screen.line("│ 1 game: you earned 6 coins, the best answers 60 on average")
    assert screen.line("1 deal of 1 possible; a deal earns you your limit minus the price")
    assert screen.line("you accept 74")
    screen.press("enter").tick(3)
    assert screen.model.modal is None
    assert screen.line("you are the buyer · negotiation 2")
    assert screen.line("▶ [0] ")


@pytest.mark.parametrize(
    ("role", "does", "worth", "wants", "best"),
    [
        ("seller", "You are the seller.", "The item costs you 20.", "Get as much as you can.", 100),
        (
            "buyer",
            "You are the buyer.",
            "The item is worth 80 to you.",
            "Pay as little as you can.",
            0,
        ),
    ],
)
def test_the_stake_of_a_role_is_told_as_far_as_it_fits(
    role: str, does: str, worth: str, wants: str, best: int
) -> None:
    screen, whole = playing(role), f"{does} {worth} {wants}"
    more = f" · A deal at {best} earns 80 coins, no deal 0", " · Type a price"
    for room in {
        len(whole + told) - less for told in ("", *more, "".join(more)) for less in (0, 1)
    }:
        lines = screen.resize(room + 4, 30).text().splitlines()
        (line,) = (line for line in lines if line.startswith(" ▸ "))
        told = whole if len(whole + more[0]) <= room else f"{worth} {wants}"
        for part in more:
            told += part * (len(told + part) <= room)
        assert line.strip(" ▸") == told, room


def test_quitting_earns_nothing() -> None:
    screen = playing().press("x", "x").tick(3)
    text = screen.text()
    assert "NO DEAL: you, the buyer, gain nothing, and neither does the seller" in text
    assert "1 game: you earned 0 coins, the best answers 60 on average" in text
    assert "0 deals of 1 possible" in text
    assert "you walk away" in text
    over = "this game is over: Enter begins the next, Esc leaves"
    assert message_shown(screen.press("a")) == over
    screen = Screen(strategies=("micro", None), opener=Opener.SELLER).press("p").tick(3)
    text = " ".join(screen.press("x", "x").tick(3).text().split())
    assert "no best answer to the seller's micro" in text


@pytest.mark.parametrize(("keys", "boxes"), [((), "?z5"), (("enter",), "?z5"), (("x", "x"), "")])
def test_esc_closes_what_lies_on_top_of_a_game_and_then_leaves_it(
    keys: tuple[str, ...], boxes: str
) -> None:
    screen = playing().press(*keys).tick(3)
    for on_top in boxes:
        assert screen.press(on_top, "esc").model.latest.score
    screen.press("esc")
    assert (screen.model.latest.score, screen.model.modal) == (None, None)
    assert message_shown(screen) == "you left the game: p plays again, space goes on without you"


def test_the_panes_speak_of_the_game() -> None:
    screen = playing()
    assert screen.line("4 Your moves")
    assert screen.line("After each game: what a better")
    screen.press("enter").tick(3).press("a").tick(3).press("enter").tick(3)
    score = screen.model.latest.score
    assert [move.action for move in score.moves] == [0, 101]
    first, last = score.moves
    assert last.worth == pytest.approx(score.earned)
    assert first.most == pytest.approx(score.last.best)
    assert first.worth <= first.most
    text = " ".join(screen.text().split())
    assert "Your last game:" in text
    moves = " ".join(line.strip() for line in screen.pane(SELLER_PLAN))
    assert f"this earned {60 * last.worth:.0f}" in moves
    assert screen.line("deals 1 of 1")
    assert screen.line(f"last {60 * score.earned:.0f}, best answer")
    assert "money" not in screen.text(), "the original's sum is on its own page"
    assert screen.press("tab", "tab", "z").line(f"money −{-score.wallet}")
    low = Screen("legacy", width=80, height=20, strategies=STATIC).press("p").tick(3)
    assert low.line("score  you 0  deals 0 of 0")


@pytest.mark.parametrize(
    ("role", "opener", "said"),
    [
        (
            "buyer",
            Opener.SELLER,
            {
                "a": "100 is above your limit 80",
                "left": "your range is 0 to 80",
                "space": "you are playing: Esc leaves",
            },
        ),
        (
            "buyer",
            Opener.BUYER,
            {
                "a": "there is nothing to accept yet, because you make the first offer",
                "x": "you cannot walk away before the first offer",
            },
        ),
        ("seller", Opener.BUYER, {"n": "it is your turn"}),
    ],
)
def test_a_key_without_use_says_why(role: str, opener: Opener, said: dict[str, str]) -> None:
    screen = playing(role, opener)
    before = screen.model.latest.negotiation
    for key, says in said.items():
        assert message_shown(screen.press(key)).startswith(says)
        assert screen.model.latest.negotiation is before


def test_the_last_decision_is_to_accept_or_to_quit() -> None:
    screen = playing()
    for _ in range(9):
        screen.press("enter").tick(3)
    line = screen.line("your turn:")
    assert "offers" not in line
    assert line.split("▲")[0].rstrip().endswith("your turn: a accepts 20, x walks away")
    assert message_shown(screen.press("enter")).startswith("this is the last decision")


def test_a_game_rests_in_the_past_and_goes_on_in_the_present() -> None:
    screen = playing().press("enter").tick(3)
    negotiation, turns = screen.shown
    screen.press(",", ",").tick(5)
    assert screen.shown == (negotiation, turns - 2)
    assert message_shown(screen.press("a")).startswith("this is an earlier offer")
    assert screen.press(".", ".").shown == (negotiation, turns)
    assert screen.line("type a price or ←→, Enter offers")
    assert screen.press("enter").tick(3).shown == (negotiation, turns + 2)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
@pytest.mark.parametrize("scenario", ["original", "hidden"])
def test_the_rule_of_a_game_is_said_once(scenario: str, size: tuple[int, int]) -> None:
    screen = Screen(scenario, width=size[0], height=size[1], seed=8).press("p", "5")
    assert screen.tick(3).text().count("Pay as little as you can.") == 1
    limit = screen.model.latest.negotiation.transcript.scenario.limit(Role.BUYER)
    for price in range(limit + 1, screen.model.snapshot.scenario.prices[-1] + 1):
        assert screen.press(str(price)).line(f"{price} is above your limit {limit}")
    assert screen.tick(20).text().count("Pay as little as you can.") == 1


def test_digits_type_a_price() -> None:
    screen = playing().press("4")
    assert screen.line("your price: 4_   Enter offers 4")
    assert "[4]" in screen.text()
    assert screen.press("8").line("your price: 48_   Enter offers 48")
    assert screen.press("backspace").line("your price: 4_   Enter offers 4")
    screen.press("8", "enter").tick(3)
    assert [turn.price for turn in screen.model.playback.shown.turns] == [100, 48, 74]
    assert not screen.model.price_typed


def test_a_price_that_cannot_be_offered_is_refused() -> None:
    screen = playing("seller", Opener.BUYER)
    for keys, says in (
        (("9",), "your price: 9_   your range is 20 to 100"),
        (("backspace", "2", "enter"), "2 is below your limit 20"),
        (("backspace", "0"), "0 is below your limit 20"),
        (("1", "9"), "19 is below your limit 20"),
    ):
        assert says in screen.press(*keys).text()
        assert len(screen.model.playback.shown.turns) == 1
    screen.press("backspace")
    screen.press("5", "5", "enter").tick(3)
    assert [turn.price for turn in screen.model.playback.shown.turns][1:2] == [55]


def panes(screen: Screen) -> list[str]:
    return [headings(screen.text()).get(pane, "") for pane in (1, 4, 5, 3)]


def test_the_plans_are_hidden_until_they_are_asked_for() -> None:
    screen = Screen().press("c")
    _, *tables = panes(screen)[:3]
    assert tables == ["Seller's Q-table", "Buyer's Q-table"]
    price, *own, score = panes(screen.press("p").tick(3))
    assert own == ["Your moves", "What a deal earns you"]
    assert score == "Your score"
    assert screen.line("hidden while you play")
    assert screen.line("at 2      3  ████")
    assert panes(screen.press("P")) == [price, *tables, score], "beside the game"
    assert "hidden while you play" not in screen.text()
    assert panes(screen.press("p").tick(3)) == [price, *reversed(own), score], "other seat"
    low = Screen(width=80, height=24, strategies=STATIC).press("p").tick(3).press("P")
    assert panes(low)[1:3] == ["Seller's plan: midpoint", "Buyer's plan: midpoint"]


def test_advice_for_a_player_is_hidden_until_it_is_asked_for() -> None:
    screen = Screen().press("c", "p").tick(3)
    shown = ["advice for the" in screen.press(*keys).text() for keys in ("", "i", "i")]
    assert shown == [False, True, False]


WORDS = "seller: I paid more than that myself, and my children eat the paint off the"


def talks() -> Screen:
    return Screen(strategies=(TALKER, None), opener=Opener.SELLER)


def test_words_stand_below_the_bar_while_there_is_room() -> None:
    screen = talks().press(".")
    for width, height, ends in (
        (80, 24, "off the …"),
        (90, 15, "off the walls at …"),
        (120, 36, "off the walls at night."),
        (200, 60, "off the walls at night."),
        (132, 14, "off the walls at night."),
    ):
        shown = screen.resize(width, height)
        assert ends in shown.line(WORDS.removeprefix("" if height >= 15 else "seller: "))


def test_words_stay_until_others_come_and_come_back_in_the_past() -> None:
    screen = Screen(strategies=(TALKER, "hardliner"), opener=Opener.SELLER)
    shown = [WORDS in screen.press(".").text() for _ in range(3)]
    assert shown == [True, True, False]
    assert WORDS in screen.press("n", "n", *"," * 5).text()


def test_a_failure_is_told_in_a_sentence() -> None:
    screen = Screen(strategies=(ENDS, "hardliner"), opener=Opener.SELLER).press("n")
    assert screen.line("seller: walked away: it ended with 3")
    original = Scenario.original()
    for text, told in (
        ("[no answer in time; did it flush its output?]", "walked away: no answer in time"),
        ("Hm [sic] [it closed its output]", "walked away: it closed its output"),
    ):
        failing = Script(Spoken(original.walk_away, text, failed=True))
        played = negotiate(original, Script(2), failing, Role.SELLER)
        assert said(played) == (Role.BUYER, told)


def test_a_mark_says_that_a_program_thinks() -> None:
    screen = talks()
    for seconds, mark in ((0, "thinking  "), (12, "thinking 12 s")):
        thinking = replace(screen.model.latest, thinking=(Role.SELLER, seconds))
        assert f"talker.py {mark}" in screen.tell(Published(thinking)).text()


def test_the_plan_of_a_program_fills_as_it_answers() -> None:
    screen = talks().press("4")
    before = "\n".join(screen.pane(SELLER_PLAN))
    assert "answers: talker.py" in before
    assert screen.line(" SELLER  opening:").strip().endswith("nothing learned yet")
    pane = "\n".join(screen.press("n", "n", "home").pane(SELLER_PLAN))
    assert "100%" in screen.line(" SELLER  opening:")
    assert "✓" in pane.partition("opening")[2]


OPENING = ("4", *["up"] * 9)


def test_enter_shows_the_cost_of_each_answer_or_that_it_was_not_asked_yet() -> None:
    screen = talks().press(*"nnn", *OPENING, "enter")
    text = screen.text()
    assert "The seller's answers, opening" in text
    assert "│ asks 4      3    0.1 " in text
    assert "0.1 coins on average; best: it asks 5" in text
    assert "if the buyer plays on as it would now" in text
    assert "not asked yet" in screen.press("esc", *["down"] * 9, "right", "enter").text()


def test_without_a_table_the_cost_is_not_known() -> None:
    screen = Screen(strategies=(TALKER, "tit-for-tat"), opener=Opener.SELLER)
    text = screen.press("n", *OPENING, "enter").text()
    assert "the buyer has no table, so the cost is not known" in text


def test_a_program_is_not_asked_again_for_what_is_past() -> None:
    screen = talks().press(*"nnn")
    for keys in (("e",), ("5", "enter")):
        assert "program" in message_shown(screen.press(*keys))
        assert "program" not in screen.press("$").text().splitlines()[-1]
    assert screen.press("[").line("the past, cycle 0"), "the bar showed it"


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("cmd:./bot --fast", "bot"),
        ("cmd:python3 -u /long/path/bot.py --x", "bot.py"),
        ('cmd:"/a b/my bot"', "my bot"),
        ("cmd:/usr/bin/python3.12 bot.py", "bot.py"),
        ("cmd:'", "cmd:'"),
        ("cmd:", "cmd:"),
        ("cmd:sh", "sh"),
    ],
)
def test_the_short_name_of_a_program(spec: str, name: str) -> None:
    assert short(spec) == name
