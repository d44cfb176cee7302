"""Delay as a sign of strength, settled by the perfect Bayesian equilibria of a small game.

A seller opens two rounds of the prices 1, 2 and 3; each offer costs time, δ of both. The buyer is
strong, with limit 2, or weak, with limit 3. In an equilibrium, here without chance,

- each limit of the buyer answers each offer best,
- the seller answers each counteroffer best for some belief about the limit: that of Bayes' rule, if
  a limit makes the counteroffer after that opening,
- no other opening earns the seller more, if it goes on likewise.

Many equilibria differ only in what never happens. So outcomes are counted: for each limit the
number of the offer that is accepted, which is time, and its price.

In an equilibrium the weak does not prefer the outcome of the strong, nor the strong that of the
weak. Add both conditions: (3 − 2)·(D_weak − D_strong) ≥ 0, where D is δ to the power of the number,
and 0 without a deal. So the weak never trades later. But both may trade at the same time.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from operator import mul

from negotiation_tui.experiments.claims.claim import Claim, ClaimAnswer, Verdict
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.solvers.subgame_perfect import EQUAL

_RULES = {"name": "delay", "prices": 3, "rounds": 2, "opener": "seller", "delta": 0.9}
_GAME = Scenario.from_dict({**_RULES, "seller": {"reservation": 0}, "buyer": {"limits": [2, 3]}})

Deal = tuple[int, int]  # the number of the offer that is accepted, and the index of its price
NEVER: Deal = (4, 0)
DealPair = tuple[Deal, ...]  # by limit
Last = tuple[frozenset[int], ...]  # the prices that each limit accepts in the last decision


def worth(game: Scenario, role: Role, limit: int, deal: Deal) -> float:
    """Return the worth of a deal to a role, if the buyer has this limit."""
    if deal == NEVER:
        return 0.0
    offer, price = deal
    return game.drawn(0, limit).seen_by(role).reward(role, game.prices[price], offer)


def _after(game: Scenario, offer: int, reply: int, accepts: frozenset[int]) -> Deal:
    """Return the deal after a counteroffer, its reply, and the last answer of a limit."""
    if reply == game.accept:
        return 1, offer
    return (2, reply) if reply in accepts else NEVER


def _values(game: Scenario, offer: int, last: Last) -> list[list[float]]:
    """Return what each reply to a counteroffer earns the seller, by limit."""
    return [
        [worth(game, Role.SELLER, n, _after(game, offer, reply, last[n])) for n in range(len(last))]
        for reply in range(game.n_actions)
    ]


def _best(values: list[list[float]], belief: Sequence[float]) -> set[int]:
    means = [sum(map(mul, belief, each)) for each in values]
    return {reply for reply, mean in enumerate(means) if mean >= max(means) - EQUAL}


def _some_best(game: Scenario, offer: int, last: Last) -> set[int]:
    """Return the replies that are best for some belief about the limits that can make the offer."""
    one, other = (float(offer in view.offers(Role.BUYER)) for view in game.views[Role.BUYER])
    values, beliefs = _values(game, offer, last), [(one, 0.0), (0.0, other)]
    for first, second in combinations(values, 2):  # the best changes where two are equally good
        more, less = first[0] - second[0], second[1] - first[1]
        if one and other and more * less > 0:
            beliefs.append((less / (more + less), more / (more + less)))
    return set[int]().union(*(_best(values, each) for each in beliefs if any(each)))


def _answers(
    game: Scenario, limit: int, opening: int, replies: Sequence[int], accepts: frozenset[int]
) -> list[tuple[int, Deal]]:
    """Return the best answers of a limit to an opening, and what comes of them."""
    own = game.views[Role.BUYER][limit].offers(Role.BUYER)
    deals = {game.walk_away: NEVER}
    deals |= {offer: _after(game, offer, replies[offer], accepts) for offer in own}
    if opening in own:
        deals[game.accept] = 0, opening
    values = {action: worth(game, Role.BUYER, limit, deal) for action, deal in deals.items()}
    most = max(values.values())
    return [(action, deal) for action, deal in deals.items() if values[action] >= most - EQUAL]


def _last(game: Scenario) -> Iterator[Last]:
    """Yield the last answers that are best; who gains nothing may accept or not."""
    choices = []
    for limit, view in enumerate(game.views[Role.BUYER]):
        gains = {p: worth(game, Role.BUYER, limit, (2, p)) for p in view.offers(Role.BUYER)}
        choices.append({frozenset(p for p in gains if gains[p] > e) for e in (EQUAL, -EQUAL)})
    return product(*choices)


def continuations(game: Scenario, opening: int) -> Iterator[tuple[float, DealPair]]:
    """Yield the outcomes of all equilibria after an opening, and what they earn the seller."""
    offers, chances = range(game.n_prices), game.chances(Role.BUYER).tolist()
    for last in _last(game):
        for replies in product(*(_some_best(game, offer, last) for offer in offers)):
            each = [_answers(game, n, opening, replies, last[n]) for n in range(len(last))]
            for answers, deals in (zip(*one, strict=True) for one in product(*each)):
                made = {
                    offer: [c * (a == offer) for c, a in zip(chances, answers, strict=True)]
                    for offer in {*answers} & {*offers}
                }
                if all(
                    replies[offer] in _best(_values(game, offer, last), belief)
                    for offer, belief in made.items()
                ):
                    earned = (worth(game, Role.SELLER, n, deal) for n, deal in enumerate(deals))
                    yield sum(map(mul, chances, earned)), deals


def deal_pairs(game: Scenario) -> set[DealPair]:
    """Return the outcomes of a game of two rounds that the seller opens, with two limits."""
    found = [[*continuations(game, opening)] for opening in range(game.n_prices)]
    least = max(min(earned for earned, _ in each) for each in found)
    return {deals for earned, deals in chain(*found) if earned >= least - EQUAL}


def answer(pairs: Iterable[DealPair]) -> ClaimAnswer:
    """Return the answer to the claim by outcomes of the strong and the weak."""
    found = [each for each in pairs if set(each) != {NEVER}]
    never = sum(strong == NEVER for strong, _ in found)
    waits = [strong[0] - weak[0] for strong, weak in found if strong != NEVER]
    later, sooner = (sum(sign * wait > 0 for wait in waits) for sign in (1, -1))
    same = waits.count(0)
    verdict = Verdict.UNKNOWN if same else Verdict.AGREES
    return ClaimAnswer(
        f"Of {len(found)} outcomes of equilibria the buyer that gains less trades later in"
        f" {later}, never in {never}, at the same time in {same}, and sooner in {sooner}, exact",
        verdict if later and not sooner else Verdict.DIFFERS,
        "All perfect Bayesian equilibria of a small game, without chance: two rounds,"
        " three prices, a buyer with one of two limits, δ = 0.9 per offer. No equilibrium of such a"
        " game lets the buyer who gains less trade sooner. But that buyer need not trade later,"
        " because equilibria disagree, and only a further choice among them, as the sources make"
        " it, could tell.",
        {"outcomes": len(found), "later": later, "never": never, "same": same, "sooner": sooner},
    )


CLAIM = Claim(
    "delay",
    "Admati and Perry 1987; Cramton 1992",
    "A bargainer shows by delay that it is strong; whoever gains much from a deal agrees earlier.",
    lambda: answer(deal_pairs(_GAME)),
)
