"""Deals, money and the players' ways in plain words."""

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
