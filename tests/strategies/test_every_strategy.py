"""What holds of every strategy, in any scenario, after any offers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Player, Position, negotiate
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.base import Strategy, tabulable, tabulate
from negotiation_tui.strategies.bidding import Bidding
from negotiation_tui.strategies.registry import STRATEGIES, spec_of, strategy
from tests.support.game import RandomPlayer, roles, scenarios, seeds
from tests.support.moves import position_of

pytestmark = pytest.mark.slow

RULES = ["accept=const,alpha=0.5", "accept=time,time=0.5", "accept=combi,time=0.4"]
WORDS = [
    *(name for name in STRATEGIES if name != "best-response"),  # it has no choices by itself
    *(f"{name}:{rule}" for name in ("linear", "zeuthen", "tit-for-tat") for rule in RULES),
    "equilibrium:discount=0.5,tie_break=reject",
    "fixed-fraction:rho=1",
    "random-tit-for-tat:largest=3,delta=2",
    "exponential:beta=3,kappa=0.2",
]
every = pytest.mark.parametrize("held", [strategy(words) for words in WORDS], ids=WORDS)
small = scenarios(largest=6, rounds=4)
few = settings(max_examples=20)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position after any legal offers."""
    scenario, role = draw(small), draw(roles)
    n = draw(st.integers(0, 2 * scenario.rounds - 1))
    priced = {r: st.sampled_from([scenario.prices[i] for i in scenario.offers(r)]) for r in Role}
    offers = [draw(priced[role if (n - k) % 2 == 0 else role.other]) for k in range(n)]
    return position_of(scenario, role, tuple(offers))


@every
@few
@given(position=positions())
def test_choices_are_legal_and_inside_the_range(held: Strategy, position: Position) -> None:
    scenario, role = position.scenario, position.role
    choices = list(held.support(position))
    assert choices
    assert set(choices) <= set(scenario.legal_actions(position.state, role))
    assert choices == list(replace(held).support(replace(position)))
    if position.standing_offer not in scenario.acceptable_range(role):
        assert scenario.accept not in choices


@every
@few
@given(position=positions(), data=st.data())
def test_what_it_does_not_heed_does_not_matter(
    held: Strategy, position: Position, data: st.DataObject
) -> None:
    if position.standing_offer is None or "history" in held.depends_on:
        return
    scenario, rounds = position.scenario, position.scenario.rounds
    other: Position = replace(position, offers=())
    if "own" not in held.depends_on:
        owned = [scenario.prices[i] for i in scenario.offers(position.role)]
        other = replace(other, own_last_offer=data.draw(st.none() | st.sampled_from(owned)))
    if "opener" not in held.depends_on and not position.last_decision:
        other = replace(other, opened=data.draw(st.booleans()))
    if "time" not in held.depends_on and not position.last_decision:
        other = replace(other, time=data.draw(st.integers(0, rounds - 2)))
    assert list(held.support(other)) == list(held.support(position))


@every
@few
@given(scenario=small, opener=roles, role=roles, seed=seeds)
def test_tabulated_it_plays_alike(
    held: Strategy, scenario: Scenario, opener: Role, role: Role, seed: int
) -> None:
    if not tabulable(scenario, held):
        assert "history" in held.depends_on
        return
    policy = tabulate(scenario, role, held)
    played = []
    for player in (held, policy):
        players: dict[Role, Player] = {role: player, role.other: RandomPlayer()}
        seller, buyer = players[Role.SELLER], players[Role.BUYER]
        played.append(negotiate(scenario, seller, buyer, opener, np.random.default_rng(seed)))
    assert played[0] == played[1]


@every
def test_words(held: Strategy) -> None:
    assert strategy(spec_of(held)) == held
    assert strategy(spec_of(held).replace(",", "+")) == held


@given(st.floats(0.001, 1), st.floats(0, 1), st.floats(0, 1))
def test_words_keep_every_digit(beta: float, kappa: float, alpha: float) -> None:
    held = strategy(f"polynomial:beta={beta!r},kappa={kappa!r},accept=const,alpha={alpha!r}")
    assert strategy(spec_of(held)) == held


def test_words_say_only_what_is_not_usual() -> None:
    assert spec_of(strategy("boulware:beta=0.2,accept=next")) == "boulware"
    assert spec_of(strategy("boulware:accept=time+time=0.8")) == "boulware:accept=time,time=0.8"
    assert spec_of(strategy("tit-for-tat:delta=3")) == "tit-for-tat:delta=3"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("", "strategy: expected midpoint, "),
        ("boulwar", "'boulwar'"),
        ("midpoint:rho=", "'rho='"),
        ("midpoint:,", "midpoint: expected setting=value, got ''"),
        ("micro:delta=1", "micro: setting: expected none, got 'delta'"),
        ("midpoint:accept=next", "midpoint: setting: expected rho, got 'accept'"),
        ("boulware:time=0.5", "boulware: setting: expected beta, kappa or accept, got 'time'"),
        ("boulware:beta=x", "boulware: beta: expected a number, got 'x'"),
        ("boulware:beta=0", "beta: expected a number above 0, at most 1,000, got 0.0"),
        ("exponential:kappa=0", "kappa: expected a number from 1e-06 to 1, got 0.0"),
        ("tit-for-tat:delta=1.5", "tit-for-tat: delta: expected an integer, got '1.5'"),
        ("random-tit-for-tat:largest=-1", "largest: expected an integer from 0 to 1,000, got -1"),
        ("fixed-fraction:rho=0", "rho: expected a number above 0, at most 1, got 0.0"),
        ("equilibrium:discount=2", "discount: expected a number from 0 to 1, got 2.0"),
        ("equilibrium:tie_break=maybe", "tie_break: expected accept or reject, got 'maybe'"),
        ("linear:accept=later", "accept: expected next, const, time or combi, got 'later'"),
        ("linear:accept=const,alpha=2", "linear: alpha: expected a number from 0 to 1, got 2.0"),
        (
            "linear:accept=const,time=0.5",
            "linear: setting: expected beta, kappa or accept, got 'time'",
        ),
    ],
)
def test_wrong_words(words: str, named: str) -> None:
    with pytest.raises(BadInputError) as raised:
        strategy(words)
    assert named in str(raised.value)
    assert "\n" not in str(raised.value)


def test_each_says_what_it_is() -> None:
    for name, held in STRATEGIES.items():
        assert held.name == name
        assert held.summary
        assert held.source
        assert "+" not in name
        assert isinstance(held, Bidding) == ("acceptance" in repr(held))
