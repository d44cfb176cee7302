"""A run as a value, and its players' files: no row under the wrong contents."""

import json
import pickle
import re
from dataclasses import replace
from pathlib import Path

import pytest

from negotiation_tui.cli.main import main
from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.sweep import run_of, train_and_test
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import load_tables, save_tables
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.rewind import Change, MoreCycles, NewOpener, SeatChange
from negotiation_tui.players.run import Run, train_command
from negotiation_tui.runtime.text import quoted
from negotiation_tui.sessions.timeline import RunTimeline
from negotiation_tui.strategies.registry import strategy
from tests.support.cli import status_of
from tests.support.contests import pairing_row
from tests.support.trained_tables import trained
from tests.support.trainings import same_training
from tests.support.user_strategies import patient

ORIGINAL = Scenario.original()
Captured = pytest.CaptureFixture[str]
READ_ONCE = """
import pathlib
if pathlib.Path("seen").exists():
    pathlib.Path("own.py").unlink()
pathlib.Path("seen").touch()
"""


def refused(job: Run) -> str:
    """What a tournament that is not saved says of a pairing."""
    contest = StrategyContest((job,), job.players)
    return str(contest.runner(saved=False, jobs=1)(job)["refused"])


@pytest.mark.parametrize("file", ["own.py", "own.npz"])
def test_a_changed_file_is_refused(file: str) -> None:
    trained(file="own.npz")
    patient()
    training = run_of(ORIGINAL, {"seller": file, "cycles": "1"}, 0)
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
    assert "restore it" in refused(first)


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
        (50, MoreCycles(1)),
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
