"""The screen from the first frame to the last: on a terminal, or as one frame of text."""

import os
import shutil
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from negotiation_tui.background import Worker
from negotiation_tui.commands import PlayCycle
from negotiation_tui.errors import BadInputError
from negotiation_tui.pair import Counting, Pair
from negotiation_tui.snapshot import Snapshot
from negotiation_tui.tui import side_by_side
from negotiation_tui.tui.canvas import Canvas
from negotiation_tui.tui.layout import OFFERS, SELLER_TABLE
from negotiation_tui.tui.messages import Message, Published
from negotiation_tui.tui.model import FIRST, Model, known_static
from negotiation_tui.tui.render import render
from negotiation_tui.tui.travel import ALL
from negotiation_tui.tui.update import start, update

DEFAULT_SIZE = (120, 36)


class Look(NamedTuple):
    """How the screen may be drawn, and at which pace it begins."""

    ascii: bool
    color: str
    fps: float
    pace: int
    paused: bool
    advice: bool


def watch(worker: Worker, look: Look, once: bool = False) -> int:
    """Show a training or a recording; returns the exit status.

    With `once`, or where there is no terminal, print one frame of text after a cycle instead.
    """
    if once or not is_terminal():
        _print_frame(worker, first_model(worker.snapshot, look), once)
        return 0
    _show(worker, update, render, lambda seen: start(first_model(worker.snapshot, seen)), look)
    return 0


def watch_both(left: Counting, right: Counting, names: tuple[str, str], look: Look) -> int:
    """Show two of them side by side; BadInputError where there is no terminal."""
    if not is_terminal():
        raise BadInputError("--versus needs a terminal for input and output")

    def begin(seen: Look) -> side_by_side.Duo:
        one, other = (start(first_model(side.snapshot, seen)) for side in (left, right))
        return side_by_side.side_by_side(one, other, names)

    _show(Pair(left, right), side_by_side.update, side_by_side.render, begin, look)
    return 0


def _show(
    worker: Worker,
    change: Callable[[Any, Message], Any],
    draw: Callable[[Any], Canvas],
    begin: Callable[[Look], Any],
    look: Look,
) -> None:
    """Show a worker on the terminal; its warnings are said afterwards."""
    from negotiation_tui.tui import app, terminal

    if not terminal.set_locale():
        look = look._replace(ascii=True)
    colour = terminal.wants_colour(look.color, os.environ)
    with warnings.catch_warnings(record=True) as caught, terminal.Terminal(colour) as screen:
        app.run(screen, worker, app.Screen(change, draw), begin(look), look.fps)
    for warning in caught:
        print(f"negotiation-tui: warning: {warning.message}", file=sys.stderr)


def is_terminal() -> bool:
    """Whether somebody is there to watch and to press keys."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def first_model(snapshot: Snapshot, look: Look) -> Model:
    """What the screen knows before anything has happened."""
    # Without a learner there is more to see in the offers than in empty tables.
    chosen = SELLER_TABLE if None in snapshot.strategies else OFFERS
    return Model(
        snapshot,
        chosen=chosen,
        detail=chosen,
        ascii=look.ascii,
        pace_index=look.pace,
        running=not look.paused,
        advice=look.advice,
        strategies=snapshot.strategies,
        static=known_static(snapshot, FIRST),
        tried=snapshot.strategies,
        opener=snapshot.opener,
        message=snapshot.notice,
    )


def _print_frame(worker: Worker, model: Model, asked: bool) -> None:
    """Train one cycle and print what the screen would show after its last negotiation."""
    if not asked:
        print("not a terminal: here is one frame of text (--once)", file=sys.stderr)
    worker.handle(PlayCycle())
    worker.look()
    width, height = shutil.get_terminal_size(DEFAULT_SIZE)
    utf8 = sys.stdout.encoding.lower().startswith("utf")
    model = replace(model, width=width, height=height, running=False, reveal=ALL)
    model = replace(model, ascii=model.ascii or not utf8)
    print(render(update(model, Published(worker.snapshot))).text())
