"""Where every random number comes from: one seed, one generator for each purpose."""

from typing import NamedTuple

import numpy as np


class Generators(NamedTuple):
    """Independent streams of one seed."""

    training: np.random.Generator
    test: np.random.Generator


def generators(seed: int) -> Generators:
    """The streams of a seed, 0 or greater; the same seed gives the same streams."""
    return Generators(*map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2)))
