"""The screen while an opponent is trained: a bar, until the training is over or the user leaves."""

import time
from collections.abc import Iterator
from typing import Any

from negotiation_tui.runtime.records import dataclass, field, replace
from negotiation_tui.sessions.preparation import LEAVE, Preparation, TrainingProgress
from negotiation_tui.tui.negotiation.keys import KEYS
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.messages import KeyPressed, Message, Published, Resized
from negotiation_tui.tui.toolkit.run_screen import Opened, RenderOptions, Screen, run_screen

SHORT = 0.3  # seconds; a training that takes less shows no bar
WIDEST = 60  # cells of the bar


def trained(steps: Iterator[TrainingProgress], options: RenderOptions) -> bool:
    """Run a training to its end, behind a bar if it takes long; False if the user left."""
    begun = time.monotonic()
    while (progress := next(steps, None)) and time.monotonic() - begun < SHORT:
        pass
    if progress is None:
        return True
    session = Preparation(steps, progress)
    run_screen(Opened(session, _SCREEN, Bar(progress)), options)
    return not session.left


@dataclass(frozen=True)
class Bar:
    """The model of the screen."""

    latest: TrainingProgress | None  # none when the training is over
    keys: Keys = KEYS
    options: RenderOptions = field(default_factory=RenderOptions)
    size: tuple[int, int] = (0, 0)
    quit: bool = False
    commands: tuple[Any, ...] = ()
    repaints: int = 0

    def wait(self, _frame: float, _now: float) -> float:
        return 0.1

    def drawn_with(self, options: RenderOptions) -> "Bar":
        return replace(self, keys=self.keys.rebound(options.keys), options=options)


def update(model: Bar, message: Message) -> Bar:
    match message:
        case Published(progress):
            return replace(model, latest=progress, quit=model.quit or progress is None)
        case Resized(width, height):
            return replace(model, size=(width, height))
        case KeyPressed(key) if model.keys.commands.get(key) == "quit":
            return replace(model, commands=(LEAVE,))
        case _:
            return model


def render(model: Bar, canvas: Canvas | None = None) -> Canvas:
    canvas = canvas or Canvas(*model.size, model.options.ascii)
    done, total, left = model.latest or TrainingProgress(1, 1)
    width = max(1, min(WIDEST, canvas.width - 4))
    full = width * done // total
    y = max(0, canvas.height // 2 - 2)
    heading, leave = "Your opponent learns first", f"leave with {model.keys['quit']}"
    far = f"{done:,} of {total:,} negotiations, {left:.0f} s left"
    canvas.tell("state", heading, far, leave)
    canvas.write(y, 2, heading, "bold")
    canvas.write(y + 1, 2, "█" * full + "░" * (width - full))
    canvas.write(y + 2, 2, far)
    canvas.write(canvas.height - 1, 2, leave, "faint")
    return canvas


_SCREEN = Screen(update, render)
