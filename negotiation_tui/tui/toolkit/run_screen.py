"""Any screen on the terminal: the options for drawing it, and its main loop."""

import locale
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from negotiation_tui.runtime.interrupts import Interruptible
from negotiation_tui.runtime.memory import return_large
from negotiation_tui.runtime.output import complain
from negotiation_tui.sessions.session import Session, SessionThread
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.messages import (
    HangupError,
    KeyPressed,
    Message,
    Published,
    Resized,
    Tick,
)
from negotiation_tui.tui.toolkit.theme import styles_of

if TYPE_CHECKING:
    from negotiation_tui.tui.toolkit.speaker import Speaker
    from negotiation_tui.tui.toolkit.terminal import Terminal

    Output = Terminal | Speaker


class RenderOptions(NamedTuple):
    """Options for drawing a screen, and the user's keys."""

    ascii: bool = False
    color: str = "auto"
    fps: float = 30.0
    theme: str = "dark"
    animation: bool = True  # true if markers slide to their places
    mouse: bool = True
    speak: bool = False
    keys: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The keys the user has bound, by command (see `Keys.rebound`)."""


_SIGNALS = {"\x03": "SIGINT", "\x1a": "SIGTSTP"}
"""The signal of a key, for a terminal that writes the key instead of a control character."""
_SPOKEN_FPS = 5.0  # greatest number of frames per second that are told in words
M = TypeVar("M", bound=Any)
"""A model: a frozen dataclass with `latest`, the newest snapshot it received; `commands` for the
session, which the loop takes out; `repaints`, how often the user asked for one; `quit`; `wait`, the
seconds until the screen changes by itself, from those of a frame and the time; and `drawn_with`,
which returns the model with `RenderOptions`."""


class Screen(NamedTuple, Generic[M]):
    """One kind of screen, as pure functions: message to model, and model to frame."""

    update: Callable[[M, Message], M]
    render: Callable[[M, Canvas], Canvas]
    """Draws on an empty canvas, which takes from the frame before what is the same."""
    on_top: Callable[[M], tuple[M, "Opened[Any] | None"]] = lambda model: (model, None)
    """Returns the screen to show on top, None if none is asked for; and the model without the
    request."""


class Opened(NamedTuple, Generic[M]):
    """A session on a screen, such as one on top of another, and the first model."""

    session: Session
    screen: Screen[M]
    model: M


def on_terminal(options: RenderOptions) -> bool:
    """True if a screen can be shown: input and output are a terminal, or it is spoken."""
    streams = sys.stdin, sys.stdout
    return options.speak or all(stream is not None and stream.isatty() for stream in streams)


def run_screen(opened: Opened[Any], options: RenderOptions) -> None:
    """Show a session until the user quits or the terminal is gone.

    At most `fps` frames per second are drawn, plus one for each key.
    """
    from negotiation_tui.tui.toolkit.own_output import capture_stderr

    return_large()
    options = options._replace(ascii=not _set_utf8() or options.ascii)
    output: Output
    if options.speak:
        from negotiation_tui.tui.toolkit.speaker import Speaker

        output, fps = Speaker(options.ascii), min(options.fps, _SPOKEN_FPS)
        options = options._replace(animation=False, ascii=False, fps=fps)
    else:
        from negotiation_tui.tui.toolkit.terminal import Terminal

        allowed = options.color == "auto" and not os.environ.get("NO_COLOR")  # see no-color.org
        colour = options.theme != "mono" and (allowed or options.color == "always")
        output = Terminal(styles_of(options.theme), colour, options.mouse)
    with (
        Interruptible(),
        warnings.catch_warnings(record=True) as caught,
        capture_stderr(),
        output as user_terminal,
        suppress(HangupError),  # the terminal is gone
    ):
        _Loop(user_terminal, opened, options).run()
    for warning in caught:
        complain(f"warning: {warning.message}")


def _set_utf8() -> bool:
    """Set the characters of the user's locale; return True if they are UTF-8.

    Python itself sets LC_CTYPE to C.UTF-8 if LANG is C or unknown, so that value means nothing.
    """
    lang, ctype = os.environ.get("LANG") or "C", os.environ.get("LC_CTYPE", "")
    may_be_python = ctype.upper() in {"C.UTF-8", "C.UTF8", "UTF-8"} and not os.environ.get("LC_ALL")
    try:
        if may_be_python and locale.setlocale(locale.LC_CTYPE, lang) in {"C", "POSIX"}:
            return False
        locale.setlocale(locale.LC_CTYPE, "")
    except locale.Error:
        return False
    if sys.platform == "win32":
        return True
    return locale.nl_langinfo(locale.CODESET).lower().replace("-", "") == "utf8"


class _Loop:
    """Turns keys, snapshots and the clock into messages, and models into frames."""

    def __init__(self, terminal: "Output", opened: Opened[Any], options: RenderOptions) -> None:
        self._terminal, self._options, self._frame = terminal, options, 1 / options.fps
        self._session, self._screen, model = opened
        self._model = model.drawn_with(options)
        self._update(Resized(*terminal.size()))
        self._update(Tick(time.monotonic()))
        self._drawn: Any = None
        self._canvas: Canvas | None = None
        self._next_frame = 0.0

    def run(self) -> None:
        self._draw()  # before the session's thread takes its share of the processor
        with closing(SessionThread(self._session)) as self._thread:
            while not self._model.quit:
                self._exchange()
                self._draw()
                self._listen()
                self._model, opened = self._screen.on_top(self._model)
                if opened:  # the session below goes on meanwhile
                    _Loop(self._terminal, opened, self._options).run()
                    self._drawn, self._next_frame = None, 0.0
                    self._update(Resized(*self._terminal.size()))

    def _update(self, message: Message) -> None:
        self._model = self._screen.update(self._model, message)

    def _exchange(self) -> None:
        """Send the commands of the model and take the newest snapshot."""
        if self._thread.failure:
            raise self._thread.failure
        for command in self._model.commands:
            self._thread.send(command)
        if self._model.commands:
            self._model = replace(self._model, commands=())
        if self._thread.latest is not self._model.latest:
            self._update(Published(self._thread.latest))

    def _draw(self) -> None:
        now = time.monotonic()
        if self._model is self._drawn or now < self._next_frame:
            return
        if self._drawn and self._drawn.repaints != self._model.repaints:
            self._terminal.repaint()
        empty = Canvas(*self._terminal.size(), self._options.ascii, self._canvas)
        self._canvas = self._screen.render(self._model, empty)
        self._terminal.draw(self._canvas)
        self._drawn, self._next_frame = self._model, now + self._frame

    def _listen(self) -> None:
        """Wait for a key, at most until the next frame is due."""
        wait = self._model.wait(self._frame, time.monotonic())
        if self._model is not self._drawn:
            wait = max(0.0, self._next_frame - time.monotonic())
        for key in self._terminal.keys(min(wait, self._frame) if self._model.commands else wait):
            self._next_frame = 0.0
            if isinstance(key, str) and (number := getattr(signal, _SIGNALS.get(key, ""), None)):
                signal.raise_signal(number)
                continue
            self._update(KeyPressed(key, time.monotonic()) if isinstance(key, str) else key)
            if self._model.quit:  # the next key is for the screen below
                break
        self._update(Tick(time.monotonic()))
