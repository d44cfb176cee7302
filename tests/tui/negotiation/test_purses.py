"""Purses in bars, in curves and in plain words."""

from negotiation_tui.game.roles import Role
from negotiation_tui.tui.negotiation.layout import PURSES
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.words import signed
from tests.support.screen_driver import STATIC, Screen


def pane(screen: Screen) -> Canvas:
    area = screen.model.area_of(PURSES)
    assert area is not None
    return screen.frame().subcanvas(area)


def words(screen: Screen) -> str:
    return " ".join(pane(screen).text().split())


def test_money_mirrors_and_both_may_gain() -> None:
    screen = Screen(episodes=10, width=120, height=40)
    scenario, prices, gains = screen.model.snapshot.scenario, list[int](), [0, 0]
    for played in range(1, 11):
        screen.press("n").settle()
        assert screen.model.playback
        price = screen.model.playback.negotiation.transcript.outcome.price
        if price is not None:
            prices.append(price)
            gains = [gains[0] + price, gains[1] + 5 - price]
        lines = pane(screen).text().splitlines()
        amounts = [line.split()[-1] for line in lines if line.lstrip().startswith(("sel", "buy"))]
        money = sum(prices)
        assert amounts == [signed(each) for each in (money, -money, *gains)]
        bars = [line.count("█") + line.count("▒") for line in lines if "er" in line]
        assert bars[0] == bars[1]
        if played == 10:
            assert bars[2:] == sorted(bars[2:], reverse=gains[0] > gains[1])
            assert "▒" in lines[3] or not money
    shares = [sum(scenario.reward(role, each) for each in prices) / 10 for role in Role]
    seller, buyer, lost = (f"{100 * share:.0f} %" for share in (*shares, 1 - sum(shares)))
    page = words(screen.press("4", "z"))
    assert f"in practice this cycle so far: seller {seller}, buyer {buyer}, lost {lost}" in page
    assert f"in all cycles {len(prices)} deals of 10 negotiations" in page
    assert "money per cycle" in page
    assert "gain per cycle" in page


def test_a_screen_without_room_for_the_pane_has_them_on_a_line() -> None:
    screen = Screen(width=80, height=24).press("c")
    money = signed(screen.model.learned.statistics.left_over)
    line = next(line for line in screen.text().splitlines() if line.startswith(" purses"))
    assert f"{money}  buyer" in line
    assert "gain" in line
    assert "1/50" in line


def test_the_players_ways_are_told() -> None:
    screen = Screen().press("4", "z")
    assert "guesses" not in words(screen)
    screen.press("n").settle()
    assert "the seller guesses 100 % of its moves" in words(screen)
    assert "the buyer plays as it knew how to a cycle ago" in words(screen)
    screen = Screen(strategies=("boulware", None)).press("4", "z", "n")
    screen.settle()
    assert "the seller plays boulware" in words(screen)
    screen = Screen(strategies=STATIC).press("4", "z", "n")
    screen.settle()
    assert "nobody learns" in words(screen)
    screen = Screen(cycles=1).press("4", "z", "c", "n")
    screen.settle()
    assert "the bar shows best play" in words(screen)
    both = Screen(strategies=("learned:wolf-phc", "learned:sarsa")).press("4", "z", "n")
    both.settle()
    assert "both guess 100 % of their moves" in words(both)
    assert "both learn in every cycle" in words(both)


def test_the_gain_still_possible_is_told_by_role() -> None:
    screen = Screen().press("c", "c", "4", "z")
    judged = screen.model.snapshot.nash_conv
    assert judged is not None
    seller, buyer = judged.exploitability
    told = f"could still gain {judged.total:.2f} (NashConv): seller {seller:.2f}, buyer {buyer:.2f}"
    assert told in words(screen)
