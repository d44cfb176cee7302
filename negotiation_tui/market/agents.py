"""The agents of a market: one by one, or populations drawn from ranges or lists."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.limits import MAX_AMOUNT, Limits
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Learning
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.runtime.records import fields, replace, sealed
from negotiation_tui.runtime.validate import integer, number, refusal

if TYPE_CHECKING:
    import numpy as np

MAX_AGENTS = 1_000_000
MAX_NAME = 1000  # the most characters of a name, a team's name or a strategy
MAX_SIDE_ENTRIES = 100_000_000  # the most entries of all tables of one side together
USUAL_COUNT = 10  # the default number of sellers, and of buyers

LEARNING = tuple(field.name for field in fields(Learning))
_USUAL = Learning()
_learning = lru_cache(1024)(Learning)


@sealed(frozen=True, slots=True)
class Agent:
    """A seller or a buyer. `strategy` is the spec of a learner or of a static strategy."""

    name: str
    role: Role
    reservation: int  # the seller's cost or the buyer's value; surplus is measured from it
    strategy: str = LEARNED
    learning: Learning = _USUAL  # the agent's ε falls with each negotiation that it trains in
    team: str | None = None  # the team, whose agents share a wallet


@sealed(frozen=True, slots=True)
class UniformRange:
    """A uniform distribution; both ends are included."""

    low: float
    high: float


Distribution = int | float | UniformRange | Limits | Sequence[int | float]  # dealt in turn


def source(name: str, value: object) -> Distribution:
    """Return the distribution of a TOML value: a number, a list or `{ min = …, max = … }`."""
    if isinstance(value, Mapping) and set(value) == {"min", "max"}:
        low, high = (number(name, value[end]) for end in ("min", "max"))
        if low > high:
            raise refusal(f"{name}: max", high, f"at least min {low}", "swap them")
        return UniformRange(low, high)
    if isinstance(value, list) and value:
        return [number(name, each) for each in value]
    if isinstance(value, list | Mapping):
        raise refusal(name, value, "a number, a list of numbers or { min = …, max = … }")
    return number(name, value)


def parse_distribution(name: str, text: str) -> Distribution:
    """Return the distribution that a command-line option names: `3`, `1,2,3` or `1..9`."""
    low, dots, high = text.partition("..")
    if dots:
        return source(name, {"min": _read(name, low), "max": _read(name, high)})
    numbers = [_read(name, part) for part in text.split(",")]
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
    """Return `count` agents called name-1, name-2, …, or one called name, drawn as they say."""
    count = integer(f"{name}: count", count, 1, MAX_AGENTS)
    for amount in _bounds(reservation):
        integer(f"{name}: reservation", amount, -MAX_AMOUNT, MAX_AMOUNT)
    amounts = _draw(reservation, count, rng, integers=True)
    drawn: dict[str, list[Any]] = {}
    for parameter, values in (learning or {}).items():
        for bound in _bounds(values):
            try:
                Learning(**{parameter: bound})
            except BadInputError as error:
                raise BadInputError(f"{name}: {error}") from None
        drawn[parameter] = _draw(values, count, rng)
    names = [name] if count == 1 else [f"{name}-{number}" for number in range(1, count + 1)]
    settings = [dict(zip(drawn, row, strict=True)) for row in zip(*drawn.values(), strict=True)]
    return [
        Agent(each, role, int(amount), strategy, _learning(**settings[at] if drawn else {}))
        for at, (each, amount) in enumerate(zip(names, amounts, strict=True))
    ]


def two_populations(
    scenario: Scenario,
    counts: tuple[int, int],
    strategies: tuple[str, str],
    reservations: tuple[Distribution | None, Distribution | None],
    learning: Mapping[str, Distribution],
    rng: "np.random.Generator",
) -> list[Agent]:
    """Return sellers and buyers; a tuple holds the values of both, None: `usual_reservation`."""
    agents: list[Agent] = []
    for role, count, strategy, stated in zip(Role, counts, strategies, reservations, strict=True):
        if learns(strategy):
            check_tables(role, count, scenario.n_states * scenario.n_actions)
        reservation = usual_reservation(scenario, role) if stated is None else stated
        agents += population(role, str(role), count, reservation, rng, strategy, learning)
    return agents


def usual_reservation(scenario: Scenario, role: Role) -> Distribution:
    """Return the reservation price of a scenario; of hidden limits each agent draws one."""
    return scenario.limits[role] or scenario.reservation_values[role]


def with_teams(agents: Sequence[Agent], teams: Mapping[str, Iterable[str]]) -> list[Agent]:
    """Return the agents with their teams; a member is the name of an agent or a population."""
    by_name: dict[str, list[int]] = {}
    for at, agent in enumerate(agents):
        by_name.setdefault(agent.name, []).append(at)
        stem, dash, number = agent.name.rpartition("-")
        if dash and number.isdigit():
            by_name.setdefault(stem, []).append(at)
    joined = list(agents)
    for team, members in teams.items():
        names = list(dict.fromkeys(members))
        if not names:
            raise BadInputError(f"team {team}: expected at least one agent, got no members")
        for name in names:
            if name not in by_name:
                some = ", ".join(list(by_name)[:4])
                raise refusal(f"team {team}", name, f"an agent such as {some}")
            for at in by_name[name]:
                if joined[at].team not in {None, team}:
                    raise BadInputError(
                        f"team {team}: expected agents without a team,"
                        f" got {joined[at].name} of team {joined[at].team}"
                    )
                joined[at] = replace(joined[at], team=team)
    return joined


def check_tables(role: Role, agents: int, entries: int) -> None:
    """Raise BadInputError if the tables of `agents` agents are too large together."""
    if agents * entries > MAX_SIDE_ENTRIES:
        raise BadInputError(
            f"{role}s: expected at most {MAX_SIDE_ENTRIES // entries:,} agents with tables of"
            f" {entries:,} entries, got {agents:,}; use fewer agents, prices or rounds"
        )


def check_agents(agents: Sequence[Agent]) -> None:
    """Raise BadInputError if a side is empty or a name is too long or that of two."""
    for role in Role:
        if not any(agent.role is role for agent in agents):
            raise BadInputError(f"{role}s: expected at least 1, got none")
    names = Counter(agent.name for agent in agents)
    name, times = names.most_common(1)[0]
    if times > 1:
        raise BadInputError(f"agent {name}: expected different names, got this one {times} times")
    for agent in agents:
        for text in (agent.name, agent.team or "", agent.strategy):
            if len(text) > MAX_NAME:
                raise refusal("name", text, f"at most {MAX_NAME:,} characters")
        if agent.team in names:
            raise BadInputError(f"team {agent.team}: expected another name, got that of an agent")


def _bounds(values: Distribution) -> list[int | float]:
    if isinstance(values, UniformRange):
        return [values.low, values.high]
    if isinstance(values, Limits):
        return list(values.values)
    return [values] if isinstance(values, int | float) else list(values)


def _draw(
    values: Distribution, count: int, rng: "np.random.Generator", integers: bool = False
) -> list[int | float]:
    if isinstance(values, UniformRange) and integers:
        low, high = int(values.low), int(values.high)
        return list(rng.integers(low, high, count, endpoint=True).tolist())
    if isinstance(values, UniformRange):
        return list(rng.uniform(values.low, values.high, count).tolist())
    numbers = _bounds(values)
    if isinstance(values, Limits):
        return [numbers[n] for n in values.drawn(rng.random(count)).tolist()]
    return [numbers[n % len(numbers)] for n in range(count)]


def _read(name: str, text: str) -> int | float:
    for kind in (int, float):
        with suppress(ValueError):
            return number(name, kind(text))
    raise refusal(name, text, "a number", "write 3, 1,2,3 or 1..9")
