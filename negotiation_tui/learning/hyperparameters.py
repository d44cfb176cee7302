"""The parameters of concurrent Q-learning, their ranges and their help texts."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from typing import Any, Self

from negotiation_tui.game.scenario import PUBLISHED_DISCOUNT
from negotiation_tui.runtime.validate import boolean, integer, number, one_of

_SHARE = partial(number, low=0, high=1)
_AMOUNT = partial(integer, low=0, high=10**9)
CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "learning_rate": partial(_SHARE, above=True),
    "discount_rate": _SHARE,
    "exploration_start": _SHARE,
    "exploration_end": _SHARE,
    "exploration_decay": partial(number, low=0, high=1_000_000),
    "exploration_restarts": boolean,
    "cycles": partial(_AMOUNT, low=1),
    "episodes": partial(_AMOUNT, low=1),
    "expected_updates": boolean,
    "initial_value": partial(number, low=-1, high=1),
    "curriculum_window": _AMOUNT,
    "curriculum_shift_every": _AMOUNT,
}
"""Check per parameter: name and value in, plain value out. Raises BadInputError."""


def _parameter(default: Any, meaning: str) -> Any:
    """Return a field with its default and its meaning in one line, for help texts and tables."""
    return field(default=default, metadata={"help": meaning})


@dataclass(frozen=True, slots=True)
class Learning:
    """The learning and exploration of one agent; the defaults are the original's.

    Raises BadInputError if a value is out of its range.
    """

    learning_rate: float = _parameter(
        0.1, "α, the weight of the newest observation: above 0, at most 1"
    )
    discount_rate: float = _parameter(
        PUBLISHED_DISCOUNT, "γ, the value now of a reward of 1 after one more own decision: 0 to 1"
    )
    exploration_start: float = _parameter(1.0, "first ε: the probability of a random action")
    exploration_end: float = _parameter(0.1, "limit that ε falls toward")
    exploration_decay: float = _parameter(0.001, "speed of the exponential fall of ε, per episode")
    """After episode e, ε = end + (start − end)·exp(−decay·e); 0 to 1,000,000."""

    def __post_init__(self) -> None:
        for each in fields(self):
            plain = CHECKS[each.name](each.name, getattr(self, each.name))
            object.__setattr__(self, each.name, plain)


@dataclass(frozen=True, slots=True)
class Parameters(Learning):
    """The parameters of a training; the defaults are the original's.

    Raises BadInputError if a value is out of its range.
    """

    exploration_restarts: bool = _parameter(
        True, "restart ε in each cycle, as published; false: one fall over the whole training"
    )
    cycles: int = _parameter(50, "number of cycles; learner and frozen opponent swap after each")
    episodes: int = _parameter(100, "negotiations per cycle")
    expected_updates: bool = _parameter(
        False, "learn from the mean over the opponent's equally good answers, not from one of them"
    )
    """After van Seijen et al. 2009."""
    initial_value: float = _parameter(0.0, "first value of each action: −1 to 1")
    """With 1, the learner is optimistic (Sutton and Barto 2018, section 2.6)."""
    curriculum_window: int = _parameter(
        0, "number of plies that a random start is drawn from; 0: start with the opening offer"
    )
    """An episode with a random start begins with the learner's decision on a random offer."""
    curriculum_shift_every: int = _parameter(
        0, "cycles after which that window moves one ply from the deadline toward the opening"
    )
    """With 0, the window is at the opening in all cycles."""

    @property
    def total(self) -> int:
        """Episodes in the whole training."""
        return self.cycles * self.episodes

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters as plain values by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Self:
        """Return the parameters of a table as `to_dict` makes it.

        Raises BadInputError if a name is unknown or a value is out of range.
        """
        for name in table:
            one_of("parameter", name, tuple(CHECKS))
        return cls(**table)
