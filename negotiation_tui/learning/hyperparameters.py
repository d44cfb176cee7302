"""The hyper-parameters of concurrent Q-learning."""

from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from negotiation_tui.errors import BadInputError


@dataclass(frozen=True, slots=True)
class Parameters:
    """How a training goes; the defaults are the original's.

    Raises BadInputError for a value out of its range.
    """

    learning_rate: float = 0.1
    """α, the weight of what was just seen against what was believed; above 0, at most 1."""
    discount_rate: float = 0.99
    """γ, what a reward one of one's own decisions later is worth now; 0 to 1."""
    exploration_start: float = 1.0
    """ε of the first episode: the share of decisions drawn at random; 0 to 1."""
    exploration_end: float = 0.1
    """What ε falls toward; 0 to 1."""
    exploration_decay: float = 0.001
    """How fast: after episode e, ε = end + (start − end)·exp(−decay·e); 0 to 1,000,000."""
    exploration_restarts: bool = True
    """Whether ε starts anew with each cycle, as published, or falls over the whole training."""
    cycles: int = 50
    """How often trainee and trainer swap; 1 or more."""
    episodes: int = 100
    """Negotiations in a cycle; 1 or more."""
    expected_updates: bool = False
    """Whether the trainee learns from the mean over the trainer's equally good answers, not from
    the one drawn (after van Seijen et al. 2009)."""
    initial_value: float = 0.0
    """What every entry of a Q-table is worth before it was ever tried; 0 as published, 1 is the
    optimist's (Sutton and Barto 2018, section 2.6); −1 to 1."""
    start_window: int = 0
    """0 to begin each episode with the opening offer, as published; else each begins with the
    trainee's decision at a ply drawn from a window this wide, on a price drawn at random."""
    back_every: int = 0
    """The window begins at the deadline and moves back by a ply after so many cycles, down to the
    opening; with 0 it is at the opening from the start."""

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
        _whole("start_window", self.start_window, 0)
        _whole("back_every", self.back_every, 0)

    @property
    def total(self) -> int:
        """Episodes in the whole training."""
        return self.cycles * self.episodes

    def to_dict(self) -> dict[str, Any]:
        """The parameters as plain values by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Self:
        """The parameters of a table as `to_dict` gives it; BadInputError for an unknown name."""
        names = {field.name for field in fields(cls)}
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
