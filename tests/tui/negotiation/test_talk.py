"""Talk: two programs, or a person and a program, hear each other; recordings have their words."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from negotiation_tui import Opener, Role, Scenario
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.spec import MOST_SAID
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions import transcripts
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.negotiation.human_controls import SAY
from tests.support.cli import Captured, printed, status_of
from tests.support.game import some
from tests.support.programs import ECHOES, HOSTILE
from tests.support.screen_driver import Screen, watched
from tests.support.trainings import new_session

TALK = replace(Scenario.original(), talk=True)
OPENING = "I paid more than that myself, and my children eat the paint off the walls at night."
HEARD = f"You said: {OPENING}"


def talking(seller: str = ECHOES, buyer: str | None = ECHOES) -> Screen:
    return Screen(strategies=(seller, buyer), opener=Opener.SELLER, talk=True)


def words(transcript: Transcript) -> list[str]:
    return [turn.words for turn in transcript.turns]


def test_two_programs_that_talk_hear_each_other_on_the_screen() -> None:
    screen = talking()
    for said in (f"seller: {OPENING}", f"buyer: {HEARD}", f"seller: You said: {HEARD}"[:110]):
        rows = screen.press(".").text().splitlines()
        above = rows[: next(n for n, row in enumerate(rows) if "1 Price" in row)]
        assert any(said in row for row in above), "\n".join(rows)


def echoes() -> TrainingSession:
    return new_session(TALK, Parameters(cycles=2, episodes=4), 5, (ECHOES, ECHOES))


def test_a_what_if_is_heard() -> None:
    session = echoes()
    session.handle(do.Play(1))
    session.handle(do.WhatIf(session.snapshot, some(session.snapshot.negotiation), 0, 0))
    changed = some(session.snapshot.replies.what_if).transcript
    assert words(changed) == ["", "You said: nothing", "You said: You said: nothing"]


def test_a_replay_has_the_words(tmp_path: Path) -> None:
    session = echoes()
    record_to(session, tmp_path / "talks.jsonl")
    session.handle(do.Play(1))
    recording = transcripts.read(tmp_path / "talks.jsonl")
    replay = TrainingSession(recording.run, recording)
    played = some(session.snapshot.negotiation).transcript
    assert words(some(replay.snapshot.negotiation).transcript) == words(played)
    assert f"You said: {HEARD}"[:100] in watched(replay).text()
    assert replay.snapshot.scenario.talk


def test_a_person_reads_what_is_said() -> None:
    assert f"seller: {OPENING}" in talking(buyer=None).press("p").tick(3).text()


def test_a_person_answers_in_words() -> None:
    screen = talking(buyer=None).press("p").tick(3).press('"')
    assert screen.model.modal == SAY
    screen.press(*'"No",', "space", *"q1x", "backspace")
    assert screen.line('"No", q1_')
    screen.press("enter")
    assert screen.line("your words go with your next move: Enter, a or x")
    screen.press("2", "enter").tick(3)
    turns = some(screen.session.snapshot.negotiation).transcript.turns
    assert [(turn.role, turn.price, turn.words) for turn in turns[1:]] == [
        (Role.BUYER, 2, '"No", q1'),
        (Role.SELLER, 2, 'You said: "No", q1'),
    ]


def test_a_person_types_no_more_than_others_may_say() -> None:
    screen = talking(buyer=None).press("p").tick(3)
    screen.press('"', *"x" * (MOST_SAID + 3), "esc")
    assert not screen.model.modal
    screen.press('"', *"y" * (MOST_SAID + 3))
    assert f"{MOST_SAID} of {MOST_SAID} characters" in screen.text()
    screen.press("enter", "a")
    assert words(some(screen.session.snapshot.negotiation).transcript)[-1] == "y" * MOST_SAID


def test_hostile_words_are_cleaned_wherever_they_come(tmp_path: Path) -> None:
    screen = talking(HOSTILE)
    record_to(screen.session, tmp_path / "hostile.jsonl")
    screen.press(".").tick(3)
    assert (
        "seller: \\u001b]0;owned\\u0007\\u001b[2J\\u0000 \\u202e; one more try éé" in screen.text()
    )
    screen.press("n").tick(3)
    turns = some(screen.session.snapshot.negotiation).transcript.turns
    first, answer, last = turns
    assert len(first.said) == MOST_SAID
    assert answer.said == f"You said: {first.said}"[: MOST_SAID - 1] + "…"
    assert "more than 64 kB without the end of a line" in last.said
    assert (last.failed, last.words) == (True, "")
    assert screen.text().replace("\n", "").isprintable()
    recording = transcripts.read(tmp_path / "hostile.jsonl")
    assert recording.games[0].played(recording.run.scenario)[0].transcript.turns == turns


RUN = ("--talk", "--seller", ECHOES, "--buyer", ECHOES, "--opener", "seller")
SHORT = ("--cycles", "1", "--episodes", "2", "--seed", "1")


@pytest.mark.slow
def test_the_facts_of_a_frame_have_the_words(capsys: Captured) -> None:
    facts = json.loads(printed(capsys, *RUN, *SHORT, "--once", "--json"))
    said = [turn["said"] for turn in facts["negotiation"]["turns"]]
    assert said == [OPENING, HEARD, f"You said: {HEARD}"]


@pytest.mark.slow
def test_a_film_shows_the_words() -> None:
    assert status_of(*RUN, *SHORT, "--film", "film.svg", "--seconds", "2") == 0
    assert OPENING[:30] in Path("film.svg").read_text(encoding="utf-8")
