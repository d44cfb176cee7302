"""The global random numbers of `random` and numpy, lent to code that knows no other."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


class IsolatedGlobalRandom:
    """The global states of `random` and numpy, as one negotiator alone sees and moves them."""

    def __init__(self, seed: int) -> None:
        self._python = random.Random(seed).getstate()  # noqa: S311 - no secret
        self._numpy = np.random.RandomState(seed).get_state()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Within it the global states are these; after it they are what they were."""
        outside = random.getstate(), np.random.get_state()  # noqa: NPY002
        random.setstate(self._python)
        np.random.set_state(self._numpy)  # noqa: NPY002
        try:
            yield
        finally:
            self._python, self._numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
            random.setstate(outside[0])
            np.random.set_state(outside[1])  # noqa: NPY002
