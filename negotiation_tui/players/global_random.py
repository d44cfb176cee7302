"""Isolate the global random numbers of `random` and numpy, which NegMAS uses."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


class IsolatedGlobalRandom:
    """Global states of `random` and numpy that only one negotiator uses and advances."""

    def __init__(self, seed: int) -> None:
        self._python = random.Random(seed).getstate()  # noqa: S311 - no secret
        self._numpy = np.random.RandomState(seed).get_state()

    @contextmanager
    def active(self) -> Iterator[None]:
        """Replace the global states inside the `with` block, and restore them after it."""
        before = random.getstate(), np.random.get_state()  # noqa: NPY002
        random.setstate(self._python)
        np.random.set_state(self._numpy)  # noqa: NPY002
        try:
            yield
        finally:
            self._python, self._numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
            random.setstate(before[0])
            np.random.set_state(before[1])  # noqa: NPY002
