"""Hidden limits on the screen: who sees them, what is believed of them, and whose plan is shown."""

import re

import numpy as np
import pytest

from negotiation_tui import Opener, Role
from negotiation_tui.game.negotiation import NO_STATE
from negotiation_tui.game.plan import plan_of
from negotiation_tui.tui.negotiation.keys import OFFERS
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.q_tables import RoleTable, limit_shown
from tests.support.screen_driver import Screen
from tests.support.screen_loop import headings


def hidden(*keys: str, cycles: int = 1, **options: object) -> Screen:
    return Screen("hidden", episodes=50, **options).press(*"c" * cycles, *keys)  # type: ignore[arg-type]


def limits(model: Model) -> tuple[int, int]:
    assert model.playback
    game = model.playback.negotiation.transcript.scenario
    return game.limit(Role.SELLER), game.limit(Role.BUYER)


def strips(screen: Screen) -> list[str]:
    """Return the labels of the strips of both roles."""
    words = (line.strip("│┃ ").split("  ")[0] for line in screen.text().splitlines())
    return [word for word in words if word.strip("?") in {"cost", "worth"}]


def test_limits_are_hidden_until_the_end() -> None:
    screen = hidden(".")
    assert strips(screen) == ["cost?", "worth?"]
    assert "seller ?" in screen.text()
    screen.press("n")
    assert strips(screen)[-2:] == ["cost", "worth"]
    assert strips(screen.press(",")) == ["cost?", "worth?"]
    assert "┄" not in screen.press("6", "z").text()
    lines = screen.press("n").pane(OFFERS)
    assert "┄ limit" in lines[0]
    drawn = [int(line.split()[0]) for line in lines[1:] if "┄" in line]
    assert drawn == sorted(limits(screen.model), reverse=True)


@pytest.mark.parametrize("seats", [("boulware", None), ("zeuthen", "tit-for-tat")])
def test_beliefs_never_exclude_the_truth(seats: tuple[str | None, str | None]) -> None:
    screen = hidden(strategies=seats)
    for _ in range(8):
        screen.press("n")
        negotiation = screen.model.snapshot.negotiation
        game, turns = negotiation.transcript.scenario, negotiation.transcript.turns
        for role in Role:
            held = negotiation.beliefs[role]
            assert len(held) == len(turns) + 1
            assert not any(belief.unexpected for belief in held)
            assert all(belief.chances[game.limit_index(role)] > 0 for belief in held)
            told = [n for n, turn in enumerate(turns, 1) if turn.role is role]
            for n in range(1, len(held)):
                if n not in told:
                    assert np.array_equal(held[n].chances, held[n - 1].chances)
    assert all(turn.state != NO_STATE for turn in turns)


@pytest.mark.parametrize("down", [0, 1])
def test_an_unexpected_offer_says_so(down: int) -> None:
    """A boulware buyer first offers the lowest price, whatever its limit."""
    seats = "boulware", "boulware"
    screen = hidden(".", "L", "f", *["down"] * down, "enter", cycles=0, strategies=seats)
    line = screen.line("round 1 of 5")
    assert f"buyer offers {down}  round 1 of 5  (what if)" in line
    assert ("unexpected" in line) == bool(down)


def test_the_plan_is_that_of_the_limit_in_play_once_it_is_seen() -> None:
    screen = hidden(".")
    assert [limit_shown(screen.model, role) for role in Role] == [0, 4]
    assert "Seller's Q-table, limit 0" in headings(screen.text())[4]
    screen.press("L")
    game = screen.model.playback.shown.scenario
    for role in Role:
        limit = game.limit_index(role)
        learned = screen.model.pane_snapshot.agents[role]
        expected = plan_of(screen.model.snapshot.scenario, role, learned, limit=limit)
        assert RoleTable(screen.model, 4 + role).plan is expected
        assert f"Q-table, its limit {game.limit(role)}" in headings(screen.text())[4 + role]
    assert "…" not in "".join(headings(screen.resize(100, 30).text()).values())
    screen.resize(120, 36)
    assert "choose a plan first" in screen.press("1", "d").model.message
    titles = list[str]()
    for _ in range(6):
        screen.press(*("5", "d") if not titles else "d")
        titles.append(headings(screen.text())[5])
    assert len(set(titles)) >= 5, "d goes through the limits of the chosen plan"


def test_gains_are_distances_from_the_limits() -> None:
    screen = hidden("n", "3", "z")
    game, negotiation = screen.model.snapshot.scenario, screen.model.snapshot.negotiation
    pairs = [game.drawn(k, j).reservation_values for k in range(5) for j in range(5)]
    possible = sum(max(0, buyer - seller) for seller, buyer in pairs) / len(pairs)
    price, (low, high) = negotiation.transcript.outcome.price, limits(screen.model)
    seller, buyer = (0, 0) if price is None else (price - low, high - price)
    gains = f"seller {seller:.2f}, buyer {buyer:.2f}, possible {possible:.2f}"
    assert f"present training cycle, mean gain: {gains}" in screen.text()
    assert "practice this cycle" not in screen.text()


def buyer_of_hidden_limits() -> Screen:
    screen = Screen("hidden", strategies=("boulware", None), opener=Opener.SELLER)
    return screen.press("p").tick(3)


def test_only_the_own_limit_is_told_before_the_end() -> None:
    screen = buyer_of_hidden_limits()
    seller, buyer = limits(screen.model)
    assert screen.line(f"A deal at 0 earns you {buyer} coins, no deal 0")
    assert screen.line(f"Your limit is {buyer}")
    assert f"the seller's {seller}" not in screen.text()


def test_a_deal_that_was_not_possible_is_told_at_the_end() -> None:
    screen = buyer_of_hidden_limits()
    while (ends := limits(screen.model))[0] <= ends[1]:
        screen.press("x", "x").tick(3).press("enter").tick(3)
    screen.press("x", "x").tick(3)
    why = f"the seller's limit {ends[0]} is above the buyer's {ends[1]}"
    text = " ".join(screen.text().split())
    assert f"NO DEAL: no deal was possible: {why}" in text


def test_advice_and_a_what_if_wait_until_the_limit_is_shown() -> None:
    screen = Screen("hidden", seed=3).press("c", ".", "i")
    role = screen.model.playback.shown.position.role
    assert screen.line(f"advice: it would tell the {role}'s limit; L shows both limits")
    assert screen.press("f").model.modal is None
    assert screen.line(f"the list would tell the {role}'s limit: L shows both")
    assert screen.press("L").line(f"advice for the {role}: ")
    assert screen.press("f").model.modal == "what-if"
    before = limits(screen.model)
    assert screen.press("enter").tick(10).model.parent
    assert limits(screen.model) == before


def test_advice_names_a_bluff() -> None:
    screen = Screen("hidden", width=200, seed=4).press(*"c" * 8, "L", "i")
    for _ in range(20):
        advice = re.search(r"advice for the (\w+): (.*)", screen.press(".").text())
        if advice and "a bluff" in advice[2]:
            break
    else:
        pytest.fail("nobody would bluff")
    bluff = r"bluff: worth (?!0 )[\d.]+ more if your limit seems to be ([\d ort,]+)"
    found = re.search(bluff, advice[0])
    assert found
    position = screen.model.position
    stronger = [int(limit) for limit in re.findall(r"\d", found[1])]
    seller = position.role is Role.SELLER
    assert all(limit > position.limit if seller else limit < position.limit for limit in stronger)
