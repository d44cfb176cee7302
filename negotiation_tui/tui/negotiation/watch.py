"""Run the two-agent screen on a terminal, or print one frame of text."""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from negotiation_tui.runtime.files import atomic_write, check_writable
from negotiation_tui.runtime.output import notice
from negotiation_tui.sessions.commands import PlayCycle, Tell
from negotiation_tui.sessions.session import Session
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation import time_travel
from negotiation_tui.tui.negotiation.keys import OFFERS, PRICE, SELLER_PLAN
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.negotiation.update import start, update
from negotiation_tui.tui.negotiation.words import command_of
from negotiation_tui.tui.toolkit.canvas import bounded
from negotiation_tui.tui.toolkit.messages import Published
from negotiation_tui.tui.toolkit.pace import STEADY
from negotiation_tui.tui.toolkit.run_screen import (
    Opened,
    RenderOptions,
    Screen,
    on_terminal,
    run_screen,
)
from negotiation_tui.tui.toolkit.timeline import ALL, Wish

DEFAULT_SIZE = (120, 36)
SCREEN = Screen(update, render)  # the screen of two agents


class Begin(NamedTuple):
    """Options for the first frame."""

    pace: int
    paused: bool
    advice: bool
    moment: int | None = None
    """The moment to open; None for the first game of a recording, or the beginning."""


class Once(NamedTuple):
    """Options for one frame after a cycle, or for a film, in place of the screen."""

    svg: str | None = None  # the file for the frame as a picture, in place of text; None for text
    json: bool = False  # true for the facts of the snapshot in place of text
    film: str | None = None  # the file for a film in place of the frame; None for the frame
    seconds: float = 30.0  # the greatest length of the film
    size: tuple[int, int] | None = None  # width and height in cells; None for those of the terminal


def watch(
    session: Session,
    options: RenderOptions,
    begin: Begin,
    once: Once | None = None,
    tour: Callable[[], Opened[Any]] | None = None,
) -> int:
    """Show a training, perhaps of a recording; return the exit status.

    With `once`, or without a terminal, print one frame of text after a cycle instead, or make a
    film. `tour` opens the tour, on top of the screen, if the user asks for it. The last line is the
    command of the moment on the screen.
    """
    last = model = first_model(session.snapshot, begin)
    if once or not on_terminal(options):
        if not once:
            notice("not a terminal: printing one frame of text, as with --once")
        _show_without_terminal(session, model.drawn_with(options), once or Once(), begin.moment)
        return 0

    def on_top(model: Model) -> tuple[Model, Opened[Any] | None]:
        nonlocal last
        last = model
        return replace(model, tour=False), tour() if model.tour and tour else None

    shown = started(model, begin.moment)
    run_screen(Opened(session, SCREEN._replace(on_top=on_top), shown), options)
    if sys.stdout.isatty():  # one that was closed meanwhile is none
        print(command_of(last.here))
    return 0


def guest(snapshot: Snapshot) -> Model:
    """Return the first model of a screen on top of another, which quitting leads back to."""
    model = first_model(snapshot, Begin(STEADY, paused=False, advice=False))
    rows = {row.command: row for row in model.keys if row.command != "tour"}
    rows["quit"] = rows["quit"]._replace(help="back to the screen below", footer="back")
    return start(replace(model, keys=replace(model.keys, rows=tuple(rows.values())), guest=True))


def started(model: Model, moment: int | None = None) -> Model:
    """Start a model, perhaps at a moment; of a recording with games at its first one."""
    if not (model.latest.negotiation and (model.latest.recording or moment)):
        return start(model)
    at, visible = 1 if moment is None else moment, 1 if model.running else ALL
    shown = time_travel.go_to(start(replace(model, running=False)), at, visible)
    return replace(shown, running=model.running, message=model.message)


def first_model(snapshot: Snapshot, begin: Begin) -> Model:
    score, said = snapshot.score, snapshot.status.notice
    detail = SELLER_PLAN if score is None else OFFERS  # for a person offers show more
    return Model(
        snapshot,
        here=snapshot,
        chosen=PRICE if score else detail,
        detail=detail,
        pace_index=begin.pace,
        running=not begin.paused,
        advice=begin.advice,
        message="" if score else said,
    ).with_players()


def _show_without_terminal(session: Session, model: Model, once: Once, moment: int | None) -> None:
    from shutil import get_terminal_size

    file = once.film if once.svg is None else once.svg
    if file is not None:
        check_writable(file)
    size = bounded(*(once.size or get_terminal_size(DEFAULT_SIZE)))
    if once.film is not None:
        from negotiation_tui.tui.toolkit.film import filmed

        shown = replace(_begun(session, model, moment), running=model.running)
        screen = Opened(session, SCREEN, shown)
        _write(once.film, filmed(screen, size, once.seconds))
        return
    utf8 = sys.stdout.encoding.lower().startswith("utf")
    model = replace(model, width=size[0], height=size[1], running=False)
    plain = model.options.ascii or not (utf8 or once.svg)
    model = replace(model, options=model.options._replace(ascii=plain))
    canvas = render(_begun(session, model, moment, after_cycle=True))
    if once.json:
        import json

        from negotiation_tui.sessions.as_json import as_json

        print(json.dumps(as_json(session.snapshot)))
    elif once.svg is None:
        print(canvas.text())
    if once.svg is not None:
        from negotiation_tui.tui.toolkit.svg import svg

        _write(once.svg, svg(canvas, model.options.theme))


def _begun(session: Session, model: Model, moment: int | None, after_cycle: bool = False) -> Model:
    """Return the model at a moment, or at the beginning of a training."""
    if session.snapshot.recording or moment is not None:
        while session.running:  # it is played again
            session.step()
        model = started(replace(model, latest=session.snapshot), moment)
        for command in model.commands:
            session.handle(command)
        return update(replace(model, commands=()), Published(session.snapshot))
    if not after_cycle:
        return start(model)
    if session.snapshot.negotiation is None:
        session.handle(PlayCycle())
    if model.pace.directed and (news := session.snapshot.story.news):
        session.handle(Tell(news[0]))
    session.idle()
    return update(replace(model, wish=Wish()), Published(session.snapshot))


def _write(path: str, picture: str) -> None:
    with atomic_write(path) as file:
        file.write(picture.encode())
    notice(f"saved to {path}")
