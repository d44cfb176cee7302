"""The agents of a market from a TOML file.

[[seller]]                              # and [[buyer]]; one table per population
name = "north"                          # optional: agents are called north-1, north-2, …
count = 50
reservation = [1, 2, 3]                 # in turn; or a number; or { min = 1, max = 3 }, drawn
strategy = "learned"                    # or learned:sarsa, or a static strategy
learning_rate = { min = 0.05, max = 0.2 }   # and the other parameters of learning
[[team]]
name = "family"
members = ["north", "buyer-3"]          # agents or populations
"""

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.spec import LEARNED, PREFIX
from negotiation_tui.market.agents import (
    LEARNING,
    Agent,
    population,
    source,
    usual_reservation,
    with_teams,
)
from negotiation_tui.market.traders import learner_of
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.runtime.files import read_toml, reading
from negotiation_tui.runtime.validate import one_of, refusal, string

_KEYS = ("name", "count", "reservation", "strategy", *LEARNING)


def read_roster(
    path: str | PathLike[str], scenario: Scenario, rng: np.random.Generator
) -> list[Agent]:
    """Return the agents of a TOML file. Raises BadInputError if it has a mistake."""
    with reading(path, "market"):
        return from_table(read_toml(path), scenario, rng)


def from_table(
    table: Mapping[str, Any], scenario: Scenario, rng: np.random.Generator
) -> list[Agent]:
    for key in table:
        one_of("table", f"[[{key}]]", ("[[seller]]", "[[buyer]]", "[[team]]"))
    agents: list[Agent] = []
    for role in Role:
        entries = _entries(table, str(role))
        for number, entry in enumerate(entries, 1):
            default = str(role) if len(entries) == 1 else f"{role}-kind{number}"
            agents += _agents(role, entry, _text(entry, "name", default), scenario, rng)
    for strategy, name in {agent.strategy: agent.name for agent in reversed(agents)}.items():
        try:
            (learner_of if strategy.startswith(PREFIX) else resolve_trusted)(strategy)
        except BadInputError as error:
            raise BadInputError(f"{name}: {error}") from None
    teams: dict[str, list[str]] = {}
    for number, entry in enumerate(_entries(table, "team"), 1):
        name, members = _text(entry, "name", f"team-{number}"), entry.get("members", [])
        for key in entry:
            one_of(f"[[team]] {name}", key, ("name", "members"))
        if not isinstance(members, list) or not all(isinstance(one, str) for one in members):
            raise refusal(f"team {name}: members", members, "a list of names")
        if name in teams:
            raise BadInputError(f"team {name}: expected one [[team]] with all members, got two")
        teams[name] = members
    return with_teams(agents, teams)


def _agents(
    role: Role, entry: Mapping[str, Any], name: str, scenario: Scenario, rng: np.random.Generator
) -> list[Agent]:
    for key in entry:
        one_of(f"[[{role}]] {name}", key, _KEYS)
    reservation = usual_reservation(scenario, role)
    if "reservation" in entry:
        reservation = source(f"{name}: reservation", entry["reservation"])
    learning = {
        parameter: source(f"{name}: {parameter}", entry[parameter])
        for parameter in LEARNING
        if parameter in entry
    }
    strategy = _text(entry, "strategy", LEARNED)
    return population(role, name, entry.get("count", 1), reservation, rng, strategy, learning)


def _entries(table: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    entries = table.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(one, Mapping) for one in entries):
        raise refusal(key, entries, f"tables [[{key}]]")
    return entries


def _text(entry: Mapping[str, Any], key: str, default: str) -> str:
    text = string(key, entry.get(key, default))
    if not text.isprintable():
        raise refusal(key, text, "one line of text")
    return text
