"""Check that the program restores the terminal when it ends."""

import re
import signal

from tests.support.pty_session import Session

ENTERED, LEFT = b"\x1b[?1049h", b"\x1b[?1049l"
PLAIN = {b"\x1b[m", b"\x1b[0m"}
HIDDEN, SHOWN = b"\x1b[?25l", b"\x1b[?25h"
CRASH = ("Traceback", "Exception", "Fatal", "Segmentation", "Aborted", "terminate called", "rror:")


def assert_given_back(session: Session) -> None:
    assert session.modes == session.modes_before
    for on, off in ((ENTERED, LEFT), (HIDDEN, SHOWN)):
        assert session.output.rfind(on) >= 0
        assert session.output.rfind(off) > session.output.rfind(on)
    assert re.findall(rb"\x1b\[[\d;]*m", session.output)[-1] in PLAIN


def assert_no_crash(session: Session) -> None:
    text = session.output.decode(errors="replace")
    assert not [word for word in CRASH if word in text], text[-2000:]


def deal_with(kind: str, session: Session) -> None:
    if kind.startswith("SIG"):
        session.process.send_signal(signal.Signals[kind])
    else:
        session.send("\x03" if kind == "Ctrl-C" else kind)


STATUS = {"q": 0, "Ctrl-C": 130, "SIGTERM": 143, "SIGHUP": 129}
