"""Judgement of play on the screen: NashConv, ▲, marked entries, advice."""

import re

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.strategies.base import tabulate
from negotiation_tui.strategies.registry import STRATEGIES
from negotiation_tui.tui.negotiation.layout import PRICE
from tests.support.panes import inside
from tests.support.screen_driver import Screen

RATE = 0.99
SIZES = [(80, 24), (120, 36), (200, 50)]


def q_table(screen: Screen, role: Role) -> NDArray[np.float64]:
    table = screen.model.learned.q_tables[role]
    assert table is not None
    return table


def seats(screen: Screen) -> tuple[TabularPolicy, TabularPolicy]:
    """Both seats as they would play a test."""
    snapshot = screen.model.learned
    seller, buyer = (
        greedy(snapshot.scenario, role, q_table(screen, role))
        if (name := snapshot.strategies[role]) is None
        else tabulate(snapshot.scenario, role, STRATEGIES[name])
        for role in Role
    )
    return seller, buyer


def shown_nash_conv(screen: Screen) -> str:
    found = re.search(r"could still gain (\d\.\d\d) \(NashConv\)", screen.text())
    assert found, screen.text()
    return found[1]


def expected_nash_conv(screen: Screen) -> str:
    found = nash_conv(screen.model.snapshot.scenario, *seats(screen), RATE)
    return f"{found.total:.2f}"


@pytest.mark.parametrize("states", States)
def test_nash_conv_is_of_the_tables_as_they_are(states: States) -> None:
    screen = Screen(states=states, width=160)
    seen = [shown_nash_conv(screen)]
    assert seen[0] == expected_nash_conv(screen), "of untrained tables"
    for _ in range(6):
        screen.press("c").settle()
        seen.append(shown_nash_conv(screen))
        assert seen[-1] == expected_nash_conv(screen)
    assert len(set(seen)) > 3
    series = screen.model.snapshot.nash_convs
    assert [f"{value:.2f}" for _, value in series] == seen[1:]
    assert [cycle for cycle, _ in series] == [1, 2, 3, 4, 5, 6]


def marks(screen: Screen) -> list[int]:
    """The prices above the columns of ▲."""
    lines = inside(screen.model, screen.frame(), PRICE)
    scale = next(line for line in lines if line.split() == [*"12345"])
    foot = next(line for line in lines if "▲" in line and "zone" in line)
    return [int(scale[x]) for x, character in enumerate(foot) if character == "▲"]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_equilibrium_of_who_opens_is_marked(width: int, height: int) -> None:
    screen = Screen(width=width, height=height)
    for _ in range(6):
        screen.press("n").settle()
        playback = screen.model.playback
        assert playback
        opener = playback.negotiation.transcript.opener
        expected = {Role.SELLER: [4, 5], Role.BUYER: [1]}[opener]
        assert marks(screen) == expected
        words = f"▲ theory: {' or '.join(map(str, expected))}"
        heading = inside(screen.model, screen.frame(), PRICE)[1]
        assert heading.endswith(words) == (width >= 100)


def test_advice_for_the_position_on_the_bar() -> None:
    advice = (
        (
            "Accept 1: waiting is worth 0.78, this is 0.80",
            "in equilibrium: accept 1",
            "its table: accept 1 (0.15)",
        ),
        (
            "Ask 4: accepting is worth 0.20, this is 0.80",
            "in equilibrium: ask 4/5",
            "its table: ask 4 (0.08)",
        ),
        (
            "Offer 1 to 3: accepting is worth 0.60, this is 0.79",
            "in equilibrium: accept 2",
            "its table: accept 2 (0.06)",
        ),
    )
    wide, narrow = (Screen(width=width, height=50) for width in (200, 80))
    footer = wide.text().splitlines()[-1]
    for screen in (wide, narrow):
        screen.press("i", "c", "c", "c")
    for (best, *others), role in zip(advice, ("buyer", "seller", "buyer"), strict=True):
        lines = wide.press(".").text().splitlines()
        assert lines[-3].strip() == " · ".join([f"advice for the {role}: {best}", *others])
        assert lines[-1] == footer
        shown = narrow.press(".").text().splitlines()[-3].strip()
        assert shown.startswith(f"{role}: {best}"), "the rest as far as there is room"
    assert "in equilibrium" not in wide.press("i").text()


def test_opener_aware_states_name_the_opener() -> None:
    screen = Screen(states=States.OPENER_AWARE, height=60).press("2", "v", "z")
    labels = set(re.findall(r"\b[or][1-5]\.[0-4]", screen.text()))
    assert labels == {f"{seat}{p}.{t}" for seat in "or" for p in range(1, 6) for t in range(5)}
    assert not re.search(r"[ ][1-5]\.[0-4] ", screen.text())
