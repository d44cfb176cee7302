"""What holds of every strategy, in any scenario, after any offers."""

from itertools import product

import pytest
from hypothesis import given, settings

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.bidding import Bidding
from negotiation_tui.strategies.registry import STRATEGIES, spec_of, strategy
from tests.support.game import roles, scenarios, seeds
from tests.support.hidden import HIDDEN, games, meeting, positions_of

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
in_each = pytest.mark.parametrize("scenario", HIDDEN.values(), ids=HIDDEN)


@every
@settings(max_examples=8)
@given(scenario=scenarios(largest=5, rounds=6), opener=roles, role=roles, seed=seeds)
def test_tabulated_it_plays_alike(
    held: Strategy, scenario: Scenario, opener: Role, role: Role, seed: int
) -> None:
    policy = held.remembering(scenario, role)
    if policy is None:
        assert "combi" in repr(held).lower()
        return
    played = [meeting(player, role, scenario, opener, seed, wild=True) for player in (held, policy)]
    assert played[0] == played[1]


@every
def test_words(held: Strategy) -> None:
    assert strategy(spec_of(held)) == strategy(spec_of(held).replace(",", "+")) == held


def test_words_say_only_what_is_not_usual() -> None:
    assert spec_of(strategy("boulware:beta=0.2,accept=next")) == "boulware"
    assert spec_of(strategy("boulware:accept=time+time=0.8")) == "boulware:accept=time,time=0.8"
    assert spec_of(strategy("tit-for-tat:delta=3")) == "tit-for-tat:delta=3"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("boulwar", "strategy: expected midpoint, "),
        ("midpoint:,", "midpoint: expected setting=value, got ''"),
        ("micro:delta=1", "micro: setting: expected none, got 'delta'"),
        ("boulware:time=0.5", "boulware: setting: expected beta, kappa or accept, got 'time'"),
        ("boulware:beta=x", "boulware: beta: expected a number, got 'x'"),
        ("boulware:beta=0", "beta: expected a number above 0, at most 1,000, got 0.0"),
        ("exponential:kappa=0", "kappa: expected a number from 1e-06 to 1, got 0.0"),
        ("tit-for-tat:delta=1.5", "tit-for-tat: delta: expected an integer, got '1.5'"),
        ("random-tit-for-tat:largest=-1", "largest: expected an integer from 0 to 1,000, got -1"),
        ("equilibrium:tie_break=maybe", "tie_break: expected accept or reject, got 'maybe'"),
        ("linear:accept=later", "accept: expected next, const, time or combi, got 'later'"),
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
