"""A recording on the screen."""

from pathlib import Path

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.saving import record_to
from negotiation_tui.sessions.timeline_session import ReplaySession
from negotiation_tui.sessions.transcripts import read
from negotiation_tui.tui.negotiation import pace as paces
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.negotiation.update import start, update
from negotiation_tui.tui.negotiation.watch import Begin, first_model
from tests.support.screen_loop import ScreenLoop
from tests.support.trainings import new_session


def test_after_a_recorded_restart_no_earlier_training_is_shown() -> None:
    training = new_session(Scenario.original(), Parameters(cycles=4, episodes=60), 5)
    recorder = record_to(training, Path("r.jsonl"))
    for command in (do.PlayCycle(), do.Restart(), do.Play(1)):
        recorder.handle(command)
    loop = replayed(Path("r.jsonl")).press("n", ".")
    assert loop.session.snapshot.negotiations == 1
    assert loop.model.playback.visible == 1
    assert loop.model.learned.negotiations == 1


def test_two_fixed_rules_of_a_story_are_named_as_they_were_live() -> None:
    training = new_session(Scenario.original(), Parameters(cycles=4, episodes=60), 5)
    recorder = record_to(training, Path("r.jsonl"))
    for fact in training.snapshot.news:
        recorder.handle(do.Tell(fact))
    loop, headings = replayed(Path("r.jsonl")), list[bool]()
    for fact in training.snapshot.found:
        headings.append("two fixed rules" in loop.press("n").text())
        assert headings[-1] == fact.rules
    assert headings == [True, True, False]


def replayed(path: Path) -> ScreenLoop:
    """The paused screen of a recording, before its first line."""
    session = ReplaySession(read(path))
    begin = Begin(paces.NAMES.index("4"), paused=True, advice=False)
    model = start(first_model(session.snapshot, begin, ascii_only=False))
    return ScreenLoop(session, update, render, model).resize(120, 36)
