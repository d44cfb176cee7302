"""The kinds of facts: each function yields the facts of its kind that are true at a moment.

A new kind is one function and one entry in a table at the end, with its importance.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import contains

from negotiation_tui.game.negotiation import Transcript, play_out
from negotiation_tui.game.plan import Kind
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.text import LEAST_COST, coins, money, plural, waiting_cost
from negotiation_tui.sessions.story.fact import Fact, listed
from negotiation_tui.sessions.story.moment import Moment
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import STRATEGIES

Facts = Iterator[Fact]
_LONG = 10  # cycles without a change after which plans have settled
_NOTHING = 1e-9  # a NashConv below this one is 0, but for rounding
FEWER = 0.05  # the least fall of a probability of a deal that is told
EQUILIBRIUM = "Neither can gain by changing only its own plan, so this is an equilibrium."
HAGGLES = 4  # the least number of turns of a negotiation that opens the story


def fixed_rule(scenario: Scenario) -> Strategy:
    """Return the rule of both sides that opens the story; with hidden limits its offers tell."""
    return STRATEGIES["linear" if scenario.origin.hidden else "midpoint"]


@lru_cache(maxsize=4)
def by_rules(scenario: Scenario, opener: Role) -> Transcript:
    """Play the negotiation of two fixed rules that opens the story."""
    rule = fixed_rule(scenario)
    return play_out(scenario, opener, lambda position: rule.support(position)[0])  # it has one


def to_divide(scenario: Scenario) -> str:
    cost, worth = map(scenario.limit, Role)
    item = f"The item costs the seller {cost} and is worth {worth} to the buyer"
    left = coins(worth - cost) if worth > cost else "nothing"
    return f"{item}; they divide {left}."


def refusal_costs(scenario: Scenario) -> str:
    """Say which share of its gain each refusal costs each side; empty if waiting is free."""
    one, other = (f"{100 * (1 - delta):.3g}%" for delta in scenario.delta)
    both = f"both {one}" if one == other else f"the seller {one}, the buyer {other}"
    return f"Each refusal costs {both} of what is left." * scenario.time_costs


def by_turn(shown: Transcript, first: str, then: str) -> tuple[str, ...]:
    """Tell each turn of a negotiation and what both would get by it; two sentences explain it."""
    says, last = list[str](), dict[Role, int]()
    for n, turn in enumerate(shown.turns, 1):
        role, price = turn.role, turn.price
        if price is None:
            says.append(f"The {role} walks away, so neither gets anything.")
            continue
        verb, goes = ("asks", "comes down") if role is Role.SELLER else ("offers", "goes up")
        if turn.action == shown.scenario.accept:
            does = f"accepts {price} and gets"
        elif role in last:
            does = f"{'stays at' if last[role] == price else f'{goes} to'} {price} and would get"
        else:
            does = f"{verb} {price} and would get"
        gets, rest = (shown.first(n).gains[each] for each in (role, role.other))
        says.append(f"The {role} {does} {coins(gets)}, the {role.other} {money(rest)}.")
        last[role] = price
    if cost := waiting_cost(shown.lost_to_time, shown.scenario.width):
        says[-1] = f"{says[-1].removesuffix('.')}; {cost}."
    then, costs = f"{says[1]} {then}", f"{says[2]} {refusal_costs(shown.scenario)}".rstrip()
    return (f"{first} {says[0]}", then, costs, *says[3:])


# The course of the training.


def fixed_rules(now: Moment) -> Facts:
    """Two fixed rules haggle, before anybody learns."""
    if now.cycle or not now.untouched or now.scenario.hidden:  # see `hidden_limits`
        return
    played = [by_rules(now.scenario, opener) for opener in now.openers]
    if any(each.outcome.price is None or len(each.turns) < HAGGLES for each in played):
        return
    first, *rest = played
    says = to_divide(now.scenario), "Both follow a fixed rule; nobody is learning yet."
    turns, opener = by_turn(first, *says), first.opener
    yield Fact(says, (opener,), opener, per_turn=turns, rules=True)
    for each in rest:
        price = each.outcome.price
        if price is not None and price != first.outcome.price:
            gets = _divided(each.gains)
            end = f"Now the {each.opener} opens, and the same rules agree on {price}: {gets}."
            yield Fact((end,), (each.opener,), each.opener, rules=True)


def _divided(gains: tuple[float, float]) -> str:
    seller, buyer = gains
    return f"seller {coins(seller)}, buyer {money(buyer)}"


def guessing(now: Moment) -> Facts:
    if now.cycle == 0 and now.untouched:
        shown_before = now.scenario.hidden or any(fixed_rules(now))
        learn = "Now both learn from scratch, so at first they guess."
        if len(now.learners) == 1:
            learn = f"Now the {now.coming} learns from scratch, so at first it guesses."
        yield Fact((*[to_divide(now.scenario)] * (not shown_before), learn), guess=True)


def practice(now: Moment) -> Facts:
    """Episodes begin at random moves: at any, or at the last decision first.

    The latter is told after the first cycle: one role then knows it.
    """
    (ply, width), last = now.window, now.last_ply
    if now.finished or not width or not now.tries:
        return
    if ply == last and now.cycle == 1:
        end = f"at the end, in round {now.scenario.rounds}, and works backwards"
        known = "each move is learned once everything after it is known"
        says = (f"Practice begins {end}, so {known}.",)
        yield Fact(says, (ply, width), opener=now.coming, begun=max(0, ply - 2))
    elif width > last:
        starts = "Practice games begin at a random move with a random price."
        yield Fact((starts,), (ply, width), sample=True)


def learner(now: Moment) -> Facts:
    role = now.coming
    swaps = role is not None and now.before and role is not now.before.coming
    if role is not None and swaps and now.knows_the_end and not now.finished:
        tries = ", trying bad moves as well" * (role in now.tries)
        learns = f"Now the {role} learns{tries}; the {role.other} keeps its plan."
        swap = f"They swap after each cycle of {plural(now.parameters.episodes, 'game')}."
        yield Fact((learns, swap), sample=True)


def together(now: Moment) -> Facts:
    if now.cycle and now.together:
        both = f"Both learn at once{', from the same games' * bool(now.tries)}."
        yield Fact((both, "So each player's opponent changes while the player learns."))


def settled(now: Moment) -> Facts:
    """The plans, which both tried, have not changed for some cycles."""
    tried = all(len(play.openings) < now.scenario.n_prices for play in now.plays)
    since = now.unchanged_since
    says = f"Neither plan has changed for {now.cycle - since:,} cycles, so both have settled."
    if tried and not now.untouched and now.cycle - since >= _LONG:
        yield Fact((says,), (since,))


def finished(now: Moment) -> Facts:
    """After the last cycle: who wins, and why."""
    if now.finished:
        says = _opener_wins(now, done=True) or (_who_wins(now), _why(now))
        yield Fact(says, (now.parameters.cycles,), now.openers[0])


def _who_wins(now: Moment) -> str:
    seller, buyer = now.gains
    if money(seller) == money(buyer):
        return f"Seller and buyer both get {coins(seller)} per game."
    winner = Role.SELLER if seller > buyer else Role.BUYER
    most, least = max(seller, buyer), min(seller, buyer)
    return f"The {winner} wins {coins(most)} per game, the {winner.other} {money(least)}."


def _why(now: Moment) -> str:
    if (fail := round(100 * (1 - now.deal))) > 0:
        return f"In {fail}% of the games there is no deal."
    if now.lost_to_time >= LEAST_COST:
        return f"Waiting costs {now.lost_to_time * 100:.0f}% of the coins."
    if now.scenario.time_costs:
        when = "at once" if now.at_once else f"by round {now.last_round}"
        return f"They agree {when}. {refusal_costs(now.scenario)}"
    if now.could_gain is None:
        return "Nearly all games end in a deal."
    if now.could_gain < _NOTHING:
        return EQUILIBRIUM
    return _could_gain(now, now.could_gain)


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
        first, *rest = accepted
        end = f"At the last decision the {first} accepts {_any_of(accepted[first])}"
        more = "".join(f", the {role} {_any_of(accepted[role])}" for role in rest)
        says = f"{end}{more}.", "Without a deal neither gets anything."
        yield Fact(says, (number,), now.openers[0], begun=max(0, 2 * number - 3))


def _any_of(prices: tuple[int, ...]) -> str:
    return f"{'any price from ' * (len(prices) > 2)}{listed(prices)}"


def last_offer(now: Moment) -> Facts:
    """An opener asks one and the same price at its last move; told once."""
    number = now.scenario.rounds
    for role in now.openers:
        price = _last_price(now, role)
        if price is not None:
            gets = _divided(now.scenario.gains(price, 2 * number - 2))
            says = (
                f"When the {role} has opened, its last offer is {price} (round {number}): {gets}.",
                f"The {role.other} can only take it or leave it.",
            )
            yield Fact(says, (), role, begun=max(0, 2 * number - 3))
            return


def last_word(now: Moment) -> Facts:
    """Each opener gets most by its last offer, which the other accepts."""
    if not now.finished and (says := _opener_wins(now, done=False)):
        yield Fact(says, begun=max(0, 2 * now.scenario.rounds - 3))


def _opener_wins(now: Moment, done: bool) -> tuple[str, ...]:
    """Say why openers win: in the end, or once their last offers are known; empty if they do not.

    In the end their openings are accepted at once. With time costs another reason decides.
    """
    game, openers = now.scenario, now.openers
    if game.time_costs and game.rounds > 1:
        return ()
    last = {role: p for role in openers if (p := _last_price(now, role)) is not None}
    opened = {role: only[1] for role in openers if (only := now.plays[role].only) and only[0] == 1}
    prices = opened if done else last
    whole = sum(game.gains(game.prices[0]))
    gets = {game.gains(price)[role] for role, price in prices.items()}
    left = {game.gains(price)[role.other] for role, price in last.items()}
    priced = len(last) == len(prices) == len(openers)
    if not priced or min(left) <= 0 or not 0 < whole / 2 < min(gets):
        return ()
    each = [f"The {role}" for role in (openers[0], openers[0].other)]
    who, other = each if len(openers) == 1 else ("Whoever opens", "The other side")
    wins = f"wins {money(min(gets)) if len(gets) == 1 else 'most'} of the {coins(whole)}"
    offer = "also makes the last offer" if game.rounds > 1 else "makes the only offer"
    takes = coins(min(left)) if len(left) == 1 else "the rest"
    accepts = "accepts" if done else "may as well accept"
    return (
        f"{who} {wins if done else 'will win'}, because the opener {offer}.",
        f"{other} can take {takes} or get nothing, so it {accepts} at once.",
    )


def _last_price(now: Moment, opener: Role) -> int | None:
    """Return the only price of an opener's last offer if the other surely accepts it, else None."""
    time = now.scenario.rounds - 1
    if time == 0:
        asked = {*now.plays[opener].openings}
    else:
        decisions = now.decisions(opener, time - 1, opened=True)
        offers = {at for _, kinds, *ends in decisions if kinds & Kind.ASK for at in ends}
        tried = not any(kinds & Kind.UNTRIED for _, kinds, _, _ in decisions)
        asked = {now.scenario.prices[at] for at in offers if tried}
    answers = now.decisions(opener.other, time, opened=False)
    sure = {price for price, kinds, _, _ in answers if kinds == Kind.ACCEPT}
    return asked.pop() if len(asked) == 1 and asked <= sure else None


# Openings: their prices, the answers to them, and who gains.


def opens_at(now: Moment) -> Facts:
    for role in now.openers:
        if (only := now.plays[role].only) and only[0] == 1:
            gets = _divided(now.scenario.gains(only[1]))
            says = f"Now the {role} opens at {only[1]} and the {role.other} accepts: {gets}."
            yield Fact((says,), (role, only[1]), role)


def agree_later(now: Moment) -> Facts:
    for role in now.openers:
        if (only := now.plays[role].only) and only[0] > 1:
            number, price = only
            ends = f"If the {role} opens, they agree on {price} in round {number}"
            yield Fact((f"{ends}: {_divided(now.gains_of(role))}.",), (role, price), role)


def opening_moves(now: Moment) -> Facts:
    for role in now.openers if now.before else ():
        assert now.before
        old, new = now.before.plays[role].openings, now.plays[role].openings
        if len(old) == len(new) == 1 and old != new:
            moves = f"{'rises' if new > old else 'falls'} from {old[0]} to {new[0]}"
            yield Fact((f"The {role}'s opening {moves}.",), (role, old[0], new[0]), role)


# Play by both plans.


def more_deals(now: Moment) -> Facts:
    tenths = int(10 * now.deal + 1e-9)
    if now.before and now.deal > now.before.deal and tenths in {6, 8, 9}:
        says = f"With these plans at least {tenths} of 10 games end in a deal."
        yield Fact((says,), (tenths,))


def always_deal(now: Moment) -> Facts:
    if all(now.plays[role].always_deal for role in now.openers):
        either = ", whoever opens" * (len(now.openers) > 1)
        yield Fact((f"Every game now ends in a deal{either}.",), (), now.openers[0])


def lost_deals(now: Moment) -> Facts:
    for role in now.openers if now.before else ():
        assert now.before
        if (deal := now.plays[role].deal) < now.before.plays[role].deal - FEWER:
            percent = round(100 * (1 - deal))
            says = f"If the {role} opens, {percent}% of the games fail to reach a deal again."
            yield Fact((says,), (role, percent), role)


def waiting(now: Moment) -> Facts:
    """Waiting costs other tenths of what their deals divide than before."""
    if now.before and now.before.deal and now.lost_to_time >= LEAST_COST:
        before, tenths = (int(10 * each.lost_to_time) for each in (now.before, now))
        cost = f"With these plans waiting costs {now.lost_to_time * 100:.0f}%"
        if tenths != before:
            than = "more" if tenths > before else "less"
            yield Fact((f"{cost} of the coins, {than} than before.",), (tenths,))


# NashConv of the plans.


def could_gain(now: Moment) -> Facts:
    if now.knows_the_end and now.could_gain is not None and now.could_gain >= _NOTHING:
        name = "This sum is NashConv; at 0 neither has a better plan."
        yield Fact((_could_gain(now, now.could_gain), name))


def _could_gain(now: Moment, nash_conv: float) -> str:
    amount = nash_conv * now.scenario.width
    most = coins(amount) if amount >= 0.05 else "less than 0.1 coins"
    return f"If each alone switched to its best plan, they would gain {most} together."


def nobody_gains(now: Moment) -> Facts:
    if now.could_gain is not None and now.could_gain < _NOTHING and not now.untouched:
        yield Fact((EQUILIBRIUM, *_theory_agrees(now)))


def _theory_agrees(now: Moment) -> tuple[str, ...]:
    """Say so if both openings end at prices of theory; empty if they do not."""
    ends = [play.only for play in now.plays] if len(now.openers) == 2 else []
    seller, buyer = ends or (None, None)
    if not (seller and buyer and all(map(contains, now.theory, (seller[1], buyer[1])))):
        return ()
    prices = [listed(each) for each in now.theory]
    return (f"Theory agrees: {prices[0]} if the seller opens, {prices[1]} if the buyer does.",)


Finder = Callable[[Moment], Facts]
COURSE: dict[Finder, int] = {
    fixed_rules: 100,
    guessing: 98,
    practice: 95,
    learner: 59,
    together: 76,
    settled: 58,
}
"""The importance of each kind, 0 to 100."""
NASH_CONV: dict[Finder, int] = {nobody_gains: 86}
PLANS: dict[Finder, int] = {
    finished: 99,
    opening_moves: 89,
    opens_at: 88,
    last_offer: 82,
    last_word: 81,
    last_decision: 80,
    waiting: 79,
    lost_deals: 75,
    always_deal: 56,
    more_deals: 55,
    agree_later: 54,
}
KINDS = COURSE | PLANS | NASH_CONV | {could_gain: 57}
