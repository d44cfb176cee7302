"""Draw a frame: the model on a canvas. Pure."""

from collections.abc import Sequence

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.runtime.text import coins, fitting
from negotiation_tui.sessions.snapshot import Course
from negotiation_tui.tui.negotiation.caption import draw_caption, draw_words, page_of_caption
from negotiation_tui.tui.negotiation.chapters import marks
from negotiation_tui.tui.negotiation.keys import (
    BUYER_PLAN,
    FOCUS,
    GAMES,
    IN_PAST,
    IN_WHAT_IF,
    OFFERS,
    PRICE,
    SELLER_PLAN,
    WALLETS,
)
from negotiation_tui.tui.negotiation.menus import BOXES
from negotiation_tui.tui.negotiation.model import STATE_LINES, Model
from negotiation_tui.tui.negotiation.panes.advice import draw_advice
from negotiation_tui.tui.negotiation.panes.games import draw_games, draw_games_line
from negotiation_tui.tui.negotiation.panes.learning import openers_coins
from negotiation_tui.tui.negotiation.panes.play import panes_of_game, score_line
from negotiation_tui.tui.negotiation.panes.price_bar import draw_offers, draw_price_pane
from negotiation_tui.tui.negotiation.panes.q_tables import (
    draw_legend_line,
    draw_state_line,
    draw_table,
)
from negotiation_tui.tui.negotiation.panes.wallets import draw_wallets, wallets_line
from negotiation_tui.tui.negotiation.words import player
from negotiation_tui.tui.toolkit import boxes
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.keys import Hint
from negotiation_tui.tui.toolkit.paned import Pane, View
from negotiation_tui.tui.toolkit.timeline import ALL

_NARROW = 40  # columns from which the unit of time is written out
_LATE = 0.1  # seconds after which a frame says that an answer is awaited
_SHORTEST = 16  # cells of the shortest track; the keys are left out before it gets shorter


def draw_course(
    canvas: Canvas,
    line: Course,
    here: int,
    cycle: int,
    hints: Sequence[Hint],
    in_past: bool = False,
    wanted: int | None = None,
    typed: str | None = None,
    told: Sequence[int] = (),
) -> None:
    """Draw the course with the moment `here`, of a cycle, then as many hints as fit.

    ● is this moment, ○ the present of a training that runs ahead, ◆ a sentence of the story, ◇ a
    change that the user made.
    `wanted` is the moment that is being computed; `typed` the digits of a number being typed.
    While a recording is played again its share is shown.
    """
    label, style = ("past", "focus") if in_past else ("now", "faint")
    total = f"{max(line.end, here) // line.per:,}"
    short = canvas.width < _NARROW
    longest = len(f"{total}/{total}" if short else f"{total} of {total} {line.unit}s")
    at = f"{cycle:,}"
    number = f"{at}/{total}" if short else f"{at} of {total} {line.unit}s"
    if typed is not None:
        number = f"go to {typed}_" if short else f"go to {line.unit}: {typed}_"
    elif wanted is not None:
        number = f"… {line.named(wanted)}"
    if line.behind:
        number += f" ({line.now / line.goal:.0%})"
    canvas.tell("state", f"{label}: {number}" * (typed is None))
    canvas.tell("field", "time line", label, f"{cycle}")
    fixed = 10 + max(longest, len(number))  # the track has its length at every moment
    shown = fitting((f"{keys} {word}" for keys, word in hints), canvas.width - fixed - _SHORTEST)
    width = canvas.width - fixed - (len(shown) + 2 if shown else 0)
    if width < 2:
        canvas.write(0, 1, number if typed is not None else f"{label} {number}", style)
        return
    canvas.write(0, 1, f"{label:<4}", style)
    _draw_track(canvas, 6, width, line, here, told)
    canvas.write(0, 7 + width, number, "message" if typed is not None else "normal")
    canvas.write(0, canvas.width - len(shown) - 1, shown, "faint")


def _draw_track(
    canvas: Canvas, x: int, width: int, line: Course, here: int, told: Sequence[int]
) -> None:
    end = max(line.end, line.now, here, 1)

    def column(moment: int) -> int:
        return x + 1 + moment * (width - 3) // end

    canvas.target(Rect(0, x + 1, 1, width - 2), "moment", width - 3, end)
    canvas.write(0, x, "├" + "·" * (width - 2) + "┤", "faint")
    canvas.write(0, x + 1, "─" * (column(line.now) - x), "faint")
    canvas.write(0, x + 1, "─" * (column(here) - x), "normal")
    for moment in told:
        canvas.write(0, column(moment), "◆", "normal")
    for moment, _ in line.changes:
        canvas.write(0, column(moment), "◇", "key")
    canvas.write(0, column(line.now), "○", "faint")
    canvas.write(0, column(here), "●", "focus")


def draw_title(canvas: Canvas, model: Model) -> None:
    """Draw game, seats, cycle and pace; parts that do not fit are left out."""
    snapshot, scenario = model.snapshot, model.snapshot.scenario
    shown = model.playback.negotiation if model.playback else None
    thinks, seconds = (model.live and model.latest.thinking) or (None, 0)
    mark = " thinking" + f" {seconds} s" * (seconds > 0)
    names = {each: player(snapshot, each, shown) for each in Role}
    seats = tuple(f"{each}: {name}{mark * (each is thinks)}" for each, name in names.items())
    program = f"replay of {snapshot.recording}" if snapshot.recording else "negotiation-tui"
    cost, worth = scenario.reservation_values
    divide = f"{coins(scenario.width)} to divide"
    game = f"{divide}: cost {cost}, worth {worth}"
    if scenario.hidden:
        divide = f"prices {scenario.prices[0]} to {scenario.prices[-1]}"
        game = f"{divide}, hidden limits"
    name = f"{scenario.name}, opener-aware" if scenario.opener_aware else scenario.name
    openers = snapshot.opener
    opener = "openers alternate" if openers is Opener.ALTERNATE else f"{openers} opens"
    details = (name, f"{scenario.rounds} rounds", opener, f"seed {snapshot.seed}")
    choices = (
        (program, game, *seats, *details),
        (program, game, *seats),
        (game, *seats),
        (divide, *seats),
        seats,
        (divide,),
    )
    boxes.draw_title_line(canvas, state(model), choices)
    label = "what if" if model.parent else "now" if model.in_present else "past"
    canvas.tell("field", "title", label, f"{model.here.cycle}", *names.values(), str(openers))
    canvas.tell("field", "awaited", _awaited(model) or mark * (thinks is not None))


def state(model: Model) -> str:
    """Return the cycle and the pace, the distance from the present, or the seat of a person."""
    latest, wide = model.latest, model.width >= boxes.WIDE
    sign = "▶" if model.running else "‖" if model.live or model.parent else "◀"
    awaited = f"  {_awaited(model)}".rstrip()
    if model.parent:
        return f"{sign} what if{awaited}"
    if not model.in_present:
        line = model.here.course
        return f"{sign} past: {line.named(line.now)}{awaited}"
    if latest.score is not None:
        return f"you are the {latest.score.role}{awaited}"
    cycle = f"cycle {model.here.cycle:,}{' of ' if wide else '/'}{latest.parameters.cycles:,}"
    pace = model.pace.text
    sample = model.playback is not None and not model.playback.negotiation.test
    if model.snapshot.finished and not model.pace.seen and not sample:
        pace = "testing"
    does = f"{sign} {pace if model.running else 'paused' + f' ({pace})' * wide}"
    return f"{cycle}{awaited or f'  {does}'}"


def _awaited(model: Model) -> str:
    """Return what a key asked for, while the session works at it; of a game, if that is late."""
    wish = model.wish
    if not model.waiting:
        return ""
    if wish and wish.moment is not None:
        return f"… {model.latest.course.named(wish.moment)}"
    if wish and wish.visible == ALL:
        return "… training"
    late = model.awaits is not None and model.now - model.awaits[1] >= _LATE
    return ("… playing" if wish or model.latest.score else "… training") * late


def draw_footer(canvas: Canvas, model: Model) -> None:
    """Draw the general keys, most important first; on a low screen those of the focus too."""
    if model.advice and "legend" not in model.layout().lines:
        draw_advice(canvas, model)  # a low screen has no row for it
        return
    unused, hints = _unused(model), list[Hint | None]()
    for row in model.keys:
        if row.command == "cycle" and model.height < STATE_LINES and not model.human_playing:
            hints += _focus(model)
        starts = row.command == "run" and not model.running
        shown = row._replace(footer="run") if starts else row
        if row.command not in unused:
            hints.append(model.keys.footer(shown, model.human_playing))
    boxes.draw_footer_line(canvas, hints)


_OF_PLAYERS = frozenset(
    {"seller", "buyer", "toggle", "opener", "cycle", "story"}
    | {"sit", "test", "more", "what_if", "restart"}
)
"""The commands that a recording of games alone refuses, because it has no players."""


def _unused(model: Model) -> set[str]:
    scenario = model.snapshot.scenario
    of_limits = () if scenario.hidden else ("limits", "other_limit")
    of_talk = () if scenario.talk else ("say",)
    return {*of_limits, *of_talk, *(_OF_PLAYERS if model.here.only_games else ())}


def _focus(model: Model) -> list[Hint]:
    keys = FOCUS[model.chosen]
    if not model.live:
        keys = IN_WHAT_IF if model.parent else IN_PAST
    unused = [f"{{{command}}}" for command in _unused(model)]
    texts = (text for text in keys.split(" · ") if not any(each in text for each in unused))
    return [model.keys.hint(text) for text in texts][:1]


def _motion(model: Model) -> float:
    return model.playback.progress if model.playback else 1.0


_HINTS = "{back} back", "{earlier} {later} cycle", "{first} {last} ends", "{go} go to"
_BOTH = 76  # the least width of a line with both the wallets and the past


def draw_time_bar(canvas: Canvas, model: Model) -> None:
    """Draw the moment shown between the beginning and the end of the training."""
    playing, lines = model.latest.score is not None, model.layout().lines
    wide = canvas.width >= _BOTH and not model.zoomed
    if wide and model.area_of(WALLETS) is None and (playing or "time_line" in lines):
        parts = score_line(model) if playing else wallets_line(model, canvas.width)
        x = canvas.write_parts(0, 1, parts)
        canvas = canvas.subcanvas(Rect(0, x + 1, 1, canvas.width - x - 1))
    line, here = model.latest.course, model.here
    hints = tuple(map(model.keys.hint, _HINTS))
    wanted = model.wish and model.wish.moment
    now, past = here.course.now, not model.in_present
    cycle = now if here.only_games else here.cycle
    draw_course(canvas, line, now, cycle, hints, past, wanted, model.going, marks(model))


def draw_last_row(canvas: Canvas, model: Model) -> None:
    """Draw advice if it is wanted, else the signs, beside them on a low screen the opener's coins.

    They stand there at the end of a training; in the past it is the time line.
    """
    low = "time_line" not in model.layout().lines
    asked = not model.live or model.wish is not None or model.going is not None
    asked = asked or model.latest.score is not None
    if model.advice:
        draw_advice(canvas, model)
    elif low and asked:
        draw_time_bar(canvas, model)
    else:
        draw_legend_line(canvas, model, openers_coins(model) * (low and model.latest.finished))


PANES: dict[int, Pane[Model]] = {
    PRICE: ("Price", draw_price_pane),
    SELLER_PLAN: ("Seller", draw_table),
    BUYER_PLAN: ("Buyer", draw_table),
    WALLETS: ("Wallets", draw_wallets),
    OFFERS: ("Offers", draw_offers),
    GAMES: ("Games", draw_games),
}
VIEW = View(
    PANES,
    {
        "title": draw_title,
        "words": draw_words,
        "caption": draw_caption,
        "ribbon": draw_games_line,
        "time_line": draw_time_bar,
        "legend": draw_last_row,
        "state_seller": lambda canvas, model: draw_state_line(canvas, model, Role.SELLER),
        "state_buyer": lambda canvas, model: draw_state_line(canvas, model, Role.BUYER),
        "footer": draw_footer,
    },
    BOXES,
    panes_of_game,
    moving={PRICE: _motion, "caption": page_of_caption, "title": _awaited},
)
draw, render = VIEW.draw, VIEW.render
