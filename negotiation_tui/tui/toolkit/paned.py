"""Screens with numbered panes: the state and the commands that all of them share. Pure."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import KW_ONLY, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeVar

from negotiation_tui.runtime.records import dataclass
from negotiation_tui.tui.toolkit.boxes import (
    HELP,
    HELP_BOX,
    MESSAGE_ROWS,
    Box,
    draw_frame,
    draw_heading_line,
    draw_message,
    draw_modal,
    draw_too_small,
    edited,
    marked,
    scrolled,
)
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect, Target
from negotiation_tui.tui.toolkit.keys import KEY_OF_LABEL, Keys
from negotiation_tui.tui.toolkit.layout import MIN_HEIGHT, MIN_WIDTH, Layout
from negotiation_tui.tui.toolkit.messages import (
    KeyPressed,
    Message,
    Mouse,
    Pasted,
    Published,
    Resized,
    Tick,
)
from negotiation_tui.tui.toolkit.run_screen import RenderOptions

S = TypeVar("S")  # the type of snapshot that the session publishes
C = TypeVar("C")  # the type of command that the session takes


@dataclass(frozen=True, slots=True, init=False)
class PanedModel(ABC, Generic[S, C]):
    """State of a screen with panes; each screen adds its own fields."""

    glossary: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Words with their meanings that typing in the help finds."""
    base_pane: ClassVar[int]
    """The pane that is always shown, together with `detail` if there is room."""

    latest: S  # the newest snapshot
    _: KW_ONLY
    keys: Keys  # the key table, with the keys that the user has bound
    width: int = 80
    height: int = 24
    options: RenderOptions = field(default_factory=RenderOptions)
    now: float = 0.0
    running: bool = True
    sent: int = 0  # number of commands sent; the session has answered when it has handled as many
    commands: tuple[C, ...] = ()  # commands for the session, taken out and sent by the loop
    chosen: int  # the pane in focus
    detail: int  # the last pane in focus other than `base_pane`
    zoomed: bool = False
    scrolled: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """First row and column of each pane that was scrolled by hand."""
    modal: str | None = None  # name of the box on top of the panes
    modal_row: int = 0  # the first line shown in that box; in a menu, the marked line
    typed: str = ""  # letters typed into the box on top
    message: str = ""
    message_until: float | None = None
    """Time at which the message leaves; None if that is not set yet."""
    repaints: int = 0
    quit: bool = False

    @property
    def about(self) -> Mapping[str, str]:
        """Words at the end of the help; in their meanings commands in braces stand for keys."""
        return {}

    @property
    def subjects(self) -> tuple[str, ...]:
        """The groups of keys that matter most now."""
        return ()

    @property
    def waiting(self) -> bool:
        """True if a command has not been carried out yet."""
        return False

    @abstractmethod
    def layout(self) -> Layout:
        """Return the areas of the panes."""

    def at_rest(self) -> Self:
        """Return the model without its clock, for what does not change with time alone."""
        return replace(self, now=0.0)

    def area_of(self, pane: int) -> Rect | None:
        """Return the area of a pane; None if it is not on the screen."""
        return self.layout().panes.get(pane)

    def drawn_with(self, options: RenderOptions) -> Self:
        """Return the model with the user's keys and other options."""
        return replace(self, keys=self.keys.rebound(options.keys), options=options)

    def send(self, *commands: C) -> Self:
        sent = self.sent + len(commands)
        return replace(self, commands=(*self.commands, *commands), sent=sent)

    def with_message(self, text: str) -> Self:
        """Set the message; commands in braces become their keys."""
        return replace(self, message=self.keys.format(text), message_until=None)

    def at(self, now: float) -> Self:
        """Return the model at a later time, when a message that was read has left."""
        if not self.message:
            return self
        if self.message_until is None:
            seconds = _MESSAGE_SECONDS + len(self.message) * _SECONDS_PER_CHARACTER
            return replace(self, message_until=now + seconds)
        return self if now < self.message_until else replace(self, message="", message_until=None)

    @abstractmethod
    def rest(self, frame: float, now: float) -> float:
        """Return the seconds until the panes change by themselves; a frame lasts `frame`."""

    def wait(self, frame: float, now: float) -> float:
        """Return the seconds until the screen changes by itself; a frame lasts `frame`."""
        seconds = self.rest(frame, now)
        if not self.message:
            return seconds
        return max(0.0, min(seconds, (self.message_until or now) - now))


_MESSAGE_SECONDS, _SECONDS_PER_CHARACTER = 3.0, 0.05
_WHOLE = 60  # columns from which a message leaves the frames of all panes whole

M = TypeVar("M", bound=PanedModel[Any, Any])


Pane = tuple[str, Callable[[Canvas, M, int], None]]
"""The name of a pane in the strip, and the function that draws it."""


@dataclass(frozen=True)
class View(Generic[M]):
    """The panes of one screen, the lines around them, and the boxes on top."""

    panes: Mapping[int, Pane[M]]  # by their numbers, from 1 without a gap
    lines: Mapping[str, Callable[[Canvas, M], None]]  # by their names in `Layout`
    boxes: Mapping[str | None, Box[M]] = field(default_factory=lambda: {HELP: HELP_BOX})
    instead: Callable[[M], Mapping[int, Pane[M]]] = lambda _: {}
    """Returns the panes that have the place of others now."""
    moving: Mapping[int | str, Callable[[M], object]] = field(default_factory=dict)
    """Returns the part of a pane or of a line that changes with time, by its number or name."""

    def render(self, model: M, canvas: Canvas | None = None) -> Canvas:
        """Return the whole screen, in the size of the model; drawn on a canvas if there is one."""
        canvas = canvas or Canvas(model.width, model.height, model.options.ascii)
        self.draw(canvas, model)
        if model.modal and model.layout().panes:
            draw_modal(canvas, model, self.boxes[model.modal])
        return canvas

    def draw(self, canvas: Canvas, model: M) -> None:
        """Draw everything except the box on top."""
        layout, panes = model.layout(), {**self.panes, **self.instead(model)}
        names = {pane: name for pane, (name, _) in panes.items()}
        lines = {**self.lines, "strip": lambda part, seen: draw_strip(part, seen, names)}
        rests = model.at_rest()

        def drawn(name: int | str, area: Rect, draw: Callable[..., None], *more: int) -> Canvas:
            moves = self.moving.get(name)
            seen, time = (model, moves(model)) if moves else (rests, None)
            return canvas.draw(area, (rests, time), lambda part: draw(part, seen, *more))

        if not layout.panes:
            draw_too_small(canvas, MIN_WIDTH, MIN_HEIGHT, model.keys)
        for pane, frame in layout.frames.items():
            chosen = model.chosen == pane
            canvas.draw(frame, chosen, partial(draw_frame, chosen=chosen))
        for pane, area in layout.panes.items():
            part = drawn(pane, area, panes[pane][1], pane)
            rows = [text for topic, texts in part.texts if topic == "pane" for text in texts]
            canvas.texts += (each for each in part.texts if each[0] != "pane")
            if pane == model.chosen and not model.waiting:
                canvas.tell("pane", part.line(0), "", *rows or (part.rows(1, part.height),))
        for line, area in layout.lines.items():
            canvas.texts += drawn(line, area, lines[line]).texts
        if model.message and "footer" in layout.lines:
            _draw_message(canvas, model, layout)


def _draw_message(canvas: Canvas, model: PanedModel[Any, Any], layout: Layout) -> None:
    """Draw the message on two rows of sentences if it fits there, otherwise over the last rows."""
    _, _, height, width = area = layout.lines.get("caption", Rect(0, 0, 0, 0))
    if height > 1 and not model.modal and len(model.message) < height * (width - 8):
        sentences = canvas.subcanvas(area)
        sentences.clear()
        draw_message(sentences, model.message, height)
        return
    below = max((area.y + area.height for area in layout.frames.values()), default=0)
    most = model.height - below if canvas.width >= _WHOLE else MESSAGE_ROWS
    draw_message(canvas, model.message, min(MESSAGE_ROWS, most))


def draw_strip(canvas: Canvas, model: PanedModel[Any, Any], names: Mapping[int, str]) -> None:
    """Draw the numbers of all panes, with names if they have room, and brackets at the focus."""
    shown = model.layout().panes
    numbers = {pane: f"[{pane}]" if pane == model.chosen else str(pane) for pane in names}
    for named in (names, shown, {model.chosen}, ()):
        texts = numbers | {pane: f"{numbers[pane]} {names[pane]}" for pane in named}
        if sum(len(text) + 2 for text in texts.values()) <= canvas.width:
            break
    x = 1
    for pane, text in texts.items():
        style = "focus" if pane == model.chosen else "key" if pane in shown else "faint"
        canvas.write(0, x, text, style)
        canvas.target(Rect(0, x, 1, len(text)), "pane", pane)
        x += len(text) + 2


def draw_heading(canvas: Canvas, model: M, pane: int, title: str, *notes: str) -> None:
    """Draw a pane's number and title, and at the right end the first note that has room."""
    framed = pane in model.layout().frames
    draw_heading_line(canvas, f"{pane} {title}", model.chosen == pane, *notes, framed=framed)


STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
"""Rows and columns of each command that moves by one."""

MOVES = {*STEPS, "page_up", "page_down", "first", "last"}  # all commands that scroll

_FAR = 1 << 30
_PAGES = {"page_up": -1, "page_down": 1}


def moved(command: str, page: int) -> tuple[int, int]:
    """Return the rows and columns of a command of MOVES; a page has `page` rows."""
    if command in STEPS:
        return STEPS[command]
    return {"page_up": -page, "page_down": page, "first": -_FAR, "last": _FAR}[command], 0


def key_of(hit: Target) -> str:
    """Return the key whose hint was clicked, empty for another target."""
    label = str(hit[1]) if hit[:1] == ("key",) else ""
    return KEY_OF_LABEL.get(label, label)


def choose_pane(model: M, number: int, panes: Collection[int]) -> M:
    """Move the focus to one of the panes, which are numbered from 1."""
    if number not in panes:
        return replace(model, message=f"no pane {number}: expected 1 to {len(panes)}")
    detail = model.detail if number == model.base_pane else number
    return replace(model, chosen=number, detail=detail)


def close(model: M) -> M:
    """Close the box on top, otherwise leave the zoom, otherwise undo scrolling by hand."""
    if model.modal:
        return replace(model, modal=None)
    if model.zoomed:
        return replace(model, zoomed=False)
    if model.scrolled:
        return replace(model, scrolled={})
    return model.with_message("nothing to close: {quit} quits")


_COMMANDS: Mapping[str, Callable[[Any], Any]] = {
    "quit": lambda model: replace(model, quit=True),
    "help": lambda model: replace(
        model, modal=None if model.modal == HELP else HELP, modal_row=0, typed=""
    ),
    "zoom": lambda model: replace(model, zoomed=not model.zoomed),
    "repaint": lambda model: replace(model, repaints=model.repaints + 1),
    "close": close,
}
_OTHER_PANE = {"next_pane": 1, "previous_pane": -1}


@dataclass(frozen=True, slots=True)
class Controls(Generic[M]):
    """The reactions of one screen to keys, snapshots and time."""

    view: View[M]
    commands: Mapping[str, Callable[[M], M]]
    """Commands of this screen; they take precedence over those that all screens share."""
    published: Callable[[M, Any], M]
    scroll: Callable[[M, str], M]  # carries out a command of MOVES while no box is on top
    tick: Callable[[M, float], M] = lambda model, _: model
    intercept: Callable[[M, str], M | None] = lambda _model, _key: None
    """Handles a key before its command is looked up; None if the command should handle it."""
    clicked: Callable[[M, Mouse, Target], M] = lambda model, _mouse, _hit: model
    """Carries out a click in the chosen pane, or on a target of this screen."""

    def update(self, model: M, message: Message) -> M:
        after = self._updated(model, message)
        if isinstance(message, KeyPressed):
            return after.at(message.now)
        return after if after.message == model.message else replace(after, message_until=None)

    def _updated(self, model: M, message: Message) -> M:
        match message:
            case Tick(now):
                return self.tick(model.at(now), now)
            case Published(snapshot):
                return self.published(model, snapshot)
            case Resized(width, height):
                same = (width, height) == (model.width, model.height)
                return model if same else replace(model, width=width, height=height)
            case KeyPressed(key, now):
                now = max(now, model.now)
                return self._press(replace(model, now=now, message="", message_until=None), key)
            case Mouse():
                return self._point(model, message)
            case Pasted(text):
                return self._paste(model, text)

    def _paste(self, model: M, text: str) -> M:
        box = self.view.boxes.get(model.modal)
        if box is None or box.typed is None:
            return model.with_message(
                "pasted text is not taken as keys; {help} opens a box to type into"
            )
        return replace(model, typed=model.typed + text, modal_row=0)

    def _point(self, model: M, mouse: Mouse) -> M:
        """Return the model after a click, a drag or a turn of the wheel."""
        layout = model.layout()
        if not layout.panes:
            return model
        areas = (layout.frames or layout.panes).items()
        pane = next((each for each, area in areas if area.contains(mouse.y, mouse.x)), None)
        pointed = model if pane is None else choose_pane(model, pane, self.view.panes)
        if mouse.action in STEPS:
            if model.modal:
                return self._scroll_modal(model, mouse.action)
            after = self.scroll(pointed, mouse.action)
            return pointed if after.message != model.message else after
        hit = self.view.render(model).hit(mouse.y, mouse.x)
        if mouse.action == "drag":
            dragged = hit[:1] == ("moment",) and not model.modal
            return self.clicked(model, mouse, hit) if dragged else model
        if mouse.action != "press":
            return model
        return self._click(model if model.modal else pointed, mouse, hit)

    def _click(self, model: M, mouse: Mouse, hit: Target) -> M:
        """Return the model after a click on a target.

        While a box is on top these are its own lines and, unless one types into it, keys.
        """
        box = self.view.boxes.get(model.modal)
        match hit:
            case ("row", int(row), _) if model.modal:
                again = model.modal_row == row
                return self._press(model, "enter") if again else replace(model, modal_row=row)
            case ("key", *_) if box is None or box.typed is None:
                key = key_of(hit)
                return self._press(model, key) if key in model.keys.commands else model
            case _ if model.modal:
                return model
            case ("pane", int(pane), _):
                return choose_pane(model, pane, self.view.panes)
        return self.clicked(model, mouse, hit)

    def _press(self, model: M, key: str) -> M:
        command = model.keys.commands.get(key)
        done = self._type(model, key)
        if done is None and model.modal != HELP:
            done = self.intercept(model, key)
        if done is not None:
            return done
        if command is None:
            return replace(model, message=model.keys.unknown(key))
        if command == "pane":
            return choose_pane(model, model.keys.pane(key), self.view.panes)
        if command in _OTHER_PANE:
            following = (model.chosen - 1 + _OTHER_PANE[command]) % len(self.view.panes) + 1
            return choose_pane(model, following, self.view.panes)
        if command in MOVES:
            scroll = self._scroll_modal if model.modal else self.scroll
            return scroll(model, command)
        commands: Mapping[str, Callable[[M], M]] = {**_COMMANDS, **self.commands}
        return commands[command](model)

    def _type(self, model: M, key: str) -> M | None:
        """Return the model after a key that the box on top takes for itself; None for others."""
        box, command = self.view.boxes.get(model.modal), model.keys.commands.get(key)
        if box is HELP_BOX and key == "enter":
            row = marked(model)
            closed = replace(model, modal=None, typed="")
            return model if row is None else self._press(closed, row.keys[0])
        if box is None or box.typed is None or (box.choose and command == "take"):
            return None
        text = None if command == box.typed and not model.typed else edited(model.typed, key)
        kept = model.modal_row * box.keeps
        return None if text is None else replace(model, typed=text, modal_row=kept)

    def _scroll_modal(self, model: M, command: str) -> M:
        box, pages = self.view.boxes[model.modal], _PAGES.get(command, 0)
        row = scrolled(model, box, moved(command, 0)[0], pages)
        return replace(model, modal_row=row)
