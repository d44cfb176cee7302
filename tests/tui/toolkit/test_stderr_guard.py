"""Output of other code while a screen is shown."""

import shlex
from pathlib import Path

import pytest

from tests.support.pty_session import MISSING, PROGRAM, Session
from tests.support.terminal import assert_given_back

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}"),
]
NOISY = """
import logging, os, sys
said = 0
def policy(scenario, role):
    def act(seen):
        global said
        said += 1
        logging.getLogger().error("logged %d", said)
        sys.stdout.write(f"written {said}\\n")
        os.write(2, f"straight {said}\\n".encode())
        return int(seen["action_mask"].argmax())
    return act
"""


@pytest.mark.slow
def test_a_noisy_policy_spoils_no_screen_and_is_heard_in_the_end(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(NOISY, encoding="utf-8")
    words = [*PROGRAM, "--seed", "7", "--opener", "seller", "--paused"]
    with Session([*words, "--buyer", "noisy:policy"], cwd=tmp_path) as session:
        session.wait_for("press space to begin")
        for key in "nnn":
            session.send(key)
        session.wait_for("negotiation 3/100")
        assert not [word for word in (b"logged", b"written", b"straight") if word in session.output]
        session.send("q")
        assert session.status() == 0
        assert_given_back(session)
        heading, _, told = session.text.partition(" while the screen was shown:\n")
        assert "negotiation-tui: " in heading
        words = [line.split()[0] for line in told.splitlines() if line]
        assert {"logged", "written", "straight"} == {*words}


@pytest.mark.slow
def test_where_stderr_is_a_file_it_gets_all(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(NOISY, encoding="utf-8")
    words = shlex.join([*PROGRAM, "--seed", "7", "--buyer", "noisy:policy"])
    with Session(["sh", "-c", f"exec {words} 2>errors"], cwd=tmp_path) as session:
        session.wait_for("negotiation 2/100")
        session.send("q")
        assert session.status() == 0
    lines = (tmp_path / "errors").read_text(encoding="utf-8").splitlines()
    assert {"logged 1", "written 1", "straight 1"} <= {*lines}
