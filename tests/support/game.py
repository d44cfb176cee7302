"""Scenarios of every shape, and players for tests."""

from functools import cache
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import strategies as st

from negotiation_tui import Opener, Position, PriceRange, Role, Scenario, States
from negotiation_tui.game.learned import Learned, WithPolicy, WithValues
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.compiling import fastest_backend

T = TypeVar("T")
ORIGINAL = Scenario.original()
EVERY_KEY = """name = "Flat"
prices = { min = 100, max = 130, step = 10 }
rounds = 4
opener = "buyer"
states = "opener-aware"
[seller]
min = 105
max = 130
reservation = 95
[buyer]
min = 100
max = 120
reservation = 125
"""
"""The text of a scenario that states every key."""
roles = st.sampled_from(Role)
seeds = st.integers(0, 2**32)


def game(prices: object, rounds: int, **entries: object) -> Scenario:
    """Return the scenario of these entries of a file."""
    return Scenario.from_dict({"prices": prices, "rounds": rounds, **entries})


@st.composite
def grids(draw: st.DrawFn, largest: int = 12) -> tuple[int, ...]:
    first = draw(st.integers(-10, 30))
    gaps = st.just(1) if draw(st.booleans()) else st.integers(1, 9)
    steps = draw(st.lists(gaps, min_size=1, max_size=largest - 1))
    return tuple(accumulate(steps, initial=first))


@st.composite
def ranges(draw: st.DrawFn, prices: tuple[int, ...]) -> PriceRange:
    """A range that holds a price of the grid; its ends need not lie on the grid."""
    low, high = sorted(draw(st.tuples(*[st.sampled_from(prices)] * 2)))
    return PriceRange(low - draw(st.integers(0, 3)), high + draw(st.integers(0, 3)))


@st.composite
def scenarios(draw: st.DrawFn, largest: int = 12, rounds: int = 8) -> Scenario:
    """Any small scenario, with a ZOPA or without, the reservation values stated or not."""
    prices = draw(grids(largest))
    value = st.integers(prices[0] - 5, prices[-1] + 5)
    return Scenario(
        "any",
        prices,
        draw(st.integers(1, rounds)),
        seller=draw(ranges(prices)),
        buyer=draw(ranges(prices)),
        opener=draw(st.sampled_from(Opener)),
        reservation=draw(st.none() | st.tuples(value, value)),
        states=draw(st.sampled_from(States)),
        delta=draw(st.just((1.0, 1.0)) | st.tuples(*[st.sampled_from([1.0, 0.9, 0.5])] * 2)),
    )


def positions(scenario: Scenario, role: Role) -> list[Position]:
    """All decisions of a role, without what it offered before."""
    return [Position(scenario, role, opened=True)] + [
        Position(scenario, role, time, None, price, opened)
        for opened in (True, False)
        for time in range(scenario.rounds - opened)
        for price in scenario.prices
    ]


def some(value: T | None) -> T:
    assert value is not None
    return value


class RandomPlayer:
    """Chooses uniformly among the legal actions, and records the positions."""

    def __init__(self) -> None:
        self.seen: list[Position] = []

    def act(self, position: Position, rng: np.random.Generator) -> int:
        self.seen.append(position)
        legal = position.scenario.legal_actions(position.state, position.role)
        return int(rng.choice(np.array(legal)))


class Script:
    def __init__(self, *actions: int) -> None:
        self._actions = iter(actions)

    def act(self, position: Position, rng: np.random.Generator) -> int:
        return next(self._actions)


@cache
def compiled() -> Backend:
    """The compiled inner loop; skips the test that asks for it where numba is missing."""
    pytest.importorskip("numba")
    return fastest_backend()


def values_of(learned: Learned) -> Any:
    """The values of actions of an agent that learned some."""
    assert isinstance(learned, WithValues)
    return learned.values


def own_of(learned: Learned) -> TabularPolicy:
    """The policy of its own of an agent that has one."""
    assert isinstance(learned, WithPolicy)
    return learned.policy
