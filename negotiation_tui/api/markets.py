"""More than two agents, for notebooks and scripts: markets and tournaments.

As in `two_agents` everything asks the modules that do the work, as the command line does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Self

import numpy as np

from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.market import summary
from negotiation_tui.market.agents import (
    LEARNING,
    USUAL_COUNT,
    Distribution,
    parse_distribution,
    source,
    two_populations,
    with_teams,
)
from negotiation_tui.market.checkpoint import load_simulation, save_simulation
from negotiation_tui.market.headless import trade
from negotiation_tui.market.limit import USUAL, Limit
from negotiation_tui.market.roster import from_file
from negotiation_tui.market.simulation import MarketSimulation, population_generator
from negotiation_tui.players.resolve import seated, strategy_from_spec
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.text import plural
from negotiation_tui.runtime.validate import integer, one_of, refusal
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import spec_of


@dataclass(frozen=True, eq=False, slots=True)
class Market:
    """Sellers and buyers after they traded.

    `simulation` has the arrays: `history` and `sold` with a row for every `period` ticks, `wallets`,
    `account("deals")` and so on with an entry an agent of `agents`.
    """

    simulation: MarketSimulation

    @classmethod
    def load(cls, path: str | PathLike[str], limit: Limit | None = None) -> Self:
        """A market that `save` or `market --save` wrote, up to its limit or a further one.

        Raises BadInputError where it is none.
        """
        return cls(load_simulation(path, limit))

    def save(self, path: str | PathLike[str]) -> None:
        """Write it as `.npz`, to go on later; BadInputError where that cannot be done."""
        save_simulation(path, self.simulation)

    def run(self) -> Self:
        """Go on to the limit; Ctrl-C breaks off between two ticks and loses nothing."""
        trade(self.simulation)
        return self

    @property
    def periods(self) -> list[dict[str, Any]]:
        """A row for each stretch of ticks: deals, prices, surplus, efficiency."""
        return summary.periods(self.simulation)

    @property
    def accounts(self) -> list[dict[str, Any]]:
        """A row for each agent: its deals, the money it received or paid, its surplus."""
        return summary.accounts(self.simulation)

    @property
    def wallets(self) -> list[dict[str, Any]]:
        """A row for each wallet, of an agent or of a team."""
        return summary.wallets(self.simulation)

    @property
    def summary(self) -> dict[str, Any]:
        """Competitive price, mean price, dispersion, Smith's α, efficiency and so on."""
        return summary.summary(self.simulation)

    def to_dict(self) -> dict[str, Any]:
        """The summary and all rows, as `market --json` prints them."""
        return summary.market_dict(self.simulation)

    def __repr__(self) -> str:
        room = self.simulation
        who = f"{len(room.agents):,} agents in {room.scenario.name}"
        return f"<Market {who}: {plural(room.negotiations, 'negotiation')}, seed {room.seed}>"


def run_market(
    scenario: ScenarioLike = "original",
    *,
    sellers: int = USUAL_COUNT,
    buyers: int = USUAL_COUNT,
    seller: Strategy | str = LEARNED,
    buyer: Strategy | str = LEARNED,
    costs: object = None,
    values: object = None,
    teams: Mapping[str, Iterable[str]] | None = None,
    team_reward: bool = False,
    limit: Limit | str = USUAL,
    seed: int = 0,
    **learning: object,
) -> Market:
    """Sellers and buyers who trade in one room up to the limit, as `negotiation-tui market` does.

    `costs`, `values` and the parameters of learning, such as `learning_rate`, are a number, a
    list taken in turn, or a range to draw from, `"1..9"` or `{"min": 1, "max": 9}`.
    """
    game, number = Scenario.of(scenario), integer("seed", seed, 0)
    if not isinstance(teams, Mapping | None):
        raise refusal("teams", teams, "a mapping of names to members")
    for name in learning:
        one_of("parameter", name, LEARNING)
    seats = seated(seller), seated(buyer)
    strategies = {spec_of(held): held for held in seats if held is not None}
    one, other = (LEARNED if held is None else spec_of(held) for held in seats)
    agents = two_populations(
        game,
        (integer("sellers", sellers, 1), integer("buyers", buyers, 1)),
        (one, other),
        (_source("costs", costs), _source("values", values)),
        {name: found for name in learning if (found := _source(name, learning[name])) is not None},
        population_generator(number),
    )
    agents = with_teams(agents, teams or {})

    def known(words: str) -> Strategy | None:
        return strategies.get(words) or strategy_from_spec(words)

    return Market(MarketSimulation(game, agents, _limit(limit), number, team_reward, known)).run()


def run_roster(
    path: str | PathLike[str],
    scenario: ScenarioLike = "original",
    *,
    team_reward: bool = False,
    limit: Limit | str = USUAL,
    seed: int = 0,
) -> Market:
    """The same with whoever a TOML file lists (docs/market.md)."""
    game, number = Scenario.of(scenario), integer("seed", seed, 0)
    agents = from_file(path, game, population_generator(number))
    return Market(MarketSimulation(game, agents, _limit(limit), number, team_reward)).run()


def load_market(path: str | PathLike[str], limit: Limit | str | None = None) -> Market:
    """A market that `Market.save` or `market --save` wrote; `run` goes on to its limit.

    That is its own, or a further one that is given.
    """
    return Market.load(path, None if limit is None else _limit(limit))


def _limit(given: Limit | str) -> Limit:
    return given if isinstance(given, Limit) else Limit.of(str(given))


def _source(name: str, given: object) -> Distribution | None:
    if given is None:
        return None
    if isinstance(given, str):
        return parse_distribution(name, given)
    several = isinstance(given, Sequence | np.ndarray)
    return source(name, np.asarray(given).tolist() if several else given)
