"""Learners of the user's own, named by a spec `learned:FILE.py:Class` or `learned:module:Class`.

Settings follow as `:setting=value,…`; they are the arguments of the class that have a default. An
error in a learner becomes a BadInputError of one line that names the learner and the method.
"""

import copy
import inspect
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import SCHEDULES
from negotiation_tui.learning.checkpoint import STATE
from negotiation_tui.learning.learner import Learner, ObjectAlgorithm, Transition, state_text
from negotiation_tui.learning.spec import PREFIX
from negotiation_tui.players.user_code import check_support, class_in, guarded, imported, named
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.files import reading
from negotiation_tui.runtime.npz import open_npz
from negotiation_tui.runtime.records import dataclass, field
from negotiation_tui.runtime.settings_text import own_dict, pairs, parsed
from negotiation_tui.runtime.validate import one_of, refusal

SAVED = "saved"  # the setting that every learner has: a file in which `state` was saved
_ROUNDING = 1e-6  # the greatest difference between 1 and the sum of the probabilities of a position


@dataclass(frozen=True)
class UserAlgorithm(ObjectAlgorithm):
    """A class of the user's own, which is called once per seat to get a learner."""

    name: str = ""  # type: ignore[misc]  # of each instance, in place of the class
    kind: Callable[..., Any] = field(default=Learner, compare=False, repr=False)
    settings: tuple[tuple[str, Any], ...] = ()
    saved: str = ""
    """A file of tables with what a learner has learned in each role; it goes on from there."""
    _states: dict[Role, dict[str, NDArray[Any]]] = own_dict()

    def new(self, scenario: Scenario, role: Role, rng: np.random.Generator) -> "GuardedLearner":
        with guarded(f"{self.name}: __init__"):
            learner = self.kind(scenario, role, rng, **dict(self.settings))
        guarded_learner = GuardedLearner(self.name, learner, scenario, role)
        if self.saved:
            guarded_learner.restore(self._state(role))
        return guarded_learner

    def _state(self, role: Role) -> dict[str, NDArray[Any]]:
        if role not in self._states:  # read once: the file may be written again
            with reading(self.saved, "tables", "'train --save'"), open_npz(self.saved) as file:
                older = file.holds("q_tables")
                self._states[role] = file.numbers(f"{role}_{'' if older else STATE}")
        if not self._states[role]:
            raise refusal(f"{self.name}: {SAVED}", self.saved, f"a file with a {role}'s state")
        return {name: array.copy() for name, array in self._states[role].items()}


class GuardedLearner(Learner):
    """A user's learner, of which every error and every wrong result becomes a BadInputError."""

    def __init__(self, name: str, learner: Learner, scenario: Scenario, role: Role) -> None:
        self.name, self.learner = name, learner
        self.scenario, self.role = scenario, role

    def __deepcopy__(self, memory: dict[int, Any]) -> "GuardedLearner":
        with guarded(f"{self.name}: a copy"):
            learner = copy.deepcopy(self.learner, memory)
        return GuardedLearner(self.name, learner, self.scenario, self.role)

    def act(self, position: Position, rng: np.random.Generator) -> int:
        self.learner.epsilon = self.epsilon
        if type(self.learner).act is Learner.act:
            return super().act(position, rng)  # by checked probabilities
        with guarded(f"{self.name}: act"):
            action = operator.index(self.learner.act(position, rng))
            self.explored = bool(self.learner.explored)
        check_support(f"{self.name}: act", position, [action], "one")
        return action

    def learn(self, episode: Sequence[Transition]) -> None:
        with guarded(f"{self.name}: learn"):
            self.learner.learn(episode)

    def probabilities(self, position: Position) -> Floats:
        """Return the policy in a position, checked; the sum is 1 but for rounding."""
        with guarded(f"{self.name}: probabilities"):
            row = self._row(position, self.learner.probabilities(position))
            illegal = np.ones(len(row), bool)
            illegal[list(position.legal)] = False
            if (row < 0).any():
                raise refusal(state_text(position), float(row.min()), "probabilities of at least 0")
            if row[illegal].any():
                action = int(np.flatnonzero((row > 0) & illegal)[0])
                expected = f"0 for action {action}, which is illegal"
                raise refusal(state_text(position), float(row[action]), expected)
            total = float(row.sum())
            if abs(total - 1) > _ROUNDING:
                raise refusal(state_text(position), total, "probabilities with the sum 1")
        return row / total

    def values(self, position: Position) -> Floats | None:
        with guarded(f"{self.name}: values"):
            row = self.learner.values(position)
            return None if row is None else self._row(position, row)

    def state(self) -> dict[str, NDArray[Any]]:
        with guarded(f"{self.name}: state"):
            arrays = dict(self.learner.state())
            for name, array in arrays.items():
                if not (isinstance(array, np.ndarray) and array.dtype.kind in "biuf"):
                    raise refusal(str(name), type(array).__name__, "an array of numbers")
            return {str(name): array.copy() for name, array in arrays.items()}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        with guarded(f"{self.name}: restore"):
            self.learner.restore(state)

    def _row(self, position: Position, numbers: object) -> Floats:
        row = np.asarray(numbers, np.float64)
        if row.shape != (position.scenario.n_actions,):
            expected = f"the shape {(position.scenario.n_actions,)}"
            raise refusal(state_text(position), row.shape, expected)
        if not np.isfinite(row).all():
            raise refusal(state_text(position), float(row[~np.isfinite(row)][0]), "finite numbers")
        return row


def from_code(code: re.Match[str]) -> UserAlgorithm:
    """Run the file or module of a spec, and return its learner; or raise BadInputError."""
    if file := code["file"]:
        kind, _ = class_in(file, Learner, code["kind"], PREFIX + "{}:{}")
        at = f"{file}:{kind.__name__}"
    else:
        kind = imported(at := f"{code['module']}:{code['name']}")
    return from_class(kind, at, code["settings"] or "")


def from_class(kind: Any, name: str = "", settings: str = "") -> UserAlgorithm:
    """Return the learner of a class with settings `setting=value,…`, or raise BadInputError."""
    if not (isinstance(kind, type) and issubclass(kind, Learner)):
        what = kind.__name__ if isinstance(kind, type) else type(kind).__name__
        expected = f"a class that inherits from {named(Learner)}"
        raise BadInputError(f"{name}: expected {expected}, got {what}")
    name = name or f"{kind.__module__}:{kind.__qualname__}"
    missing = sorted(kind.__abstractmethods__)
    if missing:
        raise BadInputError(f"{name}: expected a complete learner, got one without {missing[0]}")
    one_of(f"{name}: schedule", kind.schedule, SCHEDULES)
    arguments = inspect.signature(kind).parameters.values()
    defaults = {each.name: each.default for each in arguments if each.default is not each.empty}
    given = pairs(name, settings)
    saved = "" if SAVED in defaults else given.pop(SAVED, "")
    values = tuple(parsed(name, given, defaults).items())
    shown = (*values, (SAVED, saved)) if saved else values
    written = ",".join(f"{setting}={value}" for setting, value in shown)
    spec = PREFIX + name + (f":{written}" if written else "")
    return UserAlgorithm(
        schedule=kind.schedule, spec=spec, name=name, kind=kind, settings=values, saved=saved
    )
