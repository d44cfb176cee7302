"""Who does best in a market: agents and teams in the order of a column. Pure."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.market.scene import MarketSetup, MarketSnapshot
from negotiation_tui.players.spec import LEARNED

COLUMNS = ("surplus", "each", "money", "deals", "met", "name")
"""What a ranking can be sorted by; the greatest comes first, names in their order."""
FILTERS = ("all", "sellers", "buyers", "learners", "static", "teams")

Ints = NDArray[np.int64]


class Values(NamedTuple):
    """A number for every entry: agents by their numbers, after them the teams."""

    surplus: Ints
    """What deals brought beyond reservation prices."""
    money: Ints
    """What a seller received, a buyer paid (negative), a team has in its wallet."""
    deals: Ints
    met: Ints
    """Negotiations, with a deal or without."""

    each: NDArray[np.float64]
    """Surplus per negotiation; NaN before the first."""


@lru_cache(maxsize=4)
def values(scene: MarketSnapshot) -> Values:
    """How every entry stands."""
    cast = scene.setup
    money = scene.money.copy()
    money[cast.of_role(Role.BUYER)] *= -1
    wallets = _wallets_of_teams(cast)
    rows = (scene.gains, money, scene.deals, scene.met)
    n = len(scene.wallets)
    sums = [_sums(cast.wallet_index, row, n)[wallets] for row in rows]
    surplus, money, deals, met = (
        np.concatenate([row, team]) for row, team in zip(rows, sums, strict=True)
    )
    each = np.where(met > 0, surplus / np.maximum(1, met), np.nan)
    return Values(surplus, money, deals, met, each)


@lru_cache(maxsize=4)
def ranking(scene: MarketSnapshot, column: str, which: str, letters: str) -> Ints:
    """The entries that a filter and letters of a name let through, the best first."""
    entries = _entries(scene.setup, which, letters)
    if column == "name":
        return entries
    found = values(scene)
    key = np.asarray(getattr(found, column), np.float64)[entries]
    return entries[np.argsort(np.where(np.isnan(key), np.inf, -key), kind="stable")]


def filters(cast: MarketSetup) -> tuple[str, ...]:
    """The filters that let somebody through."""
    return tuple(which for which in FILTERS if len(_entries(cast, which, "")))


def best_member(scene: MarketSnapshot, team: int) -> int:
    """The agent of a team (by its place among the teams) with the greatest surplus."""
    cast = scene.setup
    members = np.flatnonzero(cast.wallet_index == _wallets_of_teams(cast)[team])
    return int(members[np.argmax(scene.gains[members])])


@lru_cache(maxsize=32)
def _entries(cast: MarketSetup, which: str, letters: str) -> Ints:
    n = len(cast.agents)
    if which == "teams":
        found = np.arange(n, n + len(cast.teams))
    elif which in {"sellers", "buyers"}:
        role = Role.SELLER if which == "sellers" else Role.BUYER
        found = np.arange(n)[cast.of_role(role)]
    elif which in {"learners", "static"}:
        learns = np.array([agent.strategy == LEARNED for agent in cast.agents])
        found = np.flatnonzero(learns == (which == "learners"))
    else:
        found = np.arange(n + len(cast.teams))
    if letters:
        wanted = letters.casefold()
        names = [wanted in words for words in _names(cast)]
        found = found[np.array(names)[found]]
    return found


@lru_cache(maxsize=2)
def longest_names(cast: MarketSetup) -> tuple[int, int]:
    """How many letters the longest name of a seller has, and of a buyer."""
    lengths = [len(agent.name) for agent in cast.agents]
    return max(lengths[: cast.sellers]), max(lengths[cast.sellers :])


@lru_cache(maxsize=2)
def _names(cast: MarketSetup) -> list[str]:
    """What a search looks through, an entry each: name, strategy and team."""
    agents = (f"{agent.name} {agent.strategy} {agent.team or ''}" for agent in cast.agents)
    return [words.casefold() for words in (*agents, *cast.teams)]


@lru_cache(maxsize=2)
def _wallets_of_teams(cast: MarketSetup) -> Ints:
    places = {agent.team: cast.wallet_index[n] for n, agent in enumerate(cast.agents) if agent.team}
    return np.array([places[team] for team in cast.teams], np.int64)


def _sums(wallet_index: Ints, row: Ints, n: int) -> Ints:
    sums = np.zeros(n, np.int64)
    np.add.at(sums, wallet_index, row)
    return sums
