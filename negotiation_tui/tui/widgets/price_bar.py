"""The price bar: the original's picture of a negotiation, offer by offer."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from negotiation_tui.game.negotiation import NO_STATE, Transcript, Turn
from negotiation_tui.game.roles import Role
from negotiation_tui.solvers.subgame_perfect import Equilibrium
from negotiation_tui.tui.toolkit.axis import LABELS, Axis, draw_scale
from negotiation_tui.tui.toolkit.boxes import draw_heading_line
from negotiation_tui.tui.toolkit.canvas import Canvas

PRICE_HEIGHT = 6
"""Rows of the thinnest price bar, with its heading."""
VERBS = {Role.SELLER: "asks", Role.BUYER: "offers"}
_NARROW, _WIDE = 70, 100
_STILL_WIDTH = 80
_TRAIL = "▓▒░"
_SHARE = 10
"""Cells of the bar of a share."""
_THICKEST = 3


@dataclass(frozen=True, slots=True)
class PriceBarView:
    """A negotiation so far, and everything else that its price bar shows."""

    shown: Transcript
    """The negotiation up to the last turn shown."""
    equilibria: tuple[int, ...] = ()
    """Prices of the equilibria, in ascending order."""
    progress: float = 1.0
    """Share of its way (0 to 1) that the newest marker has moved."""
    flash: bool = False
    """True while the announcement of a deal is in its flash colours."""
    reason: str = ""
    """A remark after the last offer."""
    cursor: int | None = None
    """The price that a person is choosing, if the person must act next."""
    waiting: str = ""
    """The announcement before the first turn."""

    @property
    def broken_off(self) -> bool:
        """True if the negotiation ended without a deal."""
        return self.shown.over and not self.shown.outcome.deal


def reason(
    shown: Transcript,
    trainee: Role | None,
    epsilon: float,
    learned: Sequence[bool],
    best: str = "its best",
) -> str:
    """Return why the last offer of an episode was made: a guess, the best known, or a frozen plan.

    `learned` is True for each seat that plays from a learned table, seller first. `best`
    names what the trainee does while it does not guess.
    """
    if trainee is None or not shown.turns:
        return ""
    last = shown.turns[-1]
    if last.state == NO_STATE:
        return "a random start"
    if last.role is trainee:
        does = "a guess" if last.explored else best
        return f"{does}; it guesses {epsilon:.0%} (ε {epsilon:.2f})".replace("%", " %")
    return "plays what it knew a cycle ago (frozen)" if learned[last.role] else ""


def prices_of(equilibria: Iterable[Equilibrium]) -> tuple[int, ...]:
    """Return the distinct prices that equilibrium players agree on, in ascending order."""
    prices = {equilibrium.path.outcome.price for equilibrium in equilibria}
    return tuple(sorted(price for price in prices if price is not None))


def still(transcript: Transcript, note: str = "") -> Canvas:
    """Draw a price bar on a canvas of its own, 80 columns wide, with a note in its heading."""
    canvas = Canvas(_STILL_WIDTH, PRICE_HEIGHT)
    draw_heading_line(canvas, "Price", False, note)
    draw_price_bar(canvas, PriceBarView(transcript))
    return canvas


def draw_price_bar(canvas: Canvas, view: PriceBarView) -> None:
    """Draw the announcement and the bars, from row 1 on."""
    draw_announcement(canvas, view)
    draw_bars(canvas, view)


def draw_announcement(canvas: Canvas, view: PriceBarView) -> None:
    """Describe the last turn on row 1."""
    shown = view.shown
    if not shown.turns:
        canvas.write(1, 1, view.waiting, "faint")
        return
    last = shown.turns[-1]
    left = f"round {last.round + 1} of {shown.scenario.rounds}"
    if canvas.width >= _NARROW:
        left = f"{left} · {shown.opener} opened"
    if not shown.over:
        canvas.write(1, 1, left, "faint")
        offer = f"{last.role} {VERBS[last.role]} {last.price}"
        x = len(left) + 5
        canvas.write(1, x, offer, str(last.role))
        _draw_reason(canvas, view, x + len(offer) + 2)
    elif view.broken_off:
        canvas.write(1, 1, " NO DEAL ", "no-deal")
        walks = f"the {last.role} walks away in round {last.round + 1}"
        canvas.write(1, 12, walks, "faint")
        _draw_reason(canvas, view, 12 + len(walks) + 3)
    else:
        text = f" DEAL at {last.price} "
        canvas.write(1, 1, text, "deal-flash" if view.flash else "deal")
        x = len(text) + 3
        longest = f"the {last.role} accepts in round {last.round + 1}"
        accepts = longest if x + len(longest) < canvas.width else f"the {last.role} accepts"
        canvas.write(1, x, accepts, "faint")
        _draw_shares(canvas, view, x + len(accepts) + 3)


def _draw_reason(canvas: Canvas, view: PriceBarView, x: int) -> None:
    """Draw a reason, or if it has no room its term in brackets."""
    for text in (view.reason, view.reason[max(0, view.reason.rfind("(")) :]):
        if x + len(text) <= announcement_width(canvas, view):
            canvas.write(1, x, text, "faint")
            return


def _draw_shares(canvas: Canvas, view: PriceBarView, x: int) -> None:
    """Draw who gains how much of the surplus, as bars if there is room."""
    scenario, price = view.shown.scenario, view.shown.outcome.price
    room = announcement_width(canvas, view) - x
    shares = [(role, scenario.reward(role, price or 0)) for role in Role]
    for bars in (True, False):
        parts = [(str(role), f"{share:.0%}".replace("%", " %"), share) for role, share in shares]
        gap = _SHARE + 3 if bars else 2
        if sum(len(name) + len(text) + 1 + gap for name, text, _ in parts) - 2 > room:
            continue
        for name, text, share in parts:
            canvas.write(1, x, f"{name} {text}", name)
            x += len(name) + len(text) + 2
            if bars:
                full = min(_SHARE, max(0, round(share * _SHARE)))
                canvas.write(1, x, "█" * full, name)
                canvas.write(1, x + full, "░" * (_SHARE - full), "faint")
                x += _SHARE + 1
            x += 1
        return


def draw_bars(canvas: Canvas, view: PriceBarView) -> None:
    """Draw the scale, a bar per role with marker and trail, and the zone; from row 2 on.

    A high canvas has room for every offer on a row of its own, below.
    """
    prices = view.shown.scenario.prices
    thick = min(_THICKEST, max(1, (canvas.height - 4) // 2))
    axis = Axis(prices[0], prices[-1], LABELS + 1, canvas.width - LABELS - 3)
    draw_scale(canvas, axis, prices, 2)
    for role, y in ((Role.BUYER, 3), (Role.SELLER, 3 + thick)):
        canvas.write(y + (thick - 1) // 2, 0, f" {role}".upper(), str(role))
        for row in range(y, min(y + thick, canvas.height - 1)):
            _draw_bar(canvas, view, axis, role, row, numbered=row == y + (thick - 1) // 2)
    _draw_zopa(canvas, axis, 3 + 2 * thick, view.shown.scenario.zopa, view.equilibria)
    _draw_equilibria(canvas, axis, 3 + 2 * thick, view)
    if view.broken_off:
        canvas.rows(3, 4 + 2 * thick).restyle("faint")
    draw_turns(canvas.rows(5 + 2 * thick, canvas.height), axis, view.shown)


def draw_turns(canvas: Canvas, axis: Axis, shown: Transcript) -> None:
    """Draw the last turns that have room, below their prices on the axis: offers and the end."""
    accept = shown.scenario.accept
    for y, turn in enumerate(shown.turns[max(0, len(shown.turns) - canvas.height) :]):
        canvas.write(y, 0, f"{turn.round + 1} {turn.role}", str(turn.role))
        if turn.price is None:
            canvas.write(y, axis.x, "walks away", "faint")
            continue
        deal = turn.action == accept
        text = f"◆ {turn.price} accepted" if deal else str(turn.price)
        canvas.write(y, axis.x, "·" * axis.width, "faint")
        x = axis.column(turn.price) - (0 if deal else len(text) // 2)
        x = max(axis.x, min(x, axis.x + axis.width - len(text)))
        canvas.write(y, x, text, "bold" if deal else f"{turn.role}-trail")


def _draw_bar(
    canvas: Canvas, view: PriceBarView, axis: Axis, role: Role, y: int, numbered: bool
) -> None:
    shown = view.shown
    acceptable = shown.scenario.acceptable_range(role)
    low = axis.column(max(acceptable.minimum, axis.low))
    high = axis.column(min(acceptable.maximum, axis.high))
    ends = low, high + 1
    canvas.write(y, low, "·" * (high - low + 1), "faint")
    if shown.scenario.zopa is not None:
        low, high = (axis.column(price) for price in shown.scenario.zopa)
        canvas.write(y, low, "·" * (high - low + 1), f"{role}-range")
    turns = [turn for turn in shown.turns if turn.role is role and turn.price is not None]
    if view.cursor is not None and shown.position and shown.position.role is role:
        _draw_trail(canvas, axis, role, y, turns)
        column = axis.column(view.cursor)
        _draw_marker(canvas, ends, role, y, column, f"[{view.cursor}]", numbered)
    elif turns:
        _draw_trail(canvas, axis, role, y, turns[:-1])
        column = _sliding(view, axis, turns)
        _draw_marker(canvas, ends, role, y, column, f" {turns[-1].price} ", numbered)


def _draw_trail(canvas: Canvas, axis: Axis, role: Role, y: int, turns: list[Turn]) -> None:
    for age, turn in reversed(list(enumerate(reversed(turns)))):
        glyph = _TRAIL[min(age, len(_TRAIL) - 1)]
        canvas.write(y, axis.column(turn.price or 0), glyph, f"{role}-trail")


def _draw_marker(
    canvas: Canvas,
    ends: tuple[int, int],
    role: Role,
    y: int,
    column: int,
    text: str,
    numbered: bool,
) -> None:
    """Draw a price on its bar, between its ends; a thick bar has the number in its middle row."""
    x = max(ends[0], min(column - len(text) // 2, ends[1] - len(text)))
    canvas.write(y, x, text if numbered else " " * len(text), f"{role}-mark")


def _sliding(view: PriceBarView, axis: Axis, turns: list[Turn]) -> int:
    """Return the column of the marker, between the last two prices while it moves."""
    to = axis.column(turns[-1].price or 0)
    if len(turns) < 2 or view.shown.turns[-1] is not turns[-1]:
        return to
    start = axis.column(turns[-2].price or 0)
    return start + round((to - start) * view.progress)


def _draw_equilibria(canvas: Canvas, axis: Axis, y: int, view: PriceBarView) -> None:
    """Draw a mark below each price of an equilibrium."""
    for price in view.equilibria:
        canvas.write(y, axis.column(price), "▲", "bold")
    if _theory_fits(canvas, view):
        canvas.write_right(1, f"{_theory(view)}  ", "faint")


def _theory(view: PriceBarView) -> str:
    """Return the prices of the equilibria as text."""
    return f"▲ theory: {' or '.join(map(str, view.equilibria))}"


def announcement_width(canvas: Canvas, view: PriceBarView) -> int:
    """Return the column up to which the announcement may reach, before what theory says."""
    return canvas.width - (len(_theory(view)) + 4 if _theory_fits(canvas, view) else 2)


def _theory_fits(canvas: Canvas, view: PriceBarView) -> bool:
    return bool(view.equilibria) and canvas.width >= _WIDE


def _draw_zopa(
    canvas: Canvas, axis: Axis, y: int, zopa: tuple[int, int] | None, marked: tuple[int, ...]
) -> None:
    """Draw a bracket under the prices that both accept, its text between the equilibria's marks."""
    if zopa is None:
        canvas.write(y, axis.x, "no zone of possible agreement", "faint")
        return
    x, end = (axis.column(price) for price in zopa)
    marks = {axis.column(price) for price in marked if zopa[0] <= price <= zopa[1]}
    left, right = x - (x in marks), end + (end in marks)  # the corners leave room for a mark
    canvas.write(y, left, "└" + "─" * max(0, right - left - 1) + "┘", "faint")
    stops = sorted({x, end, *marks})
    gaps = [(after - before - 1, before + 1) for before, after in itertools.pairwise(stops)]
    middle, most = (x + end + 1) / 2, max(gaps, default=(0, 0))[0]
    long = f" zone of possible agreement {zopa[0]} … {zopa[1]} "
    text = next((text for text in (long, " ZOPA ") if len(text) <= most), "")
    starts = [
        min(max(math.ceil(middle - len(text) / 2), left), left + gap - len(text))
        for gap, left in gaps
        if gap >= len(text)
    ]
    if starts:  # as near the middle as can be
        at = min(starts, key=lambda start: abs(start + len(text) / 2 - middle))
        canvas.write(y, at, text, "faint")
