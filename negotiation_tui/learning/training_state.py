"""The state of a training at one moment, small enough to keep many."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.statistics import Learners

_REST, _TURN = 4000, 150
"""Bytes of everything except arrays, and of a turn of the last negotiation."""


@dataclass(frozen=True, eq=False, slots=True)
class StreamState:
    """The state of a generator, and the numbers that were drawn from it ahead of their use."""

    generator: dict[str, Any]
    drawn: NDArray[np.float64] | int
    """The unused numbers, or their count if they are the last that the generator gave."""

    @classmethod
    def of(cls, rng: np.random.Generator, drawn: NDArray[np.float64]) -> "StreamState":
        """Return the state; `drawn` are the unused numbers."""
        state = cls(dict(rng.bit_generator.state), len(drawn))
        return state if np.array_equal(state.unused, drawn) else replace(state, drawn=drawn)

    @property
    def rng(self) -> np.random.Generator:
        """A new generator in this state."""
        rng = np.random.default_rng()
        rng.bit_generator.state = self.generator
        return rng

    @property
    def unused(self) -> NDArray[np.float64]:
        """The numbers that were drawn and not used."""
        if not isinstance(self.drawn, int):
            return self.drawn
        before = self.rng
        before.bit_generator.advance(-self.drawn)  # type: ignore[attr-defined]  # PCG64 has it
        return before.random(self.drawn)


@dataclass(frozen=True, eq=False, slots=True)
class TrainingState:
    """Everything of a training that playing changes, except the counts of earlier cycles."""

    episode: int
    stream: StreamState
    learners: dict[Role, dict[str, Any]]
    """The state of each learner: arrays, or anything that says its `nbytes`."""
    responders: dict[Role, TabularPolicy]
    """Tables of best responders, which may answer an earlier moment of their opponent."""
    answered: TabularPolicy | None
    """The policy that a best responder answers outside of the inner loop."""
    stale: bool
    """True if best responders are computed again before the next episode."""
    first_cycles: dict[Role, int]
    cycles: int
    """Number of cycles that have begun."""
    totals: NDArray[np.int64]
    """Sums of the counts over all cycles."""
    latest: NDArray[np.int64]
    """The counts of the last cycle."""
    epsilon: float
    last_negotiation: Transcript | None
    learning_roles: Learners

    @property
    def size(self) -> int:
        """Bytes of memory, about."""
        policies = (*self.responders.values(), *([self.answered] if self.answered else []))
        tables = (*self.learners.values(), *map(vars, policies))
        rows = [each for table in tables for each in table.values()]
        drawn = 0 if isinstance(self.stream.drawn, int) else self.stream.drawn.nbytes
        turns = len(self.last_negotiation.turns) if self.last_negotiation else 0
        arrays = sum(getattr(each, "nbytes", 0) for each in rows)
        return arrays + drawn + _REST + _TURN * turns
