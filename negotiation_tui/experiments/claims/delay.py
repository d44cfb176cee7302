"""Delay as a sign of strength, settled by all pairs of tables of a small game.

A seller opens two rounds of the prices 1, 2 and 3. The buyer is strong, with limit 2, or weak, with
limit 3. A pair of tables without ties is a Nash equilibrium if no side, with any limit, gains by
another table. Waiting is counted in decisions of the buyer before the deal, because these cost.

In an equilibrium the weak does not prefer the outcome of the strong, nor the strong that of the
weak. Add both conditions: (3 − 2)·(D_weak − D_strong) ≥ 0, where D is γ to the power of the wait,
and 0 without a deal. So the weak never waits longer.
"""

from collections import Counter
from collections.abc import Iterable
from functools import reduce
from itertools import product
from typing import NamedTuple

import numpy as np

from negotiation_tui.experiments.claims.claim import Claim, ClaimAnswer, Verdict
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.runtime.arrays import Floats, Ints
from negotiation_tui.solvers.payoffs import rewards
from negotiation_tui.solvers.subgame_perfect import EQUAL

_RULES = {"name": "delay", "prices": 3, "rounds": 2, "opener": "seller"}
_GAME = Scenario.from_dict({**_RULES, "seller": {"reservation": 0}, "buyer": {"limits": [2, 3]}})
RATE = 0.5


class Meetings(NamedTuple):
    """All tables of the seller against all tables of one limit of the buyer, shape (S, B)."""

    seller: Floats  # the seller's return
    buyer: Floats
    waits: Ints  # decisions of the buyer before the one that leads to the deal; 2 without a deal
    rounds: Ints  # the round of the deal, 3 without one


def tables(game: Scenario, role: Role, states: Iterable[int]) -> Ints:
    """Return all tables with one action in each of these states, a row per table."""
    return np.array([*product(*(game.legal_actions(state, role) for state in states))])


def meetings(game: Scenario, limit: int, sellers: Ints) -> Meetings:
    """Return how the seller's tables meet all tables of a limit of the buyer."""
    view, P, accept = game.drawn(0, limit), game.n_prices, game.accept
    buyers = tables(view, Role.BUYER, range(START + 1, 2 * P + 1))
    asked = sellers[:, :1] + np.zeros((1, len(buyers)), np.int64)
    answer = buyers[:, sellers[:, 0]].T
    reply = np.take_along_axis(sellers, 1 + np.where(answer < P, answer, 0), axis=1)
    last = buyers[np.arange(len(buyers)), P + np.where(reply < P, reply, 0)]
    goes_on = answer < P
    ends = [answer == accept, goes_on & (reply == accept)]
    ends.append(goes_on & (reply < P) & (last == accept))
    price = np.select(ends, [asked, answer, reply], P)

    def worth(role: Role, waits: Ints) -> Floats:
        return np.asarray(RATE**waits * np.append(rewards(view, role), 0)[price])

    waits = np.select(ends, [0, 0, 1], 2)
    returns = worth(Role.SELLER, np.select(ends, [0, 1, 1], 2)), worth(Role.BUYER, waits)
    return Meetings(*returns, waits, np.select(ends, [1, 2, 2], 3))


def counts(game: Scenario) -> tuple[Counter[int], Counter[int]]:
    """Count the equilibria by the waits, and by the rounds, of both limits.

    A key is 4 times the number of the strong and the number of the weak.
    """
    sellers = tables(game, Role.SELLER, range(START, game.n_prices + 1))
    strong, weak = (meetings(game, limit, sellers) for limit in (0, 1))
    chances, both = game.chances(Role.BUYER), (strong, weak)
    earned = [chance * each.seller for chance, each in zip(chances, both, strict=True)]
    most = reduce(np.maximum, (a[:, None] + b for a, b in zip(*earned, strict=True)))
    found = Counter[int](), Counter[int]()
    for n in range(len(sellers)):
        best = [np.flatnonzero(b.buyer[n] >= b.buyer[n].max() - EQUAL) for b in both]
        total = earned[0][n, best[0], None] + earned[1][n, best[1]]
        stable = total >= most[np.ix_(*best)] - EQUAL
        for counter, one, other in zip(found, strong[2:], weak[2:], strict=True):
            keys = 4 * one[n, best[0], None] + other[n, best[1]]
            counter.update(keys[stable].tolist())
    return found


def settle() -> ClaimAnswer:
    waits, rounds = counts(_GAME)
    sooner, by_rounds = (
        sum(n for key, n in counter.items() if key // 4 < key % 4) for counter in (waits, rounds)
    )
    same, later = sum(n for key, n in waits.items() if key // 4 == key % 4), waits[4]
    never = waits.total() - sooner - same - later  # and the weak trades
    return ClaimAnswer(
        f"Of {waits.total():,} equilibria the buyer that gains less trades later in {later:,},"
        f" alone never trades in {never:,}, waits as long in {same:,}, and trades sooner in"
        f" {sooner:,}, exact",
        Verdict.AGREES if later and not sooner else Verdict.DIFFERS,
        "All Nash equilibria in tables without ties of a small game: two rounds, three prices, a"
        " buyer with one of two limits, γ = 0.5. Who gains less from a deal loses less by waiting."
        " Yet most equilibria show nothing. Waiting is counted in decisions of the buyer, which"
        f" cost it; a counteroffer is free, so by rounds it trades sooner in {by_rounds:,}.",
        {"equilibria": waits.total(), "later": later, "never": never, "same": same}
        | {"sooner": sooner, "sooner_by_rounds": by_rounds},
    )


CLAIM = Claim(
    "delay",
    "Admati and Perry 1987; Cramton 1992",
    "A bargainer shows by delay that it is strong; who gains much from a deal agrees earlier.",
    settle,
)
