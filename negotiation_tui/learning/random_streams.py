"""Random number generators: from one seed, one independent stream per purpose.

An episode draws from `Generators.training`, see `episodes` for how. Spawn keys: 0 to 2 are
`generators`, 3 questions, 4 learners of a user's own, 5 the draws of hidden limits (`game.limits`).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.runtime.validate import integer


class Generators(NamedTuple):
    training: "np.random.Generator"
    test: "np.random.Generator"
    table: "np.random.Generator"  # for the opponent of a person who plays


def generator(rng: "np.random.Generator | int") -> "np.random.Generator":
    """Return a generator as it is, or a new one for a seed of at least 0."""
    if isinstance(rng, np.random.Generator):
        return rng
    return np.random.default_rng(integer("rng", rng, 0))


def generators(seed: int) -> Generators:
    """Return the streams of a seed of at least 0; equal seeds give equal streams."""
    return Generators(*map(np.random.default_rng, np.random.SeedSequence(seed).spawn(3)))


def of_learner(seed: int, role: int) -> "np.random.Generator":
    """Return the stream of a learner of the user's own in a role."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(4, role)))


def of_question(seed: int, *numbers: int) -> "np.random.Generator":
    """Return the stream of one of many independent queries, identified by `numbers`."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(3, *numbers)))


@dataclass(frozen=True, eq=False, slots=True)
class StreamState:
    """The state of a generator, and the numbers that were drawn from it ahead of their use."""

    generator: dict[str, Any]
    drawn: NDArray[np.float64] | int  # or their count if they are the last that it gave

    @classmethod
    def of(cls, rng: "np.random.Generator", drawn: NDArray[np.float64]) -> "StreamState":
        state = cls(dict(rng.bit_generator.state), len(drawn))
        return state if np.array_equal(state.unused, drawn) else replace(state, drawn=drawn)

    @property
    def nbytes(self) -> int:
        return 0 if isinstance(self.drawn, int) else self.drawn.nbytes

    @property
    def rng(self) -> "np.random.Generator":
        rng = np.random.default_rng()
        rng.bit_generator.state = self.generator
        return rng

    @property
    def unused(self) -> NDArray[np.float64]:
        if not isinstance(self.drawn, int):
            return self.drawn
        before = self.rng
        before.bit_generator.advance(-self.drawn)  # type: ignore[attr-defined]  # PCG64 has it
        return before.random(self.drawn)
