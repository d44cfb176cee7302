"""Figures hold what they are said to show, in the colours of the screen."""

import math
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui.api import figures
from negotiation_tui.tui.toolkit.svg import xterm
from tests.support.cli import message
from tests.support.modules import hide

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SELLER, BUYER = "#d70000", "#00875f"


@pytest.fixture(autouse=True)
def plt() -> Iterator[Any]:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    yield pyplot
    pyplot.close("all")


def to_hex(colour: Any) -> str:
    from matplotlib import colors

    return colors.to_hex(colour)


@pytest.mark.parametrize(
    ("number", "rgb"),
    [(16, "#000000"), (231, "#ffffff"), (160, SELLER), (202, "#ff5f00"), (255, "#eeeeee")],
)
def test_the_xterm_palette(number: int, rgb: str) -> None:
    assert xterm(number, "") == rgb


def line(ax: "Axes", label: str) -> tuple[list[float], list[float], str]:
    (found,) = (each for each in ax.lines if each.get_label() == label)
    x, y = (np.asarray(values, float).tolist() for values in found.get_data())
    return x, y, to_hex(found.get_color())


def test_a_negotiation() -> None:
    talk = nt.negotiate("legacy", "midpoint", "midpoint")
    ax = nt.figures.negotiation(talk)
    for role, colour in ((nt.Role.SELLER, SELLER), (nt.Role.BUYER, BUYER)):
        offers = [t for t in talk.turns if t.role is role and t.action < talk.scenario.accept]
        expected = [t.round + 1 for t in offers], [t.price for t in offers], colour
        assert line(ax, str(role)) == expected
    assert line(ax, "deal at 65") == ([talk.turns[-1].round + 1], [65], "#ffaf00")


def test_a_negotiation_without_a_deal_or_an_end() -> None:
    talk = nt.negotiate("legacy", "hardliner", "hardliner")
    labels = [str(each.get_label()) for each in nt.figures.negotiation(talk).lines]
    assert f"the {talk.outcome.closer} quits" in labels
    begun = nt.figures.negotiation(talk.first(1))
    assert line(begun, "seller")[1] == [100]
    assert line(begun, "buyer")[1] == []


@pytest.mark.parametrize(("role", "values"), [(0, "raw"), (1, "normalized"), (0, "relative")])
def test_a_q_table(role: int, values: str) -> None:
    trained = nt.train(seed=7)
    table, scenario = trained.q_tables[role], trained.scenario
    ax = nt.figures.q_table(trained, str(nt.Role(role)), values)
    states = [each.get_text() for each in ax.get_yticklabels()]
    assert states == [scenario.state_label(state) for state in range(27)]
    actions = ax.get_xticklabels()
    assert [each.get_text() for each in actions] == ["1", "2", "3", "4", "5", "acc", "rej"]
    assert to_hex(actions[0].get_color()) == (SELLER, BUYER)[role]
    cells = {each.get_position(): each for each in ax.texts}
    assert set(cells) == {(a, s) for s, a in zip(*np.nonzero(table), strict=True)}
    marked = {at for at, cell in cells.items() if cell.get_text().startswith("[")}
    best = (table == table.max(axis=1, keepdims=True)) & (table > 0)
    assert marked == {(a, s) for s, a in zip(*np.nonzero(best), strict=True)}


def test_a_large_q_table_has_no_numbers() -> None:
    ax = nt.figures.q_table(nt.train("legacy", cycles=1), "buyer")
    assert not ax.texts
    assert len(ax.get_yticks()) <= figures.LEGIBLE


def test_wallets_and_nash_conv_share_a_figure(plt: Any) -> None:
    trained = nt.train(seed=7, cycles=8, eval_every=2)
    figure, (left, right) = plt.subplots(1, 2)
    assert nt.figures.wallets(trained, left) is left
    assert nt.figures.nash_conv(trained, ax=right) is right
    gained = trained.statistics.wallets[:, nt.Role.SELLER].tolist()
    assert line(left, "seller") == (list(range(1, 9)), gained, SELLER)
    assert right.lines[0].get_xydata().tolist() == trained.evaluations.tolist()  # type: ignore[union-attr]
    figure.savefig("both.png")
    assert Path("both.png").stat().st_size > 1000


def test_nash_conv_needs_looks() -> None:
    assert "eval_every=1" in message(lambda: nt.figures.nash_conv(nt.train(cycles=1)))


def test_a_sweep() -> None:
    values: dict[str, list[float]] = {
        "cycles": [5],
        "learning_rate": [0.1, 1.0],
        "exploration_end": [0.5, 1.0],
    }
    rows = nt.run_sweep("original", values, runs=2)
    ax = nt.figures.sweep_cells(rows, "learning_rate", "exploration_end")
    shown = {text.get_position(): text.get_text() for text in ax.texts}
    first = [row["nash_conv"] for row in rows[:2]]
    assert (len(shown), shown[0, 0]) == (4, f"{sum(first) / 2:.2f}")
    counts = nt.endings(rows)
    place = "seller_coins_if_seller_opens", "seller_coins_if_buyer_opens"
    assert counts == Counter(tuple(math.floor(row[name] + 0.5) for name in place) for row in rows)
    drawn = nt.figures.sweep_endings(rows)
    assert sum(int(text.get_text()) for text in drawn.texts) == 8
    assert "known limits" in message(lambda: nt.figures.sweep_endings([]))
    assert "nash_conv" in message(lambda: nt.figures.sweep_cells(rows, "cycles", "seed", "nothing"))


def test_cells_without_a_value_are_blank() -> None:
    rows = [{"a": n, "b": n % 2, "player": "x", "nash_conv": [None, 0.25][n]} for n in (0, 1)]
    (shown,) = nt.figures.sweep_cells(rows, "a", "b").texts
    assert (shown.get_position(), shown.get_text()) == ((1, 1), "0.25")
    assert "nash_conv, got 'player'" in message(
        lambda: nt.figures.sweep_cells(rows, "a", "b", "player")
    )


def test_a_market() -> None:
    market = nt.run_market(costs=[1, 2], values=[5, 4], limit="steps=40", seed=1)
    ax = nt.figures.market(market)
    means = line(ax, "mean ± deviation")[1]
    expected = [row["mean_price"] for row in market.periods]
    known = [n for n, mean in enumerate(expected) if mean is not None]
    assert [means[n] for n in known] == [expected[n] for n in known]
    low, high = market.summary["competitive_price"]
    assert any(f"competitive price {low} to {high}" == p.get_label() for p in ax.patches)


def test_without_matplotlib_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hide("matplotlib", monkeypatch)
    trained = nt.train(cycles=1)
    for call in (nt.figures.q_table, nt.figures.wallets):
        assert 'matplotlib: pip install ".[plot]"' in message(partial(call, trained))
