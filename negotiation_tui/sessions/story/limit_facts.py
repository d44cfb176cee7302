"""The kinds of facts of a training with hidden limits: bluffs, beliefs, and what hiding costs.

A limit is *stronger* than another if less can be gained with it. A *bluff* is an opening that a
stronger limit of the same role makes too.
"""

from collections.abc import Iterator

import numpy as np

from negotiation_tui.game.plan import Kind
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.learning.nash_conv_series import Reached
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.text import coins, money
from negotiation_tui.sessions.story.fact import Fact, listed
from negotiation_tui.sessions.story.facts import (
    COURSE,
    HAGGLES,
    NASH_CONV,
    Facts,
    Finder,
    by_rules,
    by_turn,
)
from negotiation_tui.sessions.story.moment import Moment, sure_kinds
from negotiation_tui.solvers.expected_play import CERTAIN
from negotiation_tui.solvers.payoffs import Pairs, Payoffs, ceiling_shares

_FEW = 4  # the most openings that a sentence lists
_TOLD = (50, 70, 90, 95, 100)  # the percentages of the possible surplus that are told
_FELL = 0.1  # the least fall of this share that is told
_PAYS = 0.05  # the least gain by pretending that is told, as money
_PLAYS = 0.5  # the least share of the possible surplus of plans that are worth describing
_NEAR = 0.8  # the least share of the possible surplus that may be above the ceiling
_LATER = 0.5  # rounds by which deals of one limit come later than those of another
Openings = dict[int, tuple[int, ...]]  # the limits that open at a price, in increasing order


def hidden_limits(now: Moment) -> Facts:
    """Two rules haggle with limits that suit each other, then with limits that do not."""
    if now.cycle:
        return
    scenario, pairs = now.scenario, Pairs.of(now.scenario)
    hides = [role for role in Role if scenario.limits[role]]
    who, whom = (
        ("Each side", "other side") if len(hides) == 2 else (f"The {hides[0]}", hides[0].other)
    )
    hidden = f"{who} draws a limit unknown to the {whom}"
    percent = round(100 * (1 - pairs.possible))
    impossible = f"In {percent}% of all games no price suits both limits"
    wide = _drawn(scenario, Role.SELLER)[0], _drawn(scenario, Role.BUYER)[-1]
    narrow = _narrow(scenario)
    by_wide = by_rules(scenario.drawn(*wide), Role.SELLER)
    cost, worth = map(by_wide.scenario.limit, Role)
    haggle = by_wide.outcome.deal and len(by_wide.turns) >= HAGGLES and worth > cost
    if not haggle or narrow is None or not now.untouched:
        yield Fact((f"{hidden}.", f"{impossible}."), (percent,))
        return
    divided = f"{hidden}. Here {cost} and {worth} leave {coins(worth - cost)} to divide."
    says = divided, "Both follow a fixed rule; nobody is learning yet."
    turns = by_turn(by_wide, *says)
    yield Fact(says, (0,), Role.SELLER, rules=True, limits=wide, per_turn=turns)
    both = " and ".join(str(scenario.drawn(*narrow).limit(role)) for role in Role)
    bars = "Small bars show which limits the other side still thinks possible."
    says = f"{impossible}, as here with {both}.", bars
    yield Fact(says, (1, percent), Role.SELLER, limits=narrow, rules=True)


def _drawn(scenario: Scenario, role: Role) -> list[int]:
    """Return the indices of the limits that may be drawn."""
    drawn: list[int] = np.flatnonzero(scenario.chances(role)).tolist()
    return drawn


def _narrow(scenario: Scenario) -> tuple[int, int] | None:
    """Return the indices of limits that just miss each other, near the middle; None if none do."""
    pairs = Pairs.of(scenario)
    apart = np.argwhere(~pairs.tradable & (pairs.chances > 0)).tolist()
    middle = np.array(pairs.tradable.shape) / 2

    def miss(pair: list[int]) -> tuple[int, float]:
        game = scenario.drawn(*pair)
        return game.limit(Role.SELLER) - game.limit(Role.BUYER), float(abs(pair - middle).sum())

    nearest = min(apart, key=miss, default=None)
    return None if nearest is None else (nearest[0], nearest[1])


# The last round.


def last_answers(now: Moment) -> Facts:
    """Each limit of a role takes at the last decision all prices that are worth something."""
    for role in (opener.other for opener in now.openers):
        plans = zip(now.scenario.views[role], now.plans_of(role), strict=True)
        kinds = (
            sure_kinds(
                plan, plan.states(False)[-1][[view.reward(role, p) > 0 for p in view.prices]]
            )
            for view, plan in plans
        )
        if now.scenario.limits[role] and all((each == Kind.ACCEPT).all() for each in kinds):
            first = f"At the last decision the {role} accepts any price with a gain."
            begun = max(0, 2 * now.scenario.rounds - 3)
            says = first, "Without a deal neither gets anything."
            yield Fact(says, (), role.other, begun=begun)
            return


def risks(now: Moment) -> Facts:
    """An opener's weakest limit offers at its last move nothing near its limit; told per role.

    That is a risk if some limit of the other may accept a nearer price only.
    """
    scenario, time = now.scenario, now.scenario.rounds - 2
    for role in now.openers if time >= 0 else ():
        if scenario.limits[role] is None:
            continue
        drawn, sells = _drawn(scenario, role), role is Role.SELLER
        weakest = drawn[0] if sells else drawn[-1]
        plan, offers = now.plans_of(role)[weakest], scenario.views[role][weakest].offers(role)
        states = plan.states(True)[time]
        kinds = sure_kinds(plan, states)
        asks = states[(kinds & Kind.ASK) > 0]
        if (kinds & Kind.UNTRIED).any() or not len(asks) or len(offers) < 3:
            continue
        nearest = plan.lowest[asks].min() if sells else plan.highest[asks].max()
        safe = offers[1] if sells else offers[-2]  # the nearest to its limit that gains
        acceptable = Payoffs.of(scenario, role.other).acceptable
        lost = [
            n for n in _drawn(scenario, role.other) if acceptable[safe, n] > acceptable[nearest, n]
        ]
        if nearest != safe and (nearest > safe) == sells and lost:
            limit, price = scenario.views[role][weakest].limit(role), scenario.prices[nearest]
            asked = f"asks {price} or more" if sells else f"offers {price} or less"
            first = f"As its last offer, a {role} with limit {limit} {asked}."
            says = first, f"A price of {scenario.prices[safe]} would gain less, but would be safer."
            pair = (weakest, lost[0]) if sells else (lost[-1], weakest)
            yield Fact(says, (role,), role, begun=2 * scenario.rounds - 3, limits=pair)


# Openings: what they tell, and who bluffs.


def opens_alike(now: Moment) -> Facts:
    for role, openings in _openings(now):
        if len(openings) == 1:
            (price,) = openings
            says = f"The {role} opens at {price} with any limit, so the opening tells nothing."
            yield Fact((says,), (role, price), role)


def opening_tells(now: Moment) -> Facts:
    for role, openings in _openings(now):
        if all(len(limits) == 1 for limits in openings.values()):
            says = f"The {role}'s opening tells its limit, because each limit has its own price."
            yield Fact((says,), (role,), role)


def bluffs(now: Moment) -> Facts:
    """Some limits of an opener open alike for two cycles, others do not; told once per role."""
    before = dict(_openings(now.before)) if now.before else {}
    for role, openings in _openings(now):
        alike = _alike(role, openings)
        if len(openings) > 1 and len(alike) > 1 and before.get(role) == openings:
            few = len(openings) <= _FEW
            shown = {at: each for at, each in openings.items() if few or alike[0] in each}
            opens = ", ".join(f"at {at} with {listed(each)}" for at, each in shown.items())
            first = f"The {role} opens {opens.replace('with', 'with limit', 1)}."
            holds = f"the {role.other} must think {listed(sorted(alike))} possible"
            says = first, f"With limit {alike[0]} that is a bluff; {holds}."
            yield Fact(says, (role,), role, limits=_with_limit(now.scenario, role, alike[0]))


def _alike(role: Role, openings: Openings) -> tuple[int, ...]:
    """Return the limits that open alike and differ most, the weakest first."""
    limits = max(openings.values(), key=lambda each: each[-1] - each[0])
    return limits if role is Role.SELLER else limits[::-1]


def _openings(now: Moment) -> Iterator[tuple[Role, Openings]]:
    """Yield each opener whose limits, two or more, all have one opening, with these openings."""
    for role in now.openers:
        if limits := now.scenario.limits[role]:
            drawn = zip(limits.values, now.plans_of(role), limits.chances, strict=True)
            each = [(limit, plan.decision(START)) for limit, plan, chance in drawn if chance]
            if len(each) > 1 and all(d.n_prices == 1 and d.chance is None for _, d in each):
                prices = sorted({d.lowest for _, d in each if d.lowest is not None})
                opens = {at: tuple(limit for limit, d in each if d.lowest == at) for at in prices}
                yield role, opens


def _with_limit(scenario: Scenario, role: Role, limit: int) -> tuple[int, int]:
    """Return the indices of a limit of a role and of the other's limit that is best for a deal."""
    index = scenario.find_limit(role, limit)
    return (index, scenario.n_tables(Role.BUYER) - 1) if role is Role.SELLER else (0, index)


# Deals: who waits, what hiding costs, and who gains by it.


def waits(now: Moment) -> Facts:
    """The stronger its limit, the later a role's deals come; told of one role."""
    if now.play is None or _efficiency(now) < _PLAYS:
        return
    for role in Role:
        limits = now.scenario.limits[role]
        by_ply = now.play.deals[role][list(now.openers)].sum(axis=(0, 3))
        made = (by_ply.sum(axis=1) > 1 - CERTAIN) & (now.scenario.chances(role) > 0)
        if limits is None or made.sum() < 3:
            continue
        numbers = np.arange(by_ply.shape[1]) // 2 + 1
        mean = (by_ply @ numbers)[made] / by_ply.sum(axis=1)[made]
        values = np.array(limits.values)[made]
        if role is Role.BUYER:
            mean, values = mean[::-1], values[::-1]
        if (np.diff(mean) > 0).all() and mean[-1] > mean[0] + _LATER:
            first = f"The less a {role} can gain, the later it agrees"
            early, late = (f"round {mean[n]:.1f} with limit {values[n]}" for n in (0, -1))
            says = f"{first}, from {early} to {late}."
            yield Fact((says, "So waiting tells the limit."))
            return


def never_agree(now: Moment) -> Facts:
    """Two limits could gain, but their plans surely end without a deal if one role opens; once."""
    if now.play is None or _efficiency(now) < _PLAYS:
        return
    pairs = Pairs.of(now.scenario)
    for opener in now.openers:
        fails = now.play.between[opener].sum(axis=-1) < 1 - CERTAIN
        lost: Floats = np.where(fails, pairs.surplus * pairs.chances, 0.0)
        if lost.max() > 0:
            seller, buyer = map(int, np.unravel_index(int(lost.argmax()), lost.shape))
            game = now.scenario.drawn(seller, buyer)
            both = " and ".join(f"a {role} with limit {game.limit(role)}" for role in Role)
            says = f"If the {opener} opens, {both} never agree."
            cost = "Both could gain, so this is what hidden limits cost."
            yield Fact((says, cost), (), opener, limits=(seller, buyer))
            return


def gains(now: Moment) -> Facts:
    for before, after in _change(now):
        least, most = 100 * before.efficiency, 100 * after.efficiency + 1e-9
        passed = [percent for percent in _TOLD if least < percent <= most]
        if passed:
            percent = passed[-1]
            some = "at least " * (percent < 100)
            says = f"These plans earn {some}{percent}% of what both could if they knew both limits."
            whole = "Every deal that is worth something is made."
            yield Fact((says, whole if percent == 100 else "The rest is lost."), (percent,))


def gains_fall(now: Moment) -> Facts:
    for before, after in _change(now):
        if after.efficiency < before.efficiency - _FELL:
            percent = round(100 * after.efficiency)
            lost = "Deals are" if not now.scenario.time_costs else "Deals or time are"
            says = f"{lost} lost again, so these plans earn {percent}% of what they could."
            yield Fact((says,), (percent,))


def above_ceiling(now: Moment) -> Facts:
    """The plans gain more than any undiscounted equilibrium, at least by a percent; told once."""
    share, rate = _efficiency(now), now.parameters.discount_rate
    ceiling = ceiling_shares(now.scenario, rate)[0] if share > _NEAR else None
    if ceiling is not None and round(100 * share) > round(100 * ceiling):
        gained, most = f"{round(100 * share)}%", f"{round(100 * ceiling)}%"
        limit = f"without discounting, no equilibrium earns more than {most}"
        first = f"These plans earn {gained} of what they could; {limit}."
        yield Fact((first, "So with some limit pretending pays."))


def pretending_pays(now: Moment) -> Facts:
    """Some limit would gain by the table of another; told once, of the greatest gain."""
    if now.play is None or now.untouched or _efficiency(now) < _PLAYS:
        return
    found = list[tuple[float, Role, int]]()
    for role in Role:
        if limits := now.scenario.limits[role]:
            more = now.play.pretending(role) * now.scenario.width
            found += [(more[n], role, limits.values[n]) for n in _drawn(now.scenario, role)]
    gain, role, limit = max(found)
    if gain >= _PAYS:
        first = f"A {role} with limit {limit} would gain {coins(gain)} more per game"
        yield Fact((f"{first} with the plan of another limit, so pretending pays.",))


def nobody_pretends(now: Moment) -> Facts:
    for before, after in _change(now):
        if after.pretending < 1e-9 < before.pretending:
            yield Fact(("Whatever its limit, neither gains by pretending to have another one.",))


def in_the_end(now: Moment) -> Facts:
    """After the last cycle: who gains, and what hiding costs."""
    if not now.finished or now.play is None:
        return
    gains = [now.play.returns(role) for role in Role]
    by_opener = [(gains[role][role], gains[role.other][role]) for role in now.openers]
    own, other = np.mean(by_opener, axis=0) * now.scenario.width
    names = (f"The {now.openers[0]}", f"the {now.openers[0].other}")
    who, rest = names if len(now.openers) == 1 else ("Whoever opens", "the other side")
    makes = ", because the opener also makes the last offer"
    last = makes * (bool(own > other) and not now.scenario.time_costs)
    first = f"{who} gains {coins(own)} per game, {rest} {money(other)}{last}"
    pairs = Pairs.of(now.scenario)
    gaining = np.where(pairs.surplus > 0, pairs.chances, 0.0)
    lost = round(100 * float((gaining * (1 - now.play.deal)).sum() / gaining.sum()))
    says = f"{first}.", f"Hidden limits cost {lost}% of all good deals."
    yield Fact(says, (now.cycle,), now.openers[0])


def _efficiency(now: Moment) -> float:
    return 0.0 if now.reached is None else now.reached.efficiency


def _change(now: Moment) -> Iterator[tuple[Reached, Reached]]:
    if now.reached and now.before and now.before.reached:
        yield now.before.reached, now.reached


_LIMITS: dict[Finder, int] = {
    hidden_limits: 99,
    in_the_end: 92,
    bluffs: 87,
    opening_tells: 85,
    opens_alike: 84,
    above_ceiling: 83,
    never_agree: 82,
    waits: 81,
    last_answers: 80,
    risks: 79,
    nobody_pretends: 74,
    gains: 73,
    gains_fall: 72,
    pretending_pays: 71,
}
"""The importance of each kind, 0 to 100."""
HIDDEN_KINDS = COURSE | _LIMITS | NASH_CONV  # a role has several plans
