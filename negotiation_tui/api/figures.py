"""Figures by matplotlib (extra `plot`) in the colours of the screen, in `ax` or a new figure."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.api.experiments import endings
from negotiation_tui.api.markets import Market
from negotiation_tui.api.negotiations import Trained
from negotiation_tui.contest.contest import mean
from negotiation_tui.errors import BadInputError, how_to_install
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.checkpoint import TrainedTables
from negotiation_tui.learning.q_table import Values, by_limit, limit_words
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.validate import one_of
from negotiation_tui.tui.toolkit.svg import xterm
from negotiation_tui.tui.toolkit.theme import LEVELS, heat, styles_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "market",
    "nash_conv",
    "negotiation",
    "q_table",
    "sweep_cells",
    "sweep_endings",
    "wallets",
]
LEGIBLE = 60  # most rows and columns of a Q-table that is drawn with all numbers and labels


def colour(style: str) -> str:
    return xterm(styles_of("light")[style][256].foreground, "black")


def background(style: str) -> str:
    return xterm(styles_of("light")[style][256].background, "white")


def negotiation(transcript: Transcript, ax: "Axes | None" = None) -> "Axes":
    """Draw the offers of a negotiation by round, and its deal or breakdown.

    The zone of possible agreement is shaded; bars at the edges show each role's acceptable prices.
    """
    if not transcript.turns:
        raise BadInputError("negotiation: expected one of at least one turn, got none")
    ax = _axes(ax)
    scenario = transcript.scenario
    if scenario.zopa is not None:
        ax.axhspan(*scenario.zopa, color=colour("faint"), alpha=0.15, lw=0, label="ZOPA")
    for role in Role:
        offers = [
            (turn.round + 1, turn.price)
            for turn in transcript.turns
            if turn.role is role and turn.price is not None and turn.action < scenario.accept
        ]
        ax.plot(*np.array(offers).reshape(-1, 2).T, "o-", color=colour(str(role)), label=f"{role}")
        # Their acceptable prices, along the left edge for the seller and the right for the buyer.
        limits, edge = scenario.acceptable_range(role), 0.0 if role is Role.SELLER else 1.0
        ends = max(limits.minimum, scenario.prices[0]), min(limits.maximum, scenario.prices[-1])
        shade: dict[str, Any] = {"color": colour(f"{role}-range"), "alpha": 0.3, "linewidth": 8}
        ax.plot([edge, edge], ends, transform=ax.get_yaxis_transform(), **shade)
    last = transcript.turns[-1]
    if transcript.over and last.price is not None:
        end: dict[str, Any] = {"color": background("deal"), "markeredgecolor": colour("deal")}
        deal = f"deal at {last.price}"
        ax.plot(last.round + 1, last.price, "*", **end, markersize=18, zorder=3, label=deal)
    elif transcript.over:
        end = {"color": colour("no-deal"), "label": f"the {last.role} quits"}
        price = float(transcript.turns[-2].price or 0)
        ax.plot(last.round + 1, price, "x", **end, markersize=12, markeredgewidth=3)
    ax.set(title=f"{scenario.name}, the {transcript.opener} opens", xlabel="round", ylabel="price")
    ax.set_ylim(scenario.prices[0] - 0.5, scenario.prices[-1] + 0.5)
    ax.locator_params(axis="x", integer=True)
    ax.legend()
    return ax


def q_table(
    tables: TrainedTables,
    role: Role | str = Role.SELLER,
    values: Values | str = Values.RAW,
    ax: "Axes | None" = None,
    limit: int | None = None,
) -> "Axes":
    """Draw a Q-table as a heat map: a row per state, a column per action.

    The best action of each row is in brackets; a value of 0 (not trained) is left blank. `values`
    are `raw`, each row divided by its sum (`normalized`) or by its best (`relative`). Of a role
    with hidden limits it is the table of `limit`, by default the lowest.
    """
    role, scenario = Role.of(role), tables.scenario
    kind = Values(one_of("values", values, tuple(Values)))
    k = 0 if limit is None else scenario.find_limit(role, limit)
    words, table = limit_words(scenario, role)[k], by_limit(scenario, role, tables.rows(role))[k]
    shown = kind.of(table)
    top = max(float(shown.max()), 1e-300)
    rows, columns = table.shape
    small = rows <= LEGIBLE and columns <= LEGIBLE
    size = (2 + 0.55 * columns, 1.5 + 0.22 * rows) if small else (8.0, 10.0)
    ax = _axes(ax, size)
    image = _image(np.ma.masked_equal(shown, 0), ax, vmin=0, vmax=top)
    ax.figure.colorbar(image, ax=ax, label="value" if kind is Values.RAW else kind.words)
    if small:
        _write_values(ax, shown, top)
    names = {scenario.accept: "acc", scenario.walk_away: "rej"}
    labels = [names.get(a) or scenario.action_label(a) for a in range(columns)]
    across, down = _ticks(columns, LEGIBLE if small else 20), _ticks(rows, LEGIBLE)
    ax.set_xticks(across, [labels[a] for a in across], color=colour(str(role)))
    ax.set_yticks(down, [scenario.state_label(state) for state in down])
    ax.xaxis.tick_top()
    ax.set(title=f"{role}'s Q-table{words}", ylabel="state")
    return ax


def wallets(tables: TrainedTables, ax: "Axes | None" = None) -> "Axes":
    """Draw the gain of each wallet per cycle."""
    ax, statistics = _axes(ax), tables.statistics
    for role in Role:
        gains = statistics.wallets[:, role]
        ax.plot(statistics.cycles, gains, color=colour(str(role)), label=f"{role}")
    ax.set(title="Wallets", xlabel="cycle", ylabel=f"gained in {cycles_of_row(statistics)}")
    ax.legend()
    return ax


def cycles_of_row(statistics: CycleStatistics) -> str:
    """Name the cycles whose sum is one value of a curve."""
    return "the cycle" if statistics.period == 1 else f"{statistics.period} cycles"


def nash_conv(trained: Trained, ax: "Axes | None" = None) -> "Axes":
    """Draw NashConv over the training cycles; needs a training with `eval_every`."""
    if not len(trained.evaluations):
        raise BadInputError("no NashConv was recorded during training; train with eval_every=1")
    ax = _axes(ax)
    ax.plot(*trained.evaluations.T, color=colour("no-deal"))
    ax.set(title="Distance from equilibrium", xlabel="cycle", ylabel="NashConv", ylim=(0, None))
    return ax


def market(market: Market, ax: "Axes | None" = None) -> "Axes":
    """Draw the deals' prices over the ticks, mean and deviation, and the competitive price."""
    ax = _axes(ax)
    rows = market.periods
    ticks = np.array([row["first_tick"] + row["ticks"] / 2 for row in rows])
    mean, deviation = (
        np.array([row[name] for row in rows], np.float64) for name in ("mean_price", "dispersion")
    )
    low, high = market.simulation.setup.competitive
    price = f"{low}" if low == high else f"{low} to {high}"
    orange = colour("no-deal")
    ax.axhspan(low, high, lw=1.5, color=orange, alpha=0.5, label=f"competitive price {price}")
    shade = colour("focus")
    ax.fill_between(ticks, mean - deviation, mean + deviation, color=shade, alpha=0.25, lw=0)
    ax.plot(ticks, mean, color=shade, label="mean ± deviation")
    prices = market.simulation.scenario.prices
    ax.set(title="Prices in the market", xlabel="tick", ylabel="price")
    ax.set_ylim(prices[0] - 0.5, prices[-1] + 0.5)
    ax.legend()
    return ax


def sweep_cells(
    rows: Sequence[ResultRow],
    down: str,
    across: str,
    value: str = "nash_conv",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the means of a column of a sweep's rows, by two of its settings, as a heat map."""
    columns = tuple(rows[0]) if rows else ()
    for name in (down, across):
        one_of("column", name, columns)
    one_of("column", value, tuple(n for n in columns if not isinstance(rows[0][n], str)))
    names = [[*dict.fromkeys(row[side] for row in rows)] for side in (down, across)]
    known: dict[tuple[Any, Any], list[float]] = {}
    for row in rows:
        if row[value] is not None:
            known.setdefault((row[down], row[across]), []).append(row[value])
    means = [[mean(known.get((one, other), ())) for other in names[1]] for one in names[0]]
    shown = np.array(means, np.float64)
    ax = _heat(shown, names, ".2f", ax)
    ax.set(title=f"{value}, means over seeds", xlabel=across, ylabel=down)
    return ax


def sweep_endings(rows: Iterable[ResultRow], ax: "Axes | None" = None) -> "Axes":
    """Draw the number of runs of a sweep by the seller's coins, if either role opens."""
    counts = endings(rows)
    if not counts:
        raise BadInputError("rows: expected a run with tables and known limits, got none")
    names = [[*range(min(some), max(some) + 1)] for some in zip(*counts, strict=True)]
    shown = np.array([[counts[one, other] for other in names[1]] for one in names[0]], np.float64)
    ax = _heat(shown, names, ".0f", ax)
    opens = "if the {} opens, the seller gets"
    ax.set(title=f"where {counts.total():,} runs end", xlabel=opens.format(Role.BUYER))
    ax.set_ylabel(opens.format(Role.SELLER))
    return ax


def _heat(
    shown: NDArray[np.float64], names: Sequence[Sequence[object]], form: str, ax: "Axes | None"
) -> "Axes":
    """Draw a table of numbers on the colours of the screen."""
    ax = _axes(ax)
    known = np.ma.masked_invalid(shown)
    shares = np.ma.filled(_image(known, ax).norm(known), 0.0)
    for row, column in np.argwhere(~np.ma.getmaskarray(known)).tolist():
        style: dict[str, Any] = {"color": colour(heat(shares[row, column]))}
        text = format(shown[row, column], form)
        ax.text(column, row, text, **style, ha="center", va="center")
    ax.set_yticks(range(len(names[0])), [*map(str, names[0])])
    ax.set_xticks(range(len(names[1])), [*map(str, names[1])])
    return ax


def _image(shown: NDArray[np.float64], ax: "Axes", **ends: Any) -> Any:
    from matplotlib.colors import ListedColormap

    shades = ListedColormap([background(f"heat{level}") for level in range(LEVELS)])
    return ax.imshow(shown, cmap=shades, aspect="auto", interpolation="none", **ends)


def _write_values(ax: "Axes", shown: NDArray[np.float64], top: float) -> None:
    for state, row in enumerate(shown):
        for action, value in enumerate(row.tolist()):
            if value:
                best = value == row.max() > 0
                style: dict[str, Any] = {
                    "color": colour(heat(value / top)),
                    "weight": "bold" if best else "normal",
                }
                text = f"[{value:.2f}]" if best else f"{value:.2f}"
                ax.text(action, state, text, **style, fontsize=8, ha="center", va="center")


def _axes(ax: "Axes | None", size: tuple[float, float] | None = None) -> "Axes":
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise BadInputError(f"figures need matplotlib: {how_to_install('plot')}") from None
    return plt.subplots(figsize=size, layout="constrained")[1]


def _ticks(number: int, most: int) -> range:
    return range(0, number, -(-number // most))


def __dir__() -> list[str]:
    return __all__
