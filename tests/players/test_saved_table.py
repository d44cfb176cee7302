"""A saved table in a seat: what was learned plays greedily against whoever sits opposite."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from negotiation_tui.cli.main import main
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import PriceRange, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.registry import spec_of
from tests.support.cli import status_of
from tests.support.screen_driver import Screen
from tests.support.trained_tables import ORIGINAL, trained

Captured = pytest.CaptureFixture[str]


def held_in(file: str) -> Strategy:
    held = strategy_from_spec(file)
    assert held is not None
    assert spec_of(held) == file
    return held


@pytest.mark.parametrize("states", States)
def test_it_plays_the_table_greedily(states: States) -> None:
    scenario = replace(ORIGINAL, states=states)
    tables, held = trained(scenario), held_in("t.npz")
    for role, player in zip(Role, ready_players(scenario, held, held), strict=True):
        assert isinstance(player, TabularPolicy)
        expected = greedy(scenario, role, tables.q_tables[role])
        rows = [
            r for t in range(5) for r in expected.rows(t, True)[:: 1 + player.remembers_own_offer]
        ]
        for row in rows[: len(rows) - 5]:  # the opener faces no offer of the last round
            n = expected.n_actions[row]
            assert player.n_actions[row] == n
            assert np.array_equal(player.actions[row, :n], expected.actions[row, :n])


def test_it_keeps_to_the_ranges_of_the_scenario_that_is_played() -> None:
    trained()
    narrow = replace(ORIGINAL, seller=PriceRange(3, 5))
    training = ConcurrentTraining(narrow, Parameters(cycles=2), seller=held_in("t.npz"))
    training.run()
    assert training.statistics.total.negotiations == 200


@pytest.mark.parametrize(
    "changed",
    [
        replace(ORIGINAL, rounds=6),
        replace(ORIGINAL, prices=(1, 2, 3, 5, 8)),
        replace(ORIGINAL, states=States.OPENER_AWARE),
    ],
)
def test_another_scenario_is_refused(changed: Scenario) -> None:
    trained()
    with pytest.raises(BadInputError, match=r"t\.npz: .* got 5 prices 1…5, 5 rounds, published"):
        ConcurrentTraining(changed, seller=held_in("t.npz"))


def test_what_was_never_learned_is_refused() -> None:
    midpoint = strategy_from_spec("midpoint")
    assert midpoint is not None
    trained(seller=midpoint)
    ConcurrentTraining(ORIGINAL, buyer=held_in("t.npz"))
    with pytest.raises(BadInputError, match="table of the seller, got one played by midpoint"):
        ConcurrentTraining(ORIGINAL, seller=held_in("t.npz"))


def test_on_the_command_line(capsys: Captured) -> None:
    trained()
    words = ["train", "--cycles", "2", "--no-verbose", "--save", "u.npz", "--seller", "t.npz"]
    assert main(words) == 0
    assert main(["test", "u.npz", "--as-published"]) == 0
    assert main(["test", "u.npz", "--buyer", "t.npz"]) == 0
    sweep = ["sweep", "--set", "seller=t.npz,learned", "--set", "cycles=2", "--runs", "2"]
    assert main([*sweep, "--out", "r.csv", "--workers", "1"]) == 0
    with Path("r.csv").open(encoding="utf-8") as file:
        assert {row["seller"] for row in csv.DictReader(file)} == {"t.npz", "learned"}
    capsys.readouterr()
    assert status_of(*words, "--states", "opener-aware", "--seller", "t.npz") == 2
    assert "published states; use --states published" in capsys.readouterr().err
    for wrong in (["--scenario", "fine"], ["--buyer", "none.npz"], ["--states", "opener-aware"]):
        assert status_of(*words, *wrong) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_best_response_to_it_gains_all_there_is() -> None:
    trained()
    screen = Screen(strategies=("t.npz", "best-response"))
    assert "seller T · buyer BEST-RESPONSE" in screen.text()
    judged = screen.trainer.snapshot.nash_conv
    assert judged is not None
    assert judged.exploitability[Role.BUYER] == 0.0
