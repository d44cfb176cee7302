"""The ranking of agents and teams by a column. Pure."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.learner_registry import name_of
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.market.setup import MarketSetup
from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.runtime.arrays import Ints

ORDERS = ("surplus", "each", "money", "deals", "met", "name")  # greatest first, or by name
FILTERS = ("all", "sellers", "buyers", "learners", "static", "teams")


@lru_cache(maxsize=4)
def values(snapshot: MarketSnapshot) -> dict[str, NDArray[Any]]:
    """Return the columns of numbers by name; entries are the agents by number, then the teams.

    `money` is received by a seller, paid by a buyer (negative), or in the wallet of a team. `met`
    are negotiations, `each` is the surplus per negotiation, NaN before the first.
    """
    setup = snapshot.setup
    rows = (snapshot.gains, setup.signs * snapshot.money, snapshot.deals, snapshot.meetings)
    surplus, money, deals, met = (
        np.concatenate([row, setup.by_wallet(row)[_wallets_of_teams(setup)]]) for row in rows
    )
    each = np.where(met > 0, surplus / np.maximum(1, met), np.nan)
    return {"surplus": surplus, "money": money, "deals": deals, "met": met, "each": each}


@lru_cache(maxsize=4)
def ranking(snapshot: MarketSnapshot, column: str, group: str, search: str) -> Ints:
    """Return the entries of a group (one of FILTERS) that match a search, the best first."""
    entries = _entries(snapshot.setup, group, search)
    if column == "name":
        return entries
    key = np.asarray(values(snapshot)[column], np.float64)[entries]
    return entries[np.argsort(np.where(np.isnan(key), np.inf, -key), kind="stable")]


def filters(setup: MarketSetup) -> tuple[str, ...]:
    return tuple(group for group in FILTERS if len(_entries(setup, group, "")))


def best_member(snapshot: MarketSnapshot, team: int) -> int:
    setup = snapshot.setup
    members = np.flatnonzero(setup.wallet_index == _wallets_of_teams(setup)[team])
    return int(members[np.argmax(snapshot.gains[members])])


@lru_cache(maxsize=32)
def _entries(setup: MarketSetup, group: str, search: str) -> Ints:
    agents, n = setup.agents, len(setup.agents)
    entries = np.arange(n + len(setup.teams))
    match group:
        case "teams":
            entries = entries[n:]
        case "sellers" | "buyers":
            entries = entries[:n][setup.of_role(Role(group == "buyers"))]
        case "learners" | "static":
            who_learns = np.array([learns(agent.strategy) for agent in agents])
            entries = np.flatnonzero(who_learns == (group == "learners"))
    if search:
        matches = np.array([search.casefold() in text for text in _search_texts(setup)])
        entries = entries[matches[entries]]
    return entries


@lru_cache(maxsize=2)
def longest_names(setup: MarketSetup) -> tuple[int, int]:
    lengths = [len(agent.name) for agent in setup.agents]
    return max(lengths[: setup.sellers]), max(lengths[setup.sellers :])


@lru_cache(maxsize=2)
def longest_learner(setup: MarketSetup) -> int:
    """Return the length of the longest name of a learner, 0 if all are plain Q-learners."""
    specs = {agent.strategy for agent in setup.agents} - {LEARNED}
    return max((len(name_of(spec)) for spec in specs if learns(spec)), default=0)


@lru_cache(maxsize=2)
def _search_texts(setup: MarketSetup) -> list[str]:
    agents = (f"{agent.name} {agent.strategy} {agent.team or ''}" for agent in setup.agents)
    return [text.casefold() for text in (*agents, *setup.teams)]


@lru_cache(maxsize=2)
def _wallets_of_teams(setup: MarketSetup) -> Ints:
    numbers = {name: number for number, name in enumerate(setup.wallet_names)}
    return np.array([numbers[team] for team in setup.teams], np.int64)
