"""Facts about the course of the training: guesses, practice, learners, its end."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.story.moment import Moment

LONG = 10
"""Cycles without a change after which plans have settled."""


@dataclass(frozen=True)
class Guessing(Fact):
    """Nothing was learned yet."""

    importance = 100

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it before the first cycle."""
        if now.cycle == 0 and now.untouched:
            yield cls(now.cycle)

    @property
    def says(self) -> tuple[str, ...]:
        """Say what both want, and that all moves are equal."""
        return (
            "The seller wants a high price, the buyer a low one.",
            "Both guess: nothing was learned yet.",
        )


@dataclass(frozen=True)
class Practice(Fact):
    """The moves with which negotiations of the training begin from now on."""

    importance = 95
    ply: int
    width: int
    last_ply: int
    earlier: bool
    """True if that is one move earlier than before."""

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it when the window of random starts moves, once in each of the middle rounds."""
        ply, width = now.window
        before = now.before.window[0] if now.before else None
        last_offer = now.last_ply - 1
        moves = width and ply != before and not now.finished
        if moves and (ply % 2 or ply in (0, last_offer) or before != ply + 1):
            yield cls(now.cycle, ply, width, now.last_ply, before == ply + 1)

    @property
    def says(self) -> tuple[str, ...]:
        """Name the round and the move."""
        number = self.ply // 2 + 1
        if self.width > self.last_ply:
            return ("In training they begin at a random move, with a random price.",)
        if self.ply == self.last_ply:
            return (
                f"They practise the end first: the last decision, in round {number}.",
                "A random price is on the table.",
            )
        if self.ply == 0:
            return "Now they practise the opening too.", "They know all that follows."
        if self.ply == self.last_ply - 1:
            return (
                f"One move earlier, they practise the last offer, in round {number}.",
                "They know what the answer will be.",
            )
        begins = "One round earlier: they" if self.earlier else "They"
        why = "So they learn each move when all that follows is known."
        return (
            f"{begins} now practise from round {number} on.",
            *[why] * (self.ply == self.last_ply - 2),
        )

    @property
    def sample(self) -> bool:
        """An episode shows it best."""
        return True


@dataclass(frozen=True)
class Learner(Fact):
    """The role that learns in the second cycle."""

    importance = 76
    role: Role

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it when the roles swap for the first time."""
        swapped = now.before is not None and now.coming is not now.before.coming
        if now.cycle == 1 and swapped and now.coming is not None:
            yield cls(now.cycle, now.coming)

    @property
    def says(self) -> tuple[str, ...]:
        """Say that the other one is frozen."""
        return (
            f"The {self.role} learns now; the {self.role.other} keeps to its plan.",
            "They swap after each cycle.",
        )


@dataclass(frozen=True)
class Together(Fact):
    """Both roles learn in every cycle."""

    importance = 76

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it after the first cycle."""
        if now.cycle == 1 and now.together:
            yield cls(now.cycle)

    @property
    def says(self) -> tuple[str, ...]:
        """Say so."""
        return (
            "Both learn at once, from the same negotiations.",
            "So each one's opponent changes while it learns.",
        )


@dataclass(frozen=True)
class Shares(Fact):
    """The seller's shares of the surplus, in percent, at the lowest and the highest price."""

    importance = 66
    prices: tuple[int, int]
    shares: tuple[int, int]

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it after the second cycle, of the prices that neither role loses by."""
        zopa = None if now.scenario.hidden else now.scenario.zopa
        if now.cycle == 2 and zopa is not None and zopa[0] < zopa[-1]:
            low, high = zopa[0], zopa[-1]
            shares = now.share(Role.SELLER, low), now.share(Role.SELLER, high)
            yield cls(now.cycle, (low, high), shares)

    @property
    def says(self) -> tuple[str, ...]:
        """Give both ends."""
        (low, high), (least, most) = self.prices, self.shares
        return (
            f"The price shares the surplus: seller {least} % at {low}, {most} % at {high}.",
            "The rest is the buyer's.",
        )


@dataclass(frozen=True)
class TrainingDeals(Fact):
    """The deals of one cycle, however they came about."""

    importance = 50
    deals: int = field(compare=False)
    negotiations: int = field(compare=False)
    learners: int = field(compare=False, default=1)
    """Number of roles that tried bad moves in it."""

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it after any cycle with deals; only the first time is told."""
        if now.before and now.deals:
            learners = now.tries * (1 + now.together)
            yield cls(now.cycle, now.deals, now.parameters.episodes, learners)

    @property
    def says(self) -> tuple[str, ...]:
        """Count them."""
        first = f"Of {self.negotiations:,} negotiations in training {self.deals:,} ended in a deal."
        why = ("", "The learner tries bad moves too.", "The learners try bad moves too.")
        return tuple(filter(None, (first, why[self.learners])))


@dataclass(frozen=True)
class Settled(Fact):
    """The cycle since which the plans are as they are."""

    importance = 45
    since: int

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it some cycles after the last change of plans that both tried."""
        tried = all(len(play.openings) < now.scenario.n_prices for play in now.plays)
        if tried and not now.untouched and now.cycle - now.unchanged_since >= LONG:
            yield cls(now.cycle, now.unchanged_since)

    @property
    def says(self) -> tuple[str, ...]:
        """Name the cycle."""
        return f"No plan has changed since cycle {self.since:,}.", "They have settled."


@dataclass(frozen=True)
class Finished(Fact):
    """The end of the training."""

    importance = 90
    cycles: int

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it after the last cycle."""
        if now.finished:
            yield cls(now.cycle, now.parameters.cycles)

    @property
    def says(self) -> tuple[str, ...]:
        """Say what to do next."""
        return (
            "The training is over: {sit} lets you play against them.",
            "{test} tests them, {more} trains on, {restart} starts again.",
        )


KINDS: tuple[type[Fact], ...] = (
    Guessing,
    Practice,
    Learner,
    Together,
    Shares,
    TrainingDeals,
    Settled,
    Finished,
)
