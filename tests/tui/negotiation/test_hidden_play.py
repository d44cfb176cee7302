"""A person who plays with hidden limits: what is said before, at the end and after several."""

import re

import pytest

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.tui.negotiation.model import Model
from tests.support.screen_driver import Screen


def playing() -> Screen:
    """A buyer at the table of `hidden`, opposite a strategy that opens by its own limit."""
    screen = Screen("hidden", strategies=("boulware", None), opener=Opener.SELLER)
    return screen.press("p").tick(3)


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


def test_what_is_told_before_and_after_the_end() -> None:
    """One's own limit alone; at the end both, with the best response or why there was no deal."""
    screen, told = playing(), set[bool]()
    assert screen.line(f"A deal at 0 earns you {limits(screen.model)[1]}, no deal 0")
    while len(told) < 2:
        seller, buyer = limits(screen.model)
        assert screen.line(f"Your limit is {buyer}")
        assert f"the seller's {seller}" not in screen.text()
        to_the_end(screen)
        text = " ".join(screen.text().split())
        if seller > buyer:
            why = f"the seller's limit {seller} is above the buyer's {buyer}"
            assert f"NO DEAL: no deal was possible: {why}" in text
        else:
            score = screen.model.latest.score
            assert score
            assert score.last_expected is not None
            assert f"your limit was {buyer}, the seller's {seller}" in text
            assert f"; with limit {buyer} the best answer to the seller's " in text
            assert f" earns {5 * score.last_expected:.1f}".removesuffix(".0") in text
        told.add(seller > buyer)
        screen.press("enter").tick(3)


def test_advice_and_what_ifs_wait_until_the_limit_is_shown() -> None:
    screen = Screen("hidden", seed=3).press("c", ".", "i")
    playback = screen.model.playback
    assert playback
    position = playback.position
    role = position.role if position else None
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
    screen = Screen("hidden", width=200, seed=4).press(*"c" * 8, "L", "i")
    for _ in range(20):
        advice = re.search(r"advice for the (\w+): (.*)", screen.press(".").text())
        if advice and "a bluff" in advice[2]:
            break
    else:
        pytest.fail("nobody would bluff")
    found = re.search(r"bluff: worth 0\.\d\d more while they hold ([\d ort,]+) possible", advice[0])
    assert found
    position = screen.model.playback and screen.model.playback.position
    assert position
    stronger = [int(limit) for limit in re.findall(r"\d", found[1])]
    seller = position.role is Role.SELLER
    assert all(limit > position.limit if seller else limit < position.limit for limit in stronger)
