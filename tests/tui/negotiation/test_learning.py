"""The curves of the training on the screen: their order, populations, gaps, and words."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from negotiation_tui.game.negotiation import Outcome
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.tui.negotiation.layout import LEARNING
from tests.support.panes import inside
from tests.support.screen_driver import Screen


def pane(screen: Screen) -> str:
    """The text of the pane of the curves."""
    return "\n".join(inside(screen.model, screen.frame(), LEARNING))


def outcomes(screen: Screen, n: int) -> Iterator[Outcome]:
    """Play so many negotiations one by one."""
    for _ in range(n):
        screen.press("n").settle()
        assert screen.model.playback
        yield screen.model.playback.negotiation.transcript.outcome


def test_each_curve_is_of_the_cycles_in_which_its_role_learns() -> None:
    screen = Screen(cycles=8, episodes=6, width=200, height=42).press("5")
    scenario, values = screen.model.snapshot.scenario, {}
    for learner in (*Role, *Role):
        ended = list(outcomes(screen, 6))
        prices = [each.price for each in ended if each.price is not None]
        share = sum(scenario.reward(learner, price) for price in prices) / 6
        values[learner] = share, len(prices) / 6, sum(prices) / len(prices)
    lines = pane(screen) + pane(screen.press("z"))
    for number, name in enumerate(("practice", "deals", "price")):
        line = re.search(rf"\b{name}  .*?(?=   |$)", lines, re.MULTILINE)
        assert line
        expected = [
            f"{values[role][number]:.2f}" if name == "price" else f"{values[role][number]:.0%}"
            for role in Role
        ]
        shown = re.findall(r"(?:seller|buyer)(?:'s cycles)? ([\d.]+(?: %)?)", line[0])
        assert [value.replace(" ", "") for value in shown] == [
            value.removesuffix(".00") for value in expected
        ]


@pytest.mark.parametrize(
    ("opener", "theory"),
    [(Opener.SELLER, "theory 4–5"), (Opener.BUYER, "theory 1"), (Opener.ALTERNATE, "theory 2.5–3")],
)
def test_the_price_in_theory_is_marked(opener: Opener, theory: str) -> None:
    screen = Screen(width=120, opener=opener, strategies=(None, "midpoint")).press("c", "5", "z")
    assert f"mean price, {theory}  " in pane(screen)
    assert "─ ─ ─ ─" in pane(screen)


def test_with_hidden_limits_efficiency_is_drawn_below_the_ceiling() -> None:
    pytest.importorskip("scipy")
    screen = Screen("hidden", width=160, height=50).press(*"ccc", "5", "z")
    snapshot = screen.model.snapshot
    last, ceiling = snapshot.reached[-1], snapshot.ceiling
    assert ceiling == pytest.approx(0.952, abs=5e-4)
    text = pane(screen)
    assert f"efficiency {last.efficiency:.0%}, ceiling 95 %".replace("%,", " %,") in text
    assert "gain by pretending" in text
    rows = [line for line in text.splitlines() if "100 % ┤" in line]
    assert "─ ─ ─" in rows[0]
    screen.model = replace(screen.model, latest=replace(snapshot, ceiling=None))
    text = pane(screen)
    assert "ceiling" not in text
