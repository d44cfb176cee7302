"""Signals that end the program: at once, or as an exception where something must be put in order.

Loaded first of all, so it imports nothing that takes long: `signal` alone takes 10 ms.
"""

import _signal  # type: ignore[import-not-found]
import _thread
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

GRACE = 2.0  # seconds in which a second signal is ignored, because the program is ending
_MOST = 2  # exceptions; a later signal ends the process, because the user's code catches them
ENDING = (
    *("SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU", "SIGVTALRM"),
    *("SIGPROF", "SIGIO", "SIGPWR", "SIGSTKFLT", "SIGBREAK"),
)
"""The signals that end a process, but for those that nobody can handle, and of crashes."""
_DEFAULT = (_signal.SIG_DFL, _signal.default_int_handler)
_sections = 0
_raised = -GRACE
_times = 0


class TerminatedError(SystemExit):
    """A signal of ENDING, and no exit that the user's code asks for."""


class Interruptible:
    """A section of the program, as a context, that a signal ends by an exception.

    Only here does Ctrl-C raise KeyboardInterrupt and do the signals of ENDING TerminatedError.
    Elsewhere the process ends at once with status 128 + signal, because imports, among others, do
    not survive an exception. Without `handle`, as in a notebook, nothing changes.
    """

    def __enter__(self) -> None:
        global _sections  # noqa: PLW0603 - there is one process
        _sections += 1

    def __exit__(self, *_error: object) -> None:
        global _sections  # noqa: PLW0603
        _sections -= 1


def handle() -> None:
    """Handle the signals in this process, except those that are handled otherwise or ignored."""
    for name in ("SIGINT", *ENDING):
        number = getattr(_signal, name, None)
        if number is not None and _signal.getsignal(number) in _DEFAULT:
            _signal.signal(number, _end)
    sys.unraisablehook = _not_lost


def run(main: "Callable[[], object]") -> None:
    """Call a script's function; a signal ends the process with status 128 + signal, in silence."""
    handle()
    try:
        with Interruptible():
            main()
    except KeyboardInterrupt:
        sys.exit(130)


def _end(number: int, _frame: "FrameType | None") -> None:
    global _raised, _times  # noqa: PLW0603
    if time.monotonic() - _raised < GRACE:
        return
    _times += 1
    if not _sections or _times > _MOST:
        os._exit(128 + number)
    _raised = time.monotonic()
    if number == _signal.SIGINT:
        raise KeyboardInterrupt
    raise TerminatedError(128 + number)


def _not_lost(unraisable: "Any") -> None:
    """Interrupt again if the exception came up in a destructor, where Python drops it."""

    def again() -> None:
        global _raised  # noqa: PLW0603
        time.sleep(0.01)
        _raised = -GRACE
        _thread.interrupt_main()

    if unraisable.exc_type is KeyboardInterrupt:
        _thread.start_new_thread(again, ())  # once this function has returned
    else:
        sys.__unraisablehook__(unraisable)
