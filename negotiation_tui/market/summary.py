"""The results of a market: as values, as text, and as CSV rows per period."""

import csv
import os
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.market import economics
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.market.tick_loop import ALL_ROUNDS, DEAL_ROUNDS, NEGOTIATIONS
from negotiation_tui.runtime.files import atomic_write
from negotiation_tui.runtime.text import plural, table

_LAST = 0.1  # share of the time that is reported separately: learners explore little by then
_OF_LAST = "  of the last 10%"
_SUMS = ("negotiations", "deals", "surplus")
_COLUMNS = ("", "agents", "negotiations", "deals", "gain", "gain per negotiation")
_PRICES = ("mean_price", "dispersion", "alpha")


def periods(market: MarketSimulation) -> list[dict[str, Any]]:
    rows = []
    sums = market.surplus.tolist(), market.possible_surplus.tolist()
    columns = zip(market.history, market.sold, *sums, strict=True)
    for number, (row, sold, surplus, possible) in enumerate(columns):
        first, deals = number * market.period, int(sold.sum())
        rows.append(
            {
                "first_tick": first,
                "ticks": min(first + market.period, market.tick) - first,
                "negotiations": int(row[NEGOTIATIONS]),
                "deals": deals,
                "rounds": int(row[ALL_ROUNDS]),
                "deal_rounds": _mean(row[DEAL_ROUNDS], deals),
                **_of_deals(market, sold),
                "surplus": surplus,
                "efficiency": economics.efficiency(surplus, possible),
            }
        )
    return rows


def _of_deals(market: MarketSimulation, sold: NDArray[np.int64]) -> dict[str, float | None]:
    prices, competitive = market.scenario.prices, sum(market.setup.competitive) / 2
    return {
        "mean_price": economics.mean_price(prices, sold),
        "dispersion": economics.dispersion(prices, sold),
        "alpha": economics.convergence(prices, sold, competitive),
    }


def write_periods(path: str | os.PathLike[str], market: MarketSimulation) -> None:
    """Write the periods as CSV; raise BadInputError if the file cannot be written."""
    rows, text = periods(market), StringIO()
    writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic_write(path) as file:
        file.write(text.getvalue().encode())


def summarize(market: MarketSimulation) -> dict[str, Any]:
    history, deals = market.history.sum(0), int(market.sold.sum())
    negotiations, (whole, last) = int(history[NEGOTIATIONS]), _whole_and_last(market)
    return {
        "sellers": len(market.side(Role.SELLER)),
        "buyers": len(market.side(Role.BUYER)),
        "seed": market.seed,
        "limit": str(market.limit),
        "ticks": market.tick,
        "negotiations": negotiations,
        "deals": deals,
        "mean_rounds": _mean(history[ALL_ROUNDS], negotiations),
        "deal_rounds": _mean(history[DEAL_ROUNDS], deals),
        "competitive_price": [*market.setup.competitive],
        **whole,
        **{f"last_{name}": value for name, value in last.items()},
        "bytes_per_agent": round(market.bytes_per_agent),
    }


def _whole_and_last(market: MarketSimulation) -> Iterator[dict[str, Any]]:
    """Yield the results of all the time, and of its last part."""
    rows = len(market.history)
    for row in (0, max(0, rows - max(1, int(rows * _LAST)))):
        surplus = market.surplus[row:].sum().item()
        possible = int(market.possible_surplus[row:].sum())
        yield {
            **_of_deals(market, market.sold[row:].sum(0)),
            "surplus": surplus,
            "possible_surplus": possible,
            "efficiency": economics.efficiency(surplus, possible),
        }


def _mean(total: float, n: int) -> float | None:
    return float(total) / n if n else None


def accounts(market: MarketSimulation) -> list[dict[str, Any]]:
    meetings, deals, money, lost = map(market.account, ("meetings", "deals", "money", "lost"))
    columns = meetings, deals, market.setup.signs * money, market.setup.surplus(money, deals, lost)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        {
            "name": agent.name,
            "role": str(agent.role),
            "strategy": agent.strategy,
            "team": agent.team,
            "reservation": agent.reservation,
            **dict(zip(("negotiations", "deals", "money", "surplus"), row, strict=True)),
        }
        for agent, row in zip(market.agents, rows, strict=True)
    ]


def kinds(market: MarketSimulation) -> list[dict[str, Any]]:
    """Return one row per role and strategy or learner: agents, deals and gain of all of them."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for each in accounts(market):
        key = each["role"], each["strategy"]
        empty = {"role": key[0], "strategy": key[1], **dict.fromkeys(("agents", *_SUMS), 0)}
        row = rows.setdefault(key, empty)
        for name in ("agents", *_SUMS):
            row[name] += each.get(name, 1)
    for row in rows.values():
        row["each"] = _mean(row["surplus"], row["negotiations"])
    return list(rows.values())


def wallets(market: MarketSimulation) -> list[dict[str, Any]]:
    pairs = zip(market.setup.wallet_names, market.wallets.tolist(), strict=True)
    return [{"wallet": name, "money": money} for name, money in pairs]


def market_dict(market: MarketSimulation) -> dict[str, Any]:
    rows = {"agents": accounts(market), "wallets": wallets(market), "periods": periods(market)}
    if not market.traders.plain:
        rows["kinds"] = kinds(market)
    return {**summarize(market), **rows}


def text(market: MarketSimulation) -> str:
    results, (whole, last) = summarize(market), _whole_and_last(market)
    low, high = results["competitive_price"]
    counted = Counter((agent.role, agent.strategy) for agent in market.agents)
    who = ", ".join(
        f"{plural(count, str(role))} {_kind(strategy, count)}"
        for (role, strategy), count in sorted(counted.items())
    )
    units = "negotiation", "tick", "deal"
    negotiations, ticks, deals = (plural(results[f"{unit}s"], unit) for unit in units)
    rounds, deal_rounds = _decimals(results["mean_rounds"]), _decimals(results["deal_rounds"])
    rows = [
        ("rounds", f"mean {rounds}, to a deal {deal_rounds}"),
        ("competitive price", f"{low}" + (f" to {high}" if high != low else "")),
        ("price", _prices(whole)),
        (_OF_LAST, _prices(last)),
        ("surplus", _surplus(whole)),
        (_OF_LAST, _surplus(last)),
    ]
    lines = [
        who,
        f"{negotiations} in {ticks}, {deals}{market.scenario.delta_text}",
        *table(rows, "<"),
        f"seed {market.seed}, {results['bytes_per_agent']:,} bytes per agent",
    ]
    if not market.traders.plain:
        lines += ["", *table([_COLUMNS, *map(_row, kinds(market))], "<")]
    teams = set(market.setup.teams)
    listed = [row for row in wallets(market) if row["wallet"] in teams]
    lines += [f"team {row['wallet']}: {row['money']:,}" for row in listed]
    return "\n".join(lines)


def compared(market: MarketSimulation, other: MarketSimulation, name: str) -> str:
    """Compare the results with those of another market called `name`, as a table of text."""
    rows: list[tuple[str, ...]] = [("", "efficiency", "mean price", "deviation", "Smith's α")]
    for label, each in (("here", market), (name, other)):
        for heading, results in zip((label, _OF_LAST), _whole_and_last(each), strict=True):
            prices = (_decimals(results[key]) for key in _PRICES)
            rows.append((heading, _percent(results["efficiency"]), *prices))
    lines = table(rows, "<")
    if market.limit.steps:
        lines += [
            "each round and each negotiation without a deal takes time and so costs efficiency"
        ]
    return "\n".join(lines)


def _row(kind: dict[str, Any]) -> tuple[str, ...]:
    counts = (_amount(kind[name]) for name in ("agents", *_SUMS))
    who = f"{kind['role']}s, {kind['strategy'].removeprefix(PREFIX)}"
    return who, *counts, _decimals(kind["each"])


def _kind(strategy: str, count: int) -> str:
    if learns(strategy):
        way = "" if strategy == LEARNED else f" by {strategy.removeprefix(PREFIX)}"
        return ("who learns" if count == 1 else "who learn") + way
    return f"as {strategy}"


def _prices(results: dict[str, Any]) -> str:
    mean, deviation, alpha = (_decimals(results[key]) for key in _PRICES)
    return f"mean {mean}, deviation {deviation}, Smith's α {alpha}"


def _surplus(results: dict[str, Any]) -> str:
    surplus, possible = results["surplus"], results["possible_surplus"]
    share = _percent(results["efficiency"])
    return f"{_amount(surplus)} of {possible:,} possible, efficiency {share}"


def _amount(value: float) -> str:
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def _decimals(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"


def _percent(value: float | None) -> str:
    return "none" if value is None else f"{100 * np.float64(value):.1f}%"
