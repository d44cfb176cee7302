"""Files of trainings: what was learned plays from them, and who sat there is remembered."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation_tui import BadInputError, Position, PriceRange, Role, States, Trained
from negotiation_tui.cli.main import main
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, legal_actions
from negotiation_tui.learning.checkpoint import load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.players.resolve import players_of, policies_of, strategy_from_spec
from negotiation_tui.players.saved_table import SavedTable
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.registry import spec_of, strategy
from tests.support.cli import Captured, refused
from tests.support.mixed import random_policy
from tests.support.trained_tables import ORIGINAL, trained

NARROW = replace(ORIGINAL, seller=PriceRange(3, 5))


def held_in(file: str) -> SavedTable:
    held = strategy_from_spec(file)
    assert isinstance(held, SavedTable)
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


def test_another_scenario_is_refused_and_what_was_never_learned() -> None:
    trained(seller=strategy("midpoint"))
    changes: list[dict[str, Any]] = [{"rounds": 6}, {"prices": (1, 2, 3, 5, 8)}]
    for changed in (replace(ORIGINAL, **each) for each in changes):
        with pytest.raises(BadInputError, match=r"t\.npz: .* got 5 prices 1…5, 5 rounds, publish"):
            ConcurrentTraining(changed, buyer=held_in("t.npz"))
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
    for option, value in (("--buyer", "none.npz"), ("--states", "opener-aware")):
        error = refused(capsys, *words, option, value)
    assert "published states; use --states published" in error


def saved() -> TabularPolicy:
    seller = random_policy(ORIGINAL, Role.SELLER, np.random.default_rng(8))
    save_tables("m.npz", replace(trained(), learned_policies=(seller, None)))
    return seller


def test_they_are_played_tested_and_judged(capsys: Captured) -> None:
    seller, loaded = saved(), Trained.load("m.npz")
    players = policies_of(loaded)
    assert np.array_equal(players[0].probabilities, seller.probabilities)
    assert players[1].weights is None
    expected = nash_conv(ORIGINAL, *players, loaded.parameters.discount_rate).total
    assert loaded.nash_conv().total == expected
    assert loaded.test(200, as_published=True).totals.negotiations == 200
    held, at = SavedTable("m.npz", load_tables("m.npz")), Position(ORIGINAL, Role.SELLER)
    one, other = (np.random.default_rng(2) for _ in range(2))
    assert [held.act(at, one) for _ in range(50)] == [seller.act(at, other) for _ in range(50)]
    assert main(["solve", "--policy", "m.npz"]) == 0
    text = capsys.readouterr().out
    assert "the seller plays its policy" in text
    assert "the buyer plays its table" in text


def test_in_other_price_ranges_the_legal_actions_keep_their_proportions() -> None:
    seller = saved()
    found = SavedTable("m.npz", load_tables("m.npz")).tabulated(NARROW, Role.SELLER).probabilities
    legal = legal_actions(NARROW, NARROW.offers(Role.SELLER))
    assert not found[~legal].any()
    for before, after, allowed in zip(seller.probabilities, found, legal, strict=True):
        if (before * allowed).any():
            assert after == pytest.approx(before * allowed / (before * allowed).sum())
        elif allowed.any():
            assert after == pytest.approx(allowed / allowed.sum())


TRAIN = ("train", "--seed", "1", "--cycles", "3", "--no-verbose", "--save", "t.npz")


def test_a_strategy_comes_back_with_its_settings() -> None:
    words = "boulware:beta=0.1,accept=time,time=0.5"
    assert main([*TRAIN, "--buyer", words]) == 0
    tables = load_tables("t.npz")
    assert tables.strategies == (None, words)
    assert strategy(words) == strategy(words.replace(",", "+"))
    assert all(isinstance(player, TabularPolicy) for player in players_of(tables))


def test_what_heeds_the_whole_negotiation_is_tested_turn_by_turn(capsys: Captured) -> None:
    assert main([*TRAIN, "--seller", "micro"]) == 0
    capsys.readouterr()
    assert main(["test", "t.npz", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    # Against an honest opponent it concedes a price for a price and never quits.
    assert (found["negotiations"], found["breakdowns_seller"]) == (1000, 0)
    assert "micro, which depends on the whole history" in refused(
        capsys, "solve", "--policy", "t.npz"
    )
