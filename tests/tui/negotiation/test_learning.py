"""The curves of the training on the screen: their order, populations, gaps, and words."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from negotiation_tui.game.negotiation import Outcome
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.tui.negotiation.layout import LEARNING
from negotiation_tui.tui.toolkit.canvas import Canvas
from tests.support.screen_driver import Screen

ORDER = ("could still gain", "surplus", "deals", "price")


def pane(screen: Screen) -> Canvas:
    """The pane of the curves."""
    area = screen.model.area_of(LEARNING)
    assert area is not None
    return screen.frame().subcanvas(area)


def charts(canvas: Canvas) -> dict[str, list[str]]:
    """The rows of each chart by its name, in one column of charts."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in canvas.text().splitlines()[1:]:
        if re.match(r" *\S* [│┤]|\s+│", line):
            found[name].append(re.split("[│┤]", line, maxsplit=1)[1])
        elif words := next((words for words in ORDER if words in line), None):
            name = words
            found[name] = []
    return found


@pytest.mark.parametrize(
    ("width", "height", "least"), [(120, 42, 4), (120, 36, 3), (60, 50, 2), (80, 24, 1)]
)
def test_as_many_curves_as_have_room_in_their_order(width: int, height: int, least: int) -> None:
    screen = Screen(width=width, height=height).press("c", "c", "4")
    names = tuple(charts(pane(screen)))
    assert len(names) >= least
    assert names == ORDER[: len(names)]


def outcomes(screen: Screen, n: int) -> Iterator[Outcome]:
    """Play so many negotiations one by one."""
    for _ in range(n):
        screen.press("n").settle()
        assert screen.model.playback
        yield screen.model.playback.negotiation.transcript.outcome


def test_each_curve_is_of_the_cycles_in_which_its_role_learns() -> None:
    screen = Screen(cycles=8, episodes=6, width=200, height=42).press("4")
    scenario, values = screen.model.snapshot.scenario, {}
    for learner in (*Role, *Role):
        ended = list(outcomes(screen, 6))
        prices = [each.price for each in ended if each.price is not None]
        share = sum(scenario.reward(learner, price) for price in prices) / 6
        values[learner] = share, len(prices) / 6, sum(prices) / len(prices)
    lines = pane(screen).text()
    for number, name in enumerate(("surplus", "deals", "price")):
        line = next(line for line in lines.splitlines() if re.search(rf"\b{name}\b", line))
        expected = [
            f"{values[role][number]:.2f}" if name == "price" else f"{values[role][number]:.0%}"
            for role in Role
        ]
        shown = re.findall(r"(?:seller|buyer)(?:'s cycles)? ([\d.]+(?: %)?)", line)
        assert [value.replace(" ", "") for value in shown] == [
            value.removesuffix(".00") for value in expected
        ]


def test_a_cycle_that_is_not_over_is_not_drawn() -> None:
    screen = Screen(width=120).press("c", "c", "c")
    before = charts(pane(screen))
    after = charts(pane(screen.press("n", "n")))
    assert after == before


def test_one_learner_has_one_curve() -> None:
    screen = Screen(width=200, strategies=(None, "midpoint")).press("c", "c", "c")
    deals = next(line for line in pane(screen).text().splitlines() if "deal" in line)
    assert re.fullmatch(r" *negotiations with a deal +\d+ %", deals.rstrip())
    assert re.search(r"surplus +─ seller +\d+ % +┄ buyer +\d+ %", pane(screen).text())


@pytest.mark.parametrize(
    ("opener", "theory"),
    [(Opener.SELLER, "theory 4–5"), (Opener.BUYER, "theory 1"), (Opener.ALTERNATE, "theory 2.5–3")],
)
def test_the_price_in_theory_is_marked(opener: Opener, theory: str) -> None:
    screen = Screen(width=120, opener=opener, strategies=(None, "midpoint")).press("c", "4", "z")
    assert f"mean price, {theory}  " in pane(screen).text()
    assert "─ ─ ─ ─" in pane(screen).text()


def test_with_hidden_limits_efficiency_is_drawn_below_the_ceiling() -> None:
    pytest.importorskip("scipy")
    screen = Screen("hidden", width=160, height=50).press(*"ccc", "4", "z")
    snapshot = screen.model.snapshot
    last, ceiling = snapshot.reached[-1], snapshot.ceiling
    assert ceiling == pytest.approx(0.952, abs=5e-4)
    text = pane(screen).text()
    assert f"efficiency {last.efficiency:.0%}, ceiling 95 %".replace("%,", " %,") in text
    assert "gain by pretending" in text
    rows = [line for line in text.splitlines() if "100 % ┤" in line]
    assert "─ ─ ─" in rows[0]
    screen.model = replace(screen.model, latest=replace(snapshot, ceiling=None))
    text = pane(screen).text()
    assert "ceiling" not in text
    assert "efficiency" in text
