"""What holds of every strategy, in any scenario, after any offers."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from negotiation_tui import PriceRange, Role, Scenario, Strategy
from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.strategies.bidding import Bidding
from negotiation_tui.strategies.concession import Midpoint
from negotiation_tui.strategies.registry import STRATEGIES, spec_of, strategy
from negotiation_tui.strategies.time_dependent import Exponential, Polynomial
from tests.support.hidden import HIDDEN, games, meeting, positions_of
from tests.support.moves import SCENARIOS, answers, position_of

WORDS = {
    spec: strategy(spec)
    for spec in (
        *(name for name in STRATEGIES if name != "best-response"),  # it has no choices by itself
        "linear:accept=const,alpha=0.5",
        "boulware:accept=time,time=0.5",
        "zeuthen:accept=time,time=0.5",
        "tit-for-tat:accept=combi,time=0.4",
        "equilibrium:discount=0.5,tie_break=reject",
        "fixed-fraction:rho=1",
        "random-tit-for-tat:largest=3,delta=2",
        "random-tit-for-tat:delta=2,accept=time,time=0.5",
        "averaged-tit-for-tat:gamma=1",
        "averaged-tit-for-tat:gamma=3",
        "tit-for-tat:delta=3",
        "exponential:beta=3,kappa=0.2",
    )
}
every = pytest.mark.parametrize("held", WORDS.values(), ids=WORDS)
NARROW = ("one side", "narrowed", "no overlap")
in_each = pytest.mark.parametrize("scenario", [HIDDEN[name] for name in NARROW], ids=NARROW)


@every
def test_words(held: Strategy) -> None:
    assert strategy(spec_of(held)) == strategy(spec_of(held).replace(",", "+")) == held


def test_words_say_only_what_is_not_usual() -> None:
    assert spec_of(strategy("boulware:beta=0.2,accept=next")) == "boulware"
    assert spec_of(strategy("boulware:accept=time+time=0.8")) == "boulware:accept=time,time=0.8"
    assert spec_of(strategy("equilibrium:discount=0.99")) == "equilibrium:discount=0.99"
    assert spec_of(strategy("tit-for-tat:delta=3")) == "tit-for-tat:delta=3"


def test_each_says_what_it_is() -> None:
    for name, held in STRATEGIES.items():
        assert held.name == name
        assert held.summary
        assert held.source
        assert "+" not in name
        assert isinstance(held, Bidding) == ("acceptance" in repr(held))


@every
@in_each
def test_its_tables_choose_as_it_does_in_each_game(held: Strategy, scenario: Scenario) -> None:
    for role in Role:
        table = held.remembering(scenario, role)
        assert (table is None) == ("combi" in repr(held).lower())
        assert (held.tabulated(scenario, role) is None) == ("history" in held.depends_on)
        for n, (game, opener) in enumerate(product(games(scenario, role), Role)):
            for position, action in positions_of(role, meeting(held, role, game, opener, n)):
                actions = list(held.support(position))
                assert action in actions
                assert set(actions) <= set(position.legal)
                assert table is None or table.support(position) == actions


@every
@in_each
def test_equal_offers_are_answered_alike_by_each_limit(held: Strategy, scenario: Scenario) -> None:
    for role in Role:
        for own in range(scenario.n_tables(role)):
            others = range(scenario.n_tables(role.other))
            pairs = [(own, other) if role is Role.SELLER else (other, own) for other in others]
            met = [
                meeting(held, role, scenario.drawn(*pair), Role(own % 2), own, wild=True)
                for pair in pairs
            ]
            first, *rest = [[action for _, action in positions_of(role, each)] for each in met]
            assert all(actions == first for actions in rest)


# strategy | game, role, and if it opens | the opponent's offers | the strategy's actions
# `5*3` are three times 5; `4|3` two equally likely actions; 0 accepts, -1 walks away.
MOVES = """
# Time-dependent: x = best + α(t)·(reservation − best).
  # α = t = 0, ¼, ½, ¾, 1
linear | original seller opens | 1*4 | 5 4 3 2 0
linear | original buyer answers | 5*5 | 1 2 3 4 0
  # it takes what is as good as its next price, no sooner
linear | original buyer answers | 5 3 3 | 1 2 0
  # α = k/9; own side of the grid: upwards for the seller
linear | legacy seller opens | 0*9 | 100 92 83 74 65 56 47 38 29 20
linear | gaps buyer opens | 9*3 | 1 3 5 0
  # α = t⁵
boulware | legacy seller opens | 0*9 | 100*4 99 96 90 78 56 20
boulware | legacy buyer answers | 100*10 | 0*4 1 4 10 22 44 quit
  # here α is t^0.2
conceder | original buyer answers | 5*5 | 1 4*3 0
  # 0, 0.8027, 0.9221 and 1 of the range
conceder | gaps buyer opens | 9*3 | 1 5 8 0
hardliner | legacy seller answers | 0*10 | 100*9 quit
  # α = ½, ⅝, ¾, ⅞, 1
polynomial:kappa=0.5 | original seller opens | 1*4 | 3 3 2 2 0
  # α = √t
polynomial:beta=2 | original seller opens | 1*4 | 5 3 3 2 0
  # α = 0.01^(1 − k/9): 0.01, 0.017, 0.028, 0.046, 0.077, 0.129, 0.215, 0.359, 0.599, 1
exponential | legacy buyer opens | 100*9 | 0 1 2 3 6 10 17 28 47 80
# Tit-for-tat.
  # relative: x·y₋₂/y₋₁; 4.5, then 3.33, on its own side of the grid
tit-for-tat | gaps seller opens | 1 2 3 | 9 9 5 5
tit-for-tat | gaps seller answers | 1 2 3 3 | 9 5 5 0
  # 5·2/3 = 3.33, 4·3/3
tit-for-tat | original seller opens | 2 3 3 | 5 5 4 4
  # 1·9/5 = 1.8; 1·5/2 = 2.5
tit-for-tat | gaps buyer answers | 9 5 3 | 1*3
  # the grid begins at 0: every price one more; 101·10/20, 51·20/25, 41, 41·25/40
tit-for-tat | legacy seller opens | 9 19 24 24 39 | 100 100 50 40 40 accept
  # what the other took back is taken back, inside the range
tit-for-tat | legacy seller opens | 9 19 9 0 | 100 100 50 100 100
  # δ = 2: a move later
tit-for-tat:delta=2 | gaps seller opens | 1 2 2 | 9*3 5
  # random absolute: x + y₋₂ − y₋₁, and up to 1 more toward the other
random-tit-for-tat | original seller opens | 1 2 2 3 | 5 5 4|3 4|3 0|0
random-tit-for-tat | original buyer answers | 5 4 4 2 | 1 2|3 2|3 0|0
random-tit-for-tat:largest=0,delta=2 | legacy buyer opens | 90 80 75 75 | 0*3 10 15
  # averaged: x·y₋₃/y₋₁
averaged-tit-for-tat | gaps seller opens | 1 2 3 | 9*3 0
  # γ = 1 is relative with δ = 1
averaged-tit-for-tat:gamma=1 | legacy buyer answers | 99 49 24 24 | 0 1 3 3
# The fraction ρ of the way to the other's price; prices round down.
fixed-fraction | original seller opens | 1*4 | 5 4 3 2 0
fixed-fraction | legacy seller opens | 0*7 | 100 75 56 42 31 23 20 20
fixed-fraction | gaps buyer opens | 9*3 | 1 3*3
fixed-fraction:rho=1 | original seller answers | 2 | 0
midpoint | legacy seller opens | 50 62 65 65 | 100 75 68 66 accept
midpoint:rho=0.25 | original seller opens | 1*4 | 5 4 3 2 0
fixed-fraction | legacy buyer answers | 100*10 | 25 43 57 67 75 80*4 quit
# MiCRO: m different offers of its own, n of the other's; it concedes while m ≤ n.
micro | original seller opens | 1 1 2 3 | 5 4 5|4 3 0
micro | original buyer answers | 5*3 4 4 | 1 2 1|2 3 0
  # m = n = 1 after the first exchange; a price heard twice is not new
micro | original buyer opens | 5 4 5 4 | 1 2 3 1|2|3 1|2|3
micro | gaps buyer opens | 9 8 5 | 1 2 3 0
  # while it repeats it takes what is as good as its lowest
micro | original seller opens | 1 1 4 | 5 4 5|4 0
# Zeuthen: who risks less concedes, just enough that the other risks less.
  # 0.8 against 1; 0.67 against 0.5; at 2 it is 0.33 for both, and nothing lies between
zeuthen | original seller opens | 1 1 2 | 5 3 3 0
zeuthen | original seller answers | 1*3 2 | 5 3 3 0
  # 1 against 0.8: it stays; 0.75 for both; 0.67 against 0.5; 0.33 for both
zeuthen | original buyer opens | 5 4 4 3 | 1 1 2 2 0
  # 1 for both: 79 is the first that buyer can like; then below 100 − 30 and 100 − 40
zeuthen | legacy seller opens | 0 30 30 40 | 100 79 69 69 59
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
equilibrium | legacy buyer opens | 21 | 20 20
# Chance.
random | original seller opens |  | 1|2|3|4|5
random | original seller answers | 1*5 | 1|2|3|4|5|0|-1*4 0|-1
zero-intelligence | original seller opens |  | 1|2|3|4|5
zero-intelligence | gaps buyer answers | 9 5 | 1|2|3|5|8|0 1|2|3|0|0|0
zero-intelligence | original buyer answers | 5*5 | 1|2|3|4|0*4 0
# Acceptance.
hardliner:accept=next | original seller opens | 4 5 | 5 5 0
linear:accept=next | original buyer answers | 5 3 3 | 1 2 0
  # worth ¾ of the range 1 … 5 is 4 for the seller, 2 for the buyer
hardliner:accept=const,alpha=0.75 | original seller opens | 3 4 | 5 5 0
hardliner:accept=const,alpha=0.75 | original buyer answers | 3 2 | 1 0
  # of 20 … 100 it is 80, of 0 … 80 it is 20
hardliner:accept=const,alpha=0.75 | legacy seller answers | 79 80 | 100 accept
  # 0.8 is asked for even where one asks less oneself
conceder:accept=const | original seller opens | 3*4 | 5 2*3 1
  # half of the time is over in the third of five rounds
hardliner:accept=time,time=0.5 | original seller opens | 1 1 | 5 5 0
hardliner:accept=time,time=0.5 | original buyer answers | 5*3 | 1 1 0
  # the best of the last two, with two rounds left
hardliner:accept=combi,time=0.5 | original seller opens | 1 2 | 5 5 0
hardliner:accept=combi,time=0.5 | original seller opens | 2 1 1 | 5*3 0
hardliner:accept=combi,time=0.5 | original buyer answers | 5 4 5 5 | 1*3 0
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


def test_micro_repeats_with_no_price_left() -> None:
    scenario = replace(SCENARIOS["gaps"], seller=PriceRange(8, 9))
    assert answers("micro", scenario, "seller", True, "1 2 3") == "9 8 9|8 9|8"
    assert answers("micro", scenario, "seller", True, "1 2 8") == "9 8 9|8 0"


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
    played = negotiate(Scenario.of("legacy"), Midpoint(), Midpoint(), opener)
    assert played.prices == prices
    outcome = played.outcome
    assert (outcome.price, outcome.closer, outcome.round) == (prices[-1], Role.SELLER, 4)
