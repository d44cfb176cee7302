"""The parameters of concurrent Q-learning: ranges, help texts, and recipes for any scenario."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any, Self

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import PUBLISHED_DISCOUNT, Scenario
from negotiation_tui.runtime.records import fields, replace, sealed
from negotiation_tui.runtime.settings_text import Checked, setting, within
from negotiation_tui.runtime.validate import boolean, integer, one_of

_AMOUNT = partial(integer, low=0, high=10**9)
_SOME = partial(integer, low=1, high=10**9)


@sealed(frozen=True, slots=True)
class Learning(Checked):
    """The learning and exploration of one agent; the defaults are the original's.

    Raises BadInputError if a value is out of its range.
    """

    learning_rate: float = setting(
        0.1, "α, the weight of the newest observation: above 0, at most 1", within(0, 1, above=True)
    )
    discount_rate: float = setting(
        PUBLISHED_DISCOUNT,
        "γ, the value now of a reward of 1 after one more own decision: 0 to 1; with time costs 1",
    )
    exploration_start: float = setting(1.0, "first ε: the probability of a random action")
    exploration_end: float = setting(0.1, "limit that ε falls toward")
    exploration_decay: float = setting(
        0.001, "speed of the exponential fall of ε, per episode", within(0, 1_000_000)
    )
    """After episode e, ε = end + (start − end)·exp(−decay·e); 0 to 1,000,000."""


@sealed(frozen=True, slots=True)
class Parameters(Learning):
    """The parameters of a training; the defaults are the original's.

    Raises BadInputError if a value is out of its range.
    """

    exploration_restarts: bool = setting(
        True,
        "restart ε in each cycle, as published; false: one fall over the whole training",
        boolean,
    )
    cycles: int = setting(
        50, "number of cycles; learner and frozen opponent swap after each", _SOME
    )
    episodes: int = setting(100, "negotiations per cycle", _SOME)
    expected_updates: bool = setting(
        False,
        "learn from the mean over the opponent's equally good answers, not from one of them",
        boolean,
    )
    initial_value: float = setting(0.0, "first value of each action: −1 to 1", within(-1, 1))
    """With 1, the learner is optimistic (Sutton and Barto 2018, section 2.6)."""
    curriculum_window: int = setting(
        0,
        "number of plies that a random start is drawn from; 0: start with the opening offer",
        _AMOUNT,
    )
    curriculum_shift_every: int = setting(
        0,
        "cycles after which that window moves one ply from the deadline toward the opening",
        _AMOUNT,
    )

    @property
    def total(self) -> int:
        return self.cycles * self.episodes

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Self:
        """Return the parameters of a table as `to_dict` makes it.

        Raises BadInputError if a name is unknown or a value is out of range.
        """
        for name in table:
            one_of("parameter", name, [each.name for each in fields(cls)])
        return cls(**table)


Recipe = Callable[[Scenario], Parameters]  # documented in docs/recipes.md


def published(scenario: Scenario) -> Parameters:
    """The original's training: ε restarts in every cycle and hardly falls."""
    return Parameters(discount_rate=scenario.discount())


def corrected(scenario: Scenario) -> Parameters:
    """The original's training, except that ε falls over the whole training."""
    return replace(published(scenario), exploration_restarts=False)


def exploring_starts(scenario: Scenario) -> Parameters:
    """Training whose episodes begin at a random decision (Sutton and Barto 2018, section 5.3)."""
    plies = 2 * scenario.rounds
    return _random_starts(scenario, 2 * CYCLES_PER_PLY * plies, 8, plies)


def reverse_curriculum(scenario: Scenario) -> Parameters:
    """Training that begins near the deadline, then earlier and earlier (Florensa et al. 2017)."""
    cycles = CYCLES_PER_PLY * (2 * scenario.rounds + WINDOW + 1)
    return _random_starts(scenario, cycles, 4, WINDOW, CYCLES_PER_PLY)


def annealing(scenario: Scenario) -> Parameters:
    """Training for any learner: random starts at all plies, and ε falls once, to nearly nothing."""
    return _one_fall(scenario, 4 * scenario.n_prices**2, 2 * scenario.rounds)


def on_policy(scenario: Scenario) -> Parameters:
    """Long training from the opening offer on, in which ε falls once, to nearly nothing."""
    limits = sum(scenario.n_tables(role) for role in Role)
    return _one_fall(scenario, 16 * scenario.n_prices * scenario.rounds * limits, 0)


def _one_fall(scenario: Scenario, episodes: int, window: int) -> Parameters:
    """Return a recipe in which ε falls over the whole training, with `episodes` per cycle."""
    cycles = 2000
    return replace(
        published(scenario),
        exploration_end=0.02,
        exploration_decay=FALL / (cycles * episodes),
        exploration_restarts=False,
        cycles=cycles,
        episodes=episodes,
        curriculum_window=window,
    )


def _random_starts(
    scenario: Scenario, cycles: int, episodes: int, window: int, shift_every: int = 0
) -> Parameters:
    """Return a recipe with random starts, whose cycles have `episodes` episodes per P · P.

    A cycle's opponent is fixed, and expected updates average over its equally good answers. So an
    observation has no noise, and a learning rate below 1 would only slow learning down. With hidden
    limits it has noise: the next opponent has another limit, and answers by another table.
    """
    usual = published(scenario)
    return replace(
        usual,
        learning_rate=usual.learning_rate if scenario.hidden else 1.0,
        exploration_end=1.0,
        expected_updates=True,
        cycles=cycles,
        episodes=episodes * scenario.n_prices**2,
        curriculum_window=window,
        curriculum_shift_every=shift_every,
    )


def whole_games(parameters: Parameters) -> Parameters:
    """Return the parameters for players without a table: as `corrected`, with as many cycles.

    Every episode then begins with the opening offer, and is learned from as it was played.
    """
    return replace(
        parameters,
        learning_rate=min(parameters.learning_rate, Parameters().learning_rate),
        exploration_end=min(parameters.exploration_end, Parameters().exploration_end),
        exploration_restarts=False,
        expected_updates=False,
        curriculum_window=0,
        curriculum_shift_every=0,
    )


CYCLES_PER_PLY = 8  # a value needs two cycles per role to move back by one ply; doubled
WINDOW = 4  # plies that the random starts of `reverse_curriculum` are drawn from
FALL = 5.0  # time constants in the fall of ε of `annealing`; 0.7% of the way is left at the end


RECIPES: dict[str, Recipe] = {
    "published": published,
    "corrected": corrected,
    "exploring-starts": exploring_starts,
    "reverse-curriculum": reverse_curriculum,
    "annealing": annealing,
    "on-policy": on_policy,
}


def recipe(name: str) -> Recipe:
    """Return the recipe with this name. Raises BadInputError if there is none."""
    return RECIPES[one_of("recipe", name, tuple(RECIPES))]
