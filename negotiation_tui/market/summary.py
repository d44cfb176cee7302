"""The results of a market: as values, as text, and as CSV rows per period."""

import csv
import os
from collections import Counter
from io import StringIO
from typing import Any

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.market import economics
from negotiation_tui.market.ledger import ALL_ROUNDS, DEAL_ROUNDS, NEGOTIATIONS, SURPLUS
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.runtime.files import atomic_write
from negotiation_tui.runtime.text import plural, table

_LAST = 0.1  # share of the time that is reported separately: learners explore little by then
_OF_LAST = "  of the last 10 %"
_SUMS = ("negotiations", "deals", "surplus")
_COLUMNS = ("", "agents", "negotiations", "deals", "gain", "gain per negotiation")
_PRICES = ("mean_price", "dispersion", "alpha")


def competitive_price(market: MarketSimulation) -> float:
    """Return the middle of the range of competitive prices."""
    return sum(market.setup.competitive) / 2


def periods(market: MarketSimulation) -> list[dict[str, Any]]:
    """Return one row per `market.period` ticks: deals, prices and surplus."""
    prices, competitive = market.scenario.prices, competitive_price(market)
    rows = []
    columns = zip(market.history, market.sold, market.possible_surplus.tolist(), strict=True)
    for number, (row, sold, possible) in enumerate(columns):
        end, deals = min((number + 1) * market.period, market.tick), int(sold.sum())
        rows.append(
            {
                "first_tick": number * market.period,
                "ticks": end - number * market.period,
                "negotiations": int(row[NEGOTIATIONS]),
                "deals": deals,
                "rounds": int(row[ALL_ROUNDS]),
                "deal_rounds": _mean(row[DEAL_ROUNDS], deals),
                "mean_price": economics.mean_price(prices, sold),
                "dispersion": economics.dispersion(prices, sold),
                "alpha": economics.convergence(prices, sold, competitive),
                "surplus": int(row[SURPLUS]),
                "efficiency": economics.efficiency(int(row[SURPLUS]), possible),
            }
        )
    return rows


def write_periods(path: str | os.PathLike[str], market: MarketSimulation) -> None:
    """Write the periods as CSV; raise BadInputError if the file cannot be written."""
    rows, text = periods(market), StringIO()
    writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic_write(path) as file:
        file.write(text.getvalue().encode())


def summary(market: MarketSimulation) -> dict[str, Any]:
    """Return the statistics of a market so far, as plain values."""
    history, deals = market.history.sum(0), int(market.sold.sum())
    negotiations, rows = int(history[NEGOTIATIONS]), len(market.history)
    last = _since(market, rows - max(1, int(rows * _LAST)))
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
        **_since(market, 0),
        **{f"last_{name}": value for name, value in last.items()},
        "bytes_per_agent": round(market.bytes_per_agent),
    }


def _since(market: MarketSimulation, row: int) -> dict[str, Any]:
    """Return the statistics of prices and surplus from a row of the history on."""
    row = max(0, row)
    prices, sold = market.scenario.prices, market.sold[row:].sum(0)
    surplus = int(market.history[row:, SURPLUS].sum())
    possible = int(market.possible_surplus[row:].sum())
    return {
        "mean_price": economics.mean_price(prices, sold),
        "dispersion": economics.dispersion(prices, sold),
        "alpha": economics.convergence(prices, sold, competitive_price(market)),
        "surplus": surplus,
        "possible_surplus": possible,
        "efficiency": economics.efficiency(surplus, possible),
    }


def _mean(total: int, n: int) -> float | None:
    return int(total) / n if n else None


def accounts(market: MarketSimulation) -> list[dict[str, Any]]:
    """Return one row per agent: deals, money (negative if paid) and surplus."""
    names = ("meetings", "deals", "money")
    columns = zip(*(market.account(name).tolist() for name in names), strict=True)
    rows = []
    for agent, (meetings, deals, money) in zip(market.agents, columns, strict=True):
        sign = 1 if agent.role is Role.SELLER else -1
        rows.append(
            {
                "name": agent.name,
                "role": str(agent.role),
                "strategy": agent.strategy,
                "team": agent.team,
                "reservation": agent.reservation,
                "negotiations": meetings,
                "deals": deals,
                "money": sign * money,
                "surplus": sign * (money - agent.reservation * deals),
            }
        )
    return rows


def kinds(market: MarketSimulation) -> list[dict[str, Any]]:
    """Return one row per role and strategy or learner: agents, deals and gain of all of them."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for each in accounts(market):
        key = each["role"], each["strategy"]
        row = rows.setdefault(key, dict(zip(("role", "strategy"), key, strict=True)))
        for name, value in {"agents": 1, **{name: each[name] for name in _SUMS}}.items():
            row[name] = row.get(name, 0) + value
    for row in rows.values():
        row["each"] = _mean(row["surplus"], row["negotiations"])
    return list(rows.values())


def wallets(market: MarketSimulation) -> list[dict[str, Any]]:
    """Return one row per wallet."""
    pairs = zip(market.setup.wallet_names, market.wallets.tolist(), strict=True)
    return [{"wallet": name, "money": money} for name, money in pairs]


def market_dict(market: MarketSimulation) -> dict[str, Any]:
    """Return the summary, and the rows of agents, wallets and periods."""
    rows = {"agents": accounts(market), "wallets": wallets(market), "periods": periods(market)}
    if not market.traders.plain:
        rows["kinds"] = kinds(market)
    return {**summary(market), **rows}


def text(market: MarketSimulation) -> str:
    """Return the summary as text."""
    results = summary(market)
    low, high = results["competitive_price"]
    counted = Counter((agent.role, agent.strategy) for agent in market.agents)
    who = ", ".join(
        f"{plural(count, str(role))} {_kind(strategy, count)}"
        for (role, strategy), count in sorted(counted.items())
    )
    counts = (plural(results[f"{unit}s"], unit) for unit in ("negotiation", "tick", "deal"))
    negotiations, ticks, deals = counts
    rounds, deal_rounds = _decimals(results["mean_rounds"]), _decimals(results["deal_rounds"])
    rows = [
        ("rounds", f"mean {rounds}, to a deal {deal_rounds}"),
        ("competitive price", f"{low}" + (f" to {high}" if high != low else "")),
        ("price", _prices(results)),
        (_OF_LAST, _prices(results, "last_")),
        ("surplus", _surplus(results)),
        (_OF_LAST, _surplus(results, "last_")),
    ]
    lines = [
        who,
        f"{negotiations} in {ticks}, {deals}",
        *table(rows, "<"),
        f"seed {market.seed}, {results['bytes_per_agent']:,} bytes per agent",
    ]
    if not market.traders.plain:
        lines += ["", *table([_COLUMNS, *map(_row, kinds(market))], "<")]
    teams = {agent.team for agent in market.agents if agent.team}
    lines += [
        f"team {row['wallet']}: {row['money']:,}"
        for row in wallets(market)
        if row["wallet"] in teams
    ]
    return "\n".join(lines)


def compared(market: MarketSimulation, other: MarketSimulation, name: str) -> str:
    """Compare the results with those of another market called `name`, as a table of text."""
    rows: list[tuple[str, ...]] = [("", "efficiency", "mean price", "deviation", "Smith's α")]
    for label, results in (("here", summary(market)), (name, summary(other))):
        for heading, prefix in ((label, ""), (_OF_LAST, "last_")):
            prices = (_decimals(results[prefix + key]) for key in _PRICES)
            rows.append((heading, _percent(results[f"{prefix}efficiency"]), *prices))
    return "\n".join(table(rows, "<"))


def _row(kind: dict[str, Any]) -> tuple[str, ...]:
    """Return a row of `kinds` as texts."""
    counts = (f"{kind[name]:,}" for name in ("agents", *_SUMS))
    who = f"{kind['role']}s, {kind['strategy'].removeprefix(PREFIX)}"
    return who, *counts, _decimals(kind["each"])


def _kind(strategy: str, count: int) -> str:
    if learns(strategy):
        way = "" if strategy == LEARNED else f" by {strategy.removeprefix(PREFIX)}"
        return ("who learns" if count == 1 else "who learn") + way
    return f"as {strategy}"


def _prices(results: dict[str, Any], prefix: str = "") -> str:
    mean, deviation, alpha = (_decimals(results[prefix + key]) for key in _PRICES)
    return f"mean {mean}, deviation {deviation}, Smith's α {alpha}"


def _surplus(results: dict[str, Any], prefix: str = "") -> str:
    surplus, possible = results[f"{prefix}surplus"], results[f"{prefix}possible_surplus"]
    share = _percent(results[f"{prefix}efficiency"])
    return f"{surplus:,} of {possible:,} possible, efficiency {share}"


def _decimals(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"


def _percent(value: float | None) -> str:
    return "none" if value is None else f"{100 * np.float64(value):.1f} %"
