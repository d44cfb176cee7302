"""What came of a market: as values, as text, and as rows of periods."""

import csv
import os
from collections import Counter
from io import StringIO
from typing import Any

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.market import economics
from negotiation_tui.market.ledger import ALL_ROUNDS, DEAL_ROUNDS, NEGOTIATIONS, SURPLUS
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.files import atomic_write
from negotiation_tui.runtime.text import plural, table

_LAST = 0.1  # the share of the market's time that is told apart: by then learners explore less
_OF_LAST = "  of the last 10 %"
_PRICES = ("mean_price", "dispersion", "alpha")


def competitive_price(room: MarketSimulation) -> float:
    """The middle of the range of competitive prices."""
    return sum(economics.competitive_range(*room.reservations)) / 2


def periods(room: MarketSimulation) -> list[dict[str, Any]]:
    """A row for each stretch of `room.period` ticks: what was sold, at what prices."""
    prices, competitive = room.scenario.prices, competitive_price(room)
    rows = []
    each = zip(room.history, room.sold, room.possible_surplus.tolist(), strict=True)
    for number, (row, sold, possible) in enumerate(each):
        end, deals = min((number + 1) * room.period, room.tick), int(sold.sum())
        rows.append(
            {
                "first_tick": number * room.period,
                "ticks": end - number * room.period,
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


def write_periods(path: str | os.PathLike[str], room: MarketSimulation) -> None:
    """Write the periods as CSV; BadInputError where that cannot be done."""
    rows, text = periods(room), StringIO()
    writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic_write(path) as file:
        file.write(text.getvalue().encode())


def summary(room: MarketSimulation) -> dict[str, Any]:
    """What came of a market so far, as plain values; money is whole units of the prices."""
    history, deals = room.history.sum(0), int(room.sold.sum())
    negotiations, rows = int(history[NEGOTIATIONS]), len(room.history)
    last = _from(room, rows - max(1, int(rows * _LAST)))
    return {
        "sellers": len(room.side(Role.SELLER)),
        "buyers": len(room.side(Role.BUYER)),
        "seed": room.seed,
        "limit": str(room.limit),
        "ticks": room.tick,
        "negotiations": negotiations,
        "deals": deals,
        "mean_rounds": _mean(history[ALL_ROUNDS], negotiations),
        "deal_rounds": _mean(history[DEAL_ROUNDS], deals),
        "competitive_price": [*economics.competitive_range(*room.reservations)],
        **_from(room, 0),
        **{f"last_{name}": value for name, value in last.items()},
        "bytes_per_agent": round(room.bytes_per_agent),
    }


def _from(room: MarketSimulation, row: int) -> dict[str, Any]:
    """Prices and surplus from a row of the history on."""
    row = max(0, row)
    prices, sold = room.scenario.prices, room.sold[row:].sum(0)
    surplus = int(room.history[row:, SURPLUS].sum())
    possible = int(room.possible_surplus[row:].sum())
    return {
        "mean_price": economics.mean_price(prices, sold),
        "dispersion": economics.dispersion(prices, sold),
        "alpha": economics.convergence(prices, sold, competitive_price(room)),
        "surplus": surplus,
        "possible_surplus": possible,
        "efficiency": economics.efficiency(surplus, possible),
    }


def _mean(total: int, n: int) -> float | None:
    return int(total) / n if n else None


def accounts(room: MarketSimulation) -> list[dict[str, Any]]:
    """A row for each agent: its deals, the money it received or paid, and its surplus."""
    names = ("meetings", "deals", "money")
    columns = zip(*(room.account(name).tolist() for name in names), strict=True)
    rows = []
    for agent, (meetings, deals, money) in zip(room.agents, columns, strict=True):
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


def wallets(room: MarketSimulation) -> list[dict[str, Any]]:
    """A row for each wallet."""
    held = room.wallets.tolist()
    return [
        {"wallet": name, "money": money}
        for name, money in zip(room.wallet_names, held, strict=True)
    ]


def market_dict(room: MarketSimulation) -> dict[str, Any]:
    """The summary, and the rows of agents, wallets and periods."""
    rows = {"agents": accounts(room), "wallets": wallets(room), "periods": periods(room)}
    return {**summary(room), **rows}


def text(room: MarketSimulation) -> str:
    """The summary for a reader."""
    found = summary(room)
    low, high = found["competitive_price"]
    kinds = Counter((agent.role, agent.strategy) for agent in room.agents)
    who = ", ".join(
        f"{plural(count, str(role))} {_as_what(strategy, count)}"
        for (role, strategy), count in sorted(kinds.items())
    )

    met, ticks, deals = (plural(found[f"{of}s"], of) for of in ("negotiation", "tick", "deal"))
    rounds, to_a_deal = _shown(found["mean_rounds"]), _shown(found["deal_rounds"])
    rows = [
        ("rounds", f"mean {rounds}, to a deal {to_a_deal}"),
        ("competitive price", f"{low}" + (f" to {high}" if high != low else "")),
        ("price", _prices(found)),
        (_OF_LAST, _prices(found, "last_")),
        ("surplus", _surplus(found)),
        (_OF_LAST, _surplus(found, "last_")),
    ]
    lines = [
        who,
        f"{met} in {ticks}, {deals}",
        *table(rows, "<"),
        f"seed {room.seed}, {found['bytes_per_agent']:,} bytes an agent",
    ]
    teams = {agent.team for agent in room.agents if agent.team}
    lines += [
        f"team {name}: {money:,}"
        for name, money in zip(room.wallet_names, room.wallets.tolist(), strict=True)
        if name in teams
    ]
    return "\n".join(lines)


def compared(room: MarketSimulation, other: MarketSimulation, name: str) -> str:
    """How a market went beside another of the same prices and agents who do not learn."""
    here, there = summary(room), summary(other)
    rows: list[tuple[str, ...]] = [("", "efficiency", "mean price", "deviation", "Smith's α")]
    for label, found in (("here", here), (name, there)):
        for said, which in ((label, ""), (_OF_LAST, "last_")):
            prices = (_shown(found[which + each]) for each in _PRICES)
            rows.append((said, _percent(found[f"{which}efficiency"]), *prices))
    return "\n".join(table(rows, "<"))


def _as_what(strategy: str, count: int) -> str:
    if strategy == LEARNED:
        return "who learns" if count == 1 else "who learn"
    return f"as {strategy}"


def _prices(found: dict[str, Any], which: str = "") -> str:
    mean, spread, alpha = (_shown(found[which + name]) for name in _PRICES)
    return f"mean {mean}, deviation {spread}, Smith's α {alpha}"


def _surplus(found: dict[str, Any], which: str = "") -> str:
    had, possible = found[f"{which}surplus"], found[f"{which}possible_surplus"]
    share = _percent(found[f"{which}efficiency"])
    return f"{had:,} of {possible:,} possible, efficiency {share}"


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"


def _percent(value: float | None) -> str:
    return "none" if value is None else f"{100 * np.float64(value):.1f} %"
