"""The screen of a market in a pseudo-terminal: how it goes, how it ends, what it leaves behind."""

from pathlib import Path

import pytest

from tests.support.pty_session import MISSING, PROGRAM, Session
from tests.support.terminal import assert_given_back

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}"),
]
WORDS = (*PROGRAM, "market", "--seed", "7", "--costs", "0,1,2", "--values", "5,4,3")


@pytest.mark.slow
def test_a_whole_market_is_shown_and_then_it_says_what_it_wrote(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    words = [*WORDS, "--pace", "flat", "--limit", "steps=300", "--out", str(rows)]
    with Session(words) as session:
        session.wait_for("the market has closed")
        session.send("2")
        session.wait_for("Leaderboard")
        session.send("q")
        assert session.status() == 0
        assert_given_back(session)
        after = session.output.decode().rpartition("\x1b[?1049l")[2]
        assert f"rows written to {rows}" in after
    assert len(rows.read_text().splitlines()) == 301


@pytest.mark.slow
def test_keys_step_through_it() -> None:
    with Session([*WORDS, "--paused"]) as session:
        session.wait_for("about to open")
        session.send(".")
        session.wait_for("tick 1 ·")
        session.send("n")
        session.wait_for("10 of 100,000 negotiations")
        session.send("n")
        session.wait_for("tick 2 ·")
        session.send("[")
        session.wait_for("2 back")
        session.send("/seller-3\r")
        session.wait_for("/seller-3")
        session.send("q")
        assert session.status() == 0
