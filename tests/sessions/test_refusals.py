"""Commands that cannot be carried out: each becomes a notice, and the session goes on."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.saving import record_to
from negotiation_tui.sessions.session import SessionThread
from negotiation_tui.sessions.side_by_side_session import SideBySideSession, To
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import read
from tests.sessions.test_market_session import market
from tests.support.trainings import new_session, wait_until
from tests.support.user_strategies import patient

ORIGINAL = Scenario.original()
FAILING = 'raise OSError("no answer")'


def training(
    scenario: Scenario = ORIGINAL, seller: str | None = None, seed: int = 7
) -> TrainingSession:
    return new_session(scenario, Parameters(), seed, (seller, None))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    place = tmp_path / "working"
    place.mkdir()
    monkeypatch.chdir(place)
    yield place
    os.chdir(tmp_path)


def sent(thread: SessionThread, *commands: object) -> Snapshot:
    handled = thread.latest.handled
    for command in commands:
        thread.send(command)
    wait_until(
        lambda: thread.failure is not None or thread.latest.handled - handled >= len(commands)
    )
    assert thread.failure is None
    snapshot: Snapshot = thread.latest
    return snapshot


@pytest.mark.parametrize("name", ["é€" * 150, "../a/b\\c:d", ".."])
def test_any_name_of_a_scenario_can_be_saved(folder: Path, name: str) -> None:
    seed = 7 if os.name == "nt" else 10**100  # Windows allows 260 characters for a whole path
    thread = SessionThread(training(replace(ORIGINAL, name=name), seed=seed))
    for number in (1, 2):
        notice = sent(thread, do.Play(), do.Save()).notice
        assert notice.startswith("saved tables to ")
        path = folder / notice.removeprefix("saved tables to ")
        assert path.parent == folder
        assert load_tables(path).scenario.name == name
        assert len(list(folder.iterdir())) == number
    thread.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows asks for rights to make a link")
def test_a_save_never_writes_through_a_link(folder: Path) -> None:
    target, room = folder.parent / "target", MarketSession(lambda: market("steps=100"))
    sessions: dict[str, TrainingSession | MarketSession] = {
        "original-seed7-after0": training(), "market-original-seed3-tick0": room
    }  # fmt: skip
    for name, session in sessions.items():
        (folder / f"{name}.npz").symlink_to(target)
        thread = SessionThread(session)
        assert f"{name}-2.npz" in sent(thread, do.Save()).notice
        thread.close()
        assert not target.exists()
        assert (folder / f"{name}.npz").is_symlink()
        assert (folder / f"{name}-2.npz").stat().st_size


@pytest.mark.skipif(os.name == "nt", reason="keeps a working directory")
def test_without_a_working_directory_nothing_is_saved_and_nothing_lost(folder: Path) -> None:
    thread = SessionThread(training())
    folder.rmdir()
    assert "No such file or directory" in sent(thread, do.Play(9), do.Save()).notice
    assert sent(thread, do.Play(9)).negotiations == 18
    thread.close()


@pytest.mark.parametrize("command", [do.Restart(), do.TakeSeat(Role.BUYER, "own.py")])
def test_a_strategy_whose_file_is_gone(folder: Path, command: do.Command) -> None:
    thread = SessionThread(training(seller=patient()))
    before = sent(thread, do.Play(9))
    Path("own.py").unlink()
    assert before.negotiation is not None
    asked = sent(thread, do.WhatIf(before, before.negotiation, 0, 1))
    assert (asked.what_if is None, asked.notice) == (False, "")  # the strategy that sits answers
    after = sent(thread, command)
    assert "own.py" in after.notice
    assert (after.strategies, after.negotiations) == (before.strategies, 9)
    assert sent(thread, do.Play(9)).negotiations == 18
    thread.close()


def test_a_strategy_that_fails_ends_the_run_and_can_be_replaced(folder: Path) -> None:
    thread = SessionThread(training(seller=patient(FAILING, depends_on='["history"]')))
    assert sent(thread, do.Run()).negotiations == 0
    wait_until(lambda: "no answer" in thread.latest.notice)
    after = sent(thread, do.TakeSeat(Role.SELLER, "linear"), do.Play(9))
    assert (after.negotiations, after.per_second) == (9, None)
    thread.close()


def test_beside_another_each_session_reports_its_own(folder: Path) -> None:
    left, right = training(), training(seller=patient())
    thread = SessionThread(SideBySideSession(left, right))
    Path("own.py").unlink()
    thread.send(To(1, do.Restart()))
    wait_until(lambda: thread.failure is not None or "own.py" in right.snapshot.notice)
    assert thread.failure is None
    assert left.snapshot.notice == ""
    thread.close()


def test_a_recording_that_cannot_go_on_ends_with_a_notice(folder: Path) -> None:
    path = folder / "r.jsonl"
    thread = SessionThread(record_to(training(), path))
    sent(thread, do.Play())
    kept = path.rename(folder / "kept.jsonl")
    path.mkdir()
    assert "the recording ends here" in sent(thread, do.Play()).notice
    assert sent(thread, do.Play(), do.Play()).negotiations == 4
    thread.close()
    assert len(read(kept).entries) == 1
