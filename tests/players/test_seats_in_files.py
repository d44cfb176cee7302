"""Saved tables remember who sat in the seats, settings and all."""

import json

import numpy as np
import pytest

from negotiation_tui.cli.main import main
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.learning.q_table import untrained
from negotiation_tui.players.resolve import players_of, trained_players
from negotiation_tui.strategies.registry import strategy

TRAIN = ("train", "--seed", "1", "--cycles", "3", "--no-verbose", "--save", "t.npz")


def test_a_strategy_comes_back_with_its_settings() -> None:
    words = "boulware:beta=0.1,accept=time,time=0.5"
    assert main([*TRAIN, "--buyer", words]) == 0
    tables = load_tables("t.npz")
    assert tables.strategies == (None, words)
    assert strategy(words) == strategy(words.replace(",", "+"))
    assert all(isinstance(player, TabularPolicy) for player in players_of(tables))


def test_what_heeds_the_whole_negotiation_is_tested_turn_by_turn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*TRAIN, "--seller", "micro"]) == 0
    capsys.readouterr()
    assert main(["test", "t.npz", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["negotiations"] == 1000
    # Against an honest opponent it concedes a price for a price and never quits.
    assert found["breakdowns_seller"] == 0


@pytest.mark.parametrize("words", ["test t.npz --as-published", "solve --policy t.npz"])
def test_and_is_not_taken_for_a_table(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([*TRAIN, "--seller", "micro"])
    capsys.readouterr()
    assert main(words.split()) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "micro, which depends on the whole history" in error


def test_a_learner_plays_by_its_table_and_an_untrained_one_at_random() -> None:
    scenario, q = Scenario.original(), np.random.default_rng(1).random((27, 7))
    seats = trained_players(scenario, (None, None), (q, None), 0.9)
    for role, table, player in zip(
        Role, (q, untrained(scenario, Role.BUYER, 0.0)), seats, strict=True
    ):
        assert isinstance(player, TabularPolicy)
        assert np.array_equal(player.actions, greedy(scenario, role, table).actions)
    micro = strategy("micro")
    assert trained_players(scenario, (micro, None), (q, None), 0.9)[Role.SELLER] is micro
