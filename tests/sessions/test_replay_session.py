"""Recordings played again: the snapshots are those that were published."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.timeline_session import ReplaySession
from negotiation_tui.sessions.transcripts import Recording, lines, read
from tests.support.recorded import (
    GAPS,
    Case,
    MoveAs,
    assert_the_same,
    cases,
    flat_out,
    recorded,
    seats_of,
)

SHORT = Parameters(cycles=4, episodes=6)
LEARNED: tuple[str | None, str | None] = (None, None)


def one_by_one(recording: Recording) -> list[Snapshot]:
    """Return the snapshot of a replay after each line."""
    replay, played = ReplaySession(recording), []
    while not replay.snapshot.finished:
        replay.handle(do.Play())
        played.append(replay.snapshot)
    return played


def assert_replayed(path: Path, shown: list[Snapshot]) -> None:
    recording = read(path)
    assert recording.damage == ""
    played = one_by_one(recording)
    assert len(played) == len(shown)
    for mine, theirs in zip(played, shown, strict=True):
        assert_the_same(mine, theirs)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(case=cases)
def test_what_was_recorded_is_played_as_it_was_published(case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.jsonl"
        assert_replayed(path, recorded(case, path))


@settings(max_examples=15, deadline=None)
@given(case=cases)
def test_what_w_keeps_is_played_as_it_was_published(case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shown = recorded(case, Path(folder) / "r.jsonl")
        path = Path(folder) / "kept.jsonl"
        path.write_text("".join(lines(shown[::2])), encoding="utf-8")
        if shown:
            assert_replayed(path, shown[::2])


@pytest.mark.parametrize(("number", "recipe"), [*enumerate(RECIPES)])
def test_flat_out_with_every_recipe(tmp_path: Path, number: int, recipe: str) -> None:
    scenario = replace(GAPS, states=[*States][number % 2])
    parameters = replace(RECIPES[recipe](scenario), cycles=8, episodes=30)
    shown = flat_out(Case(scenario, parameters, LEARNED, ()), tmp_path / "r.jsonl")
    assert shown[-1].finished
    assert_replayed(tmp_path / "r.jsonl", shown)


def test_across_a_new_beginning_with_nothing_left_of_before(tmp_path: Path) -> None:
    steps = (
        do.Play(20),
        do.TakeSeat(Role.BUYER, "linear"),
        do.SetOpener(Opener.BUYER),
        do.Restart(),
        do.Play(),
        do.TakeSeat(Role.BUYER, None),
        do.Play(19),
        do.Play(5),
    )
    shown = recorded(Case(Scenario.original(), SHORT, LEARNED, steps), tmp_path / "r")
    assert [snapshot.negotiations for snapshot in shown] == [20, 1, 20, 24]
    begun = [entry.from_scratch for entry in read(tmp_path / "r").entries]
    assert begun == [True, True, False, False]
    assert_replayed(tmp_path / "r", shown)
    assert one_by_one(read(tmp_path / "r"))[1].learners[0][0] == 0, "in the first cycle again"


@pytest.mark.parametrize("player", ["tit-for-tat", "learned:cfr"])
def test_a_player_that_needs_other_rules_brings_them(tmp_path: Path, player: str) -> None:
    """One needs whole games, the other states that say who opened, in a new training."""
    random_starts = replace(SHORT, curriculum_window=4, curriculum_shift_every=1)
    steps = (do.Play(2), do.TakeSeat(Role.SELLER, player), do.Play(2))
    shown = recorded(Case(Scenario.original(), random_starts, LEARNED, steps), tmp_path / "r")
    before, after = ((s.scenario.states, s.parameters.curriculum_window) for s in shown)
    assert before != after
    assert_replayed(tmp_path / "r", shown)
    begun = [entry.from_scratch for entry in read(tmp_path / "r").entries]
    assert begun == [True, before[0] is not after[0]]


def test_a_person_is_called_one_and_its_table_plays_on_in_a_what_if(tmp_path: Path) -> None:
    steps = (do.Play(9), do.Sit(Role.BUYER), MoveAs(0), MoveAs(-1), do.Play(), MoveAs(-1))
    shown = recorded(Case(Scenario.original(), SHORT, LEARNED, steps), tmp_path / "r")
    assert_replayed(tmp_path / "r", shown)
    assert seats_of(shown[0]) == (None, None)
    recording = read(tmp_path / "r")
    assert {entry.specs for entry in recording.entries[1:]} == {("learned", "person")}
    replay = ReplaySession(recording)
    replay.handle(do.Play(2))
    newest = replay.snapshot.negotiation
    assert newest is not None
    position = newest.transcript.first(1).position
    assert position is not None
    replay.handle(do.WhatIf(replay.snapshot, newest, 1, position.legal[0]))
    assert replay.snapshot.what_if is not None
    assert replay.snapshot.what_if.transcript.over


def test_it_plays_to_the_end_of_a_cycle_and_from_the_beginning_again(tmp_path: Path) -> None:
    steps = (do.Play(),) * 8
    shown = recorded(Case(Scenario.original(), SHORT, LEARNED, steps), tmp_path / "r")
    replay = ReplaySession(read(tmp_path / "r"))
    for place in (5, 7, 7):
        replay.handle(do.PlayCycle())
        assert_the_same(replay.snapshot, shown[place])
    assert replay.snapshot.finished
    replay.handle(do.Restart())
    assert (replay.snapshot.negotiation, replay.snapshot.finished) == (None, False)
    replay.handle(do.Play())
    assert_the_same(replay.snapshot, shown[0])


def test_before_the_first_line_its_players_sit_there(tmp_path: Path) -> None:
    steps = (do.Play(), do.TakeSeat(Role.BUYER, "linear"), do.SetOpener(Opener.BUYER), do.Play())
    shown = recorded(Case(Scenario.original(), SHORT, LEARNED, steps), tmp_path / "r")
    assert (shown[-1].strategies, shown[-1].opener) == ((None, "linear"), "buyer")
    replay, gains = ReplaySession(read(tmp_path / "r")), []
    for _ in range(2):
        replay.idle()
        before = replay.snapshot
        assert (before.strategies, before.opener, before.negotiations) == (LEARNED, "alternate", 0)
        gains.append(before.nash_conv and before.nash_conv.exploitability)
        replay.handle(do.GoTo(2))
        replay.handle(do.GoTo(0))
    assert gains[0] == gains[1]


def test_what_was_recorded_cannot_be_changed_and_its_screen_can_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = recorded(Case(Scenario.original(), SHORT, LEARNED, [do.Play()] * 2), tmp_path / "r")
    replay = ReplaySession(read(tmp_path / "r"))
    replay.handle(do.Play())
    for command in (do.TakeSeat(Role.SELLER, "midpoint"), do.SetOpener(Opener.BUYER), do.Test(),
                    do.Sit(Role.BUYER), do.Act(0), do.Save()):  # fmt: skip
        replay.handle(command)
        assert "recording" in replay.snapshot.notice
        assert_the_same(replay.snapshot, shown[0])
    replay.handle(do.Save((), ((".txt", "the screen"),)))
    assert replay.snapshot.notice == "saved the screen to original-line1.*"
    assert (tmp_path / "original-line1.txt").read_text(encoding="utf-8") == "the screen"


def test_a_strategy_that_nobody_knows_is_shown_but_not_judged(tmp_path: Path) -> None:
    shown = recorded(
        Case(Scenario.original(), SHORT, (None, "midpoint"), [do.Play()]), tmp_path / "r"
    )
    odd = [replace(snapshot, specs=("learned", "grandmother")) for snapshot in shown]
    path = tmp_path / "odd"
    path.write_text("".join(lines(odd)), encoding="utf-8")
    replay = ReplaySession(read(path))
    replay.handle(do.Play())
    replay.idle()
    assert replay.snapshot.nash_conv is None
    assert_the_same(replay.snapshot, odd[0])
    newest = replay.snapshot.negotiation
    assert newest is not None
    replay.handle(do.WhatIf(replay.snapshot, newest, 0, 0))
    assert replay.snapshot.what_if is None
    assert "no what-if here: " in replay.snapshot.notice
    assert "grandmother" in replay.snapshot.notice


def test_an_empty_recording_is_over_before_it_begins(tmp_path: Path) -> None:
    recorded(Case(Scenario.original(), SHORT, LEARNED, ()), tmp_path / "r")
    replay = ReplaySession(read(tmp_path / "r"))
    assert replay.snapshot.finished
    for command in (do.Play(), do.PlayCycle(), do.Run(), do.Restart()):
        replay.handle(command)
        assert replay.snapshot.negotiation is None
        assert not replay.running


def test_a_recording_goes_to_any_line(tmp_path: Path) -> None:
    steps = (do.Play(),) * 8
    shown = recorded(Case(Scenario.original(), SHORT, LEARNED, steps), tmp_path / "r")
    replay = ReplaySession(read(tmp_path / "r"))
    replay.handle(do.Play(4))
    for line in (3, 8, 1, 7):
        replay.handle(do.GoTo(line))
        assert_the_same(replay.snapshot, shown[line - 1])
        assert replay.snapshot.course.now == line
    assert replay.snapshot.course.stops == (0, 6, 8)
