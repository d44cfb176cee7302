"""The chapters of the story, the skip of its opening, and the first look of two fixed rules."""

from functools import cache
from pathlib import Path

import pytest

from negotiation_tui import States
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions.commands import PlayCycle
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import read
from negotiation_tui.tui.negotiation.chapters import chapters, marks
from tests.support.game import ORIGINAL
from tests.support.screen_driver import STATIC, Screen, watched
from tests.support.trainings import new_session

STORY = {"states": States.OPENER_AWARE, "recipe": "reverse-curriculum", "pace": "story"}


def story(**options: object) -> Screen:
    return Screen(paused=False, **{**STORY, **options})  # type: ignore[arg-type]


@cache
def told() -> Screen:
    return story().press("N").doze(45, 0.1).press("space")


def test_each_chapter_leads_to_its_moment() -> None:
    screen, found = told(), chapters(told().model)
    assert len(found) > 3
    for n, chapter in enumerate(found):
        screen.press("H", "home", *["down"] * n)
        assert " ".join(chapter.fact.says)[:50] in screen.line("│ ▸ ")
        screen.press("enter")
        assert screen.model.modal is None
        assert 0 <= screen.model.here.course.now - chapter.moment <= 1, "the game that shows it"
        assert any(says[:30] in screen.text() for says in chapter.fact.says)
    assert screen.press("end").model.in_present


def test_chapters_are_marked_in_time() -> None:
    assert {*marks(told().model)} == {each.moment for each in chapters(told().model)}
    line = told().resize(300, 60).press("g", "6", "0", "enter").line(" of 120 cycles ")
    assert 3 < line.count("◆") <= len(marks(told().model)), "two may share a cell"
    told().resize(120, 36).press("end")


def test_the_opening_is_skipped_by_its_key() -> None:
    screen = story().doze(3, 0.1)
    screen.press("space", "space").doze(1, 0.1)
    assert screen.model.latest.negotiations == 0, "the opening goes on after a pause"
    screen.press("N").doze(1, 0.1)
    assert (screen.model.latest.negotiations, screen.model.running) == (100, True)
    assert screen.line("▸ Practice begins at the end")
    assert screen.doze(30, 0.1).model.latest.negotiations > 100
    assert screen.press("N").line("no opening to skip: H lists the sentences so far")


def test_the_end_says_what_comes_next() -> None:
    screen = story(cycles=2, episodes=20, recipe=None, pace="story").press("N")
    assert "Next: " not in screen.text()
    assert screen.doze(60, 0.1).line("Next: t rules or learned · e test · p play it yourself")


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_two_rules_show_a_game_at_once(size: tuple[int, int]) -> None:
    width, height = size
    options = {"paused": False, "pace": "story", "strategies": STATIC}
    screen = Screen("legacy", width=width, height=height, **options)  # type: ignore[arg-type]
    assert screen.tick(0.1).line("DEAL at 65")
    assert screen.line("t lets both learn, told as a story.")
    assert screen.doze(30, 0.1).model.latest.negotiations > 1


def test_a_replay_has_the_chapters(tmp_path: Path) -> None:
    training = new_session(ORIGINAL, Parameters(cycles=40, episodes=100), 7)
    recorder = record_to(training, tmp_path / "r.jsonl")
    for _ in range(40):
        recorder.handle(PlayCycle())
    recording = read(tmp_path / "r.jsonl")
    screen = watched(TrainingSession(recording.run, recording), pace="story").press("end")
    assert screen.press("H").model.modal == "chapters"
    found = chapters(screen.model)
    screen.press("home", "enter")
    assert 0 <= screen.model.here.course.now - found[0].moment <= 1
