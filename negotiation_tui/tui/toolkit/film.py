"""Show a session as a film: its frames one after the other, on a clock of their own."""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

from negotiation_tui.runtime.output import ProgressBar
from negotiation_tui.sessions.session import Session, attempt
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.messages import Published, Resized, Tick
from negotiation_tui.tui.toolkit.run_screen import Opened
from negotiation_tui.tui.toolkit.svg import film


def filmed(opened: Opened[Any], size: tuple[int, int], seconds: float) -> str:
    """Return a session on a screen as an animated SVG of at most `seconds`."""
    return film(_frames(opened, size, seconds), opened.model.options.theme, seconds)


def _frames(
    opened: Opened[Any], size: tuple[int, int], seconds: float
) -> Iterator[tuple[float, Canvas]]:
    """Yield each new frame, and the second at which it is shown.

    The clock stands still while the session carries out a command. A session that plays many
    negotiations per second by itself keeps its pace: then the film is made as slowly as it plays.
    """
    session, screen, model = opened
    model, drawn, canvas = screen.update(model, Resized(*size)), None, None
    fps = model.options.fps
    frames = max(1, round(seconds * fps))
    with closing(session), ProgressBar("frames") as bar:
        for number in range(frames):
            bar.show(number, frames)
            for command in model.commands:
                attempt(session, session.handle, command)
            model = replace(model, commands=())
            _work(session, time.monotonic() + 1 / fps)
            if session.snapshot is not model.latest:
                model = screen.update(model, Published(session.snapshot))
            model = screen.update(model, Tick(number / fps))
            if model is not drawn:
                canvas = screen.render(model, Canvas(*size, model.options.ascii, canvas))
                yield number / fps, canvas
                drawn = model


def _work(session: Session, end: float) -> None:
    attempt(session, session.idle)
    while session.running and (left := end - time.monotonic()) > 0:
        rest = attempt(session, session.step)
        time.sleep(min(left, rest or 0.0))
