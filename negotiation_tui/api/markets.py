"""Markets for notebooks and scripts; the same seed gives the same numbers as the command line."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Self

import numpy as np

from negotiation_tui.examination.elicit import with_table
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.learning.algorithms.base import Algorithm
from negotiation_tui.learning.spec import LEARNED
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
from negotiation_tui.market.roster import read_roster
from negotiation_tui.market.run_length import USUAL, RunLength
from negotiation_tui.market.simulation import MarketSimulation, population_generator
from negotiation_tui.players.resolve import as_player, spec_of_player, strategy_from_spec
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.text import plural
from negotiation_tui.runtime.validate import integer, one_of, refusal
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import spec_of


@sealed(frozen=True, eq=False, slots=True)
class Market:
    """A market after trading.

    `simulation` has the arrays: `history` and `sold` with a row per `period` ticks, `wallets`, and
    `account("deals")` and others with an entry per agent of `agents`.
    """

    simulation: MarketSimulation

    def save(self, path: str | PathLike[str]) -> None:
        """Save the market as `.npz`. Raises BadInputError if the file cannot be written."""
        save_simulation(path, self.simulation)

    def run(self) -> Self:
        """Trade up to the limit; Ctrl-C stops between two ticks, and `run` continues from there."""
        trade(self.simulation)
        return self

    @property
    def periods(self) -> list[dict[str, Any]]:
        """A row per stretch of ticks: deals, prices, surplus, efficiency."""
        return summary.periods(self.simulation)

    @property
    def accounts(self) -> list[dict[str, Any]]:
        """A row per agent: its deals, the money it received or paid, its surplus."""
        return summary.accounts(self.simulation)

    @property
    def wallets(self) -> list[dict[str, Any]]:
        """A row per wallet, of an agent or of a team."""
        return summary.wallets(self.simulation)

    @property
    def summary(self) -> dict[str, Any]:
        """Competitive price, mean price, dispersion, Smith's α, efficiency and so on."""
        return summary.summarize(self.simulation)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary and all rows, as `market --json` prints them."""
        return summary.market_dict(self.simulation)

    def __repr__(self) -> str:
        market = self.simulation
        agents = f"{len(market.agents):,} agents in {market.scenario.name}"
        done = plural(market.negotiations, "negotiation")
        return f"<Market {agents}: {done}, seed {market.seed}>"


def run_market(
    scenario: ScenarioLike = "original",
    *,
    sellers: int = USUAL_COUNT,
    buyers: int = USUAL_COUNT,
    seller: Strategy | Algorithm | str = LEARNED,
    buyer: Strategy | Algorithm | str = LEARNED,
    learner: Algorithm | str = LEARNED,
    costs: object = None,
    values: object = None,
    teams: Mapping[str, Iterable[str]] | None = None,
    team_reward: bool = False,
    limit: RunLength | str = USUAL,
    seed: int = 0,
    **learning: object,
) -> Market:
    """Let sellers and buyers trade up to the limit, as `negotiation-tui market` does.

    `seller` and `buyer` are learners or strategies; `learner` says how those learn who are just
    `learned`. `costs`, `values` and the `learning` parameters, such as `learning_rate`, are a
    number, a list taken in turn, or a range to draw from: `"1..9"` or `{"min": 1, "max": 9}`.
    `teams` maps names to members.
    """
    game, number, end = Scenario.of(scenario), integer("seed", seed, 0), RunLength.of(str(limit))
    if not isinstance(teams, Mapping | None):
        raise refusal("teams", teams, "a mapping of names to members")
    for name in learning:
        one_of("parameter", name, LEARNING)
    players = as_player(seller, learner), as_player(buyer, learner)
    one, other = map(spec_of_player, players)
    strategies = {spec_of(player): player for player in players if isinstance(player, Strategy)}
    counts = integer("sellers", sellers, 1), integer("buyers", buyers, 1)
    limits = _source("costs", costs), _source("values", values)
    rates = {name: each for name in learning if (each := _source(name, learning[name])) is not None}
    rng = population_generator(number)
    agents = two_populations(game, counts, (one, other), limits, rates, rng)
    agents = with_teams(agents, teams or {})

    def resolve(spec: str) -> Strategy | None:
        return with_table(strategies.get(spec) or strategy_from_spec(spec))

    return Market(MarketSimulation(game, agents, end, number, team_reward, resolve)).run()


def run_roster(
    path: str | PathLike[str],
    scenario: ScenarioLike = "original",
    *,
    team_reward: bool = False,
    limit: RunLength | str = USUAL,
    seed: int = 0,
) -> Market:
    """Let the agents listed in a TOML file (docs/market.md) trade up to the limit."""
    game, number, end = Scenario.of(scenario), integer("seed", seed, 0), RunLength.of(str(limit))
    agents = read_roster(path, game, population_generator(number))
    return Market(MarketSimulation(game, agents, end, number, team_reward)).run()


def load_market(path: str | PathLike[str], limit: RunLength | str | None = None) -> Market:
    """Load a saved market, which `run` continues up to `limit`, or else its own."""
    return Market(load_simulation(path, None if limit is None else RunLength.of(str(limit))))


def _source(name: str, values: object) -> Distribution | None:
    if values is None:
        return None
    if isinstance(values, str):
        return parse_distribution(name, values)
    several = isinstance(values, Sequence | np.ndarray)
    return source(name, np.asarray(values).tolist() if several else values)
