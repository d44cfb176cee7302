"""The kinds of facts: each function yields the facts of its kind that are true at a moment.

A new kind is one function and one entry in a table at the end, with its importance.
"""

import math
from collections.abc import Callable, Iterator

from negotiation_tui.game.plan import Kind
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START
from negotiation_tui.learning.nash_conv_series import Reached
from negotiation_tui.sessions.story.fact import Fact, listed
from negotiation_tui.sessions.story.moment import Moment
from negotiation_tui.solvers.expected_play import CERTAIN
from negotiation_tui.solvers.payoffs import Pairs, ceiling_share

Facts = Iterator[Fact]
LONG = 10
"""Cycles without a change after which plans have settled."""
NOTHING = 0.0005
"""A gain below this one is written 0.000."""
FEWER = 0.05
"""The least fall of a probability of a deal that is told."""
TOLD = (30, 50, 70, 80, 90, 95, 100)
"""The percentages of the possible surplus that are told."""
_FELL = 0.1
"""The least fall of this share that is told."""
_PAYS = 0.005
"""The least gain by pretending that is told."""


# The course of the training.


def guessing(now: Moment) -> Facts:
    """Nothing was learned yet."""
    if now.cycle == 0 and now.untouched:
        wants = "The seller wants a high price, the buyer a low one."
        yield Fact((wants, "Both guess: nothing was learned yet."))


def practice(now: Moment) -> Facts:
    """The window of random starts moves: told once in each of the middle rounds."""
    ply, width = now.window
    before = now.before.window[0] if now.before else None
    last = now.last_ply
    moves = width and ply != before and not now.finished
    if moves and (ply % 2 or ply in (0, last - 1) or before != ply + 1):
        earlier = before == ply + 1
        says = _practised(ply, width, last, earlier)
        yield Fact(says, (ply, width, last, earlier), sample=True)


def _practised(ply: int, width: int, last: int, earlier: bool) -> tuple[str, ...]:
    number = ply // 2 + 1
    if width > last:
        return ("In training they begin at a random move, with a random price.",)
    if ply == last:
        return (
            f"They practise the end first: the last decision, in round {number}.",
            "A random price is on the table.",
        )
    if ply == 0:
        return "Now they practise the opening too.", "They know all that follows."
    if ply == last - 1:
        return (
            f"One move earlier, they practise the last offer, in round {number}.",
            "They know what the answer will be.",
        )
    begins = "One round earlier: they" if earlier else "They"
    why = "So they learn each move when all that follows is known."
    return (f"{begins} now practise from round {number} on.", *[why] * (ply == last - 2))


def learner(now: Moment) -> Facts:
    """The roles swap for the first time."""
    role = now.coming
    if now.cycle == 1 and role is not None and now.before and role is not now.before.coming:
        learns = f"The {role} learns now; the {role.other} keeps to its plan."
        yield Fact((learns, "They swap after each cycle."), (role,))


def together(now: Moment) -> Facts:
    """Both roles learn in every cycle."""
    if now.cycle == 1 and now.together:
        both = "Both learn at once, from the same negotiations."
        yield Fact((both, "So each one's opponent changes while it learns."))


def shares(now: Moment) -> Facts:
    """The seller's shares of the surplus at the lowest and the highest price without a loss."""
    zopa = None if now.scenario.hidden else now.scenario.zopa
    if now.cycle == 2 and zopa is not None and zopa[0] < zopa[-1]:
        low, high = zopa[0], zopa[-1]
        least, most = now.share(Role.SELLER, low), now.share(Role.SELLER, high)
        first = f"The price shares the surplus: seller {least} % at {low}, {most} % at {high}."
        yield Fact((first, "The rest is the buyer's."), (low, high, least, most))


def training_deals(now: Moment) -> Facts:
    """The deals of one cycle, however they came about; only the first time is told."""
    if now.before and now.deals:
        first = f"Of {now.parameters.episodes:,} negotiations in training {now.deals:,}"
        why = ("", "The learner tries bad moves too.", "The learners try bad moves too.")
        tries = why[now.tries * (1 + now.together)]
        yield Fact((f"{first} ended in a deal.", *[tries] * bool(tries)))


def settled(now: Moment) -> Facts:
    """The plans, which both tried, have not changed for some cycles."""
    tried = all(len(play.openings) < now.scenario.n_prices for play in now.plays)
    since = now.unchanged_since
    if tried and not now.untouched and now.cycle - since >= LONG:
        yield Fact((f"No plan has changed since cycle {since:,}.", "They have settled."), (since,))


def finished(now: Moment) -> Facts:
    """The last cycle is over."""
    if now.finished:
        sit = "The training is over: {sit} lets you play against them."
        more = "{test} tests them, {more} trains on, {restart} starts again."
        yield Fact((sit, more), (now.parameters.cycles,))


# Plans, wherever play leads.


def last_decision(now: Moment) -> Facts:
    """A role surely accepts all prices worth something at the last decision."""
    number = now.scenario.rounds
    for role in (opener.other for opener in now.openers):
        decisions = now.decisions(role, number - 1, opened=False)
        sure = tuple(price for price, kinds, _, _ in decisions if kinds == Kind.ACCEPT)
        worth = {p for p, *_ in decisions if now.scenario.reward(role, p) > 0}
        acceptable = now.scenario.acceptable_range(role)
        if sure and all(price in sure for price in worth if price in acceptable):
            nothing = tuple(p for p, *_ in decisions if now.scenario.reward(role, p) == 0)
            also = f", and so does {listed(nothing)}" if nothing else ""
            first = f"At the very end the {role} now accepts {listed(sure)}."
            says = (first, f"To walk away pays nothing{also}.")
            yield Fact(says, (role, sure, number), role.other, begun=2 * number - 2)


def last_offer(now: Moment) -> Facts:
    """A role asks one and the same price at its last move if it opened."""
    scenario = now.scenario
    number = scenario.rounds
    for role in now.openers if number > 1 else ():
        decisions = now.decisions(role, number - 2, opened=True)
        asked = {offer for _, kinds, *ends in decisions if kinds & Kind.ASK for offer in ends}
        tried = not any(kinds & Kind.UNTRIED for _, kinds, _, _ in decisions)
        if tried and len(asked) == 1:
            verb, price = "asks" if role is Role.SELLER else "offers", scenario.prices[asked.pop()]
            says = (
                f"If the {role} opened, in round {number} it {verb} {price}.",
                f"The {role.other} can only take it or leave it.",
            )
            yield Fact(says, (role, price, number), role, begun=2 * number - 3)


def answer(now: Moment) -> Facts:
    """A role has a clear limit in the latest such round before the last; told once per role."""
    for role in (opener.other for opener in now.openers):
        for time in reversed(range(now.scenario.rounds - 1)):
            decisions = now.decisions(role, time, opened=False)
            if role is Role.SELLER:  # its best price first
                decisions = decisions[::-1]
            accepts = [kinds == Kind.ACCEPT for _, kinds, _, _ in decisions]
            tried = not any(kinds & Kind.UNTRIED for _, kinds, _, _ in decisions)
            if tried and any(accepts) and accepts == sorted(accepts, reverse=True):
                sure = sorted(price for price, kinds, _, _ in decisions if kinds == Kind.ACCEPT)
                prices = "any price" if all(accepts) else listed(sure)
                first = f"Answering in round {time + 1}, the {role} now accepts {prices}."
                rest = "Anything else it answers with a price of its own."
                says = (first,) if all(accepts) else (first, rest)
                yield Fact(says, (role,), role.other, begun=2 * time)
                break


# Openings: their prices, the answers to them, and who gains.


def opens_at(now: Moment) -> Facts:
    """A role opens at one price only."""
    for role in now.openers:
        if len(openings := now.plays[role].openings) == 1:
            takes = f" and the {role.other} takes it" * _at_once(now, role)
            says = f"The {role} now opens at {openings[0]}{takes}."
            yield Fact((says,), (role, openings[0]), role)


def opening_moves(now: Moment) -> Facts:
    """One opening price follows another."""
    for role in now.openers if now.before else ():
        assert now.before
        old, new = now.before.plays[role].openings, now.plays[role].openings
        if len(old) == len(new) == 1 and old != new:
            moves = f"{'rises' if new > old else 'falls'} from {old[0]} to {new[0]}"
            yield Fact((f"The {role}'s opening {moves}.",), (role, old[0], new[0]), role)


def opening_ties(now: Moment) -> Facts:
    """Several opening prices are equally good to a role, but not all of them."""
    for role in now.openers:
        play, decision = now.plays[role], now.plans[role].decision(START)
        equal = decision.chance is None
        if equal and 1 < len(play.openings) < len(now.scenario.offers(role)):
            opens = f"The {role} opens at {listed(play.openings)}."
            yield Fact((opens, "They are worth the same to it."), (role, play.openings), role)


def accepts_at_once(now: Moment) -> Facts:
    """A role accepts at once all of several openings."""
    for opener in now.openers:
        if _at_once(now, opener) and len(now.plays[opener].openings) > 1:
            role = opener.other
            yield Fact((f"The {role} now accepts any opening at once.",), (role,), opener)


def first_gets(now: Moment) -> Facts:
    """Each opener gets more than half at its only price, which is accepted at once."""
    outcomes = [play.only for play in now.plays]
    shares = tuple(
        now.share(role, outcome[1])
        for role, outcome in zip(Role, outcomes, strict=True)
        if outcome and outcome[0] == 1
    )
    if len(shares) == len(now.openers) == 2 and min(shares) > 50:
        gets = f"{shares[0]} %" if shares[0] == shares[1] else "most"
        gets = "all" if shares == (100, 100) else gets
        first = f"Who speaks first gets {gets}: it would also make the last offer."
        yield Fact((first, "So the other accepts at once."), shares)


def split(now: Moment) -> Facts:
    """A longer negotiation ends at one price only."""
    for role in now.openers:
        play = now.plays[role]
        if play.only and play.only[0] > 1:
            price = play.only[1]
            seller, buyer = (now.share(each, price) for each in Role)
            opens = f"If the {role} opens, {price} is the price"
            says = f"{opens}: seller {seller} %, buyer {buyer} %."
            yield Fact((says,), (role, price, seller, buyer), role)


def _at_once(now: Moment, opener: Role) -> bool:
    """True if every opening of a role is accepted in round 1 without a counter-offer."""
    return float(now.plays[opener].deals[0].sum()) > CERTAIN and now.last_ply > 1


# Play by both plans.


def more_deals(now: Moment) -> Facts:
    """The tenths of all negotiations that end in a deal rise to one of a few numbers."""
    tenths = int(10 * now.deal + 1e-9)
    if now.before and now.deal > now.before.deal and tenths in {6, 8, 9}:
        yield Fact((f"By their plans {tenths} of 10 negotiations now end in a deal.",), (tenths,))


def always_deal(now: Moment) -> Facts:
    """A deal is certain if a role opens."""
    for role in now.openers:
        if now.plays[role].always_deal:
            says = f"If the {role} opens, every negotiation now ends in a deal."
            yield Fact((says,), (role,), role)


def lost_deals(now: Moment) -> Facts:
    """Agreement was more frequent before."""
    for role in now.openers if now.before else ():
        assert now.before
        if (deal := now.plays[role].deal) < now.before.plays[role].deal - FEWER:
            percent = round(100 * (1 - deal))
            says = f"Agreement is lost again: {percent} % fail if the {role} opens."
            yield Fact((says,), (role, percent), role)


def never_walks(now: Moment) -> Facts:
    """A role never walks away in play by the plans, after it did."""
    for role in Role if now.before else ():
        assert now.before
        if _walks(now.before, role) >= 1 - CERTAIN > _walks(now, role):
            yield Fact((f"The {role} no longer walks away from the table.",), (role,))


def _walks(moment: Moment, role: Role) -> float:
    return sum(moment.plays[opener].walks[role] for opener in moment.openers)


def rounds(now: Moment) -> Facts:
    """The mean number of rounds to a deal falls to a whole number, or below."""
    mean, before = now.rounds, now.before.rounds if now.before else None
    if mean is not None and before is not None and mean < before:
        most = math.ceil(mean - 1e-9)
        sooner = f"Deals come sooner: after {most} rounds or less, on average."
        if before > most + 1e-9:
            yield Fact(("Every deal is now made in round 1." if most == 1 else sooner,), (most,))


def as_theory(now: Moment) -> Facts:
    """Each opener has only one outcome, at the price of an equilibrium."""
    seller, buyer = (play.only for play in now.plays)
    both = len(now.openers) == 2
    if both and seller and buyer and seller[1] in now.theory[0] and buyer[1] in now.theory[1]:
        reached = seller[1], buyer[1]
        others = sorted({price for prices in now.theory for price in prices} - {*reached})
        first = f"Theory agrees: {reached[0]} if the seller opens, {reached[1]} if the buyer does."
        says = (first, f"It also allows {listed(others)}.") if others else (first,)
        yield Fact(says, reached)


# NashConv of the plans.


def could_gain(now: Moment) -> Facts:
    """Better plans could gain something, after any evaluated cycle; only the first time is told."""
    if now.could_gain is not None and now.could_gain >= NOTHING:
        first = f"With better plans they could still gain {now.could_gain:.2f} (NashConv)."
        yield Fact((first, "At 0 no other plan would be better."))


def gain_falls(now: Moment) -> Facts:
    """NashConv falls below a bound."""
    if now.before and now.could_gain is not None and now.before.could_gain is not None:
        passed = [b for b in (0.5, 0.1) if now.could_gain < b <= now.before.could_gain]
        if passed and now.could_gain >= NOTHING:
            says = f"What better plans could gain fell below {passed[-1]:g} (NashConv)."
            yield Fact((says,), (passed[-1],))


def nobody_gains(now: Moment) -> Facts:
    """No role can gain by changing its plan alone: an equilibrium."""
    if now.could_gain is not None and now.could_gain < NOTHING and not now.untouched:
        yield Fact(("Nobody can gain by another plan: an equilibrium.", "NashConv is 0.000."))


# Hidden limits.


def hidden_limits(now: Moment) -> Facts:
    """Limits are drawn, with which no deal may be possible."""
    if now.cycle == 0:
        percent = round(100 * (1 - Pairs.of(now.scenario).possible))
        impossible = f"In {percent} % of all negotiations no price is within both limits."
        yield Fact(
            ("Each side draws a limit that the other does not know.", impossible), (percent,)
        )


def opens_alike(now: Moment) -> Facts:
    """All limits of a role open at one price."""
    for role in now.openers:
        prices = _openings(now, role)
        if len(prices) > 1 and len({*prices}) == 1:
            says = f"The {role} opens at {prices[0]} with any limit: that tells nothing."
            yield Fact((says,), (role, prices[0]), role)


def opening_tells(now: Moment) -> Facts:
    """No two limits of a role open at one price."""
    for role in now.openers:
        prices = _openings(now, role)
        if len(prices) > 1 and len({*prices}) == len(prices):
            says = f"The {role}'s opening now tells its limit: each opens at another price."
            yield Fact((says,), (role,), role)


def _openings(now: Moment, role: Role) -> list[int]:
    """Return the only opening of each limit that is ever drawn; empty if one has several."""
    limits, plans = now.scenario.limits[role], now.plans_of(role)
    if limits is None:
        return []
    drawn = [plan for plan, chance in zip(plans, limits.chances, strict=True) if chance]
    decisions = [plan.decision(START) for plan in drawn]
    only = [each.lowest for each in decisions if each.n_prices == 1 and each.chance is None]
    return [price for price in only if price is not None] if len(only) == len(drawn) else []


def gains(now: Moment) -> Facts:
    """The share of the possible surplus that the plans gain rises to one of a few numbers."""
    for before, after in _change(now):
        least, most = 100 * before.efficiency, 100 * after.efficiency + 1e-9
        passed = [percent for percent in TOLD if least < percent <= most]
        if passed:
            percent = passed[-1]
            says = f"Their plans gain {percent} % of what they could if they knew both limits."
            whole = "Every deal that is worth something is made."
            yield Fact((says, whole if percent == 100 else "The rest is lost."), (percent,))


def gains_fall(now: Moment) -> Facts:
    """The share of the possible surplus that the plans gain falls."""
    for before, after in _change(now):
        if after.efficiency < before.efficiency - _FELL:
            percent = round(100 * after.efficiency)
            says = f"Deals are lost again: their plans gain {percent} % of the possible surplus."
            yield Fact((says,), (percent,))


def above_ceiling(now: Moment) -> Facts:
    """The plans gain more than any rule could in equilibrium, at least by a percent; told once."""
    share = 0.0 if now.reached is None else now.reached.efficiency
    ceiling = ceiling_share(now.scenario) if share > TOLD[3] / 100 else None
    if ceiling is not None and round(100 * share) > round(100 * ceiling):
        gained, most = f"{round(100 * share)} %", f"{round(100 * ceiling)} %"
        first = f"They gain {gained} of the possible surplus; no equilibrium reaches above {most}."
        yield Fact((first, "So some limit would gain by pretending to be another."))


def pretending_pays(now: Moment) -> Facts:
    """Each limit would gain by the best table of its role; only the first time is told."""
    if now.reached is not None and now.reached.pretending > _PAYS and not now.untouched:
        gain = f"{now.reached.pretending:.2f}"
        yield Fact((f"Pretending to have another limit would gain {gain} on average.",))


def nobody_pretends(now: Moment) -> Facts:
    """The gain by the table of another limit vanishes."""
    for before, after in _change(now):
        if after.pretending < 1e-9 < before.pretending:
            yield Fact(("No limit would gain by the plan of another limit.",))


def _change(now: Moment) -> Iterator[tuple[Reached, Reached]]:
    """Yield what was reached before and now, if both are known."""
    if now.reached and now.before and now.before.reached:
        yield now.before.reached, now.reached


Finder = Callable[[Moment], Facts]
COURSE: dict[Finder, int] = {
    guessing: 100,
    practice: 95,
    finished: 90,
    learner: 76,
    together: 76,
    shares: 66,
    training_deals: 50,
    settled: 45,
}
"""The importance of each kind, 0 to 100."""
NASH_CONV: dict[Finder, int] = {nobody_gains: 86, gain_falls: 68, could_gain: 57}
PLANS: dict[Finder, int] = {
    opening_moves: 89,
    opens_at: 88,
    first_gets: 84,
    last_decision: 80,
    last_offer: 78,
    lost_deals: 75,
    always_deal: 72,
    opening_ties: 70,
    accepts_at_once: 65,
    as_theory: 64,
    split: 62,
    never_walks: 58,
    more_deals: 55,
    rounds: 52,
    answer: 40,
}
LIMITS: dict[Finder, int] = {
    hidden_limits: 99,
    opening_tells: 85,
    opens_alike: 84,
    above_ceiling: 83,
    nobody_pretends: 74,
    gains: 73,
    gains_fall: 72,
    pretending_pays: 61,
}
KINDS = COURSE | PLANS | NASH_CONV
HIDDEN_KINDS = COURSE | LIMITS | NASH_CONV
"""The kinds for hidden limits, with which a role has several plans."""
