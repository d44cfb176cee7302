"""Players that remember the offers so far, as an induction over beliefs asks them.

A *memory* stands for all offers after which a player acts alike for ever, whatever comes. It is the
key of a kind of memory (`game.memory`), or otherwise the offers themselves.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.memory import DIFFERENT, LAGGED
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Mask
from negotiation_tui.runtime.arrays import Floats, Ints

MAX_HISTORIES = 100_000
"""The most questions, of an offer in a memory to a limit; they take seconds."""
WHOLE = -1  # the kind of memory of a player that may heed all offers

Prices = tuple[int, ...]
Support = Callable[[Position], Sequence[int]]
"""The actions of a player in a position, which it plays with equal probability."""


class _Level(NamedTuple):
    """The memories of the player at one decision of the other role, M of them; O offers."""

    offers: list[Prices]  # of each memory: some offers that lead to it
    possible: list[Mask]  # of each memory: the limits of the player that may have it
    answers: list[tuple[Floats, Ints]]  # of each memory, as `Answerer` gives them


class Histories:
    """A player that remembers more than a table tells, as an `Answerer` of the other role."""

    def __init__(
        self, scenario: Scenario, role: Role, support: Support, kind: int, opened: bool
    ) -> None:
        """`role` is that of the player, and `opened` is True if it made the first offer.

        Raises BadInputError if there are more than `MAX_HISTORIES` offers in different memories.
        """
        self._scenario, self._role, self._support, self._kind = scenario, role, support, kind
        self._opened, self._asked = opened, 0
        level = _Level([()], [np.ones(scenario.n_tables(role), bool)], [])
        self._levels: dict[int, _Level] = {}
        for n in range(-1 if opened else 0, scenario.rounds - opened):
            self._levels[n], level = level, self._follow(n, level)

    def n_memories(self, n: int, /) -> int:
        return len(self._levels[n].offers)

    def answers(self, n: int, memory: int) -> tuple[Floats, Ints]:
        return self._levels[n].answers[memory]

    def _follow(self, n: int, level: _Level) -> _Level:
        """Ask the player at decision n of the other role, and return the level after."""
        scenario, prices = self._scenario, self._scenario.prices
        later, numbers = _Level([], [], []), dict[tuple[object, ...], int]()
        made = [(prices[o],) for o in scenario.offers(self._role.other)] if n >= 0 else [()]
        for before, possible in zip(level.offers, level.possible, strict=True):
            chances = np.zeros((len(made), len(possible), scenario.n_actions))
            after = np.full((len(made), scenario.n_prices), -1)
            for number, offer in enumerate(made):
                for limit in np.flatnonzero(possible).tolist():
                    support = self._ask((*before, *offer), limit)
                    for action in support:
                        chances[number, limit, action] += 1 / len(support)
                given = chances[number].T[: scenario.n_prices] > 0
                for price in np.flatnonzero(given.any(axis=1)).tolist():
                    offers = (*before, *offer, prices[price])
                    key = self._key(offers)
                    if key not in numbers:
                        numbers[key] = len(numbers)
                        later.offers.append(offers)
                        later.possible.append(np.zeros(len(possible), bool))
                    after[number, price] = numbers[key]
                    later.possible[numbers[key]] |= given[price]
            level.answers.append((chances, after))
        if not later.offers:  # the negotiation is over, in any case
            later = _Level([()], [np.zeros_like(level.possible[0])], [])
        return later

    def _ask(self, offers: Prices, limit: int) -> Sequence[int]:
        self._asked += 1
        if self._asked > MAX_HISTORIES:
            raise BadInputError(
                f"{self._scenario.name}: expected a player with at most {MAX_HISTORIES:,} histories"
                " to ask about, got more; choose a smaller scenario"
            )
        view = self._scenario.views[self._role][limit]
        opener = self._role if self._opened else self._role.other
        return self._support(Position.after(view, opener, offers))

    def _key(self, offers: Prices) -> tuple[object, ...]:
        """Return the memory after these offers, the last of which the player made."""
        own, received = offers[::-2][::-1], offers[-2::-2][::-1]
        if self._kind == DIFFERENT:
            return frozenset(own), frozenset(received)
        if self._kind >= LAGGED:  # the price that it received k + 1 offers before the next one
            return own[-1:], received[-1 - (self._kind - LAGGED) // 2 :]
        return own, received
