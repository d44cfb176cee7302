"""The screen of a tournament in a pseudo-terminal: how it ends, and what it leaves behind."""

import re
import socket
import time
from pathlib import Path

import pytest

from tests.support.processes import alive
from tests.support.pty_session import MISSING, PROGRAM, Session
from tests.support.terminal import STATUS, assert_given_back, assert_no_crash, deal_with

pytestmark = [
    pytest.mark.slow,
    pytest.mark.terminal,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}"),
]
LONG = (*PROGRAM, "tournament", "--negotiations", "2000", "--workers")
"""One that takes far longer than any test."""
BRIEF = (*PROGRAM, "tournament", "midpoint", "boulware", "random", "--workers", "1")


@pytest.mark.parametrize(("kind", "status"), STATUS.items())
def test_it_ends_at_once_and_gives_the_terminal_back(
    kind: str, status: int, tmp_path: Path
) -> None:
    file = tmp_path / "rows.csv"
    workers = "1" if kind.startswith("SIG") else "2"  # a signal goes to the program alone
    with Session([*LONG, workers, "--out", str(file)], env=None) as session:
        session.wait(lambda: re.search(r"[1-9]\d* of 324", session.text) is not None, "rows")
        begun = time.monotonic()
        deal_with(kind, session)
        assert session.status() == status
        assert time.monotonic() - begun < 3
        assert_given_back(session)
        assert_no_crash(session)
        said = re.search(rb"holds (\d+) of 324 pairings", session.output)
        assert said
        assert int(said[1]) == file.read_bytes().count(b"\n") - 1
        assert not alive(session.process.pid), "its workers have gone too"


def test_it_plays_to_the_end_and_then_is_silent() -> None:
    with Session(BRIEF) as session:
        session.wait_for("done: 9 pairings")
        session.send("v")
        session.wait_for("heat map: % deals")
        session.wait_quiet(0.7)
        session.send("q")
        assert session.status() == 0
        assert_given_back(session)


def test_a_pairing_is_watched_live_and_left_for_the_tournament() -> None:
    with Session(BRIEF) as session:
        session.wait_for("done: 9 pairings")
        session.send("l")
        session.send("\r")
        session.wait_for("buyer BOULWARE")
        session.send("\x1b")
        session.wait_for("Leaderboard")
        session.send("h")
        session.send("\r")
        session.wait_for("buyer MIDPOINT")
        session.wait_for("leads back to the tournament")
        session.send("q")
        session.wait_for("Leaderboard")
        session.send("q")
        assert session.status() == 0
        assert_given_back(session)
        assert_no_crash(session)


def test_it_is_left_while_a_cluster_does_not_answer() -> None:
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        words = ("midpoint", "micro", "--cluster", address)
        with Session([*PROGRAM, "tournament", *words]) as session:
            session.wait_for("0 of 4")
            mute.settimeout(10)
            with mute.accept()[0]:
                session.send("q")
                assert session.status() == 0
            assert_given_back(session)
            assert_no_crash(session)
