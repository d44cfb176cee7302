"""Random number generators: from one seed, one independent stream per purpose."""

from typing import NamedTuple

import numpy as np

from negotiation_tui.runtime.validate import integer


class Generators(NamedTuple):
    """The independent streams of one seed."""

    training: np.random.Generator
    test: np.random.Generator
    table: np.random.Generator
    """For the opponent of a person who plays."""


def generator(rng: np.random.Generator | int) -> np.random.Generator:
    """Return a generator as it is, or a new one for a seed of at least 0."""
    if isinstance(rng, np.random.Generator):
        return rng
    return np.random.default_rng(integer("rng", rng, 0))


def generators(seed: int) -> Generators:
    """Return the streams of a seed of at least 0; equal seeds give equal streams."""
    return Generators(*map(np.random.default_rng, np.random.SeedSequence(seed).spawn(3)))


def of_learner(seed: int, role: int) -> np.random.Generator:
    """Return the stream of a learner of the user's own in a role."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(4, role)))


def of_question(seed: int, *numbers: int) -> np.random.Generator:
    """Return the stream of one of many independent queries, identified by `numbers`."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(3, *numbers)))
