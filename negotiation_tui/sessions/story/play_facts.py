"""Facts about play by both plans: deals, rounds, and what better plans could gain."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.story.fact import Fact, OpenerFact, listed
from negotiation_tui.sessions.story.moment import Moment
from negotiation_tui.solvers.expected_play import CERTAIN

NOTHING = 0.0005
"""A gain below this one is written 0.000."""
FEWER = 0.05
"""The least fall of a probability of a deal that is told."""


@dataclass(frozen=True)
class MoreDeals(Fact):
    """The number of tenths of all negotiations that end in a deal by the plans."""

    importance = 55
    tenths: int

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it when it rises to one of a few numbers."""
        tenths = int(10 * now.deal + 1e-9)
        if now.before and now.deal > now.before.deal and tenths in {6, 8, 9}:
            yield cls(now.cycle, tenths)

    @property
    def says(self) -> tuple[str, ...]:
        """Count them."""
        return (f"By their plans {self.tenths} of 10 negotiations now end in a deal.",)


@dataclass(frozen=True)
class AlwaysDeal(OpenerFact):
    """A deal is certain if this role opens."""

    importance = 72

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it in the play of each opener."""
        yield from (cls(now.cycle, role) for role in now.openers if now.plays[role].always_deal)

    @property
    def says(self) -> tuple[str, ...]:
        """Say so."""
        return (f"If the {self.role} opens, every negotiation now ends in a deal.",)


@dataclass(frozen=True)
class LostDeals(OpenerFact):
    """The negotiations without a deal, in percent, after agreement was more frequent."""

    importance = 75
    percent: int

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it when the probability of a deal falls."""
        before = now.before
        if before is None:
            return
        for role in now.openers:
            play = now.plays[role]
            if play.deal < before.plays[role].deal - FEWER:
                yield cls(now.cycle, role, round(100 * (1 - play.deal)))

    @property
    def says(self) -> tuple[str, ...]:
        """Say so, with the number."""
        return (f"Agreement is lost again: {self.percent} % fail if the {self.role} opens.",)


@dataclass(frozen=True)
class NeverWalks(Fact):
    """A role that never walks away in play by the plans, after it did."""

    importance = 58
    role: Role

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it for either role."""
        before = now.before
        if before is None:
            return
        for role in Role:
            if _walks(before, role) >= 1 - CERTAIN > _walks(now, role):
                yield cls(now.cycle, role)

    @property
    def says(self) -> tuple[str, ...]:
        """Say so."""
        return (f"The {self.role} no longer walks away from the table.",)


@dataclass(frozen=True)
class Rounds(Fact):
    """The mean number of rounds to a deal fell to this whole number, or below."""

    importance = 52
    most: int

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it when the mean falls to or below a whole number."""
        mean, before = now.rounds, now.before.rounds if now.before else None
        if mean is not None and before is not None and mean < before:
            most = math.ceil(mean - 1e-9)
            if before > most + 1e-9:
                yield cls(now.cycle, most)

    @property
    def says(self) -> tuple[str, ...]:
        """Say so."""
        if self.most == 1:
            return ("Every deal is now made in round 1.",)
        return (f"Deals come sooner: after {self.most} rounds or less, on average.",)


@dataclass(frozen=True)
class CouldGain(Fact):
    """NashConv of the plans."""

    importance = 57
    gain: float = field(compare=False)

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it after any judged cycle; only the first time is told."""
        if now.could_gain is not None and now.could_gain >= NOTHING:
            yield cls(now.cycle, now.could_gain)

    @property
    def says(self) -> tuple[str, ...]:
        """Give the number and its meaning."""
        return (
            f"With better plans they could still gain {self.gain:.2f} (NashConv).",
            "At 0 no other plan would be better.",
        )


@dataclass(frozen=True)
class GainFalls(Fact):
    """A bound that NashConv fell below."""

    importance = 68
    below: float

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find the lowest bound between the last gain and this one."""
        if now.before and now.could_gain is not None and now.before.could_gain is not None:
            passed = [b for b in (0.5, 0.1) if now.could_gain < b <= now.before.could_gain]
            if passed and now.could_gain >= NOTHING:
                yield cls(now.cycle, passed[-1])

    @property
    def says(self) -> tuple[str, ...]:
        """Give the bound."""
        return (f"What better plans could gain fell below {self.below:g} (NashConv).",)


@dataclass(frozen=True)
class NobodyGains(Fact):
    """No role can gain by changing its plan alone: an equilibrium."""

    importance = 86

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it when NashConv is 0.000."""
        if now.could_gain is not None and now.could_gain < NOTHING and not now.untouched:
            yield cls(now.cycle)

    @property
    def says(self) -> tuple[str, ...]:
        """Say so."""
        return "Nobody can gain by another plan: an equilibrium.", "NashConv is 0.000."


@dataclass(frozen=True)
class AsTheory(Fact):
    """The prices that both openers reach are those of an equilibrium."""

    importance = 64
    prices: tuple[int, int]
    others: tuple[int, ...] = field(compare=False)
    """Prices of other equilibria."""

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it if each opener has only one outcome, and theory has it too."""
        seller, buyer = (play.only for play in now.plays)
        both = len(now.openers) == 2
        if both and seller and buyer and seller[1] in now.theory[0] and buyer[1] in now.theory[1]:
            reached = seller[1], buyer[1]
            others = {price for prices in now.theory for price in prices} - {*reached}
            yield cls(now.cycle, reached, tuple(sorted(others)))

    @property
    def says(self) -> tuple[str, ...]:
        """Name the prices."""
        seller, buyer = self.prices
        first = f"Theory agrees: {seller} if the seller opens, {buyer} if the buyer does."
        return (first, f"It also allows {listed(self.others)}.") if self.others else (first,)


def _walks(moment: Moment, role: Role) -> float:
    return sum(moment.plays[opener].walks[role] for opener in moment.openers)


NASH_CONV: tuple[type[Fact], ...] = CouldGain, GainFalls, NobodyGains
KINDS: tuple[type[Fact], ...] = (
    MoreDeals,
    AlwaysDeal,
    LostDeals,
    NeverWalks,
    Rounds,
    *NASH_CONV,
    AsTheory,
)
