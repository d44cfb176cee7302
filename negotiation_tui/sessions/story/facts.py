"""The kinds of facts: each function yields the facts of its kind that are true at a moment.

A new kind is one function and one entry in a table at the end, with its importance.
"""

import math
from collections.abc import Callable, Iterator

from negotiation_tui.game.negotiation import Transcript, negotiate
from negotiation_tui.game.plan import Kind
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.sessions.story.fact import Fact, listed
from negotiation_tui.sessions.story.moment import Moment
from negotiation_tui.solvers.expected_play import CERTAIN
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.concession import Midpoint
from negotiation_tui.strategies.time_dependent import Linear

Facts = Iterator[Fact]
LONG = 10  # cycles without a change after which plans have settled
NOTHING = 0.0005  # a gain below this one is written 0.000
FEWER = 0.05  # the least fall of a probability of a deal that is told
HAGGLES = 4  # the least number of turns of a negotiation that opens the story


def fixed_rule(scenario: Scenario) -> Strategy:
    """Return the rule of both sides that opens the story; with hidden limits its offers tell."""
    return Linear() if scenario.origin.hidden else Midpoint()


def by_rules(scenario: Scenario, opener: Role) -> Transcript:
    """Play the negotiation of two fixed rules that opens the story."""
    return negotiate(scenario, fixed_rule(scenario), fixed_rule(scenario), opener)


# The course of the training.


def fixed_rules(now: Moment) -> Facts:
    """Two fixed rules haggle, before anybody learns."""
    if now.cycle or not now.untouched or now.scenario.hidden:  # see `hidden_limits`
        return
    by_seller, by_buyer = (by_rules(now.scenario, opener) for opener in Role)
    prices = by_seller.outcome.price, by_buyer.outcome.price
    if None in prices or min(len(by_seller.turns), len(by_buyer.turns)) < HAGGLES:
        return
    says = "The seller asks much, the buyer offers little.", "Two fixed rules meet halfway."
    yield Fact(says, (Role.SELLER,), opener=Role.SELLER, rules=True)
    if prices[0] != prices[1]:
        end = f"Now the buyer opens: the same rules end at {prices[1]}, not at {prices[0]}."
        yield Fact((end,), (Role.BUYER,), opener=Role.BUYER, rules=True)


def guessing(now: Moment) -> Facts:
    if now.cycle == 0 and now.untouched:
        yield Fact(("Now both learn, from nothing: at first they guess.",), guess=True)


def practice(now: Moment) -> Facts:
    """The window of random starts moves: told once in each of the middle rounds.

    It begins at the last decision, which is told after the first cycle: one role then knows it.
    """
    ply, width = now.window
    before = now.before.window[0] if now.before else None
    last, earlier = now.last_ply, before == ply + 1
    if now.finished or not width:
        return
    if ply == last and now.cycle == 1:
        says = f"They practise the end first: the last decision, in round {now.scenario.rounds}."
        yield Fact((says,), (ply, width), opener=now.coming, begun=max(0, ply - 2))
    if ply not in (before, last) and (ply % 2 or ply in (0, last - 1) or not earlier):
        yield Fact(_practised(ply, width, last, earlier), (ply, width, earlier), sample=True)


def _practised(ply: int, width: int, last: int, earlier: bool) -> tuple[str, ...]:
    number = ply // 2 + 1
    if width > last:
        return ("In training they begin at a random move, with a random price.",)
    if ply == 0:
        return "Now they practise the opening too.", "They know all that follows."
    if ply == last - 1:
        return (f"One move earlier: they now practise the last offer, in round {number}.",)
    begins = "One round earlier: they" if earlier else "They"
    why = "So they learn a move when they know all that follows."
    return (f"{begins} now practise from round {number} on.", *[why] * (ply == last - 2))


def learner(now: Moment) -> Facts:
    role = now.coming
    swaps = role is not None and now.before and role is not now.before.coming
    if role is not None and swaps and now.knows_the_end:
        learns = f"The {role} learns now; the {role.other} keeps its plan."
        yield Fact((learns, "They swap after each cycle."))


def together(now: Moment) -> Facts:
    if now.cycle == 1 and now.together:
        both = "Both learn at once, from the same negotiations."
        yield Fact((both, "So each one's opponent changes while it learns."))


def shares(now: Moment) -> Facts:
    zopa = None if now.scenario.hidden else now.scenario.zopa
    if now.cycle > 1 and now.knows_the_end and zopa is not None and zopa[0] < zopa[-1]:
        low, high = zopa[0], zopa[-1]
        least, most = now.share(Role.SELLER, low), now.share(Role.SELLER, high)
        divides = f"The price divides it: seller {least} % at {low}, {most} % at {high}."
        says = "What both gain together is the surplus.", divides, "The rest is the buyer's."
        yield Fact(says, (low, high, least, most))


def training_deals(now: Moment) -> Facts:
    """The deals of one cycle, however they came about; only the first time is told."""
    if now.before and now.knows_the_end and now.deals:
        first = f"Of {now.parameters.episodes:,} negotiations in training {now.deals:,}"
        tries = f"The {'learners try' if now.together else 'learner tries'} bad moves too."
        yield Fact((f"{first} ended in a deal.", *[tries] * now.tries))


def settled(now: Moment) -> Facts:
    """The plans, which both tried, have not changed for some cycles."""
    tried = all(len(play.openings) < now.scenario.n_prices for play in now.plays)
    since = now.unchanged_since
    says = f"No plan has changed since cycle {since:,}.", "The plans have settled."
    if tried and not now.untouched and now.cycle - since >= LONG:
        yield Fact(says, (since,))


def finished(now: Moment) -> Facts:
    if now.finished:
        sit = "The training is over: {sit} lets you play against them."
        more = "{test} tests them, {more} trains on, {restart} starts again."
        yield Fact((sit, more), (now.parameters.cycles,))


# Plans, wherever play leads.


def last_decision(now: Moment) -> Facts:
    """Each role surely accepts all prices worth something at the last decision; told once."""
    number, accepted = now.scenario.rounds, dict[Role, tuple[int, ...]]()
    for role in (opener.other for opener in now.openers):
        decisions = now.decisions(role, number - 1, opened=False)
        sure = tuple(price for price, kinds, _, _ in decisions if kinds == Kind.ACCEPT)
        worth = {p for p, *_ in decisions if now.scenario.reward(role, p) > 0}
        acceptable = now.scenario.acceptable_range(role)
        if sure and all(price in sure for price in worth if price in acceptable):
            accepted[role] = sure
    if len(accepted) == len(now.openers):
        prices = [f"the {role} accepts {listed(accepted[role])}" for role in accepted]
        says = f"At the end {', '.join(prices)}.", "Walking away pays nothing."
        yield Fact(says, (number,), now.openers[0], begun=max(0, 2 * number - 3))


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
                f"If the {role} opened, it {verb} {price} in round {number}.",
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
                first = (
                    f"If the {role.other} opened, the {role} accepts {prices} in round {time + 1}."
                )
                rest = "It answers any other price with its own."
                says = (first,) if all(accepts) else (first, rest)
                yield Fact(says, (role,), role.other, begun=2 * time)
                break


# Openings: their prices, the answers to them, and who gains.


def opens_at(now: Moment) -> Facts:
    for role in now.openers:
        if len(openings := now.plays[role].openings) == 1:
            takes = f" and the {role.other} takes it" * _at_once(now, role)
            says = f"The {role} now opens at {openings[0]}{takes}."
            yield Fact((says,), (role, openings[0]), role)


def opening_moves(now: Moment) -> Facts:
    for role in now.openers if now.before else ():
        assert now.before
        old, new = now.before.plays[role].openings, now.plays[role].openings
        if len(old) == len(new) == 1 and old != new:
            moves = f"{'rises' if new > old else 'falls'} from {old[0]} to {new[0]}"
            yield Fact((f"The {role}'s opening {moves}.",), (role, old[0], new[0]), role)


def opening_ties(now: Moment) -> Facts:
    for role in now.openers:
        play, decision = now.plays[role], now.plans[role].decision(START)
        equal = decision.chance is None
        if equal and 1 < len(play.openings) < len(now.scenario.offers(role)):
            opens = f"The {role} opens at {listed(play.openings)}."
            yield Fact((opens, "They are worth the same to it."), (role, play.openings), role)


def accepts_at_once(now: Moment) -> Facts:
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
        first = f"Whoever opens gets {gets}: it would also make the last offer."
        yield Fact((first, "So the other accepts at once."), shares)


def split(now: Moment) -> Facts:
    for role in now.openers:
        play = now.plays[role]
        if play.only and play.only[0] > 1:
            price = play.only[1]
            seller, buyer = (now.share(each, price) for each in Role)
            opens = f"If the {role} opens, the price is {price}"
            says = f"{opens}: seller {seller} %, buyer {buyer} %."
            yield Fact((says,), (role, price, seller, buyer), role)


def _at_once(now: Moment, opener: Role) -> bool:
    """True if every opening of a role is accepted in round 1 without a counter-offer."""
    return float(now.plays[opener].deals[0].sum()) > CERTAIN and now.last_ply > 1


# Play by both plans.


def more_deals(now: Moment) -> Facts:
    tenths = int(10 * now.deal + 1e-9)
    if now.before and now.deal > now.before.deal and tenths in {6, 8, 9}:
        yield Fact((f"With these plans {tenths} of 10 negotiations end in a deal.",), (tenths,))


def always_deal(now: Moment) -> Facts:
    for role in now.openers:
        if now.plays[role].always_deal:
            says = f"If the {role} opens, every negotiation now ends in a deal."
            yield Fact((says,), (role,), role)


def lost_deals(now: Moment) -> Facts:
    for role in now.openers if now.before else ():
        assert now.before
        if (deal := now.plays[role].deal) < now.before.plays[role].deal - FEWER:
            percent = round(100 * (1 - deal))
            says = f"Agreement is lost again: {percent} % fail if the {role} opens."
            yield Fact((says,), (role, percent), role)


def never_walks(now: Moment) -> Facts:
    for role in Role if now.before else ():
        assert now.before
        if _walks(now.before, role) >= 1 - CERTAIN > _walks(now, role):
            yield Fact((f"The {role} no longer walks away from the table.",), (role,))


def _walks(moment: Moment, role: Role) -> float:
    return sum(moment.plays[opener].walks[role] for opener in moment.openers)


def rounds(now: Moment) -> Facts:
    mean, before = now.rounds, now.before.rounds if now.before else None
    if mean is not None and before is not None and mean < before:
        most = math.ceil(mean - 1e-9)
        sooner = f"Deals come sooner: after {most} rounds or less, on average."
        if before > most + 1e-9:
            yield Fact(("Every deal is now made in round 1." if most == 1 else sooner,), (most,))


def as_theory(now: Moment) -> Facts:
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
    if now.knows_the_end and now.could_gain is not None and now.could_gain >= NOTHING:
        first = f"With better plans they could still gain {now.could_gain:.2f}."
        yield Fact((first, "This number is NashConv: at 0, no other plan is better."))


def gain_falls(now: Moment) -> Facts:
    if now.before and now.could_gain is not None and now.before.could_gain is not None:
        passed = [b for b in (0.5, 0.1) if now.could_gain < b <= now.before.could_gain]
        if passed and now.could_gain >= NOTHING:
            says = f"What better plans could gain fell below {passed[-1]:g}."
            yield Fact((says,), (passed[-1],))


def nobody_gains(now: Moment) -> Facts:
    if now.could_gain is not None and now.could_gain < NOTHING and not now.untouched:
        yield Fact(("Nobody can gain by another plan: that is an equilibrium.",))


Finder = Callable[[Moment], Facts]
COURSE: dict[Finder, int] = {
    fixed_rules: 100,
    guessing: 98,
    practice: 95,
    finished: 90,
    learner: 59,
    together: 76,
    shares: 66,
    training_deals: 50,
    settled: 45,
}
"""The importance of each kind, 0 to 100."""
NASH_CONV: dict[Finder, int] = {nobody_gains: 86, gain_falls: 68}
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
KINDS = COURSE | PLANS | NASH_CONV | {could_gain: 57}
