"""Two trainings on one screen, one per half; each key goes to both halves.

At a pace at which every negotiation is seen, the next begins on both sides together; at a faster
one `SideBySideSession` keeps both in step.
"""

from dataclasses import dataclass, replace

from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.commands import Play, PlayCycle
from negotiation_tui.sessions.side_by_side_session import Snapshots, To
from negotiation_tui.tui.negotiation.menus import BOXES
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.render import draw, draw_footer, state
from negotiation_tui.tui.negotiation.update import update as update_one
from negotiation_tui.tui.negotiation.words import player
from negotiation_tui.tui.toolkit.boxes import HELP, draw_message, draw_modal, draw_too_small, marked
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.layout import MIN_HEIGHT, MIN_WIDTH
from negotiation_tui.tui.toolkit.messages import (
    KeyPressed,
    Message,
    Mouse,
    Published,
    Resized,
    Tick,
)
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.widgets.words import game

ALONE = {"sit", "what_if", "accept", "reject", "peek", "tour"}
"""Commands that work on one training only."""


@dataclass(frozen=True, slots=True)
class Duo:
    """State of the screen with two halves."""

    left: Model
    right: Model
    names: tuple[str, str]  # names that tell one training from the other
    latest: Snapshots
    width: int = 80
    height: int = 24
    commands: tuple[To, ...] = ()

    @property
    def sides(self) -> tuple[Model, Model]:
        return self.left, self.right

    @property
    def repaints(self) -> int:
        return self.left.repaints

    @property
    def quit(self) -> bool:
        """True if the user leaves: neither half asks for a second key."""
        return self.left.quit and self.right.quit

    def drawn_with(self, options: RenderOptions) -> "Duo":
        left, right = (side.drawn_with(options) for side in self.sides)
        return replace(self, left=left, right=right)

    def wait(self, frame: float, now: float) -> float:
        """Return the seconds until a half changes by itself; halves that wait are ignored."""
        waits = [side.wait(frame, now) for side in self.sides]
        return min((wait for wait in waits if wait > 0), default=0.0)


def side_by_side(left: Model, right: Model, names: tuple[str, str]) -> Duo:
    return _sized(Duo(left, right, names, (left.latest, right.latest)), 80, 24)


def update(duo: Duo, message: Message) -> Duo:
    match message:
        case Published((left, right)):
            after = update_one(duo.left, Published(left)), update_one(duo.right, Published(right))
            return _sent(replace(duo, latest=(left, right)), *after)
        case Resized(width, height):
            return _sized(duo, width, height)
        case KeyPressed(key, _) if (command := _asked(duo.left, key)) in ALONE:
            text = f"{{{command}}} works on one training only, not on two side by side"
            left, right = (replace(side, modal=None).with_message(text) for side in duo.sides)
            return replace(duo, left=left, right=right)
        case Mouse(action, y, x):
            beyond = duo.width - duo.left.width
            there = Mouse(action, y - 1, x - beyond if x >= beyond else x)
            left, right = (update_one(side, there) for side in duo.sides)
            return _sent(duo, left, right)
        case _:
            left, right = (update_one(side, message) for side in duo.sides)
            if left is duo.left and right is duo.right:
                return duo
            return _sent(duo, *_in_step(duo, left, right, message))


def _asked(side: Model, key: str) -> str | None:
    """Return the command of a key, in the help that of the marked row; None if it is typed."""
    if side.modal != HELP:
        typed = side.modal and BOXES[side.modal].typed is not None
        return None if typed else side.keys.commands.get(key)
    row = marked(side) if key == "enter" else None
    return row.command if row else None


def _in_step(duo: Duo, left: Model, right: Model, message: Message) -> tuple[Model, Model]:
    """Hold back a half that would begin its next negotiation before the other."""
    begins = [
        any(isinstance(command, Play | PlayCycle) for command in side.commands)
        for side in (left, right)
    ]
    if begins == [True, False] and not right.latest.finished:
        left = _waiting(duo.left, message)
    elif begins == [False, True] and not left.latest.finished:
        right = _waiting(duo.right, message)
    return left, right


def _waiting(side: Model, message: Message) -> Model:
    """Return a half as before, except for what time alone changes."""
    if isinstance(message, Tick) and side.playback and side.playback.moving:
        return replace(side, playback=replace(side.playback, now=message.now))
    return side


def _sent(duo: Duo, left: Model, right: Model) -> Duo:
    """Collect the commands of both halves, each for its own session."""
    sides = left, right
    new = tuple(To(n, command) for n, side in enumerate(sides) for command in side.commands)
    left, right = (replace(side, commands=()) if side.commands else side for side in sides)
    return replace(duo, left=left, right=right, commands=(*duo.commands, *new))


def _sized(duo: Duo, width: int, height: int) -> Duo:
    """Resize both halves; there is a column between them if there is room."""
    half = (width - 1) // 2 if width > 2 * MIN_WIDTH else width // 2
    left, right = (replace(side, width=half, height=max(0, height - 1)) for side in duo.sides)
    return replace(duo, left=left, right=right, width=width, height=height)


def render(duo: Duo) -> Canvas:
    canvas = Canvas(duo.width, duo.height, duo.left.ascii)
    if duo.width < 2 * MIN_WIDTH or duo.height <= MIN_HEIGHT:
        draw_too_small(canvas, 2 * MIN_WIDTH, MIN_HEIGHT + 1, duo.left.keys)
        return canvas
    half, height = duo.left.width, duo.left.height
    for side, x, name in zip(duo.sides, (0, duo.width - half), duo.names, strict=True):
        area = canvas.subcanvas(Rect(1, x, height, half))
        draw(area, replace(side, message=""))
        players = {role: player(side.snapshot, role) for role in Role}
        full = [f"{role} {each}" for role, each in players.items()]
        texts = [" · ".join([name, *seats]) for seats in (full, players.values())]
        area.rows(0, 1).clear()
        area.write(0, 1, next((text for text in texts if len(text) < area.width), name), "focus")
        if side.modal == "test":
            draw_modal(area, side, BOXES["test"])
    whole = replace(duo.left, width=duo.width, height=duo.height)
    title = canvas.rows(0, 1)
    title.write(0, 0, " " * title.width, "title")
    games = dict.fromkeys(game(side.snapshot.scenario) for side in duo.sides)
    title.write(0, 1, f"negotiation-tui  side by side  {' │ '.join(games)}", "title")
    title.write_right(0, f" {state(whole)} ", "title")
    if height >= MIN_HEIGHT + 2:
        footer = canvas.rows(duo.height - 1, duo.height)
        footer.clear()
        messages = [side.message for side in duo.sides]
        message = messages[0] if messages[0] == messages[1] else " │ ".join(filter(None, messages))
        draw_footer(footer, whole)
        if message:
            draw_message(canvas, message)
    if whole.modal not in {None, "test"}:
        draw_modal(canvas, whole, BOXES[whole.modal])
    return canvas
