"""A person at the real program's table, and what it wrote down played again."""

from functools import partial
from pathlib import Path

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.saving import record_to
from negotiation_tui.sessions.transcripts import read
from tests.support.pty_session import PROGRAM, SLOW_TERMINAL, Session
from tests.support.screen_driver import Screen
from tests.support.trainings import new_session

pytestmark = SLOW_TERMINAL

PLAY = (*PROGRAM, "play", "--against", "midpoint", "--scenario", "legacy", "--seed", "7",
        "--pace", "16")  # fmt: skip
UP = "\x1bOA"


def panes(text: str) -> list[str]:
    """The lines of the panes, in frames; a recording has no story, and counts by lines."""
    return [line.rstrip() for line in text.splitlines() if line[:1] in {*"┌│└┏┃┗"}]


def shows(session: Session, seen: list[str]) -> bool:
    return panes(session.text) == seen


def test_a_whole_negotiation_against_midpoint(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    with Session((*PLAY, "--record", str(file)), 80, 24) as session:
        session.wait_for("Enter offers 0")
        session.send("a", "100 is not in your range, 0 to 80")
        session.send(4 * UP, "Enter offers 40")
        session.send("\r", "seller asks 70")
        session.send("a")
        session.send("x")  # too late: it is on its way, or over
        session.wait_for("Your score")
        for words in (
            "DEAL at 70: you, the buyer, gain 17 % of the surplus, the seller 83 %",
            "1 negotiation: you earned 0.17, the best possible 1.00",
            "1 deal, wallet −70",
            "round 2   you accept 70",
        ):
            session.wait_for(words)
        session.send("\r", "you are the buyer · negotiation 2")
        session.wait_for("Enter offers 0")
        session.send("x", "press x again")
        session.send("x", "NO DEAL: you, the buyer, gain nothing")
        session.quit()
    entries = read(file).entries
    assert [entry.negotiation.transcript.outcome.price for entry in entries] == [70, None]
    assert {entry.specs for entry in entries} == {("midpoint", "person")}


def test_what_was_recorded_looks_the_same_when_it_is_played_again(tmp_path: Path) -> None:
    file, driven, film = str(tmp_path / "r.jsonl"), Screen(), list[list[str]]()
    calm = ("--paused", "--no-animation")
    watch = (*PROGRAM, "--recipe", "published", "--seed", "7", *calm, "--record", file)
    keys = ("n", ".", "n", "c")
    with Session(watch, 120, 36) as session:
        session.wait_for("q quit")
        for key in keys:
            session.send(key)
            driven.press(key).settle()
            film.append(panes(driven.text()))
            session.wait(partial(shows, session, film[-1]), "same panes")
        session.quit()
    with Session((*PROGRAM, "replay", file, *calm), 120, 36) as session:
        session.wait_for("replay of r.jsonl")
        for key, seen in zip(("n", ".", "n", "n"), film, strict=True):
            session.send(key)
            session.wait(partial(shows, session, seen), "same panes")
        session.send(",,,[[", "this is the beginning")
        session.send("]]]]")
        session.wait(partial(shows, session, film[-1]), "same panes")
        session.send("n", "end of the recording; r plays it again")
        session.quit()


def test_a_cut_file_is_said_and_played_as_far_as_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    recorder = record_to(new_session(Scenario.original(), Parameters(), 7), file)
    for _ in range(3):
        recorder.handle(Play())
    file.write_bytes(file.read_bytes()[:-9])
    with Session((*PROGRAM, "replay", str(file), "--paused"), 80, 24) as session:
        session.wait_for("press space to begin")
        session.send("c", "negotiation 2/100")
        session.quit()
        said = b"line 4 is cut short; playing the 2 negotiations before it"
        assert said in session.output.replace(b"\r\n", b"")
