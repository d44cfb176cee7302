"""Any screen on the terminal: the options for drawing it, and its run from first to last."""

import locale
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from negotiation_tui.runtime.interrupts import Interruptible
from negotiation_tui.runtime.output import complain
from negotiation_tui.sessions.session import Session
from negotiation_tui.tui.toolkit.theme import THEMES

if TYPE_CHECKING:
    from negotiation_tui.tui.toolkit.app import Screen, ScreenModel

    M = TypeVar("M", bound=ScreenModel)


class RenderOptions(NamedTuple):
    """Options for drawing a screen, and the user's keys."""

    ascii: bool
    color: str
    fps: float
    theme: str
    animation: bool
    mouse: bool
    keys: Mapping[str, tuple[str, ...]]
    """The keys the user has bound, by command (see `Keys.rebound`)."""


def on_terminal() -> bool:
    """True if input and output are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def run_screen(
    session: Session,
    screen: "Screen[M]",
    first: "Callable[[RenderOptions], M]",
    options: RenderOptions,
) -> "M":
    """Show a session until the user quits; return the last model.

    `first` returns the first model; its argument says if the terminal shows only ASCII.
    """
    from negotiation_tui.tui.toolkit import app, terminal
    from negotiation_tui.tui.toolkit.stderr_guard import capture_stderr

    options = options._replace(ascii=not _set_utf8() or options.ascii)
    allowed = options.color == "auto" and not os.environ.get("NO_COLOR")  # see no-color.org
    colour = options.theme != "mono" and (allowed or options.color == "always")
    with (
        Interruptible(),
        warnings.catch_warnings(record=True) as caught,
        capture_stderr(),
        terminal.Terminal(THEMES[options.theme], colour, options.mouse) as user_terminal,
    ):
        last = app.run(user_terminal, session, screen, first(options), options.fps)
    for warning in caught:
        complain(f"warning: {warning.message}")
    return last


def _set_utf8() -> bool:
    """Set the user's locale; return True if it uses UTF-8.

    Python itself sets LC_CTYPE to C.UTF-8 if it finds the C locale, so that value means nothing
    unless LANG agrees.
    """
    try:
        locale.setlocale(locale.LC_ALL, "")
    except locale.Error:
        return False
    if sys.platform == "win32":
        return True
    lang, ctype = os.environ.get("LANG", ""), os.environ.get("LC_CTYPE", "")
    if ctype.upper() in {"C.UTF-8", "C.UTF8", "UTF-8"} and lang in {"", "C", "POSIX"}:
        ctype = ""
    chosen = os.environ.get("LC_ALL") or ctype or lang
    return chosen.lower().replace("-", "").endswith("utf8")
