"""The tour in a pseudo-terminal: its progress, and the way there and back by a key."""

from pathlib import Path

from negotiation_tui.tui.tour import progress as files
from tests.support.pty_session import PROGRAM, SLOW_TERMINAL, Session, environment
from tests.support.terminal import assert_given_back, assert_no_crash

pytestmark = SLOW_TERMINAL


def first_lesson(session: Session) -> None:
    """Play the first lesson, with one right and one wrong prediction."""
    for words, keys in (
        ("A seller and a buyer haggle", "\r"),
        *(("three times", "..."), ("Done.", "\r")),
        *(("Which price comes next?", "2"), ("Right: 71.", "\r")),
        *(("to its end", "n"), ("Done.", "\r")),
        *(("Who got more of it?", "2"), ("You said the buyer.", "\r")),
    ):
        session.wait_for(words)
        session.send(keys)
    session.wait_for("Lesson 2 of 8")


def test_a_lesson_is_finished_and_the_tour_resumes_behind_it(tmp_path: Path) -> None:
    env = environment(XDG_STATE_HOME=str(tmp_path))
    with Session([*PROGRAM, "tour"], 100, 30, env=env) as session:
        first_lesson(session)
        session.quit()
        assert_given_back(session)
        assert_no_crash(session)
    kept = files.read(tmp_path / "negotiation-tui" / "tour.json")
    assert (kept["bar"].right, kept["bar"].asked) == (1, 2)
    with Session([*PROGRAM, "tour"], env=env) as session:
        session.wait_for("Lesson 2 of 8")
        session.wait_for("1 of 2 predictions right")
        session.quit()


def test_the_key_leads_to_the_tour_and_back_and_what_cannot_be_kept_is_said_at_the_end(
    tmp_path: Path,
) -> None:
    (tmp_path / "negotiation-tui").write_text("", encoding="utf-8")
    env = environment(XDG_STATE_HOME=str(tmp_path))
    command = [*PROGRAM, "--paused", "--seed", "7", "--recipe", "published"]
    with Session(command, 100, 30, env=env) as session:
        session.wait_for("seller: learning")
        session.send("c", "negotiation 100/100")
        session.send("T")
        first_lesson(session)
        session.send("q")
        session.wait(lambda: "Lesson" not in session.text and "buyer: " in session.text, "screen")
        session.wait_for("negotiation 100/100")
        session.quit()
        line = b"negotiation-tui: warning: the progress of the tour is not kept: "
        assert session.output.count(line) == 1
        assert_given_back(session)
