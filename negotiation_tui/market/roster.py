"""A TOML file of who is in a market.

[[seller]]                              # and [[buyer]]; as many entries as there are kinds
name = "north"                          # optional: agents are called north-1, north-2, …
count = 50
reservation = [1, 2, 3]                 # in turn; or a number; or { min = 1, max = 3 }, drawn
strategy = "learned"                    # or a static strategy
learning_rate = { min = 0.05, max = 0.2 }   # likewise the other parameters of learning
[[team]]
name = "family"
members = ["north", "buyer-3"]          # agents, or whole entries
"""

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market.agents import LEARNING, Agent, population, source, with_teams
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.files import reading
from negotiation_tui.runtime.toml import read_toml
from negotiation_tui.runtime.validate import one_of, refusal, string

_KNOWN = ("name", "count", "reservation", "strategy", *LEARNING)


def from_file(
    path: str | PathLike[str], scenario: Scenario, rng: np.random.Generator
) -> list[Agent]:
    """The agents of a TOML file; BadInputError, naming the file, for what is wrong in it.

    Reservation prices that are not given are those of the scenario.
    """
    with reading(path, "market"):
        return from_table(read_toml(path), scenario, rng)


def from_table(
    table: Mapping[str, Any], scenario: Scenario, rng: np.random.Generator
) -> list[Agent]:
    """The same of a table already read."""
    for word in table:
        one_of("table", f"[[{word}]]", ("[[seller]]", "[[buyer]]", "[[team]]"))
    agents: list[Agent] = []
    for role in Role:
        entries = _entries(table, str(role))
        for number, entry in enumerate(entries, 1):
            alone = str(role) if len(entries) == 1 else f"{role}-kind{number}"
            agents += _agents(role, entry, _word(entry, "name", alone), scenario, rng)
    teams: dict[str, list[str]] = {}
    for number, entry in enumerate(_entries(table, "team"), 1):
        name, members = _word(entry, "name", f"team-{number}"), entry.get("members", [])
        if not isinstance(members, list) or not all(isinstance(one, str) for one in members):
            raise refusal(f"team {name}: members", members, "a list of names")
        if name in teams:
            raise BadInputError(f"team {name}: it is there twice, name all its members in one")
        teams[name] = members
    return with_teams(agents, teams)


def _agents(
    role: Role, entry: Mapping[str, Any], name: str, scenario: Scenario, rng: np.random.Generator
) -> list[Agent]:
    for word in entry:
        one_of(name, word, _KNOWN)
    reservation = source(
        f"{name}: reservation", entry.get("reservation", scenario.reservation_values[role])
    )
    learning = {
        parameter: source(f"{name}: {parameter}", entry[parameter])
        for parameter in LEARNING
        if parameter in entry
    }
    strategy = _word(entry, "strategy", LEARNED)
    try:
        resolve_trusted(strategy)
    except BadInputError as error:
        raise BadInputError(f"{name}: {error}") from None
    return population(role, name, entry.get("count", 1), reservation, rng, strategy, learning)


def _entries(table: Mapping[str, Any], word: str) -> list[Mapping[str, Any]]:
    entries = table.get(word, [])
    if not isinstance(entries, list) or not all(isinstance(one, Mapping) for one in entries):
        raise refusal(word, entries, f"tables [[{word}]]")
    return entries


def _word(entry: Mapping[str, Any], name: str, usual: str) -> str:
    word = string(name, entry.get(name, usual))
    if not word.isprintable():
        raise refusal(name, word, "one line of text")
    return word
