"""The form in which the loop runs, plain or compiled, and its random numbers, drawn in blocks."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.learned_table import LARGE
from negotiation_tui.learning import loop
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass

AlgorithmType = type[TabularAlgorithm]
Form = Callable[[NDArray[Any]], Any]  # makes a row of an array: a list, or an array
_DRAWS, MANY_DRAWS = 1 << 14, 1 << 16  # in a block, at least; a call takes as long as 10,000


class Code(NamedTuple):
    """The loop for the learners of a training, and their functions as all of it takes them."""

    play: Callable[..., tuple[int, int, int, int, int]]
    write_policy: Callable[..., None]
    functions: Any = None


@dataclass(frozen=True, slots=True)
class Backend:
    """One way to run the loop, and the form of its rows: lists, memory or arrays."""

    name: str
    code: Callable[..., Code]
    """Return the code for kinds of learners that are asked, or for Q-learners that are not."""
    row: Form


def _code(*kinds: AlgorithmType) -> Code:
    each = kinds if len(kinds) > 1 else kinds * 2  # one per role
    functions = tuple(kind.policy for kind in each), tuple(kind.learn for kind in each)
    return Code(loop.play, loop.write_policy, functions if kinds else None)


def _row(array: NDArray[Any]) -> Any:
    """Return lists; of an array with LARGE rows its own memory, which takes an eighth of theirs."""
    if array.shape[-1] < LARGE:
        return array.tolist()
    return array.data if array.ndim == 1 else [each.data for each in array]


PLAIN = Backend("plain", _code, _row)


class UniformStream:
    """Uniform random numbers in [0, 1) from one generator, handed out in order."""

    def __init__(self, rng: "np.random.Generator", drawn: Sequence[float] | Floats = ()) -> None:
        """`drawn` are the first numbers, drawn already."""
        self.rng = rng
        self._block: Any = drawn
        self._buffer = np.empty(0)
        self._position = 0
        self._backend: Backend | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, without the backend, whose functions cannot be pickled."""
        return {**vars(self), "_backend": None}

    @property
    def unused(self) -> Floats:
        return np.array(self._block[self._position :], np.float64)

    def block(self, backend: Backend, at_least: int, ahead: int = 0) -> tuple[Any, int]:
        """Return a row with at least `at_least` unused random numbers and the index of the first.

        Refills in blocks of at least `ahead`. The row is valid until the next call.
        """
        if len(self._block) - self._position < at_least or backend is not self._backend:
            unused = np.asarray(self._block[self._position :], np.float64)
            n_new = max(_DRAWS, ahead) if len(unused) < at_least else 0
            n_new = max(n_new, at_least - len(unused))
            size = len(unused) + n_new
            if size > len(self._buffer):  # reused, because new memory costs more than the draws
                self._buffer = np.empty(size)
            self._buffer[: len(unused)] = unused
            self.rng.random(out=self._buffer[len(unused) : size])
            self._block = backend.row(self._buffer[:size])
            self._position, self._backend = 0, backend
        return self._block, self._position

    def used_up_to(self, position: int) -> None:
        """Mark the numbers of the block before `position` as used."""
        self._position = position
