"""Any screen without a terminal, any session without a thread, driven step by step."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

from negotiation_tui.sessions.session import attempt
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.messages import (
    KeyPressed,
    Message,
    Mouse,
    Published,
    Resized,
    Tick,
)

LONG = 5.0  # seconds after which nothing on a paused screen moves any more


class ScreenLoop:
    """Does the work of `run_screen`, one message at a time, on a clock of its own.

    With `prompt` the session carries out every command before the next message; without, the
    commands wait until `answer`.
    """

    def __init__(
        self,
        session: Any,
        update: Callable[[Any, Message], Any],
        render: Callable[..., Canvas],
        model: Any,
        prompt: bool = True,
    ) -> None:
        self.session, self.update, self.render = session, update, render
        self.model, self.prompt, self.now = model, prompt, 0.0
        self._exchange()

    def tell(self, message: Message) -> Self:
        self.model = self.update(self.model, message)
        self._exchange()
        return self

    def press(self, *keys: str) -> Self:
        for key in keys:
            self.tell(KeyPressed(key, self.now))
        return self

    def click(self, words: str) -> Self:
        """Click on the beginning of these words."""
        lines = self.text().splitlines()
        y = next(y for y, line in enumerate(lines) if words in line)
        return self.tell(Mouse("press", y, lines[y].index(words)))

    def tick(self, seconds: float, step: float = 0.02) -> Self:
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + step)
            self.tell(Tick(self.now))
        return self

    def settle(self) -> Self:
        return self.tick(LONG, LONG)

    def resize(self, width: int, height: int) -> Self:
        return self.tell(Resized(width, height))

    def answer(self, most: int | None = None) -> Self:
        """Let the session carry out waiting commands, all or `most`; publish after each."""
        while self.model.commands and most != 0:
            most = None if most is None else most - 1
            command, *rest = self.model.commands
            self.model = replace(self.model, commands=tuple(rest))
            attempt(self.session, self.session.handle, command)
            self.session.idle()
            self._publish()
        return self

    def step(self, times: int = 1) -> Self:
        for _ in range(times):
            if self.session.running:
                self.session.step()
        self._publish()
        return self

    def frame(self) -> Canvas:
        return self.render(self.model)

    def text(self) -> str:
        return self.frame().text()

    def _exchange(self) -> None:
        if self.prompt:
            self.answer()

    def _publish(self) -> None:
        if self.session.snapshot is not self.model.latest:
            self.model = self.update(self.model, Published(self.session.snapshot))


def headings(text: str) -> dict[int, str]:
    """Return the headings on a screen by their numbers; each stands in a frame or on a line."""
    found = re.findall(r"[─━╶╺] (\d) (.+?) (?=[─━╴╸])", text)
    return {int(number): title for number, title in found}


def inside(model: Any, canvas: Canvas, pane: int) -> list[str]:
    """Return the lines of a pane without its frame, the heading first."""
    part = canvas.subcanvas(model.layout().panes[pane])
    return [part.line(y).rstrip() for y in range(part.height)]
