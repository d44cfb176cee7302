"""Specs of players: errors are one line, no file runs what it names, and saved tables play."""

import csv
import json
import pickle
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation_tui import BadInputError, Opener, Position, PriceRange, Role, Trained, strategy
from negotiation_tui.cli.main import main
from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.experiments.sweep import run_with, train_and_test
from negotiation_tui.game.learned import WithBoth
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_actions
from negotiation_tui.learning.checkpoint import load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.rewind import Change, NewOpener, NewSetting, SeatChange
from negotiation_tui.players.resolve import (
    player_from_spec,
    players_of,
    policies_of,
    resolve_trusted,
    strategy_from_spec,
)
from negotiation_tui.players.run import Run, train_command
from negotiation_tui.players.saved_table import SavedTable
from negotiation_tui.runtime.text import quoted
from negotiation_tui.sessions.timeline import RunTimeline
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.strategies.registry import spec_of
from tests.support import user_learners
from tests.support.cli import Captured, message, printed, refused, status_of
from tests.support.contests import pairing_row
from tests.support.game import values_of
from tests.support.mixed import random_policy
from tests.support.trained_tables import ORIGINAL, trained
from tests.support.trainings import same_training
from tests.support.user_strategies import STUBBORN, patient

WRONG = {
    "none.py": "'none.py' cannot be read: No such file",
    "own.py::Other": "expected strategy Other, got none; use Patient",
    "own.py:beta=1": "own.py: setting: expected none, got 'beta'; Patient is no dataclass; w",
    "learned:mine.py:rat=1": "mine.py:Table: setting: expected rate, got 'rat'",
    "learned:mine.py:Other": "expected learner Other, got none; use Table",
    "learned:none.py": "learner 'none.py' cannot be read",
    "learned:mine:Other": "module mine has no 'Other'",
    "learned:json:loads": "expected a class that inherits from negotiation_tui.Learner",
    "learned:m\nine.py": "one line of text",
    "nowhere:x": "nowhere:x: ModuleNotFoundError: No module named 'nowhere'",
    "broken:x": "broken:x: ZeroDivisionError: division by zero (broken.py, line 2)",
    # names of ours and of the standard library come before files here
    "random:x": "expected setting=value, got 'x'",
    "json:x": "json:x: module json has no 'x'",
    "cmd:": "expected a program that can be run, got none",
    "cmd:./no-such-bot": "expected a program that can be run, got './no-such-bot'",
    "cmd:'": "cannot be split into words",
}


@pytest.mark.parametrize("spec", WRONG)
def test_what_is_wrong_is_said_in_a_line(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patient()
    texts = {"mine": user_learners.table(), "broken": "\n1 / 0"}
    for name in (*texts, "random", "json"):
        Path(f"{name}.py").write_text(texts.get(name, "raise SystemExit"), encoding="utf-8")
        if name in texts:
            monkeypatch.delitem(sys.modules, name, raising=False)
    assert WRONG[spec] in message(lambda: player_from_spec(spec))
    assert str(Path.cwd()) not in sys.path


TRAP = "import pathlib\npathlib.Path('ran').touch()\nx = 1\n"
CODE = ("trap.py", "trap.py::X", "trap:x", "negmas:trap.x", "cmd:touch ran")
FILES = ("test t.npz", "solve --policy t.npz", "market agents.toml --text")


@pytest.mark.parametrize("spec", CODE)
def test_no_file_runs_what_it_names(
    spec: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("trap.py").write_text(TRAP, encoding="utf-8")
    save_tables("t.npz", replace(trained(), specs=(spec, "learned")))
    for name, text in {
        "agents": "[[seller]]\nstrategy = {}\n[[buyer]]",
        "own": "seller = {}",
    }.items():
        Path(f"{name}.toml").write_text(text.format(json.dumps(spec)), encoding="utf-8")
    for command in FILES:
        said = refused(capsys, *command.split())
        assert f"{spec} is not built in and runs only if you name it yourself" in said
    monkeypatch.setenv("NEGOTIATION_TUI_CONFIG", "own.toml")
    assert "entry" in refused(capsys, "config")
    assert not Path("ran").exists()


@pytest.mark.parametrize("spec", ["learned:trap.py", "learned:trap:X"])
def test_a_learner_that_a_file_names_is_not_run(spec: str) -> None:
    Path("trap.py").write_text(TRAP, encoding="utf-8")
    assert "runs only if you name it" in message(lambda: resolve_trusted(spec))
    assert not Path("ran").exists()


def test_what_code_prints_goes_only_where_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither over a screen nor into JSON."""
    said = "print('noise'); print('note', 1, sep='-', file=open('notes', 'a')); "
    texts = {
        patient(said + STUBBORN, "{'history'}"): Path("own.py").read_text(encoding="utf-8"),
        "learned:mine.py": user_learners.changed(f"def learn(self, episode):\n    {said}"),
    }
    for spec, text in texts.items():
        Path(spec.removeprefix("learned:")).write_text(f"print('begun')\n{text}", encoding="utf-8")
        words = ("train", "--cycles", "1", "--episodes", "9", "--no-verbose", "--json")
        assert json.loads(printed(capsys, *words, "--seller", spec))
        assert Path("notes").read_text(encoding="utf-8").startswith("note-1\n")
        Path("notes").unlink()


READ_ONCE = """
import pathlib
if pathlib.Path("seen").exists():
    pathlib.Path("own.py").unlink()
pathlib.Path("seen").touch()
"""


def refusal_of(job: Run) -> str:
    contest = StrategyContest((job,), job.players)
    return str(contest.runner(saved=False, jobs=1)(job)["refused"])


@pytest.mark.parametrize("file", ["own.py", "own.npz"])
def test_a_changed_file_is_refused(file: str) -> None:
    trained(file="own.npz")
    patient()
    training = run_with(ORIGINAL, {"seller": file, "cycles": "1"}, 0)
    first = Run.by_recipe(ORIGINAL, "published", 0, (file, file))
    assert pairing_row(first, 2)["refused"] is None
    train_and_test(training)
    saved = load_tables("own.npz")
    save_tables("own.npz", replace(saved, seed=saved.seed + 1))
    patient("return [scenario.offers(position.role)[-1]]")
    changed = f"{re.escape(quoted(file))} changed since this run started"
    with pytest.raises(BadInputError, match=changed):
        pairing_row(first, 2)
    with pytest.raises(BadInputError, match=changed):
        train_and_test(training)
    assert "restore it" in refusal_of(first)


def test_a_file_that_goes_takes_no_other_results_with_it(capsys: Captured) -> None:
    words = ("tournament", patient(), "random", "--negotiations", "3", "--workers", "1")
    source = Path("own.py").read_text(encoding="utf-8")
    gone = f"{READ_ONCE}{source}"
    Path("own.py").write_text(gone, encoding="utf-8")
    assert main([*words, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["pairings"]
    assert [bool(row["refused"]) for row in rows] == [True, True, True, False]
    Path("own.py").write_text(gone, encoding="utf-8")
    Path("seen").unlink()
    assert status_of(*words, "--out", "rows.csv") == 2
    assert capsys.readouterr().err == (
        "negotiation-tui: strategy 'own.py' cannot be read: No such file or directory\n"
    )
    assert not Path("rows.csv").exists()


def test_a_run_with_changes_is_a_value_that_is_played_again() -> None:
    parameters = Parameters(cycles=2, discount_rate=0.5)
    timeline = RunTimeline(Run(ORIGINAL, parameters, 7, ("learned", "learned:sarsa")))
    changes: list[tuple[int, Change]] = [
        (30, NewOpener(Opener.BUYER)),
        (50, SeatChange(Role.BUYER, strategy("boulware"))),
        (50, NewSetting("cycles", 51)),
    ]
    for episode, change in changes:
        timeline.run_episodes(episode - timeline.training.episode)
        timeline.change(change)
    run = timeline.run
    assert run.changes == tuple(changes)
    copy = pickle.loads(pickle.dumps(run))
    assert (copy, hash(copy)) == (run, hash(run))
    again = RunTimeline(copy)
    for each in (timeline, again):
        each.run_episodes(200)
    assert same_training(again.training, timeline.training)
    command = train_command(run)  # that of the beginning
    assert "--cycles 2 --discount-rate 0.5 --buyer learned:sarsa" in command


NARROW = replace(ORIGINAL, seller=PriceRange(3, 5))


def held_in(file: str) -> SavedTable:
    held = strategy_from_spec(file)
    assert isinstance(held, SavedTable)
    assert spec_of(held) == file
    return held


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
    tables = trained()
    agents = WithBoth(values_of(tables.agents[0]), seller), tables.agents[1]
    save_tables("m.npz", replace(tables, agents=agents))
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
