"""The terminal alone, without a session: what it takes, shows and gives back."""

import sys

from tests.support.pty_session import TERMINAL, Session

pytestmark = TERMINAL

FRAME = """
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.terminal import Terminal
from negotiation_tui.tui.toolkit.theme import styles_of

canvas = Canvas(80, 24)
canvas.write(3, 5, "DEAL at 3", "deal")
with Terminal(styles_of("dark")) as terminal:
    terminal.draw(canvas)
"""


def test_a_frame_is_drawn_in_colour_without_a_cursor() -> None:
    with Session((sys.executable, "-c", FRAME)) as session:
        assert session.status() == 0, session.text
        session.assert_given_back()
        for part in (b"DEAL at 3", b"\x1b[?25l", b"\x1b[48;5;"):
            assert part in session.output
