"""Screens in a pseudo-terminal: how they go and end, what they leave, and what is heard."""

import re
import socket
import subprocess
from pathlib import Path

import pytest

from negotiation_tui.sessions import tour_progress as files
from tests.support import students
from tests.support.pty_session import PROGRAM, SLOW_TERMINAL, STATUS, Session, environment

pytestmark = SLOW_TERMINAL
WORDS = (*PROGRAM, "market", "--seed", "7", "--costs", "0,1,2", "--values", "5,4,3")


def test_after_a_market_it_says_which_rows_it_wrote(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    words = [*WORDS, "--pace", "flat", "--limit", "steps=300", "--out", str(rows)]
    with Session(words) as session:
        session.wait_for("the market has closed")
        session.send("2", "Leaderboard")
        session.quit()
        after = session.output.decode().rpartition("\x1b[?1049l")[2]
        assert f"rows written to {rows}" in after
    assert len(rows.read_text().splitlines()) == 301


BRIEF = (*PROGRAM, "tournament", "midpoint", "boulware", "random", "--workers", "1")


def test_a_pairing_that_is_watched_leads_back_to_the_tournament() -> None:
    with Session(BRIEF) as session:
        session.wait_for("done: 9 pairings")
        session.send("l")
        session.send("\r", "buyer: random")
        session.send("\x1b", "Leaderboard")
        session.send("h")
        session.send("\r", "buyer: midpoint")
        session.wait_for("leads back to the tournament")
        session.send("q", "Leaderboard")
        session.quit()


def test_it_is_left_while_a_cluster_does_not_answer() -> None:
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        words = ("midpoint", "micro", "--cluster", address)
        with Session([*PROGRAM, "tournament", *words]) as session:
            session.wait_for("0 of 4")
            mute.settimeout(10)
            with mute.accept()[0]:
                session.quit()


@pytest.mark.skipif(not Path("/usr/share/i18n/locales/hi_IN").exists(), reason="needs locales")
def test_names_in_a_locale_that_says_no_utf8(tmp_path: Path) -> None:
    subprocess.run(["localedef", "-i", "hi_IN", "-f", "UTF-8", tmp_path / "hi_IN"], check=True)
    students.play(tmp_path / "games.jsonl", "田中花子", 1)
    env = environment(LANG="hi_IN", LOCPATH=str(tmp_path))
    with Session([*PROGRAM, "results", "."], env=env, cwd=tmp_path) as session:
        session.wait_for("田中花子")
        session.quit()


def first_lesson(session: Session) -> None:
    """Play the first lesson, with one right and one wrong prediction."""
    for words, keys in (
        ("One thing is for sale.", "\r"),
        *(("three times", "..."), ("Done.", "\r")),
        *(("Which price comes next?", "2"), ("Right: 71.", "\r")),
        *(("to its end", "n"), ("Done.", "\r")),
        *(("Who got more?", "2"), ("You said the buyer.", "\r")),
    ):
        session.wait_for(words)
        session.send(keys)
    session.wait_for("Lesson 2 of 9")


@pytest.mark.parametrize("restricted", [False, True])
def test_the_tour_resumes_after_a_finished_lesson(tmp_path: Path, restricted: bool) -> None:
    words = [*PROGRAM, *(("--restricted", str(tmp_path)) if restricted else ()), "tour"]
    state = tmp_path / ".local" / "state"
    env = environment(XDG_STATE_HOME=str(tmp_path if restricted else state))
    with Session(words, 100, 30, env=env) as session:
        first_lesson(session)
        session.quit()
    kept = files.read(state / "negotiation-tui" / "tour.json")
    assert (kept["bar"].right, kept["bar"].asked) == (1, 2)
    with Session(words, env=env) as session:
        session.wait_for("Lesson 2 of 9")
        session.wait_for("1 of 2 predictions right")
        session.quit()


PAUSED = (*PROGRAM, "--paused", "--seed", "7", "--recipe", "published")


def test_the_tour_of_a_key_leads_back_and_says_at_the_end_what_cannot_be_kept(
    tmp_path: Path,
) -> None:
    (tmp_path / "negotiation-tui").write_text("", encoding="utf-8")
    with Session(PAUSED, 100, 30, env=environment(XDG_STATE_HOME=str(tmp_path))) as session:
        session.wait_for("seller: learning")
        session.send("c", "cycle 1 of 50")
        session.send("T")
        first_lesson(session)
        session.send("q")
        session.wait(lambda: "Lesson" not in session.text and "buyer: " in session.text, "screen")
        session.wait_for("cycle 1 of 50")
        session.quit()
        line = b"negotiation-tui: warning: the progress of the tour cannot be saved: "
        assert session.output.count(line) == 1


class Heard(Session):
    """A screen in words in a wide pseudo-terminal, so that no line is cut."""

    at = 0

    def hear(self, words: str) -> None:
        def said() -> int:
            return self.output.decode(errors="replace").find(words, self.at)

        self.wait(lambda: said() >= 0, f"{words!r} in {self.output.decode()[self.at :]}")
        self.at = said() + len(words)


RUN = "run.jsonl"
SCREENS = {
    "play --against boulware": ("your turn", "0", "no price"),
    "market --paused --seed 1": ("10 sellers, 10 buyers", "2", "2 Leaderboard"),
    "tournament midpoint random --workers 1": ("all 4 pairings are done", "1", "1 Leaderboard"),
    "league --learners sarsa --games original --paused": (
        "The league begins",
        "1",
        "1 Leaderboard",
    ),
    f"replay {RUN} --at 0:2": ("game 2", ",", "earlier offer of this game"),
    "tour 1": ("Lesson 1 of 9", "\r", "step 2 of 5"),
    "results .": ("1 person, 2 games", "1", "1 People"),
}
DRAWN = re.compile(r"[\u2500-\u25ff\u2800-\u28ff\x1b]")


@pytest.mark.parametrize("words", SCREENS)
def test_each_screen_is_played_in_words(words: str) -> None:
    first, key, answer = SCREENS[words]
    students.play(Path(RUN), "anna", 2)
    with Heard([*PROGRAM, *words.split(), "--speak"], width=250) as session:
        session.hear(first)
        session.send(key)
        session.hear(answer)
        session.send("?")
        session.hear("Help: type to search")
        session.hear("q, quit")
        session.send("\x1b")
        session.hear("closed: Help")
        session.send("\x0c")  # Ctrl-L
        session.hear("keys: ")
        if words.startswith("play"):
            session.send("q")
            session.hear("press q again")
        session.quit()
        assert not DRAWN.search(session.output.decode())


@pytest.mark.parametrize("end", ["Ctrl-C", "SIGTERM"])
def test_a_signal_leaves_the_terminal_as_it_was(end: str) -> None:
    with Heard([*PROGRAM, "watch", "--speak"]) as session:
        session.hear("keys: ")
        assert session.modes != session.modes_before
        session.end_by(end)


def test_a_game_outlives_a_mistake_in_what_is_beside_it(tmp_path: Path) -> None:
    (tmp_path / "scipy.py").write_text("sparse = 'another library'", encoding="utf-8")
    words = "play --scenario hidden --against boulware --seed 1"
    with Session([*PROGRAM, *words.split()], env=environment(PYTHONPATH=str(tmp_path))) as session:
        session.wait_for("ceiling: unknown")
        session.send("\r", "round 2 of 5")
        session.send("\x03")
        assert session.status() == STATUS["Ctrl-C"]
        session.assert_given_back()
