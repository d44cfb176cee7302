"""More than two agents, for notebooks and scripts: markets and tournaments.

As in `two_agents` everything asks the modules that do the work, as the command line does.
"""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from negotiation_tui.errors import BadInputError, whole_number
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.learning.random_streams import checked
from negotiation_tui.learning.recipes import recipe as recipe_of
from negotiation_tui.market.agents import (
    LEARNING,
    USUAL_COUNT,
    Source,
    source,
    spoken,
    two_populations,
    with_teams,
)
from negotiation_tui.market.limit import USUAL, Limit
from negotiation_tui.market.outcome import Market
from negotiation_tui.market.roster import from_file
from negotiation_tui.market.simulation import Room, population_generator
from negotiation_tui.players.resolve import LEARNED, occupant, seated
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import words_of
from negotiation_tui.tournament.pairings import (
    NEGOTIATIONS,
    RECIPE,
    entrants_of,
    pairing_file,
    pairings,
)
from negotiation_tui.tournament_result import Tournament, play


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
    game, number = Scenario.of(scenario), checked(seed)
    if not isinstance(teams, Mapping | None):
        raise BadInputError(f"teams: {teams!r} cannot be used, use a mapping of names to members")
    for name in learning:
        if name not in LEARNING:
            raise BadInputError(f"there is no parameter {name!r}: use {', '.join(LEARNING)}")
    seats = seated(seller), seated(buyer)
    strategies = {words_of(held): held for held in seats if held is not None}
    one, other = (LEARNED if held is None else words_of(held) for held in seats)
    agents = two_populations(
        game,
        (whole_number("sellers", sellers), whole_number("buyers", buyers)),
        (one, other),
        (_source("costs", costs), _source("values", values)),
        {name: found for name in learning if (found := _source(name, learning[name])) is not None},
        population_generator(number),
    )
    agents = with_teams(agents, teams or {})

    def known(words: str) -> Strategy | None:
        return strategies.get(words) or occupant(words)

    return Market(Room(game, agents, _limit(limit), number, team_reward, known)).run()


def run_roster(
    path: str | PathLike[str],
    scenario: ScenarioLike = "original",
    *,
    team_reward: bool = False,
    limit: Limit | str = USUAL,
    seed: int = 0,
) -> Market:
    """The same with whoever a TOML file lists (docs/market.md)."""
    game, number = Scenario.of(scenario), checked(seed)
    agents = from_file(path, game, population_generator(number))
    return Market(Room(game, agents, _limit(limit), number, team_reward)).run()


def load_market(path: str | PathLike[str], limit: Limit | str | None = None) -> Market:
    """A market that `Market.save` or `market --save` wrote; `run` goes on to its limit.

    That is its own, or a further one that is given.
    """
    return Market.load(path, None if limit is None else _limit(limit))


def run_tournament(
    scenario: ScenarioLike = "original",
    entrants: Iterable[str] = (),
    *,
    recipe: str = RECIPE,
    negotiations: int = NEGOTIATIONS,
    seed: int = 0,
    workers: int = 1,
    out: str | PathLike[str] | None = None,
) -> Tournament:
    """Everybody against everybody, as `negotiation-tui tournament` does; all where none is named.

    Rows are appended to the file `out`, .csv or .jsonl; if it exists the tournament goes on from
    there. A script that asks for more than one worker needs `if __name__ == "__main__":`.
    """
    recipe_of(recipe)
    several = isinstance(entrants, Iterable) and not isinstance(entrants, str)
    words = list(entrants) if several else entrants
    if not isinstance(words, list) or not all(isinstance(each, str) for each in words):
        raise BadInputError(f"entrants: {words!r} cannot be used, use a list of words")
    each, processes = whole_number("negotiations", negotiations), whole_number("workers", workers)
    names = entrants_of(words)
    jobs = pairings(Scenario.of(scenario), names, recipe, each, checked(seed))
    return play(names, jobs, None if out is None else pairing_file(Path(out), jobs), processes)


def _limit(given: Limit | str) -> Limit:
    return given if isinstance(given, Limit) else Limit.of(str(given))


def _source(name: str, given: object) -> Source | None:
    if given is None:
        return None
    if isinstance(given, str):
        return spoken(name, given)
    several = isinstance(given, Sequence | np.ndarray)
    return source(name, np.asarray(given).tolist() if several else given)
