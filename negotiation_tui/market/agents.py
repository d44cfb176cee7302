"""Who is in a market: agents one by one, and populations drawn from ranges or lists."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.scenario_file import MAX_AMOUNT
from negotiation_tui.learning.hyperparameters import Learning
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.validate import integer, number, refusal

if TYPE_CHECKING:
    import numpy as np

MAX_AGENTS = 1_000_000
MAX_ENTRIES = 100_000_000
"""The most entries that all tables of one side together may have."""
USUAL_COUNT = 10
"""How many of a side where nothing is said."""

LEARNING = tuple(field.name for field in fields(Learning))
_USUAL = Learning()
_learning = lru_cache(1024)(Learning)


@dataclass(frozen=True, slots=True)
class Agent:
    """One seller or buyer. `strategy` is `learned` or the words of a static strategy."""

    name: str
    role: Role
    reservation: int
    """The seller's cost, the buyer's value: what a deal is measured from."""
    strategy: str = LEARNED
    learning: Learning = _USUAL
    """Its ε falls with each negotiation that it trains in."""
    team: str | None = None
    """Agents of one team share a wallet."""


@dataclass(frozen=True, slots=True)
class UniformRange:
    """A range to draw from, evenly; both ends included."""

    low: float
    high: float


Distribution = int | float | UniformRange | Sequence[int | float]
"""A number; a range to draw from; or a list, taken in turn."""


def source(name: str, given: object) -> Distribution:
    """What a TOML value says: a number, a list of them, or `{ min = …, max = … }`.

    Raises BadInputError, naming it, for anything else.
    """
    if isinstance(given, Mapping) and set(given) == {"min", "max"}:
        low, high = (number(name, given[end]) for end in ("min", "max"))
        if low > high:
            raise BadInputError(f"{name}: min {low} is above max {high}, exchange them")
        return UniformRange(low, high)
    if isinstance(given, list) and given:
        return [number(name, value) for value in given]
    if isinstance(given, list | Mapping):
        raise refusal(name, given, "a number, a list of numbers or { min = …, max = … }")
    return number(name, given)


def parse_distribution(name: str, words: str) -> Distribution:
    """The same in the words of a command line: `3`, `1,2,3` or `1..9`."""
    low, dots, high = words.partition("..")
    if dots:
        return source(name, {"min": _read(name, low), "max": _read(name, high)})
    numbers = [_read(name, word) for word in words.split(",")]
    return source(name, numbers if len(numbers) > 1 else numbers[0])


def population(
    role: Role,
    name: str,
    count: int,
    reservation: Distribution,
    rng: "np.random.Generator",
    strategy: str = LEARNED,
    learning: Mapping[str, Distribution] | None = None,
) -> list[Agent]:
    """So many agents alike, but for what is drawn from ranges or taken in turn from lists.

    They are called name-1, name-2, …, one alone just by the name. Raises BadInputError for a
    value out of its range.
    """
    count = integer(f"{name}: count", count, 1, MAX_AGENTS)
    for amount in _ends(reservation):
        integer(f"{name}: reservation", amount, -MAX_AMOUNT, MAX_AMOUNT)
    amounts = _drawn(reservation, count, rng, whole=True)
    learning = learning or {}
    for parameter, given in learning.items():
        for end in _ends(given):
            _checked(name, {parameter: end})
    drawn = {parameter: _drawn(given, count, rng) for parameter, given in learning.items()}
    parts = zip(*drawn.values(), strict=True) if drawn else ((),) * count
    return [
        Agent(
            name if count == 1 else f"{name}-{number}",
            role,
            int(amount),
            strategy,
            _learning(**dict(zip(drawn, values, strict=True))),
        )
        for number, (amount, values) in enumerate(zip(amounts, parts, strict=True), 1)
    ]


def two_populations(
    scenario: Scenario,
    counts: tuple[int, int],
    strategies: tuple[str, str],
    reservations: tuple[Distribution | None, Distribution | None],
    learning: Mapping[str, Distribution],
    rng: "np.random.Generator",
) -> list[Agent]:
    """Sellers alike and buyers alike, called seller-1 and buyer-1 and so on.

    Reservation prices that are not given are those of the scenario. Raises BadInputError as
    `population` does.
    """
    agents: list[Agent] = []
    for role in Role:
        given = reservations[role]
        amount = scenario.reservation_values[role] if given is None else given
        name, strategy = str(role), strategies[role]
        if strategy == LEARNED:
            check_tables(role, counts[role], scenario.n_states * scenario.n_actions)
        agents += population(role, name, counts[role], amount, rng, strategy, learning)
    return agents


def with_teams(agents: Sequence[Agent], teams: Mapping[str, Iterable[str]]) -> list[Agent]:
    """The agents in teams; a member is an agent, or a population by its name.

    Raises BadInputError for a member that is not there or in two teams, or a team of nobody.
    """
    named: dict[str, list[int]] = {}
    for at, agent in enumerate(agents):
        named.setdefault(agent.name, []).append(at)
        stem, dash, number = agent.name.rpartition("-")
        if dash and number.isdigit():
            named.setdefault(stem, []).append(at)
    joined = list(agents)
    for team, members in teams.items():
        wanted = list(dict.fromkeys(members))
        if not wanted:
            raise BadInputError(f"team {team}: it has no members, name at least one agent")
        for member in wanted:
            if member not in named:
                some = ", ".join(list(named)[:4])
                raise BadInputError(
                    f"team {team}: there is no agent {member!r}, use such as {some}"
                )
            for at in named[member]:
                if joined[at].team not in {None, team}:
                    raise BadInputError(
                        f"team {team}: {joined[at].name} is in team {joined[at].team}, use one team"
                    )
                joined[at] = replace(joined[at], team=team)
    return joined


def check_tables(role: Role, agents: int, entries: int) -> None:
    """Raise BadInputError where the tables of so many agents are too large together."""
    if agents * entries > MAX_ENTRIES:
        raise BadInputError(
            f"{role}s: {agents:,} tables of {entries:,} entries are too large, use at most"
            f" {MAX_ENTRIES // entries:,} agents, or fewer prices or rounds"
        )


def check(agents: Sequence[Agent]) -> None:
    """Raise BadInputError where a side is empty or a name, of a team too, is there twice."""
    for role in Role:
        if not any(agent.role is role for agent in agents):
            raise BadInputError(f"{role}s: there are none, use at least one")
    name, times = Counter(agent.name for agent in agents).most_common(1)[0]
    if times > 1:
        raise BadInputError(f"agent {name}: there are {times} of that name, use different ones")
    names = {agent.name for agent in agents}
    for agent in agents:
        if agent.team in names:
            raise BadInputError(f"team {agent.team}: an agent has that name, use another")


def _checked(name: str, given: dict[str, Any]) -> None:
    try:
        Learning(**given)
    except BadInputError as error:
        raise BadInputError(f"{name}: {error}") from None


def _ends(given: Distribution) -> list[int | float]:
    if isinstance(given, UniformRange):
        return [given.low, given.high]
    return [given] if isinstance(given, int | float) else list(given)


def _drawn(
    given: Distribution, count: int, rng: "np.random.Generator", whole: bool = False
) -> list[int | float]:
    if isinstance(given, UniformRange):
        if whole:
            drawn = rng.integers(int(given.low), int(given.high), count, endpoint=True)
            return list(drawn.tolist())
        return list(rng.uniform(given.low, given.high, count).tolist())
    values = _ends(given)
    return [values[n % len(values)] for n in range(count)]


def _read(name: str, word: str) -> int | float:
    for kind in (int, float):
        with suppress(ValueError):
            return number(name, kind(word))
    raise refusal(name, word, "a number", "write 3, 1,2,3 or 1..9")
