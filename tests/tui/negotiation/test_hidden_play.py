"""A person who plays with hidden limits: what is said before, at the end and after several."""

import re

import pytest

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.tui.negotiation.model import Model
from tests.support.screen_driver import Screen

BLUFFS = 4
"""The seed of a training in which somebody would bluff soon."""


def playing(role: Role = Role.BUYER, width: int = 120, height: int = 36, seed: int = 7) -> Screen:
    """At the table of `hidden`, opposite a strategy that opens by its own limit."""
    seats = ("boulware", None) if role is Role.BUYER else (None, "boulware")
    screen = Screen(
        "hidden",
        strategies=seats,
        opener=Opener(str(role.other)),
        width=width,
        height=height,
        seed=seed,
    )
    return screen.press(*"p" * (1 if role is Role.BUYER else 2)).tick(3)


def limits(model: Model) -> tuple[int, int]:
    """The limits of seller and buyer in the negotiation on the bar."""
    assert model.playback
    game = model.playback.negotiation.transcript.scenario
    return game.limit(Role.SELLER), game.limit(Role.BUYER)


def to_the_end(screen: Screen) -> Screen:
    """Accept as soon as it is legal, walk away from the last offer."""
    while screen.model.modal != "score":
        text = screen.text()
        last = "Enter offers" not in text and "Enter asks" not in text
        screen.press(*("a" if re.search(r"a accepts \d", text) else "xx" if last else ["enter"]))
        screen.tick(3)
    return screen


def next_negotiation(screen: Screen) -> Screen:
    return screen.press("enter").tick(3)


@pytest.mark.parametrize("role", Role)
def test_the_own_limit_is_told_and_not_the_other(role: Role) -> None:
    screen = playing(role)
    own = limits(screen.model)[role]
    does = "buy" if role is Role.BUYER else "sell"
    assert screen.line(f"You {does}. Your limit is {own}, theirs is hidden. 5 rounds.")
    best = own if role is Role.BUYER else 5 - own
    assert screen.line(f"A deal at {0 if role is Role.BUYER else 5} earns you {best}, no deal 0")
    assert "hidden while you play: i says more" in screen.text()
    assert screen.line("limits are hidden · L shows both")
    screen.press("i")
    assert screen.line("how likely each limit is, as the other side must judge · L shows both")
    assert "advice for" in screen.text()
    assert "hidden while you play: i says more" not in screen.text()


def test_both_limits_and_the_best_response_are_told_at_the_end() -> None:
    screen = playing()
    while limits(screen.model)[0] > limits(screen.model)[1]:
        next_negotiation(to_the_end(screen))
    seller, buyer = limits(to_the_end(screen).model)
    score = screen.model.latest.score
    assert score
    assert score.last_earned is not None
    assert score.last_expected is not None
    assert screen.line(f"your limit was {buyer}, the seller's {seller}")
    price = buyer - round(5 * score.last_earned)
    assert screen.line(f"DEAL at {price}: you, the buyer, gain {buyer - price} of the")
    text = " ".join(screen.text().split())
    assert f"; with limit {buyer} the best answer to the seller's " in text
    assert f" earns {5 * score.last_expected:.1f}".removesuffix(".0") + " on average" in text


def test_a_negotiation_without_a_possible_deal_says_so() -> None:
    screen = playing()
    while limits(screen.model)[0] <= limits(screen.model)[1]:
        next_negotiation(to_the_end(screen))
    seller, buyer = limits(to_the_end(screen).model)
    why = f"no deal was possible: the seller's limit {seller} is above the buyer's {buyer}"
    assert f"NO DEAL: {why}" in screen.text()


def test_advice_and_what_ifs_wait_until_the_limit_is_shown() -> None:
    screen = Screen("hidden", seed=3).press("c", ".", "i")
    playback = screen.model.playback
    assert playback
    role = playback.next_mover
    assert screen.line(f"advice: it would tell the {role}'s limit; L shows both limits")
    assert screen.press("f").model.modal is None
    assert screen.line(f"the list would tell the {role}'s limit: L shows both")
    screen.press("L")
    assert screen.line(f"advice for the {role}: ")
    assert screen.press("f").model.modal == "what-if"
    before = limits(screen.model)
    screen.press("enter").tick(10)
    assert screen.model.origin
    assert limits(screen.model) == before


def test_advice_names_a_bluff() -> None:
    screen = Screen("hidden", width=200, seed=BLUFFS).press(*"c" * 8, "L", "i")
    for _ in range(20):
        advice = re.search(r"advice for the (\w+): (.*)", screen.press(".").text())
        if advice and "a bluff" in advice[2]:
            break
    else:
        pytest.fail("nobody would bluff")
    found = re.search(
        r"a bluff: worth (0\.\d\d) more while they hold ([\d ort,]+) possible", advice[0]
    )
    assert found
    position = screen.model.playback and screen.model.playback.position
    assert position
    stronger = [int(limit) for limit in re.findall(r"\d", found[2])]
    seller = position.role is Role.SELLER
    assert all(limit > position.limit if seller else limit < position.limit for limit in stronger)
