"""Deals, money and the players' ways in plain words."""

import re

from negotiation_tui.game.roles import Role
from negotiation_tui.tui.negotiation.layout import MONEY
from negotiation_tui.tui.toolkit.canvas import Canvas
from tests.support.screen_driver import STATIC, Screen


def pane(screen: Screen) -> Canvas:
    """The pane of deals and money."""
    area = screen.model.area_of(MONEY)
    assert area is not None
    return screen.frame().subcanvas(area)


def words(screen: Screen) -> str:
    return " ".join(pane(screen).text().split())


def test_who_gained_what_stands_beside_the_wallets() -> None:
    screen = Screen(episodes=10).press("5", "z")
    scenario, prices = screen.model.snapshot.scenario, []
    for played in range(1, 11):
        screen.press("n").settle()
        assert screen.model.playback
        price = screen.model.playback.negotiation.transcript.outcome.price
        prices += [] if price is None else [price]
        gained = [sum(scenario.reward(role, each) for each in prices) / played for role in Role]
        seller, buyer, lost = (f"{100 * share:.0f} %" for share in (*gained, 1 - sum(gained)))
        cycle = f"shares this cycle: seller {seller}, buyer {buyer}, lost {lost}"
        assert cycle in words(screen)
        money = f"{sum(prices):+}" if prices else "0"
        assert f"wallets this cycle: seller {money}, buyer {money.replace('+', '−')}" in words(
            screen
        )
        assert f"deal{'s' * (len(prices) != 1)} of {played} negotiation" in words(screen)


def test_the_players_ways_are_told() -> None:
    screen = Screen().press("5")
    assert "guesses" not in words(screen)
    screen.press("n").settle()
    assert "the seller guesses 100 % of its moves (ε 1.00)" in words(screen)
    assert "the buyer plays what it knew a cycle ago (frozen)" in words(screen)
    screen = Screen(strategies=("boulware", None)).press("5", "n")
    screen.settle()
    assert "the seller plays boulware" in words(screen)
    screen = Screen(strategies=STATIC).press("5", "n")
    screen.settle()
    assert "nobody learns" in words(screen)
    screen = Screen(cycles=1).press("5", "c", "n")
    screen.settle()
    assert "sums of the training, with its guesses; the bar shows the plans" in words(screen)
    assert "by their plans" not in words(screen.press("p").tick(3))


def test_what_could_still_be_gained_is_told_by_role() -> None:
    screen = Screen().press("c", "c", "5", "z")
    judged = screen.model.snapshot.nash_conv
    assert judged is not None
    seller, buyer = judged.exploitability
    expected = (
        f"could still gain {judged.total:.2f} (NashConv): seller {seller:.2f}, buyer {buyer:.2f}"
    )
    assert expected in words(screen)


def test_the_endings_are_told_by_role() -> None:
    screen = Screen().press("c", "c", "5", "z")
    total = screen.model.snapshot.statistics.total
    for name, counts in (
        ("accepted (validated)", (total.agreements_seller, total.agreements_buyer)),
        ("walked away (rejected)", (total.breakdowns_seller, total.breakdowns_buyer)),
    ):
        assert f"{name}: seller {counts[0]}, buyer {counts[1]}" in words(screen)


def test_no_part_is_cut() -> None:
    screen = Screen(width=250, height=60).press("c", "5", "z")
    whole = words(screen)
    screen.press("z")
    for height in (9, 16, 24, 36, 60):
        for width in range(40, 130, 11):
            for line in pane(screen.resize(width, height)).text().splitlines()[1:]:
                for part in filter(None, re.split(" · ", line.strip())):
                    assert part in whole, part


def test_one_line_stands_for_panes_without_room() -> None:
    screen = Screen(width=80, height=24, strategies=(None, "midpoint")).press("c", "2")
    line = screen.line("could still gain")
    assert re.search(
        r"could still gain \d\.\d\d \(NashConv\) · \d+ deals of 100 negotiations", line
    )


def test_nothing_lost_is_no_negative_zero() -> None:
    screen = Screen(width=60, height=50)
    assert "lost 0 %" in words(screen.press("c", "n"))


def test_each_learner_chooses_in_its_own_way() -> None:
    both = ("learned:wolf-phc", "learned:sarsa")
    screen = Screen(strategies=both).press("5", "n")
    screen.settle()
    assert "both guess 100 % of their moves (ε 1.00)" in words(screen)
    assert "both learn in every cycle" in words(screen)
    assert "training both" in screen.text()
    alternate = Screen(strategies=("learned:wolf-phc:schedule=alternate", None)).press("5", "n")
    alternate.settle()
    assert "the seller guesses 100 % of its moves (ε 1.00)" in words(alternate)
    assert "the buyer plays what it knew a cycle ago (frozen)" in words(alternate)
