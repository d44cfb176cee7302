"""The tour in a pseudo-terminal: its progress, and the way there and back by a key."""

from pathlib import Path

import pytest

from negotiation_tui.tui.tour import progress as files
from tests.support.pty_session import MISSING, PROGRAM, Session, environment
from tests.support.terminal import assert_given_back, assert_no_crash

pytestmark = [
    pytest.mark.slow,
    pytest.mark.terminal,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}"),
]


def first_lesson(session: Session) -> None:
    """Play the first lesson, with one right and one wrong prediction."""
    session.wait_for("A seller and a buyer haggle")
    session.send("\r")
    session.wait_for("three times")
    session.send("...")
    session.wait_for("Done.")
    session.send("\r")
    session.wait_for("Which price comes next?")
    session.send("2")
    session.wait_for("Right: 71.")
    session.send("\r")
    session.wait_for("to its end")
    session.send("n")
    session.wait_for("Done.")
    session.send("\r")
    session.wait_for("Who got more of it?")
    session.send("2")
    session.wait_for("You said the buyer.")
    session.send("\r")
    session.wait_for("Lesson 2 of 8")


def test_a_lesson_is_finished_and_the_tour_resumes_behind_it(tmp_path: Path) -> None:
    env = environment(XDG_STATE_HOME=str(tmp_path))
    with Session([*PROGRAM, "tour"], 100, 30, env=env) as session:
        first_lesson(session)
        session.send("q")
        assert session.status() == 0
        assert_given_back(session)
        assert_no_crash(session)
    kept = files.read(tmp_path / "negotiation-tui" / "tour.json")
    assert (kept["bar"].right, kept["bar"].asked) == (1, 2)
    with Session([*PROGRAM, "tour"], env=env) as session:
        session.wait_for("Lesson 2 of 8")
        session.wait_for("1 of 2 predictions right")
        session.send("q")
        assert session.status() == 0


def test_the_key_leads_to_the_tour_and_back_and_what_cannot_be_kept_is_said_at_the_end(
    tmp_path: Path,
) -> None:
    (tmp_path / "negotiation-tui").write_text("", encoding="utf-8")
    env = environment(XDG_STATE_HOME=str(tmp_path))
    command = [*PROGRAM, "--paused", "--seed", "7", "--recipe", "published"]
    with Session(command, 100, 30, env=env) as session:
        session.wait_for("seller: learning")
        session.send("c")
        session.wait_for("negotiation 100/100")
        session.send("T")
        first_lesson(session)
        session.send("q")
        session.wait(lambda: "Lesson" not in session.text and "buyer: " in session.text, "screen")
        session.wait_for("negotiation 100/100")
        session.send("q")
        assert session.status() == 0
        line = b"negotiation-tui: warning: the progress of the tour is not kept: "
        assert session.output.count(line) == 1
        assert_given_back(session)
