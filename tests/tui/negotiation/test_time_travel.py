"""Back and forth through what was on the bar, to any other moment, and what-ifs from there."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import STRATEGIES, BadInputError, Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.snapshot import Course, Snapshot
from negotiation_tui.sessions.timeline import what_if
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import read
from negotiation_tui.tui.negotiation.render import draw_course
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.messages import Published
from negotiation_tui.tui.toolkit.timeline import History
from tests.support.game import seeds, some, values_of
from tests.support.screen_driver import STATIC, Picture, Screen, picture, watched
from tests.support.trainings import new_session

names = st.none() | st.sampled_from(sorted(STRATEGIES))
moves = st.lists(st.sampled_from([".", "n", "c", ",", "[", "]", "space"]), max_size=15)
starts = st.sampled_from(
    [("original", (None, None)), ("legacy", STATIC), ("original", ("midpoint", None))]
)


def panes(screen: Screen) -> Picture:
    screen.settle().settle()  # the message leaves, too
    assert not screen.model.message
    return picture(screen.frame())[:-1]


def begun(start: tuple[str, tuple[str | None, str | None]], keys: list[str]) -> Screen:
    screen = Screen(start[0], strategies=start[1], cycles=6, episodes=9)
    screen.press(".")
    for key in keys:
        screen.press(key).tick(0.3, 0.1)
    return screen.press("space") if screen.model.running else screen


@settings(max_examples=6, deadline=None)
@given(start=starts, keys=moves, steps=st.integers(1, 12))
def test_so_many_back_then_forward_is_the_same_picture(
    start: tuple[str, tuple[str | None, str | None]], keys: list[str], steps: int
) -> None:
    screen = begun(start, keys)
    film = [panes(screen)]
    for _ in range(steps):
        was = screen.place
        screen.press(",")
        if screen.place == was:
            assert screen.line("this is the beginning")
            break
        film.append(panes(screen))
    while len(film) > 1:
        assert panes(screen) == film.pop()
        screen.press(".")
    assert panes(screen) == film.pop()


def test_space_plays_on_from_the_past_to_the_future() -> None:
    screen = Screen("legacy", strategies=STATIC, pace="16").press("n", "n", "n", ",", "[")
    assert screen.press(",").line("this is the beginning: ] goes forward")
    assert screen.model.snapshot.negotiations == 0
    played = screen.model.latest.negotiations
    screen.press("space")
    assert screen.line("▶ past: cycle 0")
    while not screen.model.in_present:
        assert screen.model.latest.negotiations == played
        screen.tick(0.2, 0.1)
    screen.tick(10, 0.2)
    assert screen.model.latest.negotiations > played


@pytest.mark.parametrize(("scenario", "least", "most"), [("original", 5, 8), ("fine", 80, 105)])
def test_an_entry_takes_the_memory_that_the_page_says(scenario: str, least: int, most: int) -> None:
    trainer = new_session(Scenario.of(scenario), Parameters(), 1)
    kept: History[Snapshot] = History()
    for _ in range(60):
        trainer.handle(do.Play())
        trainer.idle()
        now = trainer.snapshot
        kept = kept.with_newest(now)
    assert least <= sum(kept.sizes) / 60 / 1000 <= most


class Entry(NamedTuple):
    key: int
    size: int

    def bytes_beyond(self, _before: "Entry | None") -> int:
        return self.size


@given(
    st.lists(st.integers(0, 100), min_size=1, max_size=40), st.integers(1, 50), st.integers(0, 600)
)
def test_a_history_keeps_the_newest(sizes: list[int], most: int, most_bytes: int) -> None:
    kept: History[Entry] = History()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timeline, "MOST", most)
        patch.setattr(timeline, "ALL_BYTES", most_bytes)
        for number, size in enumerate(sizes):
            kept = kept.with_newest(Entry(number, size))
    n = len(kept.entries)
    assert [each.key for each in kept.entries] == [*range(len(sizes))][-n:]
    assert kept.sizes == tuple(sizes[-n:])
    assert n == 1 or (n <= most and sum(kept.sizes) <= most_bytes)
    # Even what was dropped early would not fit now: sizes only add up.
    assert n in (len(sizes), most) or sum(sizes[-n - 1 :]) > most_bytes


@settings(max_examples=15, deadline=None)
@given(seller=names, buyer=names, seed=seeds, played=st.integers(1, 12), data=st.data())
def test_a_what_if_differs_from_its_turn_on(
    seller: str | None, buyer: str | None, seed: int, played: int, data: st.DataObject
) -> None:
    try:
        trainer = new_session(Scenario.original(), Parameters(), seed, (seller, buyer))
    except BadInputError:  # a best response to what has no table
        assert "best-response" in {seller, buyer}
        return
    trainer.handle(Play(played))
    then = trainer.snapshot
    was = then.negotiation
    assert was is not None
    turns = data.draw(st.integers(0, len(was.transcript.turns) - 1))
    position = was.transcript.first(turns).position
    assert position is not None
    action = data.draw(st.sampled_from(list(position.legal)))
    found = what_if(do.WhatIf(then, was, turns, action))
    assert found == what_if(do.WhatIf(then, was, turns, action)), (
        "the same question, the same answer"
    )
    assert (found.key, found.what_if) == (was.key, turns)
    assert found.transcript.over
    assert found.transcript.turns[:turns] == was.transcript.turns[:turns]
    assert found.transcript.turns[turns].action == action
    for n, turn in enumerate(found.transcript.turns):
        asked = found.transcript.first(n).position
        assert asked is not None
        assert turn.action in asked.legal
        if n > turns and (seller, buyer)[turn.role] is None:
            row = values_of(then.agents[turn.role])[asked.state]
            assert row[turn.action] == max(row[legal] for legal in asked.legal)


def test_a_what_if_rests_at_its_end_until_esc() -> None:
    screen = Screen("legacy", strategies=STATIC).press(".", ".", ".", "f", "esc").settle()
    was = screen.text().splitlines()[:-1]
    screen.press("f", "down", "enter")
    assert screen.line("what if, from round 2 on · Esc goes back")
    assert screen.line("(what if)")
    screen.tick(20)
    assert screen.model.playback.over
    assert not screen.model.running
    assert screen.model.latest.negotiations == 1
    screen.press("esc").settle()
    assert screen.text().splitlines()[:-1] == was


def test_a_what_if_is_not_part_of_the_training() -> None:
    screen = Screen("original").press("c", ".", "f")
    before = screen.model.latest
    screen.press("enter").tick(20)
    after = screen.model.latest
    assert after.negotiations == before.negotiations
    assert len(screen.model.history.entries) == 3
    assert all(a is b for a, b in zip(after.agents, before.agents, strict=True))


HINTS = (("[ ]", "cycle"), ("g", "go to"))
LINE = Course(800, 1000, range(0, 1001, 10), per=10, changes=((500, "the seller plays"),))


def drawn(line: Course, here: int, width: int = 80, **shown: Any) -> str:
    canvas = Canvas(width, 1)
    draw_course(canvas, line, here, here // line.per, HINTS, **shown)
    return canvas.text().rstrip("\n")


def test_marks_stand_at_their_shares_of_the_line() -> None:
    text = drawn(LINE, 200, in_past=True)
    track = text[text.index("├") : text.index("┤")]
    for mark, share in (("●", 0.2), ("◇", 0.5), ("○", 0.8)):
        assert track.index(mark) / len(track) == pytest.approx(share, abs=0.04)
    assert text.startswith(" past ├─")
    assert "20 of 100 cycles" in text
    assert text.endswith("[ ] cycle · g go to")
    assert track.count("·") == pytest.approx(0.2 * len(track), abs=2), "the plan is dotted"


def test_the_line_says_where_it_is_going() -> None:
    assert "go to cycle: 42_" in drawn(LINE, 200, typed="42")
    assert "… cycle 8, game 3" in drawn(LINE, 200, wanted=73)


@given(st.integers(1, 200), st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**9))
def test_it_fits_any_width(width: int, now: int, end: int, here: int) -> None:
    line = Course(now, end, changes=((now // 2, "more"),))
    assert len(drawn(line, here, width, in_past=True)) <= width


def flat_out(cycles: int = 20) -> Screen:
    screen = Screen(paused=False, pace="flat", cycles=cycles, episodes=10)
    return screen.work(10 * cycles).tick(1)


def where(screen: Screen) -> int:
    return int(screen.model.snapshot.negotiations)


def test_typing_a_cycle() -> None:
    screen = flat_out()
    for keys, moment in (
        (("7", "backspace", "9", "enter"), 90),
        (("7", "esc"), 200),
        (("enter",), 200),
        (("q", "1", "enter"), 10),
        (("9",) * 15 + ("enter",), 200),
    ):
        assert where(screen.press("end", "g", *keys)) == moment
        assert not screen.model.quit
        assert screen.model.going is None


@pytest.mark.parametrize("keys", [("g", "9", "enter"), ("g", "0", "enter"), ("n", "n", ",")])
def test_what_is_saved_of_a_moment_opens_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    screen = flat_out().press(*keys)
    then = screen.model.snapshot
    notice = screen.press("w").model.latest.status.notice
    found = re.search(r"; replay (\S+) --at (\d+):?(\d*) opens this moment", notice)
    assert found
    recording = read(Path(found[1]))
    session = TrainingSession(recording.run, recording)
    while session.running:
        session.step()
    session.handle(do.GoTo(10 * int(found[2]) + int(found[3] or 0)))
    again, _ = some(session.snapshot.replies.past)
    assert again.negotiations == where(screen)
    assert then.extra or again.negotiation == then.negotiation, "a test is no part of the run"
    for one, other in zip(then.agents, again.agents, strict=True):
        assert not where(screen) or np.array_equal(values_of(one)[:], values_of(other)[:])


def test_every_cycle_of_a_training_flat_out() -> None:
    screen = flat_out(12)
    assert [where(screen.press("[")) for _ in range(12)] == list(range(110, -1, -10))
    assert screen.press("[").line("this is the beginning")
    assert [where(screen.press("]")) for _ in range(12)] == list(range(10, 121, 10))
    assert screen.model.in_present
    assert screen.model.snapshot is screen.model.latest
    screen.press("g", "1", "3", "enter")
    assert screen.line("cycle 13 is still to come; this is the present")


def test_every_offer_of_a_training_flat_out() -> None:
    screen = flat_out(12).press("g", "2", "enter")
    assert screen.line("2 of 12 cycles")
    assert screen.line("the past, cycle 2: . ] go forward, End returns to the present")
    while screen.shown[0] >= 18:
        before = screen.place
        assert screen.press(",").place < before
    assert screen.line("past: cycle 2, game 7")
    assert screen.press("n").shown[0] == 18


def test_a_test_is_of_the_players_on_the_screen() -> None:
    def box(screen: Screen) -> list[str]:
        return re.findall(r"Test of both plans · cycle 3|coins per game.*?│", screen.text())

    then = box(Screen(cycles=6).press(*"ccc", "e"))
    back = Screen(cycles=6).press(*"cccccc")
    back.prompt = False  # the moment is on its way when its test is asked for
    assert box(back.press("[", "[", "[", "e").answer()) == then
    assert len(then) == 2


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


def test_quitting_and_walking_away_in_a_negotiation_are_asked_about() -> None:
    screen = Screen("legacy", strategies=STATIC).press("p").tick(3)
    assert screen.press("q").line("in the middle of a game: press q again")
    assert not screen.model.quit
    assert screen.press("x").line("you would walk away and gain nothing: press x again")
    assert screen.press("x").tick(3).model.modal == "score"
    assert screen.press("q").model.quit, "nothing is lost between two negotiations"


def replay_of(*steps: do.Command) -> Screen:
    """The screen of a training of 4 cycles of 60 games that was recorded."""
    training = new_session(Scenario.original(), Parameters(cycles=4, episodes=60), 5)
    recorder = record_to(training, Path("r.jsonl"))
    for command in steps:
        recorder.handle(command)
    recording = read(Path("r.jsonl"))
    return watched(TrainingSession(recording.run, recording))  # type: ignore[return-value]


def test_a_replay_begins_in_its_past() -> None:
    screen = replay_of(do.PlayCycle(), do.Play(30), do.Play(10))
    assert "cycle 1, game 1" in screen.text()
    assert "2/4 (1%)" in screen.text() or "1 of 4 cycles (1%)" in screen.text()
    screen.press("]")
    assert "… cycle 1 (1%)" in screen.text()
    while screen.session.running:
        screen.step()
    assert where(screen) == 60
    assert where(screen.press("n")) == 61
    assert where(screen.press("end")) == 100
    assert screen.model.live
    assert where(screen.press("home", "]", "[", "g", "1", "enter", *"nnn")) == 63
    assert "SELLER" in screen.press("home", "n").text()


def test_a_replay_stops_at_its_end_and_goes_on() -> None:
    screen = replay_of(do.Play(3)).step(9).press("space")
    while screen.model.running:
        screen.tick(0.2)
    assert where(screen) == 3
    assert "the end of the recording" in screen.text()
    assert where(screen.press("n")) == 4


def test_after_a_recorded_restart_no_earlier_training_is_shown() -> None:
    screen = replay_of(do.PlayCycle(), do.Restart(), do.Play(1))
    assert where(screen) == screen.model.pane_snapshot.negotiations == 1
    assert "left out: 1 game before the last restart" in screen.model.message
