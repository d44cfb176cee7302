"""Callables of the user, saved tables and rules: seated by name, playing by their limit."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import BadInputError, Role, Scenario, learner
from negotiation_tui.game.limits import Limits
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.checks.strategy import check_strategy
from negotiation_tui.strategies.registry import spec_of
from tests.support.cli import Captured, refused
from tests.support.game import some
from tests.support.hidden import HIDDEN, games, meeting, positions_of
from tests.support.trained_tables import trained
from tests.support.user_strategies import ANSWERS, MEMORY, broken, player_of

ORIGINAL = Scenario.original()
MODULE = """
import numpy as np
from dataclasses import replace
from negotiation_tui import TabularPolicy, STRATEGIES, strategy
from negotiation_tui.game.tabular_policy import greedy, untrained_policy

print("begun")
calls = []

def first(seen):
    "The lowest price; at the last decision it rejects."
    print("noise")
    legal = np.flatnonzero(seen["action_mask"])
    return legal[-1] if len(legal) < 3 else legal[0]

def asked(scenario, role):
    calls.append((scenario.name, str(role)))
    return lambda seen: first(seen)

def tabled(scenario, role):
    calls.append((scenario.name, str(role)))
    def act(seen):
        return first(seen)
    act.deterministic = True
    return act

def drawing(scenario, role):
    rng = np.random.default_rng(3)
    return lambda seen: int(rng.choice(np.flatnonzero(seen["action_mask"])))

def ours(scenario, role):
    return strategy("boulware:beta=0.5")

def raises(scenario, role):
    return lambda seen: 1 // 0

def leaves(scenario, role):
    raise SystemExit(3)

def illegal(scenario, role):
    return lambda seen: 6 if seen["observation"] == 0 else -1

def mixed(scenario, role):
    dense = untrained_policy(scenario, role).probabilities.copy()
    dense[0, :5] = 0.6, 0.1, 0.1, 0.1, 0.1
    return TabularPolicy.of_probabilities(scenario, role, dense)

def shape(scenario, role):
    return np.zeros((3, 3))

def holes(scenario, role):
    return np.full((scenario.n_states, scenario.n_actions), np.nan)

def responds(scenario, role):
    return STRATEGIES["best-response"]

number = 3

def numbers(scenario, role):
    shape = scenario.n_tables(role), scenario.n_states, scenario.n_actions
    return np.random.default_rng(role).random(shape)

def values(scenario, role):
    return numbers(scenario, role)

def end_to_end(scenario, role):
    return numbers(scenario, role).reshape(-1, scenario.n_actions)

def policy(scenario, role):
    return greedy(scenario, role, end_to_end(scenario, role))

def actions(scenario, role):
    chosen = policy(scenario, role).actions[:, 0]
    return chosen.reshape(scenario.n_tables(role), -1)

def function(scenario, role):
    table = numbers(scenario, role)
    def act(seen):
        row = table[seen.get("limit", 0), seen["observation"]]
        return np.where(seen["action_mask"], row, -1).argmax()
    act.deterministic = True
    return act

class Maker:
    def make(self, scenario, role):
        self.act = function(scenario, role)
        return self

    def __call__(self, seen):
        return self.act(seen)

maker = Maker()

def for_all(scenario, role):
    return numbers(scenario, role)[0]

def plain(scenario, role):
    return untrained_policy(replace(scenario, limits=(None, None)), role)

def few(scenario, role):
    return numbers(scenario, role)[1:]
"""


@pytest.fixture(autouse=True)
def module() -> Iterator[None]:
    Path("from_outside.py").write_text(MODULE, encoding="utf-8")
    yield
    sys.modules.pop("from_outside", None)


def test_a_best_response_to_it_is_one_to_its_table() -> None:
    policy = some(player_of("from_outside:tabled").tabulated(ORIGINAL, Role.BUYER))
    best = nt.best_response_to("from_outside:tabled", "seller")
    assert best.values == nt.best_response_to(policy, "seller").values
    with pytest.raises(BadInputError, match="from_outside:asked, which depends on the whole"):
        nt.best_response_to("from_outside:asked", "seller")


@pytest.mark.parametrize("name", ["asked", "tabled"])
def test_it_is_called_once_per_seat_and_its_prints_are_dropped(name: str, capsys: Captured) -> None:
    held, few = player_of(f"from_outside:{name}"), Parameters(cycles=2, episodes=5)
    training = ConcurrentTraining(ORIGINAL, few, seller=held)
    training.run()
    assert capsys.readouterr() == ("", "")
    assert sys.modules["from_outside"].calls == [("original", "seller")]


WRONG = {
    "raises": ":raises: ZeroDivisionError: integer division or modulo by zero (from_outside.py, l",
    "leaves": "from_outside:leaves: SystemExit: 3 (from_outside.py, line",
    "illegal": "from_outside:illegal: expected one or more actions of 0, 1, 2, 3, 4 for",
    "shape": "actions of shape (27,) for scenario original, got an array of float64, shape (3, 3)",
    "holes": "got an array of float64 with NaN, shape (27, 7)",
    "responds": "an observation to an action, got a value of type Best",
    "number": "from_outside:number: expected a callable, got a value of type int",
    "nobody": "from_outside:nobody: module from_outside has no 'nobody'",
    "few": "expected values of shape (5, 32, 8) or integer actions of shape (5, 32) for scenario",
    "plain": "expected a policy with 5 tables, one per limit of the seller in scenario hidden",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_in_a_line(name: str, capsys: Captured) -> None:
    scenario = "hidden" if name in {"few", "plain"} else "original"
    words = f"train --scenario {scenario} --opener seller --seller from_outside:{name}"
    assert WRONG[name] in refused(capsys, *words.split())


def test_it_is_checked_like_any_strategy() -> None:
    assert broken("from_outside:ours") == {}
    assert MEMORY in broken("from_outside:drawing", last=MEMORY)
    said = "the seller in original after no offer: from_outside:raises: ZeroDivisionError"
    assert said in broken("from_outside:raises", last=ANSWERS)[ANSWERS]


def test_probabilities_from_outside_are_played() -> None:
    held = player_of("from_outside:mixed")
    table = some(held.in_seat(ORIGINAL, Role.SELLER).tabulated(ORIGINAL, Role.SELLER))
    assert table.probabilities[0, :5] == pytest.approx([0.6, 0.1, 0.1, 0.1, 0.1])
    assert nt.nash_conv("original", "from_outside:mixed", "midpoint").total > 0


@pytest.mark.parametrize(
    ("name", "way"),
    [("one side", "learned"), ("narrowed", "learned:roth-erev"), ("original", "learned")],
)
def test_a_saved_table_plays_the_policy_of_the_limit(name: str, way: str) -> None:
    scenario = {**HIDDEN, "original": ORIGINAL}[name]
    tables = trained(scenario, seller=learner(way), buyer=learner(way))
    player = player_of("t.npz")
    for role in Role:
        policy = tables.agents[role].policy_in(scenario, role)
        for n, game in enumerate(games(scenario, role)):
            for position, action in positions_of(role, meeting(player, role, game, role, n)):
                assert action in policy.support(position)
                assert sorted(player.support(position)) == sorted(policy.support(position))


HIDDEN_GAME, ONE_SIDE = HIDDEN["hidden"], HIDDEN["one side"]
FEWER = replace(HIDDEN_GAME, limits=(Limits.of("seller", [0, 2]), HIDDEN_GAME.limits[1]))
KNOWN, ONE_KNOWN = (replace(each, limits=(None, None)) for each in (HIDDEN_GAME, ONE_SIDE))


@pytest.mark.parametrize(
    ("saved", "played", "said"),
    [
        (FEWER, HIDDEN_GAME, "expected hidden limits 0, 1, 2, 3, 4 of the seller"),
        (HIDDEN_GAME, KNOWN, "expected no hidden limits of the seller"),
        (ONE_KNOWN, ONE_SIDE, "expected hidden limits 1, 3, 4 of the seller"),
    ],
)
def test_tables_of_other_limits_are_refused(saved: Scenario, played: Scenario, said: str) -> None:
    trained(saved)
    player = player_of("t.npz")
    with pytest.raises(BadInputError, match=said):
        ConcurrentTraining(played, seller=player)
    if saved.limits[1] == played.limits[1]:
        assert player.tabulated(played, Role.BUYER) is not None


@pytest.mark.parametrize("name", ["end_to_end", "policy", "actions", "function", "maker.make"])
@pytest.mark.parametrize("shape", ["original", "one side", "narrowed"])
def test_each_form_of_a_policy_from_outside_plays_alike(shape: str, name: str) -> None:
    scenario = {**HIDDEN, "original": Scenario.original()}[shape]
    expected, player = player_of("from_outside:values"), player_of(f"from_outside:{name}")
    assert spec_of(player) == f"from_outside:{name}"
    for role in Role:
        table = some(expected.tabulated(scenario, role))
        own = player.tabulated(scenario, role)
        assert (own is None) == (name == "maker.make")
        assert own is None or np.array_equal(own.probabilities, table.probabilities)
        for n, game in enumerate(games(scenario, role)):
            for position, action in positions_of(role, meeting(player, role, game, role, n)):
                assert table.support(position) == [action]


def test_one_table_may_stand_for_all_limits() -> None:
    scenario = HIDDEN["narrowed"]
    for role in Role:
        values = np.random.default_rng(role).random((3, scenario.n_states, scenario.n_actions))[0]
        table = some(player_of("from_outside:for_all").tabulated(scenario, role))
        for part, view in zip(table.tables, scenario.views[role], strict=True):
            expected = greedy(view, role, values).probabilities
            assert np.array_equal(part.probabilities[:-1], expected[:-1])


RULE = """
from dataclasses import dataclass
from negotiation_tui import Strategy

@dataclass(frozen=True)
class Mine(Strategy):
    name, summary, source = "mine", "asks little", "here"
    depends_on = frozenset()

    def support(self, position):
        scenario, legal = position.scenario, list(position.legal)
        if position.last_decision:
            return legal[:1]
        step = 1 if str(position.role) == "seller" else -1
        return [scenario.prices.index({price})]
"""


def checked(price: str) -> dict[str, str]:
    """The failure of each check of a rule, without the last, which takes two other processes."""
    Path("mine.py").write_text(RULE.format(price=price), encoding="utf-8")
    checks = islice(check_strategy("mine.py", [HIDDEN["hidden"]]), 11)
    return {each.name: each.broken for each in checks}


def test_a_rule_of_the_users_own_knows_its_limit_and_a_check_names_the_one_that_breaks() -> None:
    assert not any(checked("position.limit + step").values())
    scenario, player = HIDDEN["hidden"], player_of("mine.py")
    for role, prices in ((Role.SELLER, [1, 2, 3, 4, 5]), (Role.BUYER, [0, 1, 2, 3, 4])):
        table = some(player.tabulated(scenario, role))
        assert [part.actions[0, 0] for part in table.tables] == prices
    said = "the seller with the limit 1 in hidden after no offer: offers 0, its range is 1 to 5"
    assert said in checked("0")["stays inside its price range"]
