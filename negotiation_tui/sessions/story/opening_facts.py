"""Facts about openings: their prices, the answers to them, and who gains."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START
from negotiation_tui.sessions.story.fact import Fact, OpenerFact, ResponderFact, listed
from negotiation_tui.sessions.story.moment import Moment
from negotiation_tui.solvers.expected_play import CERTAIN


@dataclass(frozen=True)
class OpensAt(OpenerFact):
    """The only price that a role opens at."""

    importance = 88
    price: int
    at_once: bool = field(compare=False)
    """True if the other role always accepts it at once."""

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it when there is one price, where there were several."""
        for role in now.openers:
            play = now.plays[role]
            if len(play.openings) == 1:
                yield cls(now.cycle, role, play.openings[0], _at_once(now, role))

    @property
    def says(self) -> tuple[str, ...]:
        """Name the price."""
        takes = f"and the {self.role.other} takes it." if self.at_once else ""
        return (f"The {self.role} now opens at {self.price}{' ' + takes if takes else '.'}",)


@dataclass(frozen=True)
class OpeningMoves(OpenerFact):
    """A change from one opening price to another."""

    importance = 89
    before: int
    after: int

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it when both moments have one opening price each."""
        before = now.before
        if before is None:
            return
        for role in now.openers:
            old, new = before.plays[role].openings, now.plays[role].openings
            if len(old) == len(new) == 1 and old != new:
                yield cls(now.cycle, role, old[0], new[0])

    @property
    def says(self) -> tuple[str, ...]:
        """Name both prices."""
        moves = "rises" if self.after > self.before else "falls"
        return (f"The {self.role}'s opening {moves} from {self.before} to {self.after}.",)


@dataclass(frozen=True)
class OpeningTies(OpenerFact):
    """Several opening prices that are equally good to a role, but not all of them."""

    importance = 70
    prices: tuple[int, ...]

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find them in the plan of each role."""
        for role in now.openers:
            play, decision = now.plays[role], now.plans[role].decision(START)
            equal = decision.chance is None
            if equal and 1 < len(play.openings) < len(now.scenario.offers(role)):
                yield cls(now.cycle, role, play.openings)

    @property
    def says(self) -> tuple[str, ...]:
        """Name the prices."""
        return f"The {self.role} opens at {listed(self.prices)}.", "They are worth the same to it."


@dataclass(frozen=True)
class AcceptsAtOnce(ResponderFact):
    """A role accepts at once all openings that are equally good to the other role."""

    importance = 65

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it if the other role has several openings."""
        for opener in now.openers:
            if _at_once(now, opener) and len(now.plays[opener].openings) > 1:
                yield cls(now.cycle, opener.other)

    @property
    def says(self) -> tuple[str, ...]:
        """Say so."""
        return (f"The {self.role} now accepts any opening at once.",)


@dataclass(frozen=True)
class FirstGets(Fact):
    """The shares of each opener, in percent, if both openings are accepted at once."""

    importance = 84
    shares: tuple[int, int]

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it if each opener gets more than half at its only price."""
        outcomes = [play.only for play in now.plays]
        shares = tuple(
            now.share(role, outcome[1])
            for role, outcome in zip(Role, outcomes, strict=True)
            if outcome and outcome[0] == 1
        )
        if len(shares) == len(now.openers) == 2 and min(shares) > 50:
            yield cls(now.cycle, (shares[0], shares[1]))

    @property
    def says(self) -> tuple[str, ...]:
        """Say the share of the first to speak."""
        seller, buyer = self.shares
        gets = f"{seller} %" if seller == buyer else "most"
        gets = "all" if seller == buyer == 100 else gets
        return (
            f"Who speaks first gets {gets}: it would also make the last offer.",
            "So the other accepts at once.",
        )


@dataclass(frozen=True)
class Split(OpenerFact):
    """The one price that a longer negotiation ends at, and both shares, in percent."""

    importance = 62
    price: int
    shares: tuple[int, int]

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it for each opener with only one outcome, unless that is the opening price."""
        for role in now.openers:
            play = now.plays[role]
            if play.only and play.only[0] > 1:
                price = play.only[1]
                seller, buyer = (now.share(each, price) for each in Role)
                yield cls(now.cycle, role, price, (seller, buyer))

    @property
    def says(self) -> tuple[str, ...]:
        """Say the price and the shares."""
        seller, buyer = self.shares
        return (
            (
                f"If the {self.role} opens, {self.price} is the price:"
                f" seller {seller} %, buyer {buyer} %."
            ),
        )


def _at_once(now: Moment, opener: Role) -> bool:
    """True if every opening of a role is accepted in round 1 without a counter-offer."""
    return float(now.plays[opener].deals[0].sum()) > CERTAIN and now.last_ply > 1


KINDS: tuple[type[Fact], ...] = (
    OpensAt,
    OpeningMoves,
    OpeningTies,
    AcceptsAtOnce,
    FirstGets,
    Split,
)
