"""Policies trained outside in a seat: `module:callable`, as the command line names it.

The callable is asked once for a scenario and a role, and gives

- a `Strategy` of ours, or a `TabularPolicy`;
- an array of values, shape (n_states, n_actions), whose best legal action is taken, or of
  actions, integers of shape (n_states,);
- a function from an observation, as in `observation`, to an action.

A function is asked at each turn, for it may draw or remember: a table of what it said once would
be another policy. One with an attribute `deterministic` that is true says that it depends on the
observation alone: it is asked in every state, and becomes a table.
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
from typing import Any, ClassVar, TypeVar

import numpy as np

from negotiation_tui.errors import BadInputError, error_line
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.observation import observe
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.players.user_strategy import check_support, silent
from negotiation_tui.strategies.base import Dependency, Strategy, UserSupplied
from negotiation_tui.strategies.registry import STRATEGIES

_WORDS = re.compile(r"(?P<module>[^\W\d]\w*(?:\.\w+)*):(?P<name>[^\W\d]\w*(?:\.\w+)*)")
_OURS = str(Path(__file__).parents[1])
_HISTORY = frozenset[Dependency]({"history"})
T = TypeVar("T")
Make = Callable[[Scenario, Role], object]
Choose = Callable[[Position], Sequence[int]]


@dataclass(frozen=True)
class LoadedPolicy(UserSupplied):
    """What the callable gave for one scenario and role; watched over as `own.UserStrategy` is."""

    name: ClassVar[str] = "outside"
    summary: ClassVar[str] = "a policy trained outside"
    source: ClassVar[str] = "the callable that was named"
    dependencies: frozenset[Dependency]
    choose: Choose

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """As the strategy says, or what a state says; the history where it may be anything."""
        return self.dependencies

    def support(self, position: Position) -> Sequence[int]:
        """Its choices, every one of them legal; BadInputError where they are not."""
        found = _watched(self.spec, lambda: [operator.index(a) for a in self.choose(position)])
        return check_support(self.spec, position, found)


@dataclass(frozen=True)
class ExternalPolicy(UserSupplied):
    """A callable, before it is known who it plays; it is asked once for each seat it takes."""

    name: ClassVar[str] = LoadedPolicy.name
    summary: ClassVar[str] = LoadedPolicy.summary
    source: ClassVar[str] = LoadedPolicy.source
    make: Make
    _made: dict[tuple[Scenario, Role], LoadedPolicy] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __deepcopy__(self, _memory: dict[int, Any]) -> "ExternalPolicy":
        """One that asks the callable anew: what it gives may be no thing to copy."""
        return replace(self)

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """Not known before it sits, so anything."""
        return _HISTORY

    def support(self, position: Position) -> Sequence[int]:
        """What it chooses in the position's seat; BadInputError where that fails."""
        return self.in_seat(position.scenario, position.role).support(position)

    def in_seat(self, scenario: Scenario, role: Role) -> LoadedPolicy:
        """What the callable gives for a seat; BadInputError where it fails or gives nothing fit."""
        if (scenario, role) not in self._made:
            with _found_from_here():
                given = _watched(self.spec, lambda: self.make(scenario, role))
            self._made[scenario, role] = _seated(self.spec, scenario, role, given)
        return self._made[scenario, role]


def is_outside(words: str) -> bool:
    """Whether words name a callable, and no strategy of ours."""
    return _parts(words) is not None


def outside(words: str) -> ExternalPolicy:
    """The callable of `module:callable`; the module is imported, from this directory at last.

    Raises BadInputError where that fails.
    """
    parts = _parts(words)
    assert parts is not None
    module, name = parts
    importlib.invalidate_caches()
    with (
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
        redirect_stdout(nowhere),  # a screen, or JSON, stays whole
        _found_from_here(),
    ):
        found = _watched(words, lambda: importlib.import_module(module))
    vars(found).setdefault("print", silent)
    try:
        make = reduce(getattr, name.split("."), found)
    except AttributeError:
        raise BadInputError(f"{words}: module {module} has no {name!r}") from None
    if not callable(make):
        kind = type(make).__name__
        raise BadInputError(f"{words}: {name} is of type {kind}, name a callable")
    return ExternalPolicy(words, make)


def file_in(words: str) -> str | None:
    """The file of the module that words name, once it is imported; None where there is none."""
    parts = _parts(words)
    return None if parts is None else getattr(sys.modules.get(parts[0]), "__file__", None)


def _parts(words: str) -> tuple[str, str] | None:
    found = _WORDS.fullmatch(words)
    if found is None or found["module"] in STRATEGIES:
        return None
    return found["module"], found["name"]


def _seated(words: str, scenario: Scenario, role: Role, given: object) -> LoadedPolicy:
    """What the callable gave, in the form of a strategy."""
    if isinstance(given, np.ndarray):
        given = _from_array(words, scenario, role, given)
    if isinstance(given, TabularPolicy):
        if (given.scenario.prices, given.scenario.rounds) != (scenario.prices, scenario.rounds):
            theirs = given.scenario.name
            raise BadInputError(f"{words}: gave a Policy of {theirs}, use one of {scenario.name}")
        parts: dict[Dependency, bool] = {
            "opener": given.opener_aware,
            "own": given.remembers_own_offer > 0,
        }
        depends_on = frozenset[Dependency](
            {"time", *(word for word, there in parts.items() if there)}
        )
        return LoadedPolicy(words, depends_on, given.support)
    if isinstance(given, Strategy) and not given.needs_opponent:
        return LoadedPolicy(
            words, _watched(words, lambda: frozenset(given.depends_on)), given.support
        )
    if callable(given) and not isinstance(given, type):
        fixed = bool(getattr(given, "deterministic", False))
        return LoadedPolicy(
            words,
            _state(scenario) if fixed else _HISTORY,
            lambda position: [given(observe(position))],
        )
    raise BadInputError(
        f"{words}: gave {_kind(given)}, give a Strategy with choices of its own, a Policy, an array"
        " or a function from an observation to an action"
    )


def _state(scenario: Scenario) -> frozenset[Dependency]:
    """What a state of the scenario says."""
    return frozenset({"time", "opener"} if scenario.opener_aware else {"time"})


def _kind(given: object) -> str:
    return f"the class {given.__name__}" if isinstance(given, type) else f"a {type(given).__name__}"


def _from_array(
    words: str, scenario: Scenario, role: Role, array: np.ndarray[Any, Any]
) -> TabularPolicy:
    """Values, of which the best is taken, or actions."""
    n, m = scenario.n_states, scenario.n_actions
    if array.shape == (n, m) and array.dtype.kind in "biuf" and not np.isnan(array).any():
        return greedy(scenario, role, array.astype(np.float64))
    if array.shape == (n,) and array.dtype.kind in "iu":
        held = np.iinfo(np.int32)
        ties = np.clip(array, held.min, held.max).astype(np.int32)[:, None]
        return TabularPolicy(
            scenario, ties, np.ones(n, np.int32), opener_aware=scenario.opener_aware
        )
    holes = " with nan" if array.dtype.kind == "f" and np.isnan(array).any() else ""
    raise BadInputError(
        f"{words}: gave an array of {array.dtype}{holes}, shape {array.shape}: for scenario"
        f" {scenario.name} give values, shape {n, m}, or actions, integers of shape {(n,)}"
    )


@contextmanager
def _found_from_here() -> Iterator[None]:
    """Let Python find modules in this directory too, after all others."""
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        yield
    finally:
        if here in sys.path:
            del sys.path[len(sys.path) - 1 - sys.path[::-1].index(here)]


def _watched(words: str, call: Callable[[], T]) -> T:
    """What a call into the user's code gives; what it raises becomes one line."""
    try:
        return call()
    except BadInputError as error:
        raise BadInputError(f"{words}: {error}") from None
    except (Exception, SystemExit) as error:
        raise BadInputError(f"{words}: {error_line(error)}{_where(error)}") from None


def _where(error: BaseException) -> str:
    """The line of the user's that an error came up in, or was called from."""
    if isinstance(error, SyntaxError):
        return ""  # it says so itself
    theirs = [
        at
        for at in traceback.extract_tb(error.__traceback__)
        if not at.filename.startswith((_OURS, "<frozen", importlib.__file__))
    ]
    if not theirs:
        return ""
    file = theirs[0].filename
    line = [at.lineno for at in theirs if at.filename == file][-1]
    path, here = Path(file), Path.cwd()
    return f" ({path.relative_to(here) if path.is_relative_to(here) else path}, line {line})"
