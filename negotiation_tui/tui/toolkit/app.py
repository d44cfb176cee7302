"""The main loop: turns keys, snapshots and the clock into messages, and models into frames."""

import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from negotiation_tui.sessions.session import Session, SessionThread
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.messages import KeyPressed, Message, Published, Resized, Tick
from negotiation_tui.tui.toolkit.terminal import RESIZE, HangupError, Terminal


class ScreenModel(Protocol):
    """The part of a model that the loop uses; a model is also a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def latest(self) -> object:
        """The newest snapshot the model has received."""

    @property
    def commands(self) -> tuple[Any, ...]:
        """Commands for the session; the loop takes them out and sends them."""

    @property
    def repaints(self) -> int:
        """Number of times the user asked to repaint the screen."""

    @property
    def quit(self) -> bool:
        """True if the user leaves."""

    def wait(self, frame: float, now: float) -> float:
        """Return the seconds until the screen changes by itself; a frame lasts `frame`."""


M = TypeVar("M", bound=ScreenModel)


class Screen(NamedTuple, Generic[M]):
    """One kind of screen, as two pure functions: message to model, and model to frame."""

    update: Callable[[M, Message], M]
    render: Callable[[M], Canvas]
    on_top: Callable[[M], tuple[M, "Opened[Any] | None"]] = lambda model: (model, None)
    """Returns the screen to show on top, None if none is asked for; and the model without the
    request."""


class Opened(NamedTuple, Generic[M]):
    """A screen on top of another, until the user leaves it."""

    session: Session
    screen: Screen[M]
    model: M


def run(terminal: Terminal, session: Session, screen: Screen[M], model: M, fps: float) -> M:
    """Show a session until the user quits or the terminal is gone; return the last model.

    At most `fps` frames per second are drawn, plus one for each key.
    """
    with closing(SessionThread(session)) as thread:
        loop = _Loop(terminal, thread, screen, model, 1 / fps)
        with suppress(HangupError):  # the terminal is gone
            loop.run()
        return loop.model


class _Loop(Generic[M]):
    def __init__(
        self, terminal: Terminal, thread: SessionThread, screen: Screen[M], model: M, frame: float
    ) -> None:
        self._terminal, self._thread, self._frame = terminal, thread, frame
        self._screen, self.model = screen, model
        self._update(Resized(*terminal.size()))
        self._update(Tick(time.monotonic()))
        self._drawn: M | None = None
        self._next_frame = 0.0

    def run(self) -> None:
        while not self.model.quit:
            self._exchange()
            self._draw()
            self._listen()
            self.model, opened = self._screen.on_top(self.model)
            if opened:
                self._show_on_top(opened)

    def _show_on_top(self, opened: Opened[Any]) -> None:
        """Show another screen until the user leaves it; the session below goes on meanwhile."""
        with closing(SessionThread(opened.session)) as thread:
            _Loop(self._terminal, thread, opened.screen, opened.model, self._frame).run()
        self._drawn, self._next_frame = None, 0.0
        self._update(Resized(*self._terminal.size()))

    def _update(self, message: Message) -> None:
        self.model = self._screen.update(self.model, message)

    def _exchange(self) -> None:
        """Send the commands of the model and take the newest snapshot."""
        if self._thread.failure:
            raise self._thread.failure
        for command in self.model.commands:
            self._thread.send(command)
        if self.model.commands:
            self.model = replace(self.model, commands=())
        if self._thread.latest is not self.model.latest:
            self._update(Published(self._thread.latest))

    def _draw(self) -> None:
        now = time.monotonic()
        if self.model is self._drawn or now < self._next_frame:
            return
        if self._drawn and self._drawn.repaints != self.model.repaints:
            self._terminal.repaint()
        self._terminal.draw(self._screen.render(self.model))
        self._drawn, self._next_frame = self.model, now + self._frame

    def _listen(self) -> None:
        """Wait for a key, at most until the next frame is due."""
        wait = self.model.wait(self._frame, time.monotonic())
        if self.model is not self._drawn:
            wait = max(0.0, self._next_frame - time.monotonic())
        for key in self._terminal.keys(min(wait, self._frame) if self.model.commands else wait):
            self._next_frame = 0.0
            if key == RESIZE:
                self._update(Resized(*self._terminal.size()))
            else:
                press = KeyPressed(key, time.monotonic()) if isinstance(key, str) else key
                self._update(press)
            if self.model.quit:  # the next key is for the screen below
                break
        self._update(Tick(time.monotonic()))
