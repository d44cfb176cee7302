"""Facts about hidden limits: openings that tell them, what is gained of the possible surplus."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START
from negotiation_tui.learning.nash_conv_series import Reached
from negotiation_tui.sessions.story.fact import Fact, OpenerFact
from negotiation_tui.sessions.story.moment import Moment
from negotiation_tui.solvers.payoffs import Pairs, ceiling_share

TOLD = (30, 50, 70, 80, 90, 95, 100)
"""The percentages of the possible surplus that are told."""
_FELL = 0.1
"""The least fall of this share that is told."""
_PAYS = 0.005
"""The least gain by pretending that is told."""


@dataclass(frozen=True)
class HiddenLimits(Fact):
    """Limits are drawn, with which no deal may be possible."""

    importance = 99
    percent: int
    """The negotiations in which none is, in percent."""

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it before the first cycle."""
        if now.cycle == 0:
            yield cls(now.cycle, round(100 * (1 - Pairs.of(now.scenario).possible)))

    @property
    def says(self) -> tuple[str, ...]:
        """Say who knows them."""
        impossible = f"In {self.percent} % of all negotiations no price is within both limits."
        return ("Each side draws a limit that the other does not know.", impossible)


@dataclass(frozen=True)
class OpensAlike(OpenerFact):
    """The only price that a role opens at, with any limit."""

    importance = 84
    price: int

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it if all limits open at one price."""
        for role in now.openers:
            prices = _openings(now, role)
            if len(prices) > 1 and len({*prices}) == 1:
                yield cls(now.cycle, role, prices[0])

    @property
    def says(self) -> tuple[str, ...]:
        """Name the price."""
        return (f"The {self.role} opens at {self.price} with any limit: that tells nothing.",)


@dataclass(frozen=True)
class OpeningTells(OpenerFact):
    """Each limit of a role opens at another price."""

    importance = 85

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it if no two limits open at one price."""
        for role in now.openers:
            prices = _openings(now, role)
            if len(prices) > 1 and len({*prices}) == len(prices):
                yield cls(now.cycle, role)

    @property
    def says(self) -> tuple[str, ...]:
        """Say so."""
        first = f"The {self.role}'s opening now tells its limit: each opens at another price."
        return (first,)


@dataclass(frozen=True)
class Gains(Fact):
    """The share of the possible surplus that the plans gain rose to one of a few numbers."""

    importance = 73
    percent: int

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find the highest of these numbers between the last share and this one."""
        for before, after in _change(now):
            shares = 100 * before.efficiency, 100 * after.efficiency + 1e-9
            passed = [percent for percent in TOLD if shares[0] < percent <= shares[1]]
            if passed:
                yield cls(now.cycle, passed[-1])

    @property
    def says(self) -> tuple[str, ...]:
        """Give the share and its meaning."""
        whole = self.percent == 100
        return (
            f"Their plans gain {self.percent} % of what they could if they knew both limits.",
            "Every deal that is worth something is made." if whole else "The rest is lost.",
        )


@dataclass(frozen=True)
class GainsFall(Fact):
    """The share of the possible surplus that the plans gain, in percent, after it was higher."""

    importance = 72
    percent: int

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it when the share falls."""
        for before, after in _change(now):
            if after.efficiency < before.efficiency - _FELL:
                yield cls(now.cycle, round(100 * after.efficiency))

    @property
    def says(self) -> tuple[str, ...]:
        """Say so, with the number."""
        return (
            f"Deals are lost again: their plans gain {self.percent} % of the possible surplus.",
        )


@dataclass(frozen=True)
class AboveCeiling(Fact):
    """The plans gain more than any rule could in equilibrium; both in percent."""

    importance = 83
    percents: tuple[int, int] = field(compare=False)
    """The share of the possible surplus that is gained, and the ceiling."""

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it if the ceiling is lower, at least by a percent."""
        share = 0.0 if now.reached is None else now.reached.efficiency
        most = ceiling_share(now.scenario) if share > TOLD[3] / 100 else None
        if most is not None and round(100 * share) > round(100 * most):
            yield cls(now.cycle, (round(100 * share), round(100 * most)))

    @property
    def says(self) -> tuple[str, ...]:
        """Give both numbers, and the price."""
        share, most = self.percents
        return (
            f"They gain {share} % of the possible surplus; no equilibrium reaches above {most} %.",
            "So some limit would gain by pretending to be another.",
        )


@dataclass(frozen=True)
class PretendingPays(Fact):
    """The mean gain if each limit played the best table of its role, also another limit's."""

    importance = 61
    gain: float = field(compare=False)

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it after any judged cycle with such a gain; only the first time is told."""
        if now.reached is not None and now.reached.pretending > _PAYS and not now.untouched:
            yield cls(now.cycle, now.reached.pretending)

    @property
    def says(self) -> tuple[str, ...]:
        """Give the gain."""
        return (f"Pretending to have another limit would gain {self.gain:.2f} on average.",)


@dataclass(frozen=True)
class NobodyPretends(Fact):
    """No limit would gain by the table of another one."""

    importance = 74

    @classmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Find it when this gain vanishes."""
        yield from (cls(now.cycle) for b, a in _change(now) if a.pretending < 1e-9 < b.pretending)

    @property
    def says(self) -> tuple[str, ...]:
        """Say so."""
        return ("No limit would gain by the plan of another limit.",)


def _change(now: Moment) -> Iterator[tuple[Reached, Reached]]:
    """Yield what was reached before and now, if both are known."""
    if now.reached and now.before and now.before.reached:
        yield now.before.reached, now.reached


def _openings(now: Moment, role: Role) -> list[int]:
    """Return the only opening of each limit that is ever drawn; empty if one has several."""
    limits, plans = now.scenario.limits[role], now.plans_of(role)
    if limits is None:
        return []
    drawn = [plan for plan, chance in zip(plans, limits.chances, strict=True) if chance]
    decisions = [plan.decision(START) for plan in drawn]
    only = [each.lowest for each in decisions if each.n_prices == 1 and each.chance is None]
    return [price for price in only if price is not None] if len(only) == len(drawn) else []


KINDS: tuple[type[Fact], ...] = (
    HiddenLimits,
    OpensAlike,
    OpeningTells,
    Gains,
    GainsFall,
    AboveCeiling,
    PretendingPays,
    NobodyPretends,
)
