"""Each strategy's moves against given offers: one table, and what a table cannot say."""

from dataclasses import replace
from itertools import pairwise
from operator import lt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.game.negotiation import Position, negotiate
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.fixed_fraction import Midpoint
from negotiation_tui.strategies.registry import STRATEGIES, strategy
from negotiation_tui.strategies.time_dependent import Exponential, Polynomial
from negotiation_tui.strategies.zeuthen import Zeuthen
from tests.support.game import roles, scenarios
from tests.support.moves import SCENARIOS, answers, position_of

# strategy | game, role, and if it opens | the opponent's offers | the strategy's actions
# `5*3` are three times 5; `4|3` two equally likely actions; 0 accepts, -1 walks away.
MOVES = """
# Time-dependent: x = best + α(t)·(reservation − best).
  # α = t = 0, ¼, ½, ¾, 1
linear | original seller opens | 1*4 | 5 4 3 2 0
linear | original seller answers | 1*5 | 5 4 3 2 0
linear | original buyer opens | 5*4 | 1 2 3 4 0
linear | original buyer answers | 5*5 | 1 2 3 4 0
  # it takes what is as good as its next price, no sooner
linear | original seller opens | 2 3 | 5 4 0
linear | original buyer answers | 5 3 3 | 1 2 0
  # α = k/9; own side of the grid: upwards for the seller
linear | legacy seller opens | 0*9 | 100 92 83 74 65 56 47 38 29 20
linear | legacy buyer opens | 100*9 | 0 8 17 26 35 44 53 62 71 80
linear | legacy buyer answers | 100*10 | 0 8 17 26 35 44 53 62 71 -1
linear | gaps seller opens | 1*3 | 9 8 5 0
linear | gaps buyer opens | 9*3 | 1 3 5 0
linear | gaps buyer answers | 9*4 | 1 3 5 0
  # α = t⁵
boulware | original seller opens | 1*4 | 5*4 0
boulware | original buyer answers | 5*5 | 1*4 0
boulware | legacy seller opens | 0*9 | 100*4 99 96 90 78 56 20
boulware | legacy buyer answers | 100*10 | 0*4 1 4 10 22 44 -1
  # here α is t^0.2
conceder | original seller opens | 1*4 | 5 2*3 0
conceder | original buyer answers | 5*5 | 1 4*3 0
  # 0, 0.8027, 0.9221 and 1 of the range
conceder | gaps seller answers | 1*4 | 9 3 2 0
conceder | gaps buyer opens | 9*3 | 1 5 8 0
hardliner | original seller opens | 1*4 | 5*5
hardliner | original buyer answers | 5*5 | 1*4 0
hardliner | legacy seller answers | 0*10 | 100*9 -1
hardliner | gaps buyer opens | 9*3 | 1*4
  # α = ½, ⅝, ¾, ⅞, 1
polynomial:kappa=0.5 | original seller opens | 1*4 | 3 3 2 2 0
polynomial:kappa=0.5 | original buyer answers | 5*5 | 3 3 4 4 0
  # α = √t
polynomial:beta=2 | original seller opens | 1*4 | 5 3 3 2 0
polynomial:beta=2 | gaps buyer opens | 9*3 | 1 5 5 0
  # α = 0.01^(1 − t) = 0.01, 0.032, 0.1, 0.316, 1
exponential | original seller opens | 1*4 | 5*3 4 0
exponential | original buyer answers | 5*5 | 1*3 2 0
  # α = 0.01^(1 − k/9): 0.01, 0.017, 0.028, 0.046, 0.077, 0.129, 0.215, 0.359, 0.599, 1
exponential | legacy buyer opens | 100*9 | 0 1 2 3 6 10 17 28 47 80
exponential | gaps seller answers | 1*4 | 9 9 8 0
# Tit-for-tat.
  # relative: x·y₋₂/y₋₁; 4.5, then 3.33, on its own side of the grid
tit-for-tat | gaps seller opens | 1 2 3 | 9 9 5 5
tit-for-tat | gaps seller answers | 1 2 3 3 | 9 5 5 0
  # 5·2/3 = 3.33, 4·3/3
tit-for-tat | original seller opens | 2 3 3 | 5 5 4 4
tit-for-tat | original buyer opens | 5 4 3 2 | 1*5
  # 1·9/3 = 3, then it is taken
tit-for-tat | gaps buyer answers | 9 3 | 1 0
  # 1·9/5 = 1.8; 1·5/2 = 2.5
tit-for-tat | gaps buyer answers | 9 5 3 | 1*3
  # the grid begins at 0: every price one more; 101·10/20, 51·20/25, 41, 41·25/40
tit-for-tat | legacy seller opens | 9 19 24 24 39 | 100 100 50 40 40 0
tit-for-tat | legacy buyer answers | 99 49 24 24 | 0 1 3 3
  # what the other took back is taken back, inside the range
tit-for-tat | legacy seller opens | 9 19 9 0 | 100 100 50 100 100
  # δ = 2: a move later
tit-for-tat:delta=2 | gaps seller opens | 1 2 2 | 9*3 5
tit-for-tat:delta=2 | legacy buyer answers | 99 49 24 24 | 0 0 1 3
  # random absolute: x + y₋₂ − y₋₁, and up to 1 more toward the other
random-tit-for-tat | original seller opens | 1 2 2 3 | 5 5 4|3 4|3 0|0
random-tit-for-tat | original buyer answers | 5 4 4 2 | 1 2|3 2|3 0|0
random-tit-for-tat:largest=0 | original buyer opens | 5 4 4 | 1 1 2 2
random-tit-for-tat:largest=2 | legacy seller answers | 0 7 7 40 | 100 93|92|91*2 60|59|58
random-tit-for-tat:largest=0,delta=2 | legacy buyer opens | 90 80 75 75 | 0*3 10 15
random-tit-for-tat:largest=0 | gaps seller opens | 1 2 3 | 9 9 8 8
  # averaged: x·y₋₃/y₋₁
averaged-tit-for-tat | gaps seller opens | 1 2 3 | 9*3 0
averaged-tit-for-tat | original buyer answers | 5 5 2 | 1 1 0
averaged-tit-for-tat | legacy seller opens | 9 14 19 24 39 | 100*3 50 30 0
  # γ = 1 is relative with δ = 1
averaged-tit-for-tat:gamma=1 | legacy buyer answers | 99 49 24 24 | 0 1 3 3
# The fraction ρ of the way to the other's price; prices round down.
fixed-fraction | original seller opens | 1*4 | 5 4 3 2 0
fixed-fraction | original buyer opens | 5*4 | 1 2*4
fixed-fraction | original buyer answers | 5 3 3 | 2*3
fixed-fraction | legacy seller opens | 0*7 | 100 75 56 42 31 23 20 20
fixed-fraction | legacy buyer answers | 100*3 | 25 43 57
fixed-fraction | gaps buyer opens | 9*3 | 1 3*3
fixed-fraction | gaps seller opens | 1 1 8 | 9 8 8 0
fixed-fraction:rho=1 | original seller answers | 2 | 0
fixed-fraction:rho=1 | legacy seller answers | 10 20 | 20 0
fixed-fraction:rho=0.5 | legacy seller opens | 50 62 65 | 100 75 68 66
midpoint | legacy seller opens | 50 62 65 65 | 100 75 68 66 0
midpoint:rho=0.25 | original seller opens | 1*4 | 5 4 3 2 0
fixed-fraction | legacy buyer answers | 100*10 | 25 43 57 67 75 80*4 -1
# MiCRO: m different offers of its own, n of the other's; it concedes while m ≤ n.
micro | original seller opens | 1 1 2 3 | 5 4 5|4 3 0
micro | original buyer answers | 5*3 4 4 | 1 2 1|2 3 0
  # m = n = 1 after the first exchange; a price heard twice is not new
micro | original buyer opens | 5 4 5 4 | 1 2 3 1|2|3 1|2|3
micro | legacy seller opens | 10 10 20 30 | 100 99 100|99 98 97
micro | legacy buyer answers | 100 90 80 90 | 0 1 2 3
micro | gaps buyer opens | 9 8 5 | 1 2 3 0
micro | gaps seller answers | 1 2 3 4 | 9 8 5 0
  # while it repeats it takes what is as good as its lowest
micro | original seller opens | 1 1 4 | 5 4 5|4 0
micro | original seller opens | 1 1 3 | 5 4 5|4 0
# Zeuthen: who risks less concedes, just enough that the other risks less.
  # 0.8 against 1; 0.67 against 0.5; at 2 it is 0.33 for both, and nothing lies between
zeuthen | original seller opens | 1 1 2 | 5 3 3 0
zeuthen | original seller answers | 1*3 2 | 5 3 3 0
  # 1 against 0.8: it stays; 0.75 for both; 0.67 against 0.5; 0.33 for both
zeuthen | original buyer opens | 5 4 4 3 | 1 1 2 2 0
  # 1 for both: 79 is the first that buyer can like; then below 100 − 30 and 100 − 40
zeuthen | legacy seller opens | 0 30 30 40 | 100 79 69 69 59
zeuthen | legacy buyer answers | 100 100 70 60 | 0 21 31 41
zeuthen | gaps buyer opens | 9 8 5 | 1 2 3 0
zeuthen:accept=const,alpha=1 | original buyer opens | 4 3 | 1 2 3
zeuthen | gaps seller answers | 1 2 5 5 | 9 5 0
# Who makes the last offer has all there is to have.
  # the buyer gains nothing by refusing 5
equilibrium | original seller opens | 1 4*3 | 5*5
equilibrium | original buyer answers | 5 | 0
equilibrium | original buyer opens | 5*4 | 1*5
equilibrium | original seller answers | 1 | 0
equilibrium:tie_break=reject | original seller opens | 4 | 4 4
equilibrium:tie_break=reject | original buyer answers | 4 | 0
  # undiscounted 4 is not enough to a seller that can wait for 5
equilibrium:discount=1 | original seller opens | 4 5 | 5 5 0
equilibrium | legacy seller opens | 80 | 80 0
equilibrium | legacy buyer answers | 80 | 0
equilibrium | legacy buyer opens | 21 | 20 20
equilibrium | gaps seller opens | 8 9 | 9 9 0
equilibrium | gaps buyer opens | 2 1 | 1 1 0
# Chance.
random | original seller opens |  | 1|2|3|4|5
random | original buyer answers | 3 | 1|2|3|4|5|0|-1
random | original seller answers | 1*5 | 1|2|3|4|5|0|-1*4 0|-1
random | gaps buyer opens | 9 | 1|2|3|5|8|9 1|2|3|5|8|9|0|-1
zero-intelligence | original seller opens |  | 1|2|3|4|5
zero-intelligence | gaps buyer answers | 9 5 | 1|2|3|5|8|0 1|2|3|0|0|0
zero-intelligence | gaps seller opens | 1*3 | 1|2|3|5|8|9 0|2|3|5|8|9
zero-intelligence | original buyer answers | 5*5 | 1|2|3|4|0*4 0
# Acceptance.
hardliner:accept=next | original seller opens | 4 5 | 5 5 0
linear:accept=next | original buyer answers | 5 3 3 | 1 2 0
  # worth ¾ of the range 1 … 5 is 4 for the seller, 2 for the buyer
hardliner:accept=const,alpha=0.75 | original seller opens | 3 4 | 5 5 0
hardliner:accept=const,alpha=0.75 | original buyer answers | 3 2 | 1 0
  # of 20 … 100 it is 80, of 0 … 80 it is 20
hardliner:accept=const,alpha=0.75 | legacy seller answers | 79 80 | 100 0
hardliner:accept=const,alpha=0.75 | legacy buyer opens | 21 20 | 0*3
hardliner:accept=const | gaps seller answers | 5 8 | 9 0
  # 0.8 is asked for even where one asks less oneself
conceder:accept=const | original seller opens | 3*4 | 5 2*3 1
  # half of the time is over in the third of five rounds
hardliner:accept=time,time=0.5 | original seller opens | 1 1 | 5 5 0
hardliner:accept=time,time=0.5 | original buyer answers | 5*3 | 1 1 0
hardliner:accept=time | original seller opens | 1*4 | 5*4 0
hardliner:accept=time,time=0 | legacy seller answers | 10 20 | 100 0
  # the best of the last two, with two rounds left
hardliner:accept=combi,time=0.5 | original seller opens | 1 2 | 5 5 0
hardliner:accept=combi,time=0.5 | original seller opens | 2 1 1 | 5*3 0
hardliner:accept=combi,time=0.5 | original buyer answers | 5 4 5 5 | 1*3 0
hardliner:accept=combi,time=0.5 | original buyer answers | 5 4 4 | 1 1 0
linear:accept=combi | original seller opens | 2 3 | 5 4 0
hardliner:accept=combi,time=0 | gaps seller answers | 3 2 5 | 0
"""
ROWS = [row for row in MOVES.splitlines() if row and not row.strip().startswith("#")]


def written_out(actions: str) -> str:
    """The words with `5*3` as 5 5 5."""
    words = (word.partition("*") for word in actions.split())
    return " ".join(" ".join([word] * int(times or 1)) for word, _, times in words)


@pytest.mark.parametrize("row", ROWS)
def test_moves(row: str) -> None:
    spec, where, offers, said = row.split(" | ")
    game, role, opens = where.split()
    heard = written_out(offers)
    assert answers(spec, game, role, opens == "opens", heard) == written_out(said)


def test_every_strategy_has_moves() -> None:
    listed = {row.partition(" ")[0].partition(":")[0] for row in ROWS}
    assert listed == set(STRATEGIES) - {"best-response"}


@pytest.mark.parametrize(
    ("spec", "at_once", "half", "end"),
    [("polynomial:kappa=0.3,beta=3", 0.3, 0.8556, 1.0), ("exponential:beta=2", 0.01, 0.3162, 1.0)],
)
def test_a_curve_begins_at_kappa(spec: str, at_once: float, half: float, end: float) -> None:
    rule = strategy(spec)
    assert isinstance(rule, Polynomial | Exponential)
    curve = [rule.concession(time) for time in (0.0, 0.5, 1.0)]
    assert curve == pytest.approx([at_once, half, end], abs=1e-4)


def test_a_smaller_beta_holds_out_longer() -> None:
    times = [n / 10 for n in range(1, 10)]
    curves = [
        [Polynomial(beta=beta).concession(time) for time in times] for beta in (0.2, 0.5, 1, 2, 5)
    ]
    for slower, faster in pairwise(curves):
        assert all(map(lt, slower, faster))


def test_micro_repeats_with_no_price_left() -> None:
    scenario = replace(SCENARIOS["gaps"], seller=PriceRange(8, 9))
    assert answers("micro", scenario, "seller", True, "1 2 3") == "9 8 9|8 9|8"
    assert answers("micro", scenario, "seller", True, "1 2 8") == "9 8 9|8 0"


@given(scenarios(), roles, st.data())
def test_a_concession_of_zeuthen_stops_at_the_standing_offer(
    scenario: Scenario, role: Role, data: st.DataObject
) -> None:
    own, standing = (
        data.draw(st.sampled_from([scenario.prices[i] for i in scenario.offers(each)]))
        for each in (role, role.other)
    )
    (price,) = Zeuthen().offers(position_of(scenario, role, (own, standing)))
    assert min(own, standing) <= price <= max(own, standing)


@pytest.mark.parametrize(("role", "priced"), [("seller", range(20, 101)), ("buyer", range(81))])
def test_random_prices_are_those_of_the_range(role: str, priced: range) -> None:
    heard, prices = "10" if role == "seller" else "90", "|".join(map(str, priced))
    assert answers("zero-intelligence", "legacy", role, False, heard) == prices
    assert answers("random", "legacy", role, False, heard) == f"{prices}|-1"


def test_an_action_is_drawn_as_often_as_it_is_listed() -> None:
    rng, rule = np.random.default_rng(1), strategy("zero-intelligence")
    position = position_of(SCENARIOS["original"], Role.SELLER, (3,))
    drawn = np.bincount([rule.act(position, rng) for _ in range(5000)], minlength=7)
    assert drawn / 5000 == pytest.approx([0, 0, 0, 0.2, 0.2, 0.6, 0], abs=0.03)


@pytest.mark.parametrize(
    ("opener", "prices"),
    [
        ("seller", (100, 50, 75, 62, 68, 65, 66, 65, 65)),
        ("buyer", (0, 50, 25, 37, 31, 34, 32, 33, 32, 32)),
    ],
)
def test_the_published_negotiations(opener: str, prices: tuple[int, ...]) -> None:
    played = negotiate(Scenario.legacy(), Midpoint(), Midpoint(), opener)
    assert played.prices == prices
    outcome = played.outcome
    assert (outcome.price, outcome.closer, outcome.round) == (prices[-1], Role.SELLER, 4)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position with a standing offer."""
    scenario, role = draw(scenarios()), draw(roles)
    own = [scenario.prices[i] for i in scenario.offers(role)]
    return Position(
        scenario,
        role,
        draw(st.integers(0, scenario.rounds - 1)),
        draw(st.none() | st.sampled_from(own)),
        draw(st.sampled_from(scenario.prices)),
    )


@given(positions())
def test_midpoint_on_any_grid(position: Position) -> None:
    scenario, standing = position.scenario, position.standing_offer
    assert standing is not None
    acceptable = scenario.acceptable_range(position.role)
    own = [price for price in scenario.prices if price in acceptable]
    action = Midpoint().act(position, np.random.default_rng(0))
    if position.last_decision:
        assert action == (scenario.accept if standing in acceptable else scenario.walk_away)
        return
    asked = standing if action == scenario.accept else scenario.prices[action]
    assert (asked == standing) == (action == scenario.accept)
    seller = position.role is Role.SELLER
    last = own[-1 if seller else 0] if position.own_last_offer is None else position.own_last_offer
    half_way = (last + standing) // 2
    on_own_side = [price for price in own if (price >= half_way if seller else price <= half_way)]
    nearest = min if seller else max
    # With no own price on its side it asks the end of its range.
    assert asked == (nearest(on_own_side) if on_own_side else own[-1 if seller else 0])
