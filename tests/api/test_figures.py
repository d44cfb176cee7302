"""Figures hold what they are said to show, in the colours of the screen."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui.api import figures
from negotiation_tui.tui.toolkit.svg import xterm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")
to_hex = pytest.importorskip("matplotlib.colors").to_hex

SELLER, BUYER = "#d75f5f", "#00af5f"


@pytest.mark.parametrize(
    ("number", "rgb"),
    [(16, "#000000"), (231, "#ffffff"), (167, SELLER), (35, BUYER), (202, "#ff5f00"),
     (53, "#5f005f"), (220, "#ffd700"), (232, "#080808"), (255, "#eeeeee")],
)  # fmt: skip
def test_the_xterm_palette(number: int, rgb: str) -> None:
    assert xterm(number, "") == rgb


def test_what_is_offered_is_figures_alone() -> None:
    """A notebook's Tab shows these, and not what they are made with."""
    assert dir(nt.figures) == ["market", "nash_conv", "negotiation", "q_table", "wallets"]


def line(ax: "Axes", label: str) -> tuple[list[float], list[float], str]:
    """The places and the colour of the line with this label."""
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
    assert line(ax, "deal at 65") == ([talk.turns[-1].round + 1], [65], "#ff5f00")
    plt.close("all")


def test_a_negotiation_without_a_deal_or_an_end() -> None:
    talk = nt.negotiate("legacy", "hardliner", "hardliner")
    labels = [str(each.get_label()) for each in nt.figures.negotiation(talk).lines]
    assert f"the {talk.outcome.closer} quits" in labels
    begun = nt.figures.negotiation(talk.first(1))
    assert line(begun, "seller")[1] == [100]
    assert line(begun, "buyer")[1] == []
    plt.close("all")


@pytest.mark.parametrize("values", ["raw", "normalized", "relative"])
@pytest.mark.parametrize("role", nt.Role)
def test_a_q_table(role: nt.Role, values: str) -> None:
    trained = nt.train(seed=7)
    table, scenario = trained.q_tables[role], trained.scenario
    ax = nt.figures.q_table(trained, str(role), values)
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
    plt.close("all")


def test_a_large_q_table_has_no_numbers() -> None:
    ax = nt.figures.q_table(nt.train("legacy", cycles=1), "buyer")
    assert not ax.texts
    assert len(ax.get_yticks()) <= figures.LEGIBLE
    plt.close("all")


def test_wallets_and_nash_conv_share_a_figure() -> None:
    trained = nt.train(seed=7, cycles=8, eval_every=2)
    figure, (left, right) = plt.subplots(1, 2)
    assert nt.figures.wallets(trained, left) is left
    assert nt.figures.nash_conv(trained, ax=right) is right
    gained = trained.statistics.wallets[:, nt.Role.SELLER].tolist()
    assert line(left, "seller") == (list(range(1, 9)), gained, SELLER)
    assert right.lines[0].get_xydata().tolist() == trained.evaluations.tolist()  # type: ignore[union-attr]
    figure.savefig("both.png")
    assert Path("both.png").stat().st_size > 1000
    plt.close("all")


def test_nash_conv_needs_looks() -> None:
    with pytest.raises(nt.BadInputError, match="eval_every=1"):
        nt.figures.nash_conv(nt.train(cycles=1))


def test_a_market() -> None:
    market = nt.run_market(costs=[1, 2], values=[5, 4], limit="steps=40", seed=1)
    ax = nt.figures.market(market)
    means = line(ax, "mean ± deviation")[1]
    expected = [row["mean_price"] for row in market.periods]
    known = [n for n, mean in enumerate(expected) if mean is not None]
    assert [means[n] for n in known] == [expected[n] for n in known]
    low, high = market.summary["competitive_price"]
    assert any(f"competitive price {low} to {high}" == p.get_label() for p in ax.patches)
    plt.close("all")


def test_without_matplotlib_one_line_says_how_to_get_it() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import negotiation_tui as nt\n"
        "calls = (nt.figures.q_table, nt.figures.wallets)\n"
        "trained = nt.train(cycles=1)\n"
        "for call in calls:\n"
        "    try: call(trained)\n"
        "    except nt.BadInputError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        done.stdout.splitlines()
        == ["figures need matplotlib: pip install 'negotiation-tui[plot]'"] * 2
    )
