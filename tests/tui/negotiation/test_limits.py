"""Hidden limits on the screen: who sees them, what is believed of them, and whose plan is shown."""

import numpy as np
import pytest

from negotiation_tui.game.negotiation import NO_STATE
from negotiation_tui.game.plan import plan_of
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.tui.negotiation.plans_shown import limit_shown, plan_shown
from tests.support.panes import headings
from tests.support.screen_driver import Screen


def hidden(*keys: str, cycles: int = 1, **options: object) -> Screen:
    return Screen("hidden", episodes=50, **options).press(*"c" * cycles, *keys)  # type: ignore[arg-type]


def drawn(screen: Screen) -> Scenario:
    """Return the game of the negotiation on the bar."""
    assert screen.model.playback is not None
    return screen.model.playback.shown.scenario


def strips(screen: Screen) -> list[str]:
    """Return the labels below the bars of both roles."""
    words = (line.strip("│┃ ").partition(" ")[0] for line in screen.text().splitlines())
    return [word for word in words if word in {"limit", "limit?"}]


def test_limits_are_hidden_until_the_end() -> None:
    screen = hidden(".")
    assert strips(screen) == ["limit?"] * 2
    assert "zone of possible agreement" not in screen.text()
    assert "ZOPA" not in screen.text()
    screen.press("n")
    assert strips(screen) == ["limit"] * 2
    low, high = (drawn(screen).limit(role) for role in Role)
    if low <= high:
        assert "ZOPA" in screen.text() or f"agreement {low} … {high}" in screen.text()
    else:
        assert "no zone of possible agreement" in screen.text()
    assert "limit?" in screen.press(",").text()


@pytest.mark.parametrize("seats", [("boulware", None), ("zeuthen", "tit-for-tat")])
def test_beliefs_never_exclude_the_truth(seats: tuple[str | None, str | None]) -> None:
    screen = hidden(strategies=seats)
    for _ in range(8):
        screen.press("n")
        negotiation = screen.model.snapshot.negotiation
        assert negotiation is not None
        game, turns = negotiation.transcript.scenario, negotiation.transcript.turns
        for role in Role:
            held = negotiation.beliefs[role]
            assert held is not None
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
    assert f"buyer offers {down}  (what if)" in line
    assert ("unexpected" in line) == bool(down)


def test_the_plan_is_that_of_the_limit_in_play_once_it_is_seen() -> None:
    screen = hidden(".")
    assert [limit_shown(screen.model, role) for role in Role] == [0, 4]
    assert "Seller's Q-table, limit 0" in headings(screen.text())[2]
    screen.press("L")
    game = drawn(screen)
    for role in Role:
        limit = game.limit_index(role)
        table = screen.model.learned.q_tables[role]
        assert table is not None
        expected = plan_of(screen.model.snapshot.scenario, role, table, limit=limit)
        assert plan_shown(screen.model, role) is expected
        assert f"Q-table, its limit {game.limit(role)}" in headings(screen.text())[2 + role]
    assert "choose a plan first" in screen.press("1", "d").model.message
    titles = list[str]()
    for _ in range(6):
        screen.press(*("3", "d") if not titles else "d")
        titles.append(headings(screen.text())[3])
    assert len(set(titles)) >= 5, "d goes through the limits of the chosen plan"


def test_gains_are_distances_from_the_limits() -> None:
    screen = hidden("n", "4", "z")
    game, negotiation = screen.model.snapshot.scenario, screen.model.snapshot.negotiation
    assert negotiation is not None
    pairs = [game.drawn(k, j).reservation_values for k in range(5) for j in range(5)]
    possible = sum(max(0, buyer - seller) for seller, buyer in pairs) / len(pairs)
    price, (low, high) = negotiation.transcript.outcome.price, drawn(screen).reservation_values
    seller, buyer = (0, 0) if price is None else (price - low, high - price)
    gains = f"seller {seller:.2f}, buyer {buyer:.2f}, possible {possible:.2f} on average"
    assert f"mean gain this cycle: {gains}" in screen.text()
    assert "practice this cycle" not in screen.text()
