"""The price bar: the price as a knife that divides what there is to gain, offer by offer.

Its axis goes from the seller's cost to the buyer's worth. The part in a role's colour is what this
role gets, or would get by the standing offer. Above it the offers of both come nearer to each
other. A deal fills all rows; without a deal an empty frame remains. Time costs shorten both parts
with each offer, from the outer ends in, inside the frame of what there was.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.runtime.text import first_fitting, money, shortened, waiting_cost
from negotiation_tui.solvers.subgame_perfect import Equilibrium
from negotiation_tui.tui.toolkit.boxes import draw_heading_line
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.chart import Axis, draw_scale
from negotiation_tui.tui.toolkit.layout import PRICE_HEIGHT
from negotiation_tui.tui.widgets.limit_strip import NUMBER, LimitStrip, draw_limit_strip
from negotiation_tui.tui.widgets.words import VERBS, deed

_STILL_WIDTH = 80
_NARROW = 60
_ROOMY = (
    90  # columns from which a person's turn and the words of theory have room beside each other
)
_MARGIN = 12  # columns to the left of the axis
_UNEXPECTED = "unexpected"
_CAKE = 8  # the most rows of both parts
FILLS = {Role.SELLER: "▒█", Role.BUYER: "░▓"}
"""The fill of each role's part: of what it would get, or got in practice, and of what it gets."""
_UNKNOWN = "?"  # the amount that a role gets while its limit is hidden


class PriceBarView(NamedTuple):
    """A negotiation so far, and everything else that its price bar shows."""

    shown: Transcript  # the negotiation up to the last turn shown
    equilibria: tuple[int, ...] = ()  # prices of the equilibria, in ascending order
    progress: float = 1.0  # share of its way (0 to 1) that the newest marker has moved
    reason: str = ""  # a remark after the last offer
    words: tuple[Role, str] | None = None  # a role and what it said, in place of the remark
    cursor: int | None = None  # the price that a person is choosing, if the person must act next
    waiting: str = ""  # the announcement before the first turn
    strips: tuple[LimitStrip | None, LimitStrip | None] = (None, None)
    """The strips of seller and buyer; None without hidden limits."""

    @property
    def limits(self) -> tuple[int | None, int | None]:
        """The seller's cost and the buyer's worth; None while a limit is hidden."""
        values = self.shown.scenario.reservation_values
        return pair(
            limit if strip is None else strip.drawn
            for limit, strip in zip(values, self.strips, strict=True)
        )

    @property
    def theory(self) -> str:
        """The prices of the equilibria as text; empty without any."""
        return f"▲ {theory_text(self.equilibria)}" if self.equilibria else ""

    @property
    def ends(self) -> tuple[int, int]:
        """The ends of the axis: all prices, and both limits, or all that they may be."""
        scenario = self.shown.scenario
        marks = *scenario.prices, *scenario.reservation_values, *scenario.origin.reservation_values
        return min(marks), max(min(marks) + 1, *marks)

    @property
    def broken_off(self) -> bool:
        """True if the negotiation ended without a deal."""
        return self.shown.over and not self.shown.outcome.deal

    @property
    def price(self) -> int | None:
        """The price that divides: of the deal, the standing offer, or one that is being chosen."""
        prices = [price for price in self.shown.prices if price is not None]
        if self.cursor is not None:
            return self.cursor
        return None if self.broken_off or not prices else prices[-1]

    @property
    def knife(self) -> float:
        """The price on its way from the one before."""
        to = self.price or 0
        before = [price for price in self.shown.prices[:-1] if price is not None]
        slides = before and self.cursor is None
        return before[-1] + (to - before[-1]) * self.progress if slides else to

    @property
    def offer(self) -> int:
        """The number of the offer that divides, from 0."""
        return self.shown.offer + (self.cursor is not None)

    @property
    def left(self) -> tuple[float, float]:
        """The share of each part that time has left, seller's first, on the way to the offer."""
        still = self.progress if self.cursor is None and not self.shown.over else 1
        return pair(d ** max(0.0, self.offer - 1 + still) for d in self.shown.scenario.delta)

    def range_of(self, role: Role) -> tuple[int, int]:
        """Return a role's best and worst price; with a hidden limit those of all its limits."""
        scenario, strip = self.shown.scenario, self.strips[role]
        if strip is not None and strip.drawn is None:
            scenario = scenario.origin
        acceptable, prices = scenario.acceptable_range(role), scenario.prices
        low, high = max(acceptable.minimum, prices[0]), min(acceptable.maximum, prices[-1])
        return (low, high) if role is Role.BUYER else (high, low)

    def offers(self, role: Role) -> list[int]:
        """Return the prices that a role offered or accepted, the newest last."""
        turns = self.shown.turns
        return [turn.price for turn in turns if turn.role is role and turn.price is not None]

    def chooses(self, role: Role) -> bool:
        """True if a person chooses a price for this role now."""
        position = self.shown.position
        return self.cursor is not None and position is not None and position.role is role

    def gains(self, price: int) -> tuple[str, str]:
        """Return the money that seller and buyer get at a price."""
        found = zip(self.shown.scenario.gains(price, self.offer), self.limits, strict=True)
        return pair(_UNKNOWN if limit is None else money(gain) for gain, limit in found)


def prices_of(equilibria: Iterable[Equilibrium]) -> tuple[int, ...]:
    """Return the distinct prices that equilibrium players agree on, in ascending order."""
    prices = {equilibrium.path.outcome.price for equilibrium in equilibria}
    return tuple(sorted(price for price in prices if price is not None))


def theory_text(prices: Iterable[int]) -> str:
    """Name the prices of the equilibria, alike wherever they stand: theory: 4 or 5."""
    return f"theory: {' or '.join(map(str, prices))}"


def gains_said(view: PriceBarView) -> Iterator[str]:
    """Say what both get at a deal, which is drawn in their parts of the bar."""
    if view.shown.over and view.price is not None:
        seller, buyer = view.gains(view.price)
        yield f"the seller gets {seller} coins, the buyer {buyer}"


def guess(shown: Transcript) -> str:
    """Name the last offer if it was a guess; at the end, the last guess that led to it."""
    if shown.turns and shown.turns[-1].explored:
        return "a guess"
    guesses = [turn for turn in shown.turns if turn.explored and turn.price] * shown.over
    return f"the {guesses[-1].role} guessed {guesses[-1].price}" if guesses else ""


def still(transcript: Transcript, note: str = "", ascii_only: bool = False) -> Canvas:
    """Draw a price bar on a canvas of its own, 80 columns wide, with a note in its heading.

    Hidden limits are shown at the end alone.
    """
    game = transcript.scenario
    drawn = game.reservation_values if transcript.over else (None, None)
    strips = pair(
        None if limits is None else LimitStrip(role, limits.values, None, limit)
        for role, limits, limit in zip(Role, game.origin.limits, drawn, strict=True)
    )
    height = PRICE_HEIGHT + len(Role) - strips.count(None)
    canvas = Canvas(_STILL_WIDTH, height, ascii_only)
    draw_heading_line(canvas, "Price", False, note)
    draw_price_bar(canvas, PriceBarView(transcript, strips=strips))
    return canvas


def draw_price_bar(canvas: Canvas, view: PriceBarView) -> None:
    """Draw the announcement and the picture, from row 1 on."""
    draw_announcement(canvas, view)
    draw_bars(canvas, view)


def draw_announcement(canvas: Canvas, view: PriceBarView) -> None:
    """Describe the last turn on row 1."""
    shown = view.shown
    if not shown.turns:
        canvas.write(1, 1, view.waiting, "faint")
        return
    last = shown.turns[-1]
    when = f"round {last.round + 1} of {shown.scenario.rounds}"
    if not shown.over:
        offer = f"{last.role} {VERBS[last.role]} {last.price}"
        canvas.write(1, 1, offer, str(last.role))
        x = len(offer) + 3
        if canvas.width >= _NARROW:
            canvas.write(1, x, when, "faint")
            x += len(when) + 2
        _draw_reason(canvas, view, x)
        return
    text, does = f"DEAL at {last.price}", f"the {last.role} accepts"
    if view.broken_off:
        text, does = "NO DEAL", f"the {last.role} walks away"
    canvas.write(1, 1, text, "bold")
    cost = waiting_cost(view.shown.lost_to_time, view.shown.scenario.width)
    forms = [f" — {does} in {when}", f" — {does}", ""]
    costs = [cost, cost.partition(" of ")[0]]
    forms = [*(f"{form}; {each}" for each in costs for form in forms[:2] if each), *forms]
    said = first_fitting(forms, announcement_width(canvas, view) - 1 - len(text)) + "  "
    if view.words and last.failed:  # the words say what was done, and why
        said = f" — {last.role}: "
    canvas.write(1, 1 + len(text), said, "normal")
    _draw_reason(canvas, view, 1 + len(text) + len(said))


def _draw_reason(canvas: Canvas, view: PriceBarView, x: int) -> None:
    """Draw a reason, or if it has no room its beginning; or as many words of a role as fit."""
    if view.words:
        role, words = view.words
        canvas.write(1, x, shortened(words, announcement_width(canvas, view) - x), str(role))
        return
    texts = (view.reason, view.reason.partition(":")[0])
    strip = view.strips[view.shown.turns[-1].role]
    if strip and strip.belief and strip.belief.unexpected:  # no limit held possible does that
        texts = (f"{view.reason} · {_UNEXPECTED}".removeprefix(" · "), _UNEXPECTED)
    canvas.write(1, x, first_fitting(texts, announcement_width(canvas, view) - x), "faint")


def announcement_width(canvas: Canvas, view: PriceBarView) -> int:
    """Return the column up to which the announcement may reach, before what theory says."""
    theory = _theory_note(canvas, view)
    return canvas.width - (len(theory) + 2) * bool(theory) - 2


def _theory_note(canvas: Canvas, view: PriceBarView) -> str:
    """Return what theory says; its marks alone where a person needs the room for a move."""
    least = _NARROW if view.cursor is None else _ROOMY
    return view.theory if canvas.width >= least else ""


def draw_bars(canvas: Canvas, view: PriceBarView) -> None:
    """Draw the scale, the offers of both roles and the parts that they divide; from row 2 on.

    Below are the strips of hidden limits. A high canvas has room for every turn on a row of its
    own at the end.
    """
    wide = canvas.width >= _NARROW
    strips = [strip for strip in view.strips if strip is not None]
    known = ("hidden" if limit is None else limit for limit in view.limits)
    around = "limits: cost {}, worth {}".format(*known), *(strip.words for strip in strips)
    canvas.tell("pane", *around, view.theory, *turn_lines(view.shown))
    margin, right = (_MARGIN, 4) if wide or strips else (2, 3)
    axis = Axis(*view.ends, margin, canvas.width - margin - max(right, NUMBER * bool(strips)))
    numbered = _draw_scale(canvas, view, axis)
    if theory := _theory_note(canvas, view):
        canvas.write_right(1, f"{theory}  ", "faint")
    room = canvas.height - 3
    high = 1 + (room >= 8) if strips and room > len(strips) else 0
    below = high * len(strips)
    tracks = 2 if room - below >= 3 else 0  # the same at every moment, also at the end
    cake = max(1, min(_CAKE, room - below - tracks))
    area = canvas.rows(3, 3 + tracks + cake)
    for role in Role if tracks else ():
        _draw_track(area.rows(role, role + 1), view, axis, role)
    _draw_cake(area.rows(tracks, area.height), view, axis)
    y = 3 + area.height
    for strip in strips if below else ():
        draw_limit_strip(canvas.rows(y, y + high), axis, strip, numbered)
        y += high
    draw_turns(canvas.rows(y + 1, canvas.height), axis, view.shown)


def _draw_scale(canvas: Canvas, view: PriceBarView, axis: Axis) -> list[int]:
    """Draw the prices between both limits, which are named at the ends; return their columns."""
    prices = view.shown.scenario.prices
    marks = sorted({axis.low, *prices, axis.high})
    numbered, row = draw_scale(canvas, axis, marks, 2), canvas.line(2)
    for price in view.equilibria:
        text = str(price)
        x = axis.column(price) - len(text) // 2
        if row[x : x + len(text)] == text and row[x - 1] == " ":
            canvas.write(2, x - 1, f"▲{text}", "bold")
    if axis.x >= _MARGIN:
        canvas.write(2, 1, "price", "faint")
    return numbered


def _draw_track(canvas: Canvas, view: PriceBarView, axis: Axis, role: Role) -> None:
    """Draw a role's way from its best price to its last offer, with a notch per earlier offer."""
    turns, chooses = view.shown.turns, view.chooses(role)
    ways = [view.range_of(role)[0], *view.offers(role)]
    low, high = sorted(map(axis.column, view.range_of(role)))
    canvas.write(0, low, "┄" * (high - low + 1), f"{role}-range")
    if axis.x >= _MARGIN:
        canvas.write(0, 1, f"{role}".upper(), str(role))
    if chooses and view.cursor is not None:
        ways.append(view.cursor)
    if len(ways) == 1:
        return
    *_, start, last = ways
    accepts = view.shown.over and turns[-1].role is role
    slides = not chooses and turns[-1].role is role and not accepts
    tip = axis.column(start + (last - start) * view.progress if slides else last)
    begin, end = sorted((axis.column(ways[0]), tip))
    canvas.write(0, begin, "━" * (end - begin + 1), f"{role}-trail")
    for price in ways[1:-1]:
        canvas.write(0, axis.column(price), "┃", f"{role}-trail")
    if accepts:
        text = f" accepts {last} " if turns[-1].price is not None else " walks away "
        canvas.write(0, tip, "┃", str(role))
        x = tip - len(text) if tip - len(text) >= axis.x else tip + 1
        canvas.write(0, x, text, "bold")
        return
    canvas.write(0, tip, "▶" if role is Role.BUYER else "◀", str(role))
    text = f" [{last}] " if chooses else f" {VERBS[role]} {last} "
    after, before = tip + 1, tip - len(text)
    inside, outside = (after, before) if role is Role.BUYER else (before, after)
    fits = axis.x <= inside and inside + len(text) <= axis.x + axis.width
    canvas.write(0, inside if fits else outside, text, str(role))


def _draw_cake(canvas: Canvas, view: PriceBarView, axis: Axis) -> None:
    """Draw the part of each role on all rows, and the knife between them."""
    price, (cost, worth), (low, high) = view.price, view.limits, view.ends
    ends = axis.column(low if cost is None else cost), axis.column(high if worth is None else worth)
    if price is None:
        _draw_frame(canvas, ends, view.broken_off)
        return
    if view.shown.scenario.time_costs:
        _draw_frame(canvas, ends, False)
    knife = axis.column(view.knife)
    seller, buyer = (round(n * (x - knife)) for n, x in zip(view.left, ends, strict=True))
    parts = (knife + seller, knife), (knife + 1, knife + 1 + buyer)
    amounts, over = view.gains(price), view.shown.over
    for role, part, text in zip(Role, parts, _labels(parts, amounts, over), strict=True):
        _draw_part(canvas, role, part, text, over, amounts[role] != _UNKNOWN)
    for y in range(canvas.height):
        canvas.write(y, knife, "┃", "bold")
    for first, end in ((ends[0] + 1, parts[0][0]), (parts[1][1], ends[1])):
        room = end - first
        text = first_fitting((" lost to waiting ", " lost ", "lost"), room)
        canvas.write((canvas.height - 1) // 2, first + (room - len(text)) // 2, text, "faint")


def _labels(
    parts: Iterable[tuple[int, int]], amounts: tuple[str, str], over: bool
) -> tuple[str, str]:
    """Return the words on both parts: a verb on both or on none, and as much as has room."""
    widths = [max(0, end - first) for first, end in parts]
    gets = "gets" if over else "would get"
    names = [str(role).upper() if over else str(role) for role in Role]
    named = zip(names, amounts, strict=True)
    forms = [(f" {name} {gets} {amount} ", f" {name} {amount} ") for name, amount in named]
    verbs = all(len(long) < width for (long, _), width in zip(forms, widths, strict=True))
    return pair(
        first_fitting((*texts[not verbs :], f" {amount} "), width - 1)
        for texts, amount, width in zip(forms, amounts, widths, strict=True)
    )


def _draw_part(
    canvas: Canvas, role: Role, part: tuple[int, int], text: str, over: bool, known: bool
) -> None:
    """Draw what a role gets or, until it is over, what it would get: columns and words."""
    first, width = part[0], max(0, part[1] - part[0])
    fill, style = FILLS[role][over], str(role) if over else f"{role}-range"
    if not known:
        fill, style = "·", "faint"
    for y in range(canvas.height):
        canvas.write(y, first, fill * width, style)
    x = first + (width - len(text)) // 2
    canvas.write((canvas.height - 1) // 2, x, text, f"{role}-mark" if over else str(role))


def _draw_frame(canvas: Canvas, ends: tuple[int, int], ended: bool) -> None:
    """Draw the empty frame around what nobody gets; before an offer it is faint."""
    first, last = sorted(ends)
    style, texts = ("no-deal", (" nobody gains ", " nobody ")) if ended else ("faint", ())
    width, bottom = max(0, last - first - 1), canvas.height - 1
    text = first_fitting(texts, width)
    for y in range(canvas.height):
        canvas.write(y, first, f"│{' ' * width}│", style)
    if bottom:
        canvas.write(0, first, f"┌{'─' * width}┐", style)
        canvas.write(bottom, first, f"└{'─' * width}┘", style)
    canvas.write(bottom // 2, first + 1 + (width - len(text)) // 2, text, style)


def turn_lines(shown: Transcript) -> Iterator[str]:
    """Yield a line per turn, or one if there is no turn yet."""
    if not shown.turns:
        yield "no offer yet"
    for turn in shown.turns:
        yield f"round {turn.round + 1}: the {turn.role} {deed(turn, shown.scenario)}"


def draw_turns(canvas: Canvas, axis: Axis, shown: Transcript) -> None:
    """Draw the last turns that have room, below their prices on the axis: offers and the end."""
    accept = shown.scenario.accept
    for y, turn in enumerate(shown.turns[max(0, len(shown.turns) - canvas.height) :]):
        canvas.write(y, 0, f" {turn.round + 1} {turn.role}", str(turn.role))
        if turn.price is None:
            canvas.write(y, axis.x, "walks away", "faint")
            return
        deal = turn.action == accept
        text = f"✓ {turn.price} accepted" if deal else str(turn.price)
        canvas.write(y, axis.x, "·" * axis.width, "faint")
        x = axis.column(turn.price) - (0 if deal else len(text) // 2)
        x = max(axis.x, min(x, axis.x + axis.width - len(text)))
        canvas.write(y, x, text, "bold" if deal else str(turn.role))
