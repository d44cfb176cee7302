"""Files of trainings whose learners play with probabilities, and what plays from them."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from negotiation_tui.api.trained import Trained
from negotiation_tui.cli.main import main
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_actions
from negotiation_tui.learning.checkpoint import Policies, load_tables, save_tables
from negotiation_tui.players.resolve import policies_of
from negotiation_tui.players.saved_table import saved_table
from negotiation_tui.solvers.best_response import nash_conv
from tests.support.mixed import random_policy
from tests.support.trained_tables import ORIGINAL, trained


def saved(*seats: bool, scenario: Scenario = ORIGINAL) -> Policies:
    """Save `m.npz`, with a mixed policy in some seats."""
    rng = np.random.default_rng(8)
    seller, buyer = (
        random_policy(scenario, role, rng) if mixed else None
        for role, mixed in zip(Role, seats, strict=True)
    )
    tables = replace(trained(scenario), learned_policies=(seller, buyer))
    save_tables("m.npz", tables)
    return seller, buyer


def same(one: TabularPolicy, other: TabularPolicy) -> bool:
    return np.array_equal(one.probabilities, other.probabilities)


@pytest.mark.parametrize("seats", [(True, True), (False, True)])
def test_policies_come_back(seats: tuple[bool, bool]) -> None:
    policies, loaded = saved(*seats), load_tables("m.npz")
    for found, expected in zip(loaded.learned_policies, policies, strict=True):
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert found.weights is not None
            assert expected.weights is not None
            assert np.array_equal(found.weights, expected.weights)
            assert np.array_equal(found.actions, expected.actions)


def test_they_are_played_tested_and_judged() -> None:
    seller, _ = saved(True, False)
    assert seller is not None
    loaded = Trained.load("m.npz")
    players = policies_of(loaded)
    assert same(players[0], seller)
    assert players[1].weights is None
    expected = nash_conv(ORIGINAL, *players, loaded.parameters.discount_rate).total
    assert loaded.nash_conv().total == expected
    assert loaded.test(200, as_published=True).totals.negotiations == 200
    assert loaded.test(200).totals.negotiations == 200


def test_solve_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    saved(True, False)
    assert main(["solve", "--policy", "m.npz"]) == 0
    text = capsys.readouterr().out
    assert "the seller plays its policy" in text
    assert "the buyer plays its table" in text


def test_a_seat_plays_them_mixed() -> None:
    seller, _ = saved(True, True)
    assert seller is not None
    held = saved_table("m.npz")
    assert same(held.tabulated(ORIGINAL, Role.SELLER), seller)
    at = Position(ORIGINAL, Role.SELLER)
    one, other = (np.random.default_rng(2) for _ in range(2))
    for _ in range(50):
        assert held.act(at, one) == seller.act(at, other)
    assert held.support(at) == seller.support(at)


def test_in_other_price_ranges_the_legal_actions_keep_their_proportions() -> None:
    seller, _ = saved(True, False)
    assert seller is not None
    narrow = replace(ORIGINAL, seller=PriceRange(3, 5))
    found = saved_table("m.npz").tabulated(narrow, Role.SELLER).probabilities
    legal = legal_actions(narrow, narrow.offers(Role.SELLER))
    assert not found[~legal].any()
    for before, after, allowed in zip(seller.probabilities, found, legal, strict=True):
        if (before * allowed).any():
            assert after == pytest.approx(before * allowed / (before * allowed).sum())
        elif allowed.any():
            assert after == pytest.approx(allowed / allowed.sum())


@pytest.mark.parametrize(
    ("state", "values", "message"),
    [
        (0, [0.5, 0.4], "probabilities of the seller, state s: expected a sum of 1, got 0.9"),
        (0, [np.nan, 1.0], "action 1: expected a number from 0 to 1, got nan"),
        (0, [0, 0, 0, 0, 0, 0, 1.0], "action -1: expected 0 for an illegal action, got 1.0"),
    ],
)
def test_wrong_probabilities_are_refused(state: int, values: list[float], message: str) -> None:
    saved(True, True)
    with np.load("m.npz") as file:
        parts = {name: file[name] for name in file}
    parts["probabilities"][0, state] = [*values, *[0.0] * (7 - len(values))]
    np.savez(Path("m.npz"), **parts)
    with pytest.raises(BadInputError, match=f"m.npz.*{re.escape(message)}") as caught:
        load_tables("m.npz")
    assert "\n" not in str(caught.value)


def test_probabilities_of_another_shape_are_refused() -> None:
    saved(True, True)
    with np.load("m.npz") as file:
        parts = {name: file[name] for name in file}
    parts["probabilities"] = np.ones((2, 3, 7))
    np.savez(Path("m.npz"), **parts)
    with pytest.raises(BadInputError, match=r"probabilities: expected float64 of shape \(2, 27, 7"):
        load_tables("m.npz")
