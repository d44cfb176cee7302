"""The curves of the training on the screen: their order, populations, gaps, and words."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from negotiation_tui.game.negotiation import Outcome
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.tui.negotiation.layout import LEARNING
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from tests.support.screen_driver import Screen

ORDER = ("could still gain", "surplus", "deals", "price")
ALL = (
    "could still gain",
    "shares, seller learns",
    "shares, buyer learns",
    "deals",
    "price",
    "rounds to a deal",
)


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


@pytest.mark.parametrize(("width", "height"), [(120, 36), (200, 60)])
def test_zoomed_they_fill_the_screen(width: int, height: int) -> None:
    screen = Screen(width=width, height=height).press("c", "c", "4", "z")
    text = pane(screen).text()
    places = [text.index(words) for words in ALL]
    assert places == sorted(places)
    axes = [y for y, line in enumerate(text.splitlines()) if " ┴┬" in line]
    assert axes[-1] >= height - 8
    assert all(f"{share} % ┤" in text for share in (50, 100))


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


def test_gaps_in_nash_conv_are_drawn_as_gaps() -> None:
    screen = Screen(width=120, cycles=6).press(*"ccccc")
    series = screen.model.snapshot.nash_convs

    def drawn() -> list[bool]:
        rows = charts(pane(screen))[ORDER[0]]
        width = max(map(len, rows))
        columns = zip(*(row.ljust(width) for row in rows), strict=True)
        return [any(cell not in " ⠀" for cell in column) for column in columns]

    assert all(drawn())
    some = (*series[:2], *series[3:])
    screen.model = replace(screen.model, latest=replace(screen.model.snapshot, nash_convs=some))
    assert not all(drawn())
    assert drawn()[0]
    assert drawn()[-1]


def test_scales_do_not_depend_on_the_values() -> None:
    screen = Screen(height=42)
    seen = set()
    for _ in range(5):
        text = pane(screen.press("c")).text()
        seen.add(tuple(re.findall(r"(\S+(?: %)?) [┤┴]", text)))
    assert seen == {("1", "0", "100 %", "0 %", "100 %", "50 %", "0 %", "5", "1")}


def test_a_share_may_be_negative() -> None:
    screen = Screen(height=42).press("c", "c")
    scenario = replace(screen.model.snapshot.scenario, reservation=(2, 4))
    screen.model = replace(screen.model, latest=replace(screen.model.snapshot, scenario=scenario))
    lines = charts(pane(screen))["surplus"]
    assert "200 % ┤" in pane(screen).text()
    assert "−100 % ┴" in pane(screen).text()
    assert any("─" * 9 in line for line in lines), "a line at zero"


def test_one_learner_has_one_curve() -> None:
    screen = Screen(width=200, strategies=(None, "midpoint")).press("c", "c", "c")
    deals = next(line for line in pane(screen).text().splitlines() if "deal" in line)
    assert re.fullmatch(r" *negotiations with a deal +\d+ %", deals.rstrip())
    assert re.search(r"surplus +─ seller +\d+ % +┄ buyer +\d+ %", pane(screen).text())


def test_cycles_without_a_learner_have_a_curve_of_their_own() -> None:
    screen = Screen(width=120).press(*"cccccc", "4", "z")
    snapshot = screen.model.snapshot
    ended = replace(snapshot, learners=(*snapshot.learners, (4, None)))
    screen.model = replace(screen.model, latest=ended, place=None)
    text = pane(screen).text()
    assert "shares, nobody learns" in text
    assert re.search(r"deals .* other \d+ %", text)


@pytest.mark.parametrize(
    ("opener", "theory"),
    [(Opener.SELLER, "theory 4–5"), (Opener.BUYER, "theory 1"), (Opener.ALTERNATE, "theory 2.5–3")],
)
def test_the_price_in_theory_is_marked(opener: Opener, theory: str) -> None:
    screen = Screen(width=120, opener=opener, strategies=(None, "midpoint")).press("c", "4", "z")
    assert f"mean price, {theory}  " in pane(screen).text()
    assert "─ ─ ─ ─" in pane(screen).text()


@pytest.mark.parametrize("scenario", ["original", "legacy", "fine"])
def test_any_size(scenario: str) -> None:
    screen = Screen(scenario, ascii_only=True).press("c", "c", "4")
    for zoom in ("", "z"):
        screen.press(*zoom)
        for width in range(40, 220, 36):
            for height in (7, 12, 24, 60):
                assert (
                    "?"
                    not in screen.resize(width, height)
                    .frame()
                    .subcanvas(screen.model.area_of(LEARNING) or Rect(0, 0, 0, 0))
                    .text()
                )


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


def test_nash_conv_between_bounds_is_drawn_as_two_curves() -> None:
    screen = Screen("hidden", width=120, height=50).press("c", "c")
    snapshot = screen.model.snapshot
    between = tuple(each._replace(least=each.most / 2) for each in snapshot.reached)
    latest = replace(snapshot, reached=between, nash_convs=(), nash_conv=None)
    screen.model = replace(screen.model, latest=latest, chosen=LEARNING, zoomed=True)
    assert re.search(r"─ at most 0\.\d+ +┄ at least 0\.\d+", pane(screen).text())
