"""A callable that the command line names takes a seat; what is wrong with it is one clear line."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import negotiation_tui as nt
from negotiation_tui import BadInputError, Role, Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from tests.support.cli import Captured, refused
from tests.support.user_strategies import ANSWERS, MEMORY, broken, player_of

ORIGINAL = Scenario.original()
MODULE = """
import numpy as np
from negotiation_tui import TabularPolicy, STRATEGIES, strategy
from negotiation_tui.game.tabular_policy import untrained_policy

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
"""


@pytest.fixture(autouse=True)
def module() -> Iterator[None]:
    Path("from_outside.py").write_text(MODULE, encoding="utf-8")
    yield
    sys.modules.pop("from_outside", None)


def test_a_best_response_to_it_is_one_to_its_table() -> None:
    policy = player_of("from_outside:tabled").tabulated(ORIGINAL, Role.BUYER)
    assert policy is not None
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
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_in_a_line(name: str, capsys: Captured) -> None:
    assert WRONG[name] in refused(
        capsys, "train", "--opener", "seller", "--seller", f"from_outside:{name}"
    )


def test_it_is_checked_like_any_strategy() -> None:
    assert broken("from_outside:ours") == {}
    assert MEMORY in broken("from_outside:drawing", last=MEMORY)
    said = "the seller in original after no offer: from_outside:raises: ZeroDivisionError"
    assert said in broken("from_outside:raises", last=ANSWERS)[ANSWERS]


def test_probabilities_from_outside_are_played() -> None:
    held = player_of("from_outside:mixed")
    table = held.in_seat(ORIGINAL, Role.SELLER).tabulated(ORIGINAL, Role.SELLER)
    assert table is not None
    assert table.probabilities[0, :5] == pytest.approx([0.6, 0.1, 0.1, 0.1, 0.1])
    assert nt.nash_conv("original", "from_outside:mixed", "midpoint").total > 0
