"""Where every random number comes from: one seed, one generator for each purpose."""

from typing import NamedTuple

import numpy as np

from negotiation_tui.runtime.validate import integer


class Generators(NamedTuple):
    """Independent streams of one seed."""

    training: np.random.Generator
    test: np.random.Generator
    table: np.random.Generator
    """Of whoever meets a person at the table."""


def generator(given: np.random.Generator | int) -> np.random.Generator:
    """Where draws come from: itself, or one of a seed."""
    if isinstance(given, np.random.Generator):
        return given
    return np.random.default_rng(integer("rng", given, 0))


def generators(seed: int) -> Generators:
    """The streams of a seed, 0 or greater; the same seed gives the same streams."""
    return Generators(*map(np.random.default_rng, np.random.SeedSequence(seed).spawn(3)))


def of_question(seed: int, *numbers: int) -> np.random.Generator:
    """The stream of one question among many, told by the numbers that name it."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(3, *numbers)))
