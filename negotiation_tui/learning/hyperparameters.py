"""The hyper-parameters of concurrent Q-learning."""

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.scenario import PUBLISHED_DISCOUNT


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
        Parameters(**asdict(self))


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

    def __post_init__(self) -> None:
        for name in ("discount_rate", "exploration_start", "exploration_end"):
            _within(name, getattr(self, name), 0, 1)
        if self.learning_rate == 0:
            raise BadInputError("learning_rate: 0 learns nothing, use more than 0, at most 1")
        _within("learning_rate", self.learning_rate, 0, 1)
        _within("initial_value", self.initial_value, -1, 1)
        _within("exploration_decay", self.exploration_decay, 0, 1_000_000)
        for name in ("cycles", "episodes"):
            value = getattr(self, name)
            _whole(name, value, 1)
        _whole("curriculum_window", self.curriculum_window, 0)
        _whole("curriculum_shift_every", self.curriculum_shift_every, 0)

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
        names = {each.name for each in fields(cls)}
        for name in table:
            if name not in names:
                raise BadInputError(
                    f"there is no parameter {name!r}: use {', '.join(sorted(names))}"
                )
        return cls(**table)


def _within(name: str, value: object, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInputError(f"{name}: {value!r} is not a number")
    if not low <= value <= high:
        raise BadInputError(f"{name}: {value} is out of range, use {low} to {high}")


def _whole(name: str, value: object, low: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= 10**9:
        raise BadInputError(f"{name}: {value!r} is out of range, use {low} to 1000000000")
