"""Any moment of a training or of a recording, also one that the bar never showed."""

from dataclasses import replace
from pathlib import Path

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.saving import record_to
from negotiation_tui.sessions.timeline_session import ReplaySession
from negotiation_tui.sessions.transcripts import lines, read
from negotiation_tui.tui.negotiation import pace as paces
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.negotiation.update import start, update
from negotiation_tui.tui.negotiation.watch import Begin, first_model
from negotiation_tui.tui.toolkit.messages import Published
from tests.support.screen_driver import STATIC, Screen
from tests.support.screen_loop import ScreenLoop
from tests.support.trainings import new_session


def flat_out(cycles: int = 20) -> Screen:
    """A training that is finished, trained flat out: the bar showed almost nothing of it."""
    screen = Screen(paused=False, pace="flat", cycles=cycles, episodes=10)
    return screen.work(10 * cycles).tick(1)


def where(screen: Screen) -> int:
    return screen.model.snapshot.negotiations


def test_every_cycle_of_a_training_flat_out() -> None:
    screen = flat_out(12)
    assert [where(screen.press("[")) for _ in range(12)] == list(range(110, -1, -10))
    assert screen.press("[").line("this is the beginning")
    for moment in range(10, 120, 10):
        assert where(screen.press("]")) == moment
    screen.press("]")
    assert screen.model.in_present
    assert screen.model.snapshot is screen.model.latest


def test_it_is_the_training_as_it_was() -> None:
    screen, straight = flat_out(), Screen(cycles=20, episodes=10)
    screen.press("g", "1", "2", "enter")
    for _ in range(12):
        straight.press("c")
    then, expected = screen.model.snapshot, straight.model.latest
    assert then.negotiations == expected.negotiations == 120
    for role in Role:
        mine, theirs = then.q_tables[role], expected.q_tables[role]
        assert (mine == theirs).all()
    assert then.nash_convs == expected.nash_convs
    assert (then.statistics.counts == expected.statistics.counts).all()
    assert screen.line("12 of 20 cycles")
    assert screen.line("the past, cycle 12: . ] go forward, End back to the present")


@pytest.mark.parametrize(
    ("keys", "moment"),
    [
        (("g", "7", "backspace", "9", "enter"), 90),
        (("g", "7", "esc"), 200),
        (("g", "enter"), 200),
        (("g", "q", "1", "enter"), 10),
        (("g", *"999999999999999", "enter"), 200),
    ],
)
def test_typing_a_cycle(keys: tuple[str, ...], moment: int) -> None:
    screen = flat_out().press(*keys)
    assert where(screen) == moment
    assert not screen.model.quit
    assert screen.model.going is None


def test_offer_by_offer_beyond_what_the_bar_showed() -> None:
    screen = flat_out().press("g", "2", "enter")
    while screen.shown[0] >= 18:
        before = screen.shown
        assert screen.press(",").shown < before
    assert screen.line("past: cycle 1 + 7")
    assert screen.press("n").shown[0] == 18


@pytest.mark.parametrize(
    ("key", "seconds", "words"),
    [("q", 5.4, "5 seconds"), ("r", 180, "3 minutes"), ("q", 7200, "2 hours")],
)
def test_training_is_not_lost_without_a_question(key: str, seconds: float, words: str) -> None:
    screen = Screen().press("n")
    screen.tell(Published(replace(screen.model.latest, unsaved=seconds)))
    screen.prompt = False
    screen.press(key)
    assert screen.line(f"{words} of training would be lost: press {key} again")
    screen.press(".", key)
    assert not screen.model.quit
    assert not any(isinstance(command, do.Restart) for command in screen.model.commands)
    screen.press(key)
    assert screen.model.quit == (key == "q")
    assert any(isinstance(command, do.Restart) for command in screen.model.commands) == (key == "r")


def test_walking_away_and_quitting_at_the_table_are_asked_about() -> None:
    screen = Screen("legacy", strategies=STATIC).press("p").tick(3)
    assert screen.press("q").line("in the middle of a negotiation: press q again")
    assert screen.press("x").line("you would walk away and gain nothing: press x again")
    assert not screen.model.quit
    screen.press("x").tick(3)
    assert screen.model.modal == "score"
    assert screen.press("q").model.quit, "nothing is lost between two negotiations"


def test_a_recording_is_scrubbed_by_its_lines(tmp_path: Path) -> None:
    source = Screen(cycles=5, episodes=4).press(*"n" * 20)
    path = tmp_path / "run.jsonl"
    path.write_text("".join(lines(source.model.history.entries)), encoding="utf-8")
    session = ReplaySession(read(path))
    model = start(first_model(session.snapshot, Begin(3, True, advice=False), False))
    screen = ScreenLoop(session, update, render, replace(model, width=120, height=36))

    def line() -> int:
        return int(session.snapshot.course.now)

    assert [line() for _ in range(3) if screen.press("]")] == [4, 8, 12]
    assert [line() for _ in range(2) if screen.press("[")] == [8, 4]
    screen.press("g", "1", "7", "enter")
    assert line() == 17
    assert "17 of 20 lines" in screen.text()
    assert screen.model.playback.negotiation.number == 17
    screen.press(*"," * len(screen.model.playback.shown.turns))
    assert line() == 16
    screen.press("end")
    assert line() == 20
    screen.press("home")
    assert (line(), screen.model.playback) == (0, None)
    screen.press("n")
    assert line() == 1


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
