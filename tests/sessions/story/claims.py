"""The claims of captions: each sentence is read as a person reads it, and computed anew."""

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from textwrap import wrap
from typing import Any

import numpy as np

from negotiation_tui import Role
from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.strategies.registry import STRATEGIES
from tests.sessions.story.world import CLOSE, World, theory

SELLER, BUYER = Role


def check(world: World, fact: Fact) -> None:
    """Check each sentence of a fact. Exactly one claim must fit it, and hold."""
    assert fact.begun in {0, max(0, world.last - 2)}, "begun with the last offer"
    for n, text in enumerate((" ".join(fact.says), *fact.per_turn), -1):
        assert len(wrap(text, 76)) <= 2, f"two rows of a narrow screen: {text}"
        for sentence in re.split(r"(?<=\.) (?=[A-Z])", text):
            fits = [(m, each) for p, each in CLAIMS.items() if (m := re.fullmatch(p, sentence))]
            assert len(fits) == 1, f"{len(fits)} claims: {sentence}"
            ((match, holds),) = fits
            shown = [fact, n][: SHOWN.get(holds, 0)]
            true = holds(world, *map(value, match.groups()), *shown)
            assert true, f"after cycle {world.cycle}: {sentence}"


def value(text: str | None) -> Any:
    if text in ("seller", "buyer"):
        return Role[text.upper()]
    plain = (text or "").replace("−", "-").replace(",", "")
    return float(plain) if re.fullmatch(r"-?[0-9.]+", plain) else text


def near(told: float, true: float, unit: float = 0.1) -> bool:
    return abs(told - true) <= unit / 2 + 1e-6


def percent(told: float, share: float) -> bool:
    return near(told, 100 * share, 1)


def lists(text: str | float, values: Iterable[int]) -> bool:
    """True if a text lists these values, and no others."""
    found, told = sorted(values), [int(n) for n in re.findall("-?[0-9]+", str(text).split(".0")[0])]
    if str(text).startswith("one of"):
        return told == [len(found), found[0], found[-1]]
    return found == ([*range(told[0], told[1] + 1)] if " to " in str(text) else told)


def split(w: World, price: float, offer: int, *told: float) -> bool:
    """True if a deal brings seller and buyer what is told."""
    at = w.game.prices.index(int(price))
    return all(near(t, w.coins(role)[offer, at]) for role, t in zip(Role, told, strict=True))


def pays(w: World, role: Role | None, *told: float) -> bool:
    """True if seller and buyer gain what is told, in the games that a role opens or in all."""
    gains = (w.gain(each, *(w.openers if role is None else [role])) for each in Role)
    return all(near(one, two) for one, two in zip(told, gains, strict=True))


# Before anybody learns, and how they do.


def by_rules(w: World, fact: Fact) -> Any:
    """Play the negotiation of two fixed rules that a fact shows."""
    rule = STRATEGIES["linear" if w.game.hidden else "midpoint"]
    return negotiate(w.game.drawn(*(fact.limits or (0, 0))), rule, rule, fact.opener)


def ruled(w: World, role: Role, verb: str, price: float, *said: Any) -> bool:
    """Check a turn of two fixed rules, and what both would get by it."""
    own, other, rest, lost, fact, n = said
    turns, at = by_rules(w, fact).turns, w.game.prices.index(int(price))
    coins = [w.coins(each, (fact.limits or (0, 0))[each])[:, at] for each in Role]
    accepts = turns[n].action == w.game.accept
    gets, whole = [coins[each][n - accepts] for each in (role, other)], coins[0][0] + coins[1][0]
    share = 1 - sum(gets) / whole if accepts and whole > 0 else 0.0
    before = {turn.price for turn in turns[n - 2 : n - 1]} if n > 1 else None
    moves = {"asks", "offers"} if before is None else {"comes down to", "goes up to"}
    verbs = {"accepts"} if accepts else {"stays at"} if before == {price} else moves
    told = near(own, gets[0]) and near(rest, gets[1]) and verb in verbs
    waits = share < 0.005 if lost is None else percent(lost, share)
    return told and waits and (turns[n].role, turns[n].price) == (role, price)


def rules_end(w: World, role: Role, price: float, one: float, two: float, fact: Fact) -> bool:
    talk = by_rules(w, fact)
    ends = talk.outcome.price == price and fact.opener is role
    return ends and split(w, price, len(talk.turns) - 2, one, two)


def divides(w: World, cost: float, worth: float, left: float | None) -> bool:
    enough = left == worth - cost > 0 if left else worth <= cost
    return enough and [w.limit(role, 0) for role in Role] == [cost, worth]


def costs(w: World, *told: float) -> bool:
    both = zip(told, w.game.delta, strict=True)
    return all(near(cost, 100 * (1 - delta), cost / 100) for cost, delta in both)


def guesses(w: World, *roles: Role) -> bool:
    tables = (table.probabilities[:-1] for each in w.tables for table in each)
    uniform = all(len(set(row[row > 0].tolist())) == 1 for rows in tables for row in rows)
    return uniform and not w.cycle and {*(w.training.learning_roles or ())} == {*(roles or Role)}


def hides(w: World, *who: Role) -> bool:
    return {role for role in Role if w.game.limits[role]} == ({who[0]} if who else {*Role})


def leaves(w: World, cost: float, worth: float, left: float, fact: Fact) -> bool:
    return here(w, cost, worth, fact) and left == worth - cost > 0


def misses(w: World, share: float, cost: float | None, worth: float, fact: Fact) -> bool:
    apart = {(k, j): chance for chance, k, j in w.pairs() if not w.suits(k, j)}
    shown = cost is None or (here(w, cost, worth, fact) and fact.limits in apart)
    return shown and percent(share, sum(apart.values()))


def here(w: World, cost: float, worth: float, fact: Fact) -> bool:
    """True if limits are those shown, and may be drawn."""
    shown = dict(zip(Role, fact.limits or (), strict=True))
    drawn = all(index in w.limits(role) for role, index in shown.items())
    return drawn and [w.limit(*each) for each in shown.items()] == [cost, worth]


def learns(w: World, role: Role, tries: str | None, other: Role) -> bool:
    after = w.after
    if after is None or w.training.learner(w.cycle) is not role:
        return False
    kept = after.cycle > w.cycle + 1 or w.same_tables(after.tables[other], other)
    return kept and bool(tries) == (after.epsilon > 0 and role in w.tries)


def swap(w: World, games: float) -> bool:
    one, two = (w.training.learner(cycle) for cycle in (w.cycle, w.cycle + 1))
    return one is not two and None not in (one, two) and games == w.parameters.episodes


# The last moves, and the end.


def last_price(w: World, opener: Role) -> int | None:
    """The only price of the last offer of an opener, if the other surely accepts it."""
    rows = w.row(opener, 0, w.last - 1, True).reshape(-1, w.game.n_actions)
    met = rows[w.met(opener.other)] if w.last > 1 else rows
    asked = w.prices(np.any(met[:, : w.game.n_prices] > 0, axis=0))
    return asked[0] if len(asked) == 1 and {*asked} <= taken(w, opener.other) else None


def taken(w: World, role: Role, index: int = 0) -> set[int]:
    """The prices that a limit surely accepts at the last decision, of those that are offered."""
    sure = w.row(role, index, w.last, False)[:, w.game.accept] > 1 - CLOSE
    return {*w.prices(sure & w.met(role.other))}


def gainful(w: World, role: Role, index: int = 0) -> set[int]:
    """The prices that a limit gains by, of those that are offered."""
    return {*w.prices((w.coins(role, index)[0] > 0) & w.met(role.other))}


def last_decisions(w: World, *told: Any) -> bool:
    each = {role: prices for role, prices in zip(told[::2], told[1::2], strict=True) if prices}
    gains = all(gainful(w, role) & {*w.prices(w.met(role))} <= taken(w, role) for role in each)
    said = all(lists(prices, taken(w, role)) for role, prices in each.items())
    return said and gains and {role.other for role in each} == {*w.openers}


def last_offer(w: World, role: Role, price: float, number: float, *gets: float) -> bool:
    asked = (last_price(w, role), w.game.rounds) == (price, number)
    return asked and split(w, price, w.last - 1, *gets)


def opener_won(w: World, role: Role | None, part: float | str, whole: float) -> bool:
    gets = [w.gain(opener, opener) for opener in w.openers]
    said = part == "most" or all(near(float(part), each) for each in gets)
    return said and whole == w.surplus(0, 0) < 2 * min(gets) and w.over and alone(w, role)


def opener_will_win(w: World, role: Role | None) -> bool:
    """Check by induction that each opener gets more than half, however ties are broken."""
    half, rate = w.surplus(0, 0) / 2, w.parameters.discount_rate
    ends = ((o, theory(w.game, o, rate, tie)) for o in w.openers for tie in (True, False))
    wins = all(at is not None and w.coins(o)[0, w.game.prices.index(at)] > half for o, at in ends)
    return wins and alone(w, role) and not w.over


def alone(w: World, role: Role | None) -> bool:
    return (w.openers == (role,)) if role is not None else len(w.openers) == 2


def other_takes(w: World, told: float | None = None) -> bool:
    """Check what the other gets by the last offer; in the end, by its best plan."""
    left = [w.best(o.other, 0, o, 1.0) for o in w.openers]
    if not w.over:
        at = [w.game.prices.index(last_price(w, o) or 0) for o in w.openers]
        left = [w.coins(o.other)[0, n] for o, n in zip(w.openers, at, strict=True)]
    return all(each > 0 and (told is None or near(told, each)) for each in left)


def mean_round(deals: Any) -> float:
    rounds = [(offer + 1) // 2 + 1 for offer in range(len(deals))]
    return float(deals.sum(axis=1) @ rounds / deals.sum())


def last_deal(w: World) -> int:
    made = (n for o in w.openers for n, each in enumerate(w.deals(o)) if each.sum() > CLOSE)
    return max((offer + 1) // 2 + 1 for offer in made)


def agrees(w: World, *prices: Any) -> bool:
    each = zip(Role, prices, strict=True)
    return all(
        (p := w.only(o)) and p[1] in allowed(w, o) and lists(told, allowed(w, o))
        for o, told in each
    )


def allowed(w: World, *openers: Role) -> set[int]:
    """The prices of the equilibria by induction, with both rules for breaking ties."""
    ties = [(opener, w.parameters.discount_rate, a) for opener in openers for a in (True, False)]
    return {price for tie in ties if (price := theory(w.game, *tie)) is not None}


def opening_moves(w: World, role: Role, moves: str, *prices: float) -> bool:
    assert w.before
    both = [each.openings(role) for each in (w.before, w)]
    return both == [[p] for p in prices] and moves == ("rises" if both[0] < both[1] else "falls")


# Hidden limits.


def index_of(w: World, role: Role, limit: float) -> int:
    """The index of a limit that may be drawn."""
    return next(index for index in w.limits(role) if w.limit(role, index) == limit)


def takes_gains(w: World, role: Role) -> bool:
    every = all(gainful(w, role, index) <= taken(w, role, index) for index in w.limits(role))
    return every and role.other in w.openers


def last_asked(w: World, role: Role, index: int) -> int:
    """The price of its last offers that is nearest to a limit."""
    rows = w.row(role, index, w.last - 1, True)[w.met(role.other), : w.game.n_prices]
    return (min if role is SELLER else max)(w.prices(np.any(rows > 0, axis=0)))


def asks_beyond(w: World, role: Role, limit: float, price: float, more: str) -> bool:
    asked = last_asked(w, role, index_of(w, role, limit))
    return asked == price and more == ("more" if role is SELLER else "less")


def risks(w: World, price: float, fact: Fact) -> bool:
    assert fact.limits
    role, index = fact.opener or SELLER, fact.limits[fact.opener or SELLER]
    safe, asked = (w.game.prices.index(int(p)) for p in (price, last_asked(w, role, index)))
    others = [w.acceptable(role.other, j) for j in w.limits(role.other)]
    gains, loses = w.coins(role, index)[0], any(each[safe] > each[asked] for each in others)
    return loses and w.acceptable(role, index)[safe] and 0 < gains[safe] < gains[asked]


def opened(w: World, role: Role) -> dict[int, list[int]]:
    """The limits that open at each price; empty unless each limit opens at one."""
    each = {w.limit(role, index): w.openings(role, index) for index in w.limits(role)}
    if any(len(prices) > 1 for prices in each.values()):
        return {}
    return {price: [k for k in each if each[k] == [price]] for (price,) in each.values()}


def opens_with(w: World, role: Role, text: str, _: float) -> bool:
    told = re.findall(r"at (\S+) with (?:limit )?(.*?)(?=, at|$)", text)
    return all(lists(limits, opened(w, role).get(int(value(at)), [])) for at, limits in told)


def bluffs(w: World, limit: float, other: Role, alike: str | float) -> bool:
    limits = next(each for each in opened(w, other.other).values() if limit in each)
    weakest = min(limits) if other is BUYER else max(limits)
    return weakest == limit and len(limits) > 1 and lists(alike, limits)


def waits(w: World, role: Role, early: float, first: float, late: float, last: float) -> bool:
    means = dict[float, float]()
    for own in w.limits(role):
        others = [
            (c, (own, j) if role is SELLER else (j, own)) for j, c in w.limits(role.other).items()
        ]
        deals: Any = sum(c * w.deals(opener, *at) for c, at in others for opener in w.openers)
        if deals.sum() > CLOSE:
            means[w.limit(role, own)] = mean_round(deals)
    order = sorted(means, reverse=role is BUYER)
    rising = all(means[one] < means[two] for one, two in pairwise(order))
    ends = near(early, means[first]) and near(late, means[last])
    return rising and ends and (order[0], order[-1]) == (first, last)


def never_agree(w: World, opener: Role, *limits: float) -> bool:
    k, j = (index_of(w, role, limit) for role, limit in zip(Role, limits, strict=True))
    return w.surplus(k, j) > 0 and w.deals(opener, k, j).sum() < CLOSE


def made(w: World) -> float:
    """The share of all deals worth making that are made."""
    worth = [(chance, k, j) for chance, k, j in w.pairs() if w.surplus(k, j) > 0]
    each = sum(c * w.deals(opener, k, j).sum() for c, k, j in worth for opener in w.openers)
    return float(each) / len(w.openers) / sum(chance for chance, *_ in worth)


def pretends(w: World, role: Role, index: int) -> list[float]:
    """The gains of a limit from the table of each limit."""
    tables = range(w.game.n_tables(role))
    return [w.with_table(role, index, n) - w.with_table(role, index, index) for n in tables]


def most_pretending(w: World) -> float:
    return max(max(pretends(w, role, index)) for role in Role for index in w.limits(role))


def in_the_end(w: World, role: Role | None, *said: Any) -> bool:
    *told, last = said
    gets = [(w.gain(o, o), w.gain(o.other, o)) for o in w.openers]
    own, other = (sum(each) / len(gets) for each in zip(*gets, strict=True))
    both = near(told[0], own) and near(told[1], other) and (not last or own > other)
    return both and w.over and alone(w, role)


CEILINGS = {"hidden": 95, "bazaar": 91}  # by linear programs, see docs/hidden_limits.md
WHO = "(?:Whoever opens|The R)"
ANY_OF = "(?:any price from )?L"
_TRUE = (  # by the rules or by definition, or said of the sentence before
    "So each player's opponent changes while the player learns.",
    "This sum is NashConv; at 0 neither has a better plan.",
    "Without a deal neither gets anything.",
    "The (?:seller|buyer) can only take it or leave it.",
    "Small bars show which limits the other side still thinks possible.",
    "The rest is lost.",
    "So waiting tells the limit.",
    "Both could gain, so this is what hidden limits cost.",
)
_PLAIN: dict[str, Callable[..., Any]] = dict.fromkeys(_TRUE, lambda _: True) | {
    "The item costs the seller N and is worth N to the buyer; they divide (?:M|nothing).": (
        divides
    ),
    "Both follow a fixed rule; nobody is learning yet.": lambda w: w.cycle == 0,
    "Now the R opens, and the same rules agree on N: seller M, buyer M.": rules_end,
    "The R (asks|offers|comes down to|goes up to|stays at|accepts) N and (?:would get|gets) M, "
    "the R M(?:; waiting cost them N% of the [0-9.]+ coins?)?.": ruled,
    "Each refusal costs both M% of what is left.": lambda w, cost: costs(w, cost, cost),
    "Each refusal costs the seller M%, the buyer M% of what is left.": costs,
    "Now both learn from scratch, so at first they guess.": guesses,
    "Now the R learns from scratch, so at first it guesses.": guesses,
    "Practice begins at the end, in round N, and works backwards, so each move .*": lambda w, n: (
        w.begun_at >= 2 * n - 3 == w.last - 2 and w.parameters.curriculum_shift_every > 0
    ),
    "Practice games begin at a random move with a random price.": lambda w: (
        w.parameters.curriculum_window > w.last and bool(w.tries)
    ),
    "Now the R learns(, trying bad moves as well)?; the R keeps its plan.": learns,
    "They swap after each cycle of N games?.": swap,
    "Both learn at once(, from the same games)?.": lambda w, plays: (
        w.training.together and bool(plays) == bool(w.tries)
    ),
    "Neither plan has changed for N cycles, so both have settled.": (
        lambda w, n: w.cycle - n >= w.since
    ),
    "The R wins M per game, the R M.": lambda w, winner, most, loser, least: (
        w.over
        and w.gain(winner) > w.gain(loser)
        and near(most, w.gain(winner))
        and near(least, w.gain(loser))
    ),
    "Seller and buyer both get M per game.": lambda w, gets: pays(w, None, gets, gets),
    "In N% of the games there is no deal.": lambda w, share: percent(share, 1 - w.deal()),
    "Waiting costs N% of the coins.": lambda w, cost: percent(cost, w.lost_to_time),
    "They agree at once.": lambda w: all(w.deals(o)[0].sum() > 1 - CLOSE for o in w.openers),
    "They agree by round N.": lambda w, number: number == last_deal(w),
    "Nearly all games end in a deal.": lambda w: w.deal() > 0.99,
    "Neither can gain by changing only its own plan, so this is an equilibrium.": (
        lambda w: w.could_gain < 1e-8
    ),
    "If each alone switched to its best plan, they would gain (less than )?M together.": (
        lambda w, less, coins: 0 < w.could_gain < coins if less else near(coins, w.could_gain)
    ),
    f"{WHO} wins (most|[0-9.]+) of the M, because the opener .* offer.": opener_won,
    f"{WHO} will win, because the opener .* offer.": opener_will_win,
    "The (?:other side|seller|buyer) can take (?:M|the rest) or get nothing, so it .*": other_takes,
    f"At the last decision the R accepts {ANY_OF}(?:, the R {ANY_OF})?.": last_decisions,
    "When the R has opened, its last offer is N .round N.: seller M, buyer M.": last_offer,
    "Now the R opens at N and the .* accepts: seller M, buyer M.": lambda w, role, price, *gets: (
        w.only(role) == (1, price) and split(w, price, 0, *gets)
    ),
    "If the R opens, they agree on N in round N: seller M, buyer M.": (
        lambda w, role, price, number, *gets: (
            w.only(role) == (number, price) and pays(w, role, *gets)
        )
    ),
    "The R's opening (rises|falls) from N to N.": opening_moves,
    "With these plans at least N of 10 games end in a deal.": lambda w, tenths: (
        10 * w.deal() + 1e-6 >= tenths
    ),
    "Every game now ends in a deal(, whoever opens)?.": lambda w, both: (
        all(w.deal(o) > 1 - CLOSE for o in w.openers) and bool(both) == (len(w.openers) == 2)
    ),
    "If the R opens, N% of the games fail to reach a deal again.": lambda w, role, share: (
        percent(share, 1 - w.deal(role)) and w.deal(role) < w.before.deal(role)
    ),
    "With these plans waiting costs N% of the coins, (more|less) than before.": (
        lambda w, share, than: (
            percent(share, w.lost_to_time)
            and (than == "more") == (w.lost_to_time > w.before.lost_to_time)
        )
    ),
    "Theory agrees: L if the seller opens, L if the buyer does.": agrees,
    "Each side draws a limit unknown to the other side.": hides,
    "The R draws a limit unknown to the (?:seller|buyer).": hides,
    "Here N and N leave M to divide.": leaves,
    "In N% of all games no price suits both limits(?:, as here with N and N)?.": misses,
    "At the last decision the R accepts any price with a gain.": takes_gains,
    "As its last offer, a R with limit N (?:asks|offers) N or (more|less).": asks_beyond,
    "A price of N would gain less, but would be safer.": risks,
    "The R opens at N with any limit, so the opening tells nothing.": lambda w, role, price: (
        [*opened(w, role)] == [price]
    ),
    "The R's opening tells its limit, because each limit has its own price.": lambda w, role: (
        {len(limits) for limits in opened(w, role).values()} == {1}
    ),
    "The R opens (at N with limit .*).": opens_with,
    "With limit N that is a bluff; the R must think L possible.": bluffs,
    "The less a R can gain, the later it agrees, from round M with limit N to round M with "
    "limit N.": waits,
    "If the R opens, a seller with limit N and a buyer with limit N never agree.": never_agree,
    "These plans earn (?:at least )?N% of what both could if they knew both limits.": (
        lambda w, share: 100 * w.efficiency + 1e-6 >= share
    ),
    "Every deal that is worth something is made.": lambda w: made(w) > 1 - CLOSE,
    "Deals (?:or time )?are lost again, so these plans earn N% of what they could.": (
        lambda w, share: percent(share, w.efficiency) and w.efficiency < w.before.efficiency
    ),
    "These plans earn N% of what they could; without discounting, no equilibrium earns more than "
    "N%.": lambda w, share, most: (
        percent(share, w.efficiency) and share > most == CEILINGS.get(w.game.name, most)
    ),
    "So with some limit pretending pays.": lambda w: most_pretending(w) > CLOSE,
    "A R with limit N would gain M more per game with the plan of another limit, .*": (
        lambda w, role, limit, more: any(
            near(more, each) for each in pretends(w, role, index_of(w, role, limit))
        )
    ),
    "Whatever its limit, neither gains by pretending to have another one.": (
        lambda w: most_pretending(w) < 1e-8
    ),
    f"{WHO} gains M per game, the (?:other side|seller|buyer) M(, because .*)?.": in_the_end,
    "Hidden limits cost N% of all good deals.": lambda w, cost: percent(cost, 1 - made(w)),
}
PARTS = {
    "R": "(seller|buyer)",
    "N": "([−-]?[0-9,]+)",
    "M": "(−?[0-9.]+)(?: coins?)?",
    "L": "((?:one of [0-9]+ prices from )?[0-9-]+(?:(?:, | or | to )[0-9-]+)*)",
}
CLAIMS = {re.sub(r"\b[RNML]\b", lambda p: PARTS[p[0]], each): _PLAIN[each] for each in _PLAIN}
"""What tells whether a sentence is true, by the pattern of the sentence. There R is a role, N a
number, M an amount of coins, and L a list of prices."""
SHOWN = {ruled: 2, rules_end: 1, leaves: 1, misses: 1, risks: 1}
"""Those that are also about the game that is shown, or about a turn of it."""
