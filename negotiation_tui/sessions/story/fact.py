"""A fact of a training: the sentences that tell it, and how to show it."""

from collections.abc import Sequence

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.records import dataclass, field
from negotiation_tui.runtime.text import either
from negotiation_tui.solvers.expected_play import Coins


@dataclass(frozen=True)
class Fact:
    """A fact; two are equal if they are of one kind and about the same, at any time."""

    says: tuple[str, ...] = field(compare=False)  # sentences, two rows of 76 characters in all
    about: tuple[object, ...] = ()  # the values that make it another fact of its kind, a role first
    opener: Role | None = field(compare=False, default=None)  # who opens to show it; None: either
    begun: int = field(compare=False, default=0)  # ply of the random offer that begins it, or 0
    sample: bool = field(compare=False, default=False)  # an episode shows it, not the plans
    rules: bool = field(compare=False, default=False)  # two fixed rules show it
    guess: bool = field(compare=False, default=False)  # nothing was learned yet
    limits: tuple[int, int] | None = field(compare=False, default=None)  # indices of those drawn
    per_turn: tuple[str, ...] = field(compare=False, default=())
    """For a negotiation that is told slowly: what to say while each turn is the newest."""
    kind: str = ""
    cycle: int = field(compare=False, default=0)  # number of cycles done when it became true
    importance: int = field(compare=False, default=0)  # 0 to 100: the greatest are told

    @property
    def at_first(self) -> bool:
        """True if it is told only until a training has its first negotiation."""
        return self.rules or self.guess


@dataclass(frozen=True, eq=False)
class Story:
    """The facts of a training that were found so far, and the one that is told."""

    news: tuple[Fact, ...] = ()  # not told yet, of the last cycle that had any, important first
    found: tuple[Fact, ...] = ()  # all in their order; of one cycle the most important first
    caption: Fact | None = None  # the fact that the newest negotiation shows; None if it shows none
    key: tuple[int, int] = (0, 0)  # the `Key` of that negotiation
    others: int = -1  # the last cycle whose facts are of other players, or say that all is over
    coins: tuple[tuple[int, Coins], ...] = ()  # by the plans after noted cycles, ascending
    samples: tuple[tuple[int, Transcript], ...] = ()
    """One negotiation by the plans per opener, after each of the latest noted cycles."""

    def up_to(self, cycle: int) -> "Story":
        """Return what was found up to an earlier cycle; nothing of it is told."""
        found = tuple(fact for fact in self.found if fact.cycle <= cycle)
        return Story(found=found, coins=tuple(each for each in self.coins if each[0] <= cycle))


def listed(prices: Sequence[int]) -> str:
    """Write prices in ascending order: 4, 4 or 5, 1 to 4; the sequence may have gaps."""
    consecutive = len(prices) > 2 and prices[-1] - prices[0] == len(prices) - 1
    if consecutive:
        return f"{prices[0]} to {prices[-1]}"
    if len(prices) > 4:
        return f"one of {len(prices)} prices from {prices[0]} to {prices[-1]}"
    return either([str(price) for price in prices])
