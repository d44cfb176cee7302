"""The base class of a user's own learner, and the encoding of a position as numbers.

A learner is told what the states of its scenario say, and its own limit; other fields of its
positions are empty. So its policy is a table, which is evaluated exactly.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.learning.algorithms.base import IN_TURN, Algorithm
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass


class Transition(NamedTuple):
    """One decision of a learner, and its result."""

    position: Position
    action: int
    reward: float  # that of the deal after the last decision, 0 before and without a deal
    next_position: Position | None  # the position of its next decision; None after its last
    answer: int | None  # the opponent's action after it; None if its own was the last

    def __deepcopy__(self, _memory: dict[int, Any]) -> "Transition":
        return self


class Learner(ABC):
    """A learner in one role. Write `probabilities` and `learn`; all else has a default.

    The class is called as `Class(scenario, role, rng, **settings)`. Arguments with a default are
    its settings. `rng` is its own generator, the same for one seed: use no other random numbers.
    """

    schedule: ClassVar[str] = IN_TURN  # or `together`: both roles learn in every cycle
    epsilon: float = 0.0  # the training's exploration probability ε, set before each negotiation
    explored: bool = False  # True if the last action of `act` explored; the screen marks it

    def __init__(self, scenario: Scenario, role: Role, rng: "np.random.Generator") -> None:
        self.scenario, self.role, self.rng = scenario, role, rng

    @abstractmethod
    def probabilities(self, position: Position) -> Sequence[float] | Floats:
        """Return the policy in a position, without exploration: what is tested, judged and saved.

        Shape (n_actions,): at least 0, 0 for illegal actions, with the sum 1. Must not depend on
        anything but the position and what was learned. The frozen learner plays by it, too.
        """

    @abstractmethod
    def learn(self, episode: Sequence[Transition]) -> None:
        """Learn from its decisions in one negotiation, in order; there is at least one."""

    def act(self, position: Position, rng: "np.random.Generator") -> int:
        """Return a legal action: with probability ε a random one, else drawn by `probabilities`.

        Override it to explore in another way, and set `explored`.
        """
        legal = position.legal
        self.explored = float(rng.random()) < self.epsilon
        if self.explored:
            return legal[int(rng.random() * len(legal))]
        cumulative = np.cumsum(self.probabilities(position))
        if not np.isfinite(cumulative[-1]):
            raise ValueError(f"probabilities: expected finite numbers, got {cumulative[-1]}")
        last = int(np.searchsorted(cumulative, cumulative[-1]))
        u = rng.random() * cumulative[-1]
        return min(int(np.searchsorted(cumulative, u, side="right")), last)

    def values(self, position: Position) -> Sequence[float] | Floats | None:  # noqa: ARG002 - for others
        """Return the values of actions for the heat map, shape (n_actions,); None if unknown."""
        return None

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what was learned, as arrays by name, to be saved in a file; nothing by default."""
        return {}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:  # noqa: B027 - as `state`
        """Take back what `state` returned."""


@dataclass(frozen=True)
class ObjectAlgorithm(Algorithm):
    """A way of learning that makes an object of the class `Learner` for each seat."""

    spec: str = ""  # the text that names the learner, with its settings

    @abstractmethod
    def new(self, scenario: Scenario, role: Role, rng: "np.random.Generator") -> Learner:
        """Return an untrained learner."""


def position_of(scenario: Scenario, role: Role, state: int) -> Position:
    """Return the position that a learner is told of in a state other than the final one."""
    if state == START:
        return Position(scenario, role, opened=True)
    index, time = scenario.offer_and_time(state)
    opened = scenario.opener_aware and state <= scenario.n_prices * scenario.rounds
    return Position(scenario, role, time, None, scenario.prices[index], opened)


def state_text(position: Position) -> str:
    """Return the name of a position, with the own limit if that is hidden."""
    words = f"state {position.scenario.state_label(position.state)}"
    hidden = position.scenario.origin.limits[position.role]
    return f"{words} of limit {position.limit:,}" if hidden else words


def features(position: Position) -> Floats:
    """Return a position as numbers from 0 to 1 for function approximation, shape (n,).

    1 at the opening, else 0; 1 if the player opened, as far as the states of the scenario say it;
    the round of the standing offer, 0 for the first and 1 for the last; the standing offer, 0 for
    the lowest and 1 for the highest price. Then for each of the P prices 1 if it stands, else 0. If
    the player's limit is hidden, it comes last, 0 for its lowest and 1 for its highest.
    So n is 4 + P, or 5 + P with hidden limits.
    """
    scenario, standing = position.scenario, position.standing_offer
    limits = scenario.origin.limits[position.role]
    encoded = np.zeros(4 + scenario.n_prices + (1 if limits else 0))
    if limits:
        least, most = limits.values[0], limits.values[-1]
        encoded[-1] = (position.limit - least) / max(1, most - least)
    encoded[1] = position.opened and (standing is None or scenario.opener_aware)
    if standing is None:
        encoded[0] = 1
        return encoded
    low, high = scenario.prices[0], scenario.prices[-1]
    encoded[2] = position.time / max(1, scenario.rounds - 1)
    encoded[3] = (standing - low) / (high - low)
    encoded[4 + position.standing_offer_index] = 1
    return encoded
