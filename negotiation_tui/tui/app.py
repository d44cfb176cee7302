"""The loop: keys, snapshots and the clock become messages, models become frames."""

import time
from dataclasses import replace

from negotiation_tui.trainer import Trainer
from negotiation_tui.trainer_thread import TrainerThread
from negotiation_tui.tui.model import KeyPressed, Message, Model, Published, Resized, Tick
from negotiation_tui.tui.render import render
from negotiation_tui.tui.terminal import RESIZE, HangupError, Terminal
from negotiation_tui.tui.update import start, update


def run(terminal: Terminal, trainer: Trainer, model: Model, fps: float) -> None:
    """Show a training until the user quits or the terminal is gone.

    At most `fps` frames a second are drawn, besides one for each key.
    """
    thread = TrainerThread(trainer)
    try:
        _Loop(terminal, thread, model, 1 / fps).run()
    except HangupError:
        pass  # nobody is left to show anything to
    finally:
        thread.close()


class _Loop:
    def __init__(
        self, terminal: Terminal, thread: TrainerThread, model: Model, frame: float
    ) -> None:
        self._terminal, self._thread, self._frame = terminal, thread, frame
        width, height = terminal.size()
        self._model = start(replace(model, width=width, height=height, now=time.monotonic()))
        self._drawn: Model | None = None
        self._next_frame = 0.0

    def run(self) -> None:
        while not self._model.quit:
            self._exchange()
            self._draw()
            self._listen()

    def _update(self, message: Message) -> None:
        self._model = update(self._model, message)

    def _exchange(self) -> None:
        """Send what is to be sent, take what is new."""
        if self._thread.failure:
            raise self._thread.failure
        for command in self._model.commands:
            self._thread.send(command)
        if self._model.commands:
            self._model = replace(self._model, commands=())
        if self._thread.latest is not self._model.snapshot:
            self._update(Published(self._thread.latest))

    def _draw(self) -> None:
        now = time.monotonic()
        if self._model is self._drawn or now < self._next_frame:
            return
        if self._drawn and self._drawn.repaints != self._model.repaints:
            self._terminal.repaint()
        self._terminal.draw(render(self._model))
        self._drawn, self._next_frame = self._model, now + self._frame

    def _listen(self) -> None:
        """Wait for a key, at most until something else is due."""
        wait = self._model.wait(self._frame, time.monotonic())
        if self._model is not self._drawn:
            wait = max(0.0, self._next_frame - time.monotonic())
        for key in self._terminal.keys(min(wait, self._frame) if self._model.commands else wait):
            self._next_frame = 0.0
            if key == RESIZE:
                self._update(Resized(*self._terminal.size()))
            else:
                self._update(KeyPressed(key, time.monotonic()))
        self._update(Tick(time.monotonic()))
