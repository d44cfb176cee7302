"""Two trainings on one screen, one per half; each key goes to both halves.

At a pace at which every negotiation is seen, the next begins on both sides together; at a faster
one `SideBySideSession` keeps both in step.
"""

from operator import is_

from negotiation_tui.game.roles import Role, pair
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.runtime.text import first_fitting
from negotiation_tui.sessions.commands import Play, PlayCycle
from negotiation_tui.sessions.side_by_side_session import Snapshots, To
from negotiation_tui.tui.negotiation.menus import BOXES
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.render import draw, draw_footer, state
from negotiation_tui.tui.negotiation.update import update as update_one
from negotiation_tui.tui.negotiation.words import player
from negotiation_tui.tui.toolkit.boxes import draw_message, draw_modal, draw_too_small
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
from negotiation_tui.tui.toolkit.paned import key_of
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.widgets.words import game

ALONE = {"sit", "what_if", "accept", "reject", "peek", "tour"}
"""Commands that work on one training only."""

Sides = tuple[Model, Model]


@dataclass(frozen=True, slots=True)
class Duo:
    """State of the screen with two halves."""

    sides: Sides  # left and right
    names: tuple[str, str]  # names that tell one training from the other
    latest: Snapshots
    width: int = 80
    height: int = 24
    commands: tuple[To, ...] = ()

    @property
    def repaints(self) -> int:
        return self.sides[0].repaints

    @property
    def quit(self) -> bool:
        """True if the user leaves: neither half asks for a second key."""
        return all(side.quit for side in self.sides)

    def wait(self, frame: float, now: float) -> float:
        """Return the seconds until a half changes by itself; halves that wait are ignored."""
        waits = [side.wait(frame, now) for side in self.sides]
        return min((wait for wait in waits if wait > 0), default=0.0)

    def drawn_with(self, options: RenderOptions) -> "Duo":
        return replace(self, sides=pair(side.drawn_with(options) for side in self.sides))


def side_by_side(left: Model, right: Model, names: tuple[str, str]) -> Duo:
    text = "{{{}}} works on one training only, not on two side by side"
    alone = {command: text.format(command) for command in ALONE}
    sides = pair(
        replace(side, keys=replace(side.keys, refused={**side.keys.refused, **alone}))
        for side in (left, right)
    )
    return update(Duo(sides, names, (left.latest, right.latest)), Resized(80, 24))


def update(duo: Duo, message: Message) -> Duo:
    before = duo.sides
    messages: tuple[Message, Message] = message, message
    match message:
        case Published((left, right)):
            duo, messages = replace(duo, latest=(left, right)), (Published(left), Published(right))
        case Resized(width, height):  # there is a column between the halves if there is room
            half = Resized((width - (width > 2 * MIN_WIDTH)) // 2, max(0, height - 1))
            duo, messages = replace(duo, width=width, height=height), (half, half)
        case Mouse("press", y, x) if y == duo.height - 1:  # its footer belongs to both halves
            key = "" if before[0].modal else key_of(render(duo).hit(y, x))
            return update(duo, KeyPressed(key, before[0].now)) if key else duo
        case Mouse(action, y, x):
            beyond = duo.width - before[0].width
            there = Mouse(action, y - 1, x - beyond if x >= beyond else x)
            messages = there, there
    sides = pair(update_one(*each) for each in zip(before, messages, strict=True))
    if isinstance(message, KeyPressed | Tick):
        sides = _in_step(before, sides, message)
    new = tuple(To(n, command) for n, side in enumerate(sides) for command in side.commands)
    if not new and all(map(is_, sides, before)):
        return duo
    sides = pair(replace(side, commands=()) if side.commands else side for side in sides)
    return replace(duo, sides=sides, commands=(*duo.commands, *new))


def _in_step(before: Sides, after: Sides, message: Message) -> Sides:
    """Hold back a half that would begin its next negotiation before the other.

    It is as before, except for what time alone changes.
    """
    begins = [any(isinstance(c, Play | PlayCycle) for c in side.commands) for side in after]
    early = begins.index(True) if any(begins) else 0
    if all(begins) or not any(begins) or after[1 - early].latest.finished:
        return after
    still = before[early]
    if isinstance(message, Tick) and still.playback and still.playback.moving:
        still = replace(still, playback=replace(still.playback, now=message.now))
    return pair(still if n == early else side for n, side in enumerate(after))


def render(duo: Duo, canvas: Canvas | None = None) -> Canvas:
    first, height = duo.sides[0], duo.height - 1
    canvas = canvas or Canvas(duo.width, duo.height, first.options.ascii)
    if duo.width < 2 * MIN_WIDTH or height < MIN_HEIGHT:
        draw_too_small(canvas, 2 * MIN_WIDTH, MIN_HEIGHT + 1, first.keys)
        return canvas
    for side, x, name in zip(duo.sides, (0, duo.width - first.width), duo.names, strict=True):
        area = canvas.subcanvas(Rect(1, x, height, first.width))
        area.texts = []
        draw(area, replace(side, message=""))
        for topic, said in area.texts:
            named = (
                f"{name}: {each.strip(' ─━')}" if isinstance(each, str) and each else each
                for each in said
            )
            canvas.texts += [(topic, (*named,))] * (topic not in {"title", "keys", "field"})
        players = {role: player(side.snapshot, role, None) for role in Role}
        full = [f"{role} {each}" for role, each in players.items()]
        texts = [" · ".join([name, *seats]) for seats in (full, players.values())]
        area.rows(0, 1).clear()
        area.write(0, 1, first_fitting(texts, area.width - 1, name), "focus")
        if side.modal == "test":
            draw_modal(area, side, BOXES["test"])
    whole = replace(first, width=duo.width, height=duo.height)
    games = " │ ".join(dict.fromkeys(game(side.snapshot.scenario) for side in duo.sides))
    title = f"negotiation-tui  side by side  {games}"
    canvas.tell("title", title, *duo.names, *state(whole).split("  "))
    canvas.write(0, 0, " " * canvas.width, "title")
    canvas.write(0, 1, title, "title")
    canvas.write_right(0, f" {state(whole)} ", "title")
    if height >= MIN_HEIGHT + 2:
        footer = canvas.rows(height, duo.height)
        footer.clear()
        draw_footer(footer, whole)
        messages = dict.fromkeys(side.message for side in duo.sides)
        if message := " │ ".join(filter(None, messages)):
            draw_message(canvas, message)
    if whole.modal not in {None, "test"}:
        draw_modal(canvas, whole, BOXES[whole.modal])
    return canvas
