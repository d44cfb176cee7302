"""Facts about what a plan says, wherever play leads: answers, last decisions, openings."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

from negotiation_tui.game.plan import Kind
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.story.fact import Fact, OpenerFact, ResponderFact, listed
from negotiation_tui.sessions.story.moment import Moment


@dataclass(frozen=True)
class LastDecision(ResponderFact):
    """The prices that a role surely accepts at the last decision: all that are worth something."""

    importance = 80
    prices: tuple[int, ...]
    round: int
    worthless: tuple[int, ...] = field(compare=False)
    """The prices that pay the role nothing, like no deal."""

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it once all prices worth something are accepted."""
        for role in (opener.other for opener in now.openers):
            decisions = now.decisions(role, now.scenario.rounds - 1, opened=False)
            sure = tuple(price for price, kinds, _, _ in decisions if kinds == Kind.ACCEPT)
            worth = {p for p, _, _, _ in decisions if now.scenario.reward(role, p) > 0}
            acceptable = now.scenario.acceptable_range(role)
            if sure and all(price in sure for price in worth if price in acceptable):
                nothing = (p for p, *_ in decisions if now.scenario.reward(role, p) == 0)
                yield cls(now.cycle, role, sure, now.scenario.rounds, tuple(nothing))

    @property
    def says(self) -> tuple[str, ...]:
        """Name the prices, and the reason."""
        also = f", and so does {listed(self.worthless)}" if self.worthless else ""
        return (
            f"At the very end the {self.role} now accepts {listed(self.prices)}.",
            f"To walk away pays nothing{also}.",
        )

    @property
    def begun(self) -> int:
        """The other role's last offer."""
        return 2 * self.round - 2


@dataclass(frozen=True)
class LastOffer(OpenerFact):
    """The price that a role asks at its last move if it opened."""

    importance = 78
    price: int
    round: int

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it once the role asks one and the same price."""
        scenario = now.scenario
        for role in now.openers if scenario.rounds > 1 else ():
            decisions = now.decisions(role, scenario.rounds - 2, opened=True)
            asked = {offer for _, kinds, *ends in decisions if kinds & Kind.ASK for offer in ends}
            tried = not any(kinds & Kind.UNTRIED for _, kinds, _, _ in decisions)
            if tried and len(asked) == 1:
                yield cls(now.cycle, role, scenario.prices[asked.pop()], scenario.rounds)

    @property
    def says(self) -> tuple[str, ...]:
        """Name the price."""
        verb = "asks" if self.role is Role.SELLER else "offers"
        return (
            f"If the {self.role} opened, in round {self.round} it {verb} {self.price}.",
            f"The {self.role.other} can only take it or leave it.",
        )

    @property
    def begun(self) -> int:
        """The other role's offer before it."""
        return 2 * self.round - 3


@dataclass(frozen=True)
class Answer(ResponderFact):
    """The prices that a role surely accepts in a round, if the other role opened."""

    importance = 40
    round: int = field(compare=False)
    prices: tuple[int, ...] = field(compare=False)
    always: bool = field(compare=False)
    """True if these are all the prices that it may face."""

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it for the latest round before the last with a clear limit; told once per role."""
        for role in (opener.other for opener in now.openers):
            for time in reversed(range(now.scenario.rounds - 1)):
                decisions = now.decisions(role, time, opened=False)
                if role is Role.SELLER:  # its best price first
                    decisions = decisions[::-1]
                accepts = [kinds == Kind.ACCEPT for _, kinds, _, _ in decisions]
                tried = not any(kinds & Kind.UNTRIED for _, kinds, _, _ in decisions)
                if tried and any(accepts) and accepts == sorted(accepts, reverse=True):
                    sure = sorted(price for price, kinds, _, _ in decisions if kinds == Kind.ACCEPT)
                    yield cls(now.cycle, role, time + 1, tuple(sure), all(accepts))
                    break

    @property
    def says(self) -> tuple[str, ...]:
        """Name the prices, and the rest."""
        rest = "" if self.always else "Anything else it answers with a price of its own."
        prices = "any price" if self.always else listed(self.prices)
        first = f"Answering in round {self.round}, the {self.role} now accepts {prices}."
        return (first, rest) if rest else (first,)

    @property
    def begun(self) -> int:
        """The offer that it answers."""
        return 2 * self.round - 2


KINDS: tuple[type[Fact], ...] = (LastDecision, LastOffer, Answer)
