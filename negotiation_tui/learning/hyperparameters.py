"""The hyper-parameters of concurrent Q-learning."""

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
"""Per parameter: takes its name and a value, returns the plain value or raises BadInputError."""


def _parameter(default: Any, meaning: str) -> Any:
    """Return a field with its default and its meaning in one line, for help texts and tables."""
    return field(default=default, metadata={"help": meaning})


EARLIER_NAMES = {
    "start_window": "curriculum_window",
    "back_every": "curriculum_shift_every",
}
"""Names of parameters in files of version 0.1.0."""


@dataclass(frozen=True, slots=True)
class Learning:
    """How one agent learns and explores; the defaults are the original's.

    Raises BadInputError for a value out of its range.
    """

    learning_rate: float = _parameter(0.1, "α, the weight of what was just seen, up to 1")
    discount_rate: float = _parameter(
        PUBLISHED_DISCOUNT, "γ, the worth of a reward one own decision later, 0 to 1"
    )
    exploration_start: float = _parameter(1.0, "ε at first: the share of decisions drawn at random")
    exploration_end: float = _parameter(0.1, "what ε falls toward")
    exploration_decay: float = _parameter(
        0.001, "how fast it falls, exponentially with each episode"
    )
    """After episode e, ε = end + (start − end)·exp(−decay·e); 0 to 1,000,000."""

    def __post_init__(self) -> None:
        for each in fields(self):
            plain = CHECKS[each.name](each.name, getattr(self, each.name))
            object.__setattr__(self, each.name, plain)


@dataclass(frozen=True, slots=True)
class Parameters(Learning):
    """How a training goes; the defaults are the original's.

    Raises BadInputError for a value out of its range.
    """

    exploration_restarts: bool = _parameter(
        True, "start ε anew with each cycle, as published; or let it fall over the whole training"
    )
    cycles: int = _parameter(50, "how often trainee and trainer swap")
    episodes: int = _parameter(100, "negotiations in a cycle")
    expected_updates: bool = _parameter(
        False, "learn from the mean over the trainer's equally good answers; published: from one"
    )
    """After van Seijen et al. 2009."""
    initial_value: float = _parameter(0.0, "worth of what was never tried, at most 1 either way")
    """Optimists begin with 1 (Sutton and Barto 2018, section 2.6)."""
    curriculum_window: int = _parameter(
        0, "0 to begin with the opening offer; else plies wide that starts are drawn from"
    )
    """An episode then begins with the trainee's decision on a price drawn at random."""
    curriculum_shift_every: int = _parameter(
        0, "cycles after which that window moves back a ply, from the deadline on"
    )
    """Down to the opening, where the window is from the start with 0."""

    @property
    def total(self) -> int:
        """Episodes in the whole training."""
        return self.cycles * self.episodes

    def to_dict(self) -> dict[str, Any]:
        """The parameters as plain values by name."""
        return asdict(self)

    @classmethod
    def from_stored(cls, table: dict[str, Any]) -> Self:
        """Return the parameters of a table in a file, which may hold names of version 0.1.0."""
        return cls.from_dict({EARLIER_NAMES.get(name, name): table[name] for name in table})

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Self:
        """The parameters of a table as `to_dict` gives it; BadInputError for an unknown name."""
        for name in table:
            one_of("parameter", name, tuple(CHECKS))
        return cls(**table)
