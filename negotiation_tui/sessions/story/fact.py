"""A fact of a training: the sentences that tell it, and how to show it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from negotiation_tui.game.roles import Role


@dataclass(frozen=True)
class Fact:
    """A fact; two are equal if they are of one kind and about the same, at any time."""

    says: tuple[str, ...] = field(compare=False)
    """The sentence, and others that may follow; commands in braces stand for their keys."""
    about: tuple[object, ...] = ()
    """The values that make it another fact of its kind, a role first."""
    opener: Role | None = field(compare=False, default=None)
    """The role that opens the negotiation which shows the fact; None if either does."""
    begun: int = field(compare=False, default=0)
    """The ply of the random offer that begins this negotiation; 0 if it begins as usual."""
    sample: bool = field(compare=False, default=False)
    """True if an episode of the training shows it, not a negotiation by the plans."""
    kind: str = ""
    cycle: int = field(compare=False, default=0)
    """Number of cycles done when it became true."""
    importance: int = field(compare=False, default=0)
    """0 to 100: of the facts of one moment the most important ones are told."""


def listed(prices: Sequence[int]) -> str:
    """Write prices in ascending order: 4, 4 or 5, 1 to 4; the sequence may have gaps."""
    consecutive = len(prices) > 2 and prices[-1] - prices[0] == len(prices) - 1
    if consecutive:
        return f"{prices[0]} to {prices[-1]}"
    if len(prices) > 4:
        return f"one of {len(prices)} prices from {prices[0]} to {prices[-1]}"
    return " or ".join(filter(None, (", ".join(map(str, prices[:-1])), str(prices[-1]))))
