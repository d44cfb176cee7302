"""Strategies from the user's own code: a class in a file or a package, an object, or a callable.

A callable, named by a spec `module:callable`, gets a scenario and a role. It is called once per
pair and returns

- a `Strategy` or a `TabularPolicy` (for probabilities see `TabularPolicy.of_probabilities`);
- an array: values of shape (n_states, n_actions), of which the best legal action is played, or
  integer actions of shape (n_states,); with hidden limits, one such table per limit of the role,
  along a first axis or end to end;
- a function from an `Observation` (see `game.negotiation`) to an action.

A function is called at each turn, because it may be random or have memory. With the attribute
`deterministic = True` it depends on the observation alone, and is tabulated.
"""

import inspect
import operator
import re
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any, ClassVar, get_args

import numpy as np

from negotiation_tui.errors import BadInputError, error_line
from negotiation_tui.game.negotiation import Position, observe
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.players.user_code import (
    check_support,
    class_in,
    failure,
    guarded,
    imported,
    named,
    searching_here,
    turned,
)
from negotiation_tui.runtime.records import replace, sealed
from negotiation_tui.runtime.settings_text import own_dict
from negotiation_tui.runtime.text import plural
from negotiation_tui.strategies.base import Dependency, Strategy, UserSupplied
from negotiation_tui.strategies.registry import settings_of, with_settings

GROUP = "negotiation_tui.strategies"
"""Entry-point group in which another package lists its strategies."""
_HISTORY = frozenset[Dependency]({"history"})
Array = np.ndarray[Any, Any]


@sealed(frozen=True)
class UserStrategy(UserSupplied):
    """A guarded user's strategy: its errors and illegal actions become BadInputErrors."""

    dependencies: frozenset[Dependency]
    choose: Callable[[Position], Sequence[int]]
    strategy: Strategy | None = None
    """The user's object, if it is an instance of `Strategy` from a file or a package."""
    file: str = ""  # the file of that object
    mixed: TabularPolicy | None = None  # the policy itself, if it has weights

    @property
    def depends_on(self) -> frozenset[Dependency]:
        return self.dependencies

    def support(self, position: Position) -> Sequence[int]:
        """Return the actions. Raise BadInputError if the call fails or an action is illegal."""
        line, what = self.line, self.spec
        with guarded(self.spec, self.file, line):
            actions = [operator.index(action) for action in self.choose(position)]
        if self.file:
            what = f"{self.file}, line {line}: support"
        return check_support(what, position, actions)

    @property
    def line(self) -> int:
        code = getattr(getattr(type(self.strategy), "support", None), "__code__", None)
        return int(code.co_firstlineno) if isinstance(code, CodeType) else 1

    def tabulated(self, scenario: Scenario, role: Role) -> TabularPolicy | None:
        uniform = super().tabulated(scenario, role)  # checks every row
        return self.mixed or uniform

    def act(self, position: Position, rng: np.random.Generator) -> int:
        if self.mixed is None:
            return super().act(position, rng)
        self.support(position)
        return self.mixed.act(position, rng)


@sealed(frozen=True)
class UserCallable(UserSupplied):
    """A callable, which is called once per scenario and role to get the policy."""

    depends_on: ClassVar[frozenset[Dependency]] = _HISTORY
    """The history, because the policy is not known yet."""
    make: Callable[[Scenario, Role], object]
    _made: dict[tuple[Scenario, Role], UserStrategy] = own_dict()

    def __deepcopy__(self, _memory: dict[int, Any]) -> "UserCallable":
        return replace(self)  # without the policies, which may not be copyable

    def support(self, position: Position) -> Sequence[int]:
        return self.in_seat(position.scenario.origin, position.role).support(position)

    def in_seat(self, scenario: Scenario, role: Role) -> UserStrategy:
        """Return the policy for a role. Raise BadInputError if the callable fails or is wrong."""
        if (scenario, role) not in self._made:
            with searching_here(), guarded(self.spec):
                result = self.make(scenario, role)
            self._made[scenario, role] = _strategy(self.spec, scenario, role, result)
        return self._made[scenario, role]


def from_file(code: re.Match[str]) -> UserStrategy:
    """Run `FILE.py` or `FILE.py::Class`, each with `:setting=value,…`; return its strategy."""
    file, chosen = code["file"], code["kind"]
    at = file if chosen is None else f"{file}::{chosen}"
    kind, line = class_in(file, Strategy, chosen, "{}::{}")
    return _from_class(kind, file, line, at, code["settings"] or "")


def listed_names() -> list[str]:
    """Return the names that other packages list, without importing the packages."""
    from importlib.metadata import entry_points

    return sorted({point.name for point in entry_points(group=GROUP)})


def installed(spec: str) -> UserStrategy | None:
    """Return the strategy of another package, which is imported; None if none lists the name."""
    from importlib.metadata import entry_points

    name, _, settings = spec.partition(":")
    points = tuple(entry_points(group=GROUP, name=name))
    if not points:
        return None
    value = points[0].value
    at = f"strategy {name}: {value} cannot be imported"
    with turned(lambda error: BadInputError(f"{at}: {error_line(error)}")):
        kind = points[0].load()
    if not (isinstance(kind, type) and issubclass(kind, Strategy)) or inspect.isabstract(kind):
        expected = f"a complete class of {named(Strategy)}"
        raise BadInputError(f"strategy {name}: expected {expected}, got {value}")
    return _from_class(kind, inspect.getsourcefile(kind) or value, 1, name, settings)


def from_object(strategy: Strategy) -> UserStrategy:
    """Guard a user's strategy object; its spec is made of its class and settings."""
    kind = type(strategy)
    settings = ",".join(f"{name}={value}" for name, value in settings_of(strategy).items())
    spec = f"{kind.__module__}.{kind.__qualname__}" + (f":{settings}" if settings else "")
    code = strategy.support.__func__.__code__  # type: ignore[attr-defined]
    return _guard(strategy, spec, code.co_filename, code.co_firstlineno)


def from_callable(spec: str) -> UserCallable:
    """Return the policy of a spec `module:callable`. Raises BadInputError if that fails."""
    make = imported(spec)
    if not callable(make):
        raise BadInputError(f"{spec}: expected a callable, got {_kind(make)}")
    return UserCallable(spec, make)


def _from_class(kind: Any, file: str, line: int, at: str, settings: str) -> UserStrategy:
    with guarded(at, file, line):
        default = kind()
    try:
        strategy = with_settings(default, at, settings.replace("+", ","))
    except BadInputError as error:  # a wrong setting, not an error in the file
        raise BadInputError("; ".join(filter(None, (str(error), no_settings(kind))))) from None
    except Exception as error:
        raise failure(error, at, file, line) from None
    return _guard(strategy, f"{at}:{settings}" if settings else at, file, line)


def no_settings(kind: type[Strategy]) -> str:
    """Return how to give a class settings; empty if it is a dataclass itself."""
    if "__dataclass_fields__" in vars(kind):
        return ""
    how = "write @dataclass(frozen=True) above it, and each setting as a field: share: float = 0.5"
    return f"{kind.__name__} is no dataclass; {how}"


def _guard(strategy: Strategy, spec: str, file: str, line: int) -> UserStrategy:
    with guarded(spec, file, line):
        dependencies = frozenset(strategy.depends_on)
    allowed = get_args(Dependency)
    if not dependencies <= set(allowed):
        wrong = ", ".join(sorted(map(repr, dependencies - set(allowed))))
        expected = f"expected some of {', '.join(allowed)}, got {wrong}"
        raise BadInputError(f"{file}, line {line}: depends_on: {expected}")
    return UserStrategy(spec, dependencies, strategy.support, strategy, file)


def _strategy(spec: str, scenario: Scenario, role: Role, result: object) -> UserStrategy:
    if isinstance(result, np.ndarray):
        result = _from_array(spec, scenario, role, result)
    if isinstance(result, TabularPolicy):
        return _from_policy(spec, scenario, role, result)
    if isinstance(result, Strategy) and not result.needs_opponent:
        with guarded(spec):
            dependencies = frozenset(result.depends_on)
        return UserStrategy(spec, dependencies, result.support)
    if callable(result) and not isinstance(result, type):
        function = result
        deterministic = bool(getattr(function, "deterministic", False))
        parts: set[Dependency] = {"time", "opener"} if scenario.opener_aware else {"time"}
        known = frozenset(parts) if deterministic else _HISTORY
        return UserStrategy(spec, known, lambda position: [function(observe(position))])
    expected = "a Strategy that needs no opponent, a TabularPolicy, an array or a function"
    expected += " from an observation to an action"
    raise BadInputError(f"{spec}: expected {expected}, got {_kind(result)}")


def _from_policy(spec: str, scenario: Scenario, role: Role, policy: TabularPolicy) -> UserStrategy:
    made_for, tables = policy.scenario, scenario.n_tables(role)
    if (made_for.prices, made_for.rounds) != (scenario.prices, scenario.rounds):
        got = f"got one for {made_for.name}"
        raise BadInputError(f"{spec}: expected a policy for scenario {scenario.name}, {got}")
    if policy.n_tables != tables:
        per = f"one per limit of the {role} in scenario {scenario.name}, got {policy.n_tables}"
        raise BadInputError(f"{spec}: expected a policy with {plural(tables, 'table')}, {per}")
    parts: dict[Dependency, bool] = {"opener": policy.opener_aware, "time": True}
    parts["own"] = bool(policy.remembers_own_offer)
    depends_on = frozenset(part for part, used in parts.items() if used)
    mixed = None
    if policy.weights is not None:
        mixed = replace(policy, scenario=scenario)
        with guarded(spec):
            mixed.check_weights()
    return UserStrategy(spec, depends_on, policy.support, mixed=mixed)


def _kind(value: object) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"a value of type {type(value).__name__}"


def _from_array(spec: str, scenario: Scenario, role: Role, array: Array) -> TabularPolicy:
    n_tables, n, m = scenario.n_tables(role), scenario.n_states, scenario.n_actions
    values, actions = _rows(array, n_tables, n, m), _rows(array, n_tables, n)
    holes = array.dtype.kind == "f" and np.isnan(array).any()
    if values is not None and array.dtype.kind in "biuf" and not holes:
        return greedy(scenario, role, values.astype(np.float64))
    if actions is not None and array.dtype.kind in "iu":
        ends = np.iinfo(np.int32)
        column = np.clip(actions.astype(np.float64), ends.min, ends.max).astype(np.int32)[:, None]
        return TabularPolicy.of(scenario, role, column, np.ones(len(column), np.int32))
    limits = () if scenario.limits[role] is None else (n_tables,)
    raise BadInputError(
        f"{spec}: expected values of shape {(*limits, n, m)} or integer actions of shape"
        f" {(*limits, n)} for scenario {scenario.name}, got an array of {array.dtype}"
        f"{' with NaN' if holes else ''}, shape {array.shape}"
    )


def _rows(array: Array, n_tables: int, n_states: int, *columns: int) -> Array | None:
    """Return the tables of all limits end to end; None if the array has another shape."""
    each, rows = (n_tables, n_states, *columns), (n_tables * n_states, *columns)
    if array.shape == each[1:]:
        array = np.broadcast_to(array, each)
    return array.reshape(rows) if array.shape in {each, rows} else None
