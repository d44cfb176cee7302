"""The screen of a tournament in a pseudo-terminal: how it ends, and what it leaves behind."""

import socket

import pytest

from tests.support.pty_session import MISSING, PROGRAM, Session
from tests.support.terminal import assert_given_back, assert_no_crash

pytestmark = [
    pytest.mark.slow,
    pytest.mark.terminal,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}"),
]
BRIEF = (*PROGRAM, "tournament", "midpoint", "boulware", "random", "--workers", "1")


def test_a_pairing_is_watched_live_and_left_for_the_tournament() -> None:
    with Session(BRIEF) as session:
        session.wait_for("done: 9 pairings")
        session.send("l")
        session.send("\r")
        session.wait_for("buyer: random")
        session.send("\x1b")
        session.wait_for("Leaderboard")
        session.send("h")
        session.send("\r")
        session.wait_for("buyer: midpoint")
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
