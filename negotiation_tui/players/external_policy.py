"""Policies trained with other tools, named by a spec `module:callable`.

The callable gets a scenario and a role. It is called once per pair and returns

- a `Strategy` or a `TabularPolicy` (for probabilities see `TabularPolicy.of_probabilities`);
- an array: values of shape (n_states, n_actions), of which the best legal action is played, or
  integer actions of shape (n_states,); with hidden limits, one such table per limit of the role,
  along a first axis or end to end;
- a function from an `Observation` (see `game.negotiation`) to an action.

A function is called at each turn, because it may be random or have memory. With the attribute
`deterministic = True` it depends on the observation alone, and is tabulated.
"""

import importlib
import operator
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from negotiation_tui.errors import BadInputError, error_line
from negotiation_tui.game.negotiation import Position, observe
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.players.user_strategy import check_support, silent
from negotiation_tui.runtime.interrupts import TerminatedError
from negotiation_tui.runtime.text import plural
from negotiation_tui.strategies.base import Dependency, Strategy, UserSupplied
from negotiation_tui.strategies.registry import STRATEGIES

_SPEC = re.compile(r"(?P<module>[^\W\d]\w*(?:\.\w+)*):(?P<name>[^\W\d]\w*(?:\.\w+)*)")
_PACKAGE = str(Path(__file__).parents[1])
_HISTORY = frozenset[Dependency]({"history"})
Array = np.ndarray[Any, Any]
Make = Callable[[Scenario, Role], object]
Choose = Callable[[Position], Sequence[int]]


@dataclass(frozen=True)
class LoadedPolicy(UserSupplied):
    """The callable's result for one scenario and role, guarded as a `UserStrategy` is."""

    name: ClassVar[str] = "outside"
    summary: ClassVar[str] = "a policy trained outside"
    source: ClassVar[str] = "the callable that was named"
    dependencies: frozenset[Dependency]
    choose: Choose
    mixed: TabularPolicy | None = None
    """The policy itself, if it has weights."""

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """The strategy's own, the parts of a state, or the history if it is unknown."""
        return self.dependencies

    def support(self, position: Position) -> Sequence[int]:
        """Return the actions. Raise BadInputError if the call fails or an action is illegal."""
        with guarded(self.spec):
            actions = [operator.index(action) for action in self.choose(position)]
        return check_support(self.spec, position, actions)

    def tabulated(self, scenario: Scenario, role: Role) -> TabularPolicy | None:
        """Return the policy as a table. Raise BadInputError if an action is illegal."""
        uniform = super().tabulated(scenario, role)
        return uniform if self.mixed is None else self.mixed

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Draw one action. Raise BadInputError as `support` does."""
        if self.mixed is None:
            return super().act(position, rng)
        self.support(position)
        return self.mixed.act(position, rng)


@dataclass(frozen=True)
class ExternalPolicy(UserSupplied):
    """A callable, which is called once per scenario and role to get the policy."""

    name: ClassVar[str] = LoadedPolicy.name
    summary: ClassVar[str] = LoadedPolicy.summary
    source: ClassVar[str] = LoadedPolicy.source
    depends_on: ClassVar[frozenset[Dependency]] = _HISTORY
    """The history, because the policy is not known yet."""
    make: Make
    _made: dict[tuple[Scenario, Role], LoadedPolicy] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __deepcopy__(self, _memory: dict[int, Any]) -> "ExternalPolicy":
        """Copy without the policies, which may not be copyable: the callable is called again."""
        return replace(self)

    def support(self, position: Position) -> Sequence[int]:
        """Return the actions of the role's policy. Raise BadInputError if that fails."""
        return self.in_seat(position.scenario.origin, position.role).support(position)

    def in_seat(self, scenario: Scenario, role: Role) -> LoadedPolicy:
        """Return the policy for a role. Raise BadInputError if the callable fails or is wrong."""
        if (scenario, role) not in self._made:
            with _import_from_cwd(), guarded(self.spec):
                result = self.make(scenario, role)
            self._made[scenario, role] = _loaded(self.spec, scenario, role, result)
        return self._made[scenario, role]


def is_callable(spec: str) -> bool:
    """True if a spec has the form `module:callable` and names no built-in strategy."""
    return _parts(spec) is not None


def from_callable(spec: str) -> ExternalPolicy:
    """Return the policy of a spec `module:callable`.

    The module is imported; the current directory is searched last. Raises BadInputError if that
    fails.
    """
    make = imported(spec)
    if not callable(make):
        raise BadInputError(f"{spec}: expected a callable, got {_kind(make)}")
    return ExternalPolicy(spec, make)


def imported(spec: str) -> Any:
    """Return the object that a spec `module:name` names; the module is imported.

    Raises BadInputError if that fails.
    """
    module_name, _, name = spec.partition(":")
    importlib.invalidate_caches()
    with (
        Path(os.devnull).open("w", encoding="utf-8") as devnull,
        redirect_stdout(devnull),  # prints would damage the screen or JSON
        _import_from_cwd(),
        guarded(spec),
    ):
        module = importlib.import_module(module_name)
    vars(module).setdefault("print", silent)
    try:
        return reduce(getattr, name.split("."), module)
    except AttributeError:
        raise BadInputError(f"{spec}: module {module_name} has no {name!r}") from None


def file_in(spec: str) -> str | None:
    """Return the file of the module that a spec names; None if it is not imported."""
    parts = _parts(spec)
    return None if parts is None else getattr(sys.modules.get(parts[0]), "__file__", None)


def _parts(spec: str) -> tuple[str, str] | None:
    match = _SPEC.fullmatch(spec)
    if match is None or match["module"] in STRATEGIES:
        return None
    return match["module"], match["name"]


def _loaded(spec: str, scenario: Scenario, role: Role, result: object) -> LoadedPolicy:
    """Return the callable's result as a strategy."""
    if isinstance(result, np.ndarray):
        result = _from_array(spec, scenario, role, result)
    if isinstance(result, TabularPolicy):
        made_for = result.scenario
        if (made_for.prices, made_for.rounds) != (scenario.prices, scenario.rounds):
            raise BadInputError(
                f"{spec}: expected a policy for scenario {scenario.name}, got one for"
                f" {made_for.name}"
            )
        if result.n_tables != scenario.n_tables(role):
            raise BadInputError(
                f"{spec}: expected a policy with {plural(scenario.n_tables(role), 'table')}, one"
                f" per limit of the {role} in scenario {scenario.name}, got {result.n_tables}"
            )
        depends_on: set[Dependency] = {"time"}
        if result.opener_aware:
            depends_on.add("opener")
        if result.remembers_own_offer:
            depends_on.add("own")
        mixed = None
        if result.weights is not None:
            mixed = replace(result, scenario=scenario)
            with guarded(spec):
                mixed.check_weights()
        return LoadedPolicy(spec, frozenset(depends_on), result.support, mixed)
    if isinstance(result, Strategy) and not result.needs_opponent:
        strategy = result
        with guarded(spec):
            dependencies = frozenset(strategy.depends_on)
        return LoadedPolicy(spec, dependencies, strategy.support)
    if callable(result) and not isinstance(result, type):
        function = result
        deterministic = bool(getattr(function, "deterministic", False))
        return LoadedPolicy(
            spec,
            _parts_of_state(scenario) if deterministic else _HISTORY,
            lambda position: [function(observe(position))],
        )
    raise BadInputError(
        f"{spec}: expected a Strategy that needs no opponent, a TabularPolicy, an array or a"
        f" function from an observation to an action, got {_kind(result)}"
    )


def _parts_of_state(scenario: Scenario) -> frozenset[Dependency]:
    return frozenset({"time", "opener"} if scenario.opener_aware else {"time"})


def _kind(value: object) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"a value of type {type(value).__name__}"


def _from_array(spec: str, scenario: Scenario, role: Role, array: Array) -> TabularPolicy:
    """Return the policy of an array of values or of actions."""
    n_tables, n, m = scenario.n_tables(role), scenario.n_states, scenario.n_actions
    values, actions = (_rows(array, n_tables, *one) for one in ((n, m), (n,)))
    if values is not None and array.dtype.kind in "biuf" and not np.isnan(array).any():
        return greedy(scenario, role, values.astype(np.float64))
    if actions is not None and array.dtype.kind in "iu":
        ends = np.iinfo(np.int32)
        column = np.clip(actions, ends.min, ends.max).astype(np.int32)[:, None]
        aware, ones = scenario.opener_aware, np.ones(len(column), np.int32)
        return TabularPolicy(scenario, column, ones, opener_aware=aware, n_tables=n_tables)
    limits = () if scenario.limits[role] is None else (n_tables,)
    nan = " with NaN" if array.dtype.kind == "f" and np.isnan(array).any() else ""
    raise BadInputError(
        f"{spec}: expected values of shape {(*limits, n, m)} or integer actions of shape"
        f" {(*limits, n)} for scenario {scenario.name}, got an array of {array.dtype}{nan}, shape"
        f" {array.shape}"
    )


def _rows(array: Array, n_tables: int, n_states: int, *columns: int) -> Array | None:
    """Return the tables of all limits end to end; None if the array has another shape.

    It may be one table for all limits, or one per limit.
    """
    each, rows = (n_tables, n_states, *columns), (n_tables * n_states, *columns)
    if array.shape == each[1:]:
        array = np.broadcast_to(array, each)
    return array.reshape(rows) if array.shape in {each, rows} else None


@contextmanager
def _import_from_cwd() -> Iterator[None]:
    """Let Python import modules from the current directory too, after all other places."""
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        yield
    finally:
        if here in sys.path:
            del sys.path[len(sys.path) - 1 - sys.path[::-1].index(here)]


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Turn an error in the user's code into a BadInputError of one line."""
    try:
        yield
    except BadInputError as error:
        raise BadInputError(f"{what}: {error}") from None
    except TerminatedError:
        raise
    except (Exception, SystemExit) as error:
        raise BadInputError(f"{what}: {error_line(error)}{_where(error)}") from None


def _where(error: BaseException) -> str:
    """Return the line of the user's code that failed, or that called the failing code."""
    if isinstance(error, SyntaxError):
        return ""  # its message names the line
    frames = [
        at
        for at in traceback.extract_tb(error.__traceback__)
        if not at.filename.startswith((_PACKAGE, "<frozen", importlib.__file__))
    ]
    if not frames:
        return ""
    file = frames[0].filename
    line = [at.lineno for at in frames if at.filename == file][-1]
    path, here = Path(file), Path.cwd()
    return f" ({path.relative_to(here) if path.is_relative_to(here) else path}, line {line})"
