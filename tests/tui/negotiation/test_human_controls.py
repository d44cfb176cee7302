"""A person at the table: the keys, what they say when they cannot be used, and the score."""

import pytest

from negotiation_tui.game.roles import Opener
from tests.support.screen_driver import STATIC, Screen


def playing(
    role: str = "buyer", opener: Opener = Opener.SELLER, width: int = 120, height: int = 36
) -> Screen:
    """At the table of the static game, the first answer on the bar."""
    screen = Screen("legacy", strategies=STATIC, opener=opener, width=width, height=height)
    return screen.press(*"p" * (1 if role == "buyer" else 2)).tick(3)


def last_line(screen: Screen) -> str:
    return screen.text().splitlines()[screen.model.height - 1].strip()


def test_a_whole_negotiation_to_a_deal() -> None:
    screen = playing()
    assert screen.line("your turn: type a price or ←→, Enter offers 0, x walks away")
    assert screen.line("BUYER   [0]")
    screen.press(*["up"] * 5, "left", "left", "enter").tick(3)
    assert screen.line("seller asks 74")
    assert screen.line("Enter offers 48, a accepts 74, x walks away")
    screen.press("a").tick(3)
    assert screen.line("DEAL at 74: you, the buyer, gain 10 % of the surplus, the seller 90 %")
    assert screen.line(
        "you earn 0.10; the best answer to the seller's midpoint when the seller opens"
    )
    assert screen.line("│ 1 negotiation: you earned 0.10, the best possible 1.00")
    assert screen.line("1 deal, wallet −74")
    for said in ("the seller asks 100", "you offer 48", "the seller asks 74", "you accept 74"):
        assert screen.line(said)
    screen.press("enter").tick(3)
    assert screen.model.modal is None
    assert screen.line("you are the buyer · negotiation 2")
    assert screen.line("[0]")


def test_quitting_earns_nothing() -> None:
    text = playing().press("x", "x").tick(3).text()
    assert "NO DEAL: you, the buyer, gain nothing, and neither does the seller" in text
    assert "1 negotiation: you earned 0.00, the best possible 1.00" in text
    assert "0 deals, wallet 0" in text
    assert "you walk away" in text


@pytest.mark.parametrize(
    ("role", "opener", "keys", "says"),
    [
        ("buyer", Opener.SELLER, "a", "100 is not in your range, 0 to 80"),
        ("buyer", Opener.SELLER, "left", "your range is 0 to 80"),
        ("seller", Opener.BUYER, "right", "your range is 20 to 100"),
        ("buyer", Opener.BUYER, "a", "there is nothing to accept yet: you make the first offer"),
        (
            "buyer",
            Opener.BUYER,
            "x",
            "you cannot walk away before the first offer; p takes the seller's seat",
        ),
        ("buyer", Opener.SELLER, "space", "you are playing: leave with p"),
        ("buyer", Opener.SELLER, "c", "you are playing: leave with p"),
        ("buyer", Opener.SELLER, ".", "it is your turn"),
        ("buyer", Opener.SELLER, "n", "it is your turn"),
        ("buyer", Opener.SELLER, "y", "no such key: y"),
    ],
)
def test_a_key_that_cannot_be_used_says_why(
    role: str, opener: Opener, keys: str, says: str
) -> None:
    screen = playing(role, opener)
    before = screen.model.latest.negotiation
    assert last_line(screen.press(keys)).startswith(says)
    assert screen.model.latest.negotiation is before


@pytest.mark.parametrize("key", ["a", "x"])
def test_when_it_is_over_it_says_what_comes_next(key: str) -> None:
    screen = playing().press("x", "x").tick(3).press("esc", key)
    assert last_line(screen) == (
        "this negotiation is over: Enter begins the next, p takes the seller's seat"
    )


def test_the_last_decision_is_to_accept_or_to_quit() -> None:
    screen = playing()
    for _ in range(9):
        screen.press("enter").tick(3)
    line = screen.line("your turn:")
    assert "offers" not in line
    assert line.split("▲")[0].rstrip().endswith("your turn: a accepts 20, x walks away")
    assert last_line(screen.press("enter")).startswith("the last decision:")
    assert last_line(screen.press("right")).startswith("the last decision:")


def test_going_back_rests_there_and_forward_again_it_is_your_turn() -> None:
    screen = playing().press("enter").tick(3).press("enter").tick(3)
    turns = screen.shown
    screen.press(",", ",").tick(5)
    assert screen.shown == (turns[0], turns[1] - 2)
    assert last_line(screen.press("a")).startswith("this is the past")
    screen.press(".", ".")
    assert screen.shown == turns
    assert screen.line("your turn:")
    screen.press("enter").tick(3)
    assert screen.shown == (turns[0], turns[1] + 2)


def test_digits_type_a_price() -> None:
    screen = playing().press("4")
    assert screen.line("your price: 4_   Enter offers 4")
    assert "[4]" in screen.text()
    assert screen.press("8").line("your price: 48_   Enter offers 48")
    assert screen.press("backspace").line("your price: 4_   Enter offers 4")
    screen.press("8", "enter").tick(3)
    assert screen.model.playback
    assert [turn.price for turn in screen.model.playback.turns] == [100, 48, 74]
    assert not screen.model.price_typed


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        (("9",), "your price: 9_   your range is 20 to 100"),
        (("2", "enter"), "no price 2: your range is 20 to 100"),
        (("0",), "no price begins with 0: your range is 20 to 100"),
    ],
)
def test_a_price_that_cannot_be_offered_is_refused(keys: tuple[str, ...], says: str) -> None:
    screen = playing("seller", Opener.BUYER).press(*keys)
    assert says in screen.text()
    assert screen.model.playback
    assert len(screen.model.playback.turns) == 1
    screen.press("esc", "5", "5", "enter").tick(3)
    assert [turn.price for turn in screen.model.playback.turns][1:2] == [55]


@pytest.mark.parametrize("values", [(), ("v",)])
def test_the_plans_are_hidden_until_they_are_asked_for(values: tuple[str, ...]) -> None:
    screen = Screen().press("c", *values)
    sign = "acc " if values else "accepts  ✗"
    assert sign in screen.text()
    screen.press("p").tick(3)
    assert screen.line("hidden while you play")
    assert screen.line("What a deal earns you")
    assert screen.line("at 2   0.60")
    assert sign not in screen.text()
    screen.press("P")
    assert "hidden while you play" not in screen.text()
    assert sign in screen.text()
    screen.press("p").tick(3)
    assert screen.line("hidden while you play")
    assert "hidden" not in screen.press("p").text()


def test_advice_can_be_shown_and_hidden() -> None:
    screen = Screen().press("c", "p").tick(3)
    assert "advice for the buyer" in screen.press("i").text()
    assert "advice for the buyer" not in screen.press("i").text()


@pytest.mark.parametrize("seat", ["tit-for-tat", "micro"])
def test_against_a_strategy_without_a_table_no_best_response_is_known(seat: str) -> None:
    screen = Screen(strategies=(seat, None), opener=Opener.SELLER).press("p").tick(3)
    text = " ".join(screen.press("x", "x").tick(3).text().split())
    assert f"no best answer is known to the seller's {seat}" in text
