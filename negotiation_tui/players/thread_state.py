"""The state of a thread that plays with programs; apart from them, because most games have none."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from negotiation_tui.game.roles import Role

THINKS = 0.3  # seconds from which on a role that is awaited is said to think


class _OfThread(threading.local):
    off_path = False  # True while no negotiation of a program may be disturbed
    asked: tuple[Role, float] | None = None  # the role of a program that is asked, and since when


of_thread = _OfThread()


@contextmanager
def off_path() -> Iterator[None]:
    """Play again, or what might have been: no negotiation of a program is disturbed."""
    before, of_thread.off_path = of_thread.off_path, True
    try:
        yield
    finally:
        of_thread.off_path = before


def awaited() -> tuple[Role, int] | None:
    """Return the role that thinks while this thread waits, and the whole seconds since."""
    role, since = of_thread.asked or (None, 0.0)
    seconds = time.monotonic() - since
    return None if role is None or seconds < THINKS else (role, int(seconds))
