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
from tests.support.contests import pairing_key, pairing_row
from tests.support.trained_tables import trained
from tests.support.trainings import same_training
from tests.support.user_strategies import STUBBORN, patient

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


def written(file: str) -> str:
    if file.endswith(".npz"):
        trained(file=file)
        return file
    return patient(STUBBORN, name=file)


@pytest.mark.parametrize("file", ["own.py", "own.npz"])
def test_a_changed_file_is_refused(file: str) -> None:
    words = written(file)
    training = run_of(ORIGINAL, {"seller": words, "cycles": "1"}, 0)
    first = Run.by_recipe(ORIGINAL, "published", 0, (words, words))
    assert pairing_row(first, 2)["refused"] is None
    train_and_test(training)
    if file.endswith(".npz"):
        saved = load_tables(file)
        save_tables(file, replace(saved, seed=saved.seed + 1))
    else:
        patient("return [scenario.offers(position.role)[-1]]")
    changed = f"{re.escape(quoted(file))} changed since this run started"
    with pytest.raises(BadInputError, match=changed):
        pairing_row(first, 2)
    with pytest.raises(BadInputError, match=changed):
        train_and_test(training)
    assert "restore it" in refused(first)


def test_what_a_job_depends_on_is_known_though_its_file_has_gone() -> None:
    first = Run.by_recipe(ORIGINAL, "published", 0, (patient(), "random"))
    before = pairing_key(first, 2)
    Path("own.py").unlink()
    assert pairing_key(first, 2) == before
    with pytest.raises(BadInputError, match=r"'own\.py' cannot be read"):
        pairing_row(first, 2)
    assert "'own.py' cannot be read" in refused(first)


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
    timeline = RunTimeline(Run(ORIGINAL, Parameters(cycles=2), 7, ("learned", "learned:sarsa")))
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
    assert "--buyer learned:sarsa" in train_command(run), "the command is that of the beginning"
