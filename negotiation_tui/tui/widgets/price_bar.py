"""The price bar: the original's picture of a negotiation, offer by offer.

A strip on its axis shows how likely each hidden limit of a role is to the other role. The likeliest
limit has the highest bar. A limit that was ruled out is a dot.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.text import shortened
from negotiation_tui.solvers.beliefs import Belief
from negotiation_tui.solvers.subgame_perfect import Equilibrium
from negotiation_tui.tui.toolkit.boxes import draw_heading_line
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.chart import LABELS, Axis, draw_scale, upright_bar
from negotiation_tui.tui.toolkit.layout import PRICE_HEIGHT
from negotiation_tui.tui.widgets.words import VERBS, percent

_LEAST, _MOST = 3, 7  # columns of a bar
NUMBER = len(" 100 %")  # columns of a probability beside a bar


class LimitStrip(NamedTuple):
    """The hidden limits of a role, and what is known of the one that was drawn."""

    role: Role
    limits: tuple[int, ...]
    belief: Belief | None  # the belief of the other role, None if it is not known
    drawn: int | None = None  # the limit that was drawn, None while it is not shown
    unknown: str = "not known"  # the reason why there is no belief


class _Bars(NamedTuple):
    """All bars of a strip: each may have its limit before it and a number beside it."""

    limits: dict[int, range]
    """The indices of the limits of which a bar shows the likeliest, by its first column."""
    width: int
    label: int = 0  # columns of the limit; 0 if the scale above says it, or without room
    number: int = 0  # columns of the probability, 0 without room


def draw_limit_strip(
    canvas: Canvas, axis: Axis, strip: LimitStrip, numbered: Sequence[int] = ()
) -> None:
    """Draw the strip on all rows of a canvas; `numbered` are the columns with a price above."""
    foot = canvas.height - 1
    canvas.write(foot, 0, " limit" if strip.drawn is not None else " limit?", "faint")
    bars = _bars(canvas, axis, strip.limits, numbered)
    if strip.belief is not None:
        most = float(strip.belief.chances.max())
        for x, limits in bars.limits.items():
            chance = float(strip.belief.chances[limits.start : limits.stop].max())
            if bars.label:
                canvas.write(foot, x - bars.label, str(strip.limits[limits.start]), "faint")
            if not chance:
                canvas.write(foot, x + bars.width // 2, "·", "faint")
            elif bars.number:
                number = "<1 %" if chance < 0.005 else f"{chance * 100:.0f} %"
                canvas.write(foot, x + bars.width + 1, number, "faint")
            eighths = math.ceil(chance / most * 8 * canvas.height)
            for y, glyph in enumerate(upright_bar(eighths, canvas.height)):
                canvas.write(y, x, glyph.strip() * bars.width, f"{strip.role}-range")
    elif strip.drawn is None:
        canvas.write(foot, axis.x, strip.unknown, "faint")
    if strip.drawn is not None:
        index, text = strip.limits.index(strip.drawn), f" {strip.drawn} "
        at = next(x for x, limits in bars.limits.items() if index in limits)
        x = max(LABELS, at + bars.width // 2 - len(text) // 2)
        x = at - bars.label if bars.label else x
        canvas.write(foot, min(x, canvas.width - len(text)), text, f"{strip.role}-mark")


def _bars(canvas: Canvas, axis: Axis, limits: Sequence[int], numbered: Sequence[int]) -> _Bars:
    """Return bars at the prices of the limits; where these are too near, side by side."""
    columns = [axis.column(min(max(limit, axis.low), axis.high)) for limit in limits]
    said = axis.low <= limits[0] and limits[-1] <= axis.high and {*columns} <= {*numbered}
    longest, each = max(len(str(limit)) for limit in limits) + 1, range(len(limits))
    own = [range(n, n + 1) for n in each]
    beside = [(longest * (not said), NUMBER), (longest * (not said), 0), (0, 0)]
    for (label, number), width in product(beside, range(_MOST, _LEAST - 1, -1)):
        last = canvas.width - width - number
        starts = [min(max(LABELS + label, x - width // 2), last) for x in columns]
        room = label + width + (number or 1)  # a number has a blank of its own
        if all(after - x >= room for x, after in pairwise(starts)):
            return _Bars(dict(zip(starts, own, strict=True)), width, label, number)
    step = axis.width / len(limits)
    if step >= _LEAST + 1:
        label = longest if step > longest + _LEAST else 0
        starts = [axis.x + int(n * step) + label for n in each]
        width = min(_MOST, int(step) - label - 1)
        return _Bars(dict(zip(starts, own, strict=True)), width, label)
    firsts = [-(-column * len(limits) // axis.width) for column in range(axis.width + 1)]
    shared = {axis.x + x: range(*ends) for x, ends in enumerate(pairwise(firsts))}
    return _Bars({x: some for x, some in shared.items() if some}, 1)


_STILL_WIDTH = 80
_NARROW, _WIDE = 70, 100
_SHARE = 10  # cells of the bar of a share
_GAP = 2  # cells between shares
_UNEXPECTED = "unexpected"
_GROWING = "bar", "bar", "apart", "zone", "strip", "strip"
"""The parts that grow by a row, in this order."""


class PriceBarView(NamedTuple):
    """A negotiation so far, and everything else that its price bar shows."""

    shown: Transcript  # the negotiation up to the last turn shown
    equilibria: tuple[int, ...] = ()  # prices of the equilibria, in ascending order
    progress: float = 1.0  # share of its way (0 to 1) that the newest marker has moved
    flash: bool = False  # true while the announcement of a deal is in its flash colours
    reason: str = ""  # a remark after the last offer
    words: tuple[Role, str] | None = None  # a role and what it said, in place of the remark
    cursor: int | None = None  # the price that a person is choosing, if the person must act next
    waiting: str = ""  # the announcement before the first turn
    strips: tuple[LimitStrip | None, LimitStrip | None] = (None, None)
    """The strips of seller and buyer; None without hidden limits."""
    ghost: Transcript | None = None  # the negotiation before this one
    notes: tuple[str, ...] = ()
    """Long and short forms of a remark while a limit is hidden, when no zone is shown; the last one
    fits without strips, too."""

    @property
    def hides(self) -> bool:
        """True if a limit is not shown."""
        return any(strip is not None and strip.drawn is None for strip in self.strips)

    def ends(self, role: Role) -> tuple[int, int]:
        """Return a role's lowest and highest price; with a hidden limit those of all its limits."""
        scenario, strip = self.shown.scenario, self.strips[role]
        if strip is not None and strip.drawn is None:
            scenario = scenario.origin
        acceptable = scenario.acceptable_range(role)
        prices = scenario.prices
        return max(acceptable.minimum, prices[0]), min(acceptable.maximum, prices[-1])

    def offers(self, role: Role) -> list[int]:
        """Return the prices that a role offered or accepted, the newest last."""
        return _prices(self.shown, role)

    def ghost_offers(self, role: Role) -> list[int]:
        """Return a role's prices in the negotiation before, until this one has two offers."""
        two = sum(len(self.offers(each)) for each in Role) > 1
        return [] if two or self.ghost is None else _prices(self.ghost, role)

    def chooses(self, role: Role) -> bool:
        """True if a person chooses a price for this role now."""
        position = self.shown.position
        return self.cursor is not None and position is not None and position.role is role

    @property
    def zopa(self) -> tuple[int, int] | None:
        """The zone of possible agreement, None if there is none or a limit is hidden."""
        return None if self.hides else self.shown.scenario.zopa

    @property
    def broken_off(self) -> bool:
        """True if the negotiation ended without a deal."""
        return self.shown.over and not self.shown.outcome.deal


def _prices(transcript: Transcript, role: Role) -> list[int]:
    return [turn.price for turn in transcript.turns if turn.role is role and turn.price is not None]


def reason(
    shown: Transcript,
    trainee: Role | None,
    epsilon: float,
    learned: Sequence[bool],
    best: str = "its best",
) -> str:
    """Return why the last offer of an episode was made: a guess, the best known, or an old plan.

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
        return f"{does}: it guesses {epsilon * 100:.0f} % of its moves"
    return "as it knew how to a cycle ago" if learned[last.role] else ""


def prices_of(equilibria: Iterable[Equilibrium]) -> tuple[int, ...]:
    """Return the distinct prices that equilibrium players agree on, in ascending order."""
    prices = {equilibrium.path.outcome.price for equilibrium in equilibria}
    return tuple(sorted(price for price in prices if price is not None))


def still(transcript: Transcript, note: str = "", ascii_only: bool = False) -> Canvas:
    """Draw a price bar on a canvas of its own, 80 columns wide, with a note in its heading."""
    canvas = Canvas(_STILL_WIDTH, PRICE_HEIGHT, ascii_only)
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
        return
    text, style, does = f" DEAL at {last.price} ", "deal-flash" if view.flash else "deal", "accepts"
    if view.broken_off:
        text, style, does = " NO DEAL ", "no-deal", "walks away"
    x, who, when = len(text) + 3, f"the {last.role} {does}", f" in round {last.round + 1}"
    if view.broken_off or x + len(who + when) < canvas.width:
        who += when
    canvas.write(1, 1, text, style)
    canvas.write(1, x, who, "faint")
    draw_rest = _draw_reason if view.broken_off or view.words else _draw_shares
    draw_rest(canvas, view, x + len(who) + 3)


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
    for text in texts:
        if x + len(text) <= announcement_width(canvas, view):
            canvas.write(1, x, text, "faint")
            return


def _draw_shares(canvas: Canvas, view: PriceBarView, x: int) -> None:
    """Draw who gains how much of the surplus, as bars if there is room."""
    scenario, price = view.shown.scenario, view.shown.outcome.price
    # Hidden limits have one width of rewards; the surplus is that of the limits drawn.
    width = scenario.lottery.width / scenario.width if scenario.lottery else 1
    shares = {str(role): scenario.reward(role, price or 0) * width for role in Role}
    texts = [f"{role} {percent(share)}" for role, share in shares.items()]
    room = announcement_width(canvas, view) - x - sum(map(len, texts))
    if room < _GAP:
        return
    begin = "gains: " if room >= len("gains: ") + _GAP else ""
    canvas.write(1, x, begin, "faint")
    x, room = x + len(begin), room - len(begin)
    for (role, share), text in zip(shares.items(), texts, strict=True):
        canvas.write(1, x, text, role)
        x += len(text) + _GAP
        if room >= 2 * (_SHARE + _GAP):
            full = min(_SHARE, max(0, round(share * _SHARE)))
            canvas.write(1, x - 1, "█" * full, role)
            canvas.write(1, x - 1 + full, "░" * (_SHARE - full), "faint")
            x += _SHARE + 1


def _theory(canvas: Canvas, view: PriceBarView) -> str:
    """Return the prices of the equilibria as text; empty if there is no room."""
    there = view.equilibria and canvas.width >= _WIDE
    return f"▲ theory: {' or '.join(map(str, view.equilibria))}" if there else ""


def announcement_width(canvas: Canvas, view: PriceBarView) -> int:
    """Return the column up to which the announcement may reach, before what theory says."""
    theory = _theory(canvas, view)
    return canvas.width - (len(theory) + 4 if theory else 2)


def _rows(room: int, strips: int) -> dict[str, int]:
    """Return the rows of each part of the bars; the most telling parts grow first."""
    each = {"bar": 2, "strip": strips, "zone": 1, "apart": 1}
    rows = dict.fromkeys(each, 0) | {"bar": 1}
    room -= each["bar"]
    for part in ("strip",) * (strips > 0) + _GROWING:
        if each[part] <= room:
            rows[part] += 1
            room -= each[part]
    return rows


def draw_bars(canvas: Canvas, view: PriceBarView) -> None:
    """Draw the scale, a bar per role with marker and trail, and the zone; from row 2 on.

    Below the bar of a role with hidden limits is their strip. A high canvas has room for every
    offer on a row of its own, below.
    """
    prices, strips = view.shown.scenario.prices, view.strips
    rows = _rows(canvas.height - 3, sum(strip is not None for strip in strips))
    beside = NUMBER if rows["strip"] else 0  # room for that of the last limit
    axis = Axis(prices[0], prices[-1], LABELS + 1, canvas.width - LABELS - 3 - beside)
    numbered, y = draw_scale(canvas, axis, prices, 2), 3
    for price in view.equilibria:
        x = axis.column(price) - len(str(price)) // 2 - 1
        canvas.write(2, max(x, axis.x - 2), "▲", "bold")
    if theory := _theory(canvas, view):
        canvas.write_right(1, f"{theory}  ", "faint")
    for role in (Role.BUYER, Role.SELLER):
        area = canvas.rows(y, y + rows["bar"])
        _draw_bar(area, view, axis, role)
        y, strip = y + rows["bar"], strips[role]
        if strip is not None and rows["strip"]:
            draw_limit_strip(canvas.rows(y, y + rows["strip"]), axis, strip, numbered)
            y += rows["strip"]
        if rows["apart"] and role is Role.BUYER:
            _draw_apart(canvas.rows(y, y + 1), view, axis)
            y += 1
    if rows["zone"]:
        _draw_zone(canvas, axis, y, view, view.notes if rows["strip"] else view.notes[-1:])
        y += 1
    draw_turns(canvas.rows(y + 1, canvas.height), axis, view.shown)


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
        canvas.write(y, x, text, "bold" if deal else str(turn.role))


def _draw_bar(canvas: Canvas, view: PriceBarView, axis: Axis, role: Role) -> None:
    """Draw the whole range of a role, filled from its best price to its last offer.

    The middle row has the last price, and in words how far the role gave way. Earlier offers are
    notches; those of the negotiation before are dotted, until this one has two offers.
    """
    low, high = (axis.column(price) for price in view.ends(role))
    offers = view.offers(role)
    last = view.cursor if view.chooses(role) else offers[-1] if offers else None
    canvas.write(0, 0, f" {role}".upper(), str(role))
    if canvas.height > 1:
        canvas.write(1, 0, f" {_does(view, role, last)}"[:LABELS], str(role))
    fill, lit = ("▒", "range") if view.broken_off else ("▓", "trail")
    best, worst = view.ends(role) if role is Role.BUYER else view.ends(role)[::-1]
    middle = (canvas.height - 1) // 2
    exact = _sliding(view, best, role)
    at = min(view.shown.scenario.prices, key=lambda price: abs(price - exact))
    column = axis.column(exact)
    begin, end = sorted((axis.column(best), column))
    gave = f" gave way {abs(at - best)} of {abs(worst - best)} "
    for y in range(canvas.height):
        canvas.write(y, low, "░" * (high - low + 1), f"{role}-range")
        for price in view.ghost_offers(role):
            canvas.write(y, axis.column(price), "┊", "faint")
        if last is None:
            continue
        canvas.write(y, begin, fill * (end - begin + 1), f"{role}-{lit}")
        for price in offers if view.chooses(role) else offers[:-1]:
            canvas.write(y, axis.column(price), "│", f"{role}-{lit}")
        if y == middle and canvas.height > 1 and len(gave) + 3 <= end - begin:
            x = begin + 1 if role is Role.BUYER else end - len(gave)
            canvas.write(y, x, gave, str(role))
        text = f"[{at}]" if view.chooses(role) else f" {at} "
        x = max(low - 1, min(column - len(text) // 2, high + 2 - len(text)))
        style = f"{role}-mark" if not view.broken_off else str(role)
        canvas.write(y, x, text if y == middle else " " * len(text), style)


def _does(view: PriceBarView, role: Role, at: int | None) -> str:
    """Return a role's last action, or that it must move; empty before its first."""
    last = view.shown.turns[-1] if view.shown.turns else None
    if view.shown.over and last and last.role is role:
        return "walks away" if last.price is None else f"accepts {last.price}"
    if at is None:
        position = view.shown.position
        return "to move" if last and position and position.role is role else ""
    return f"{VERBS[role]} {at}"


def _sliding(view: PriceBarView, best: int, role: Role) -> float:
    """Return the price of the marker, between the last two prices while it moves."""
    if view.chooses(role) and view.cursor is not None:
        return view.cursor
    start, to = [best, best, *view.offers(role)][-2:]
    moves = view.shown.turns[-1:] and view.shown.turns[-1].role is role
    return start + (to - start) * view.progress if moves else to


def _draw_apart(canvas: Canvas, view: PriceBarView, axis: Axis) -> None:
    """Draw how far the last offers are apart, or that they meet, between the two bars."""
    buyer, seller = view.offers(Role.BUYER)[-1:], view.offers(Role.SELLER)[-1:]
    if not (buyer and seller) or view.broken_off:
        return
    left, right = sorted((axis.column(buyer[0]), axis.column(seller[0])))
    apart = abs(seller[0] - buyer[0])
    text = f" {apart} apart " if apart else " they meet "
    if right - left - 1 >= len(text):
        canvas.write(0, left, f"╰{text.center(right - left - 1, '─')}╯", "faint")
    else:
        x = max(axis.x, min((left + right - len(text)) // 2 + 1, axis.x + axis.width - len(text)))
        canvas.write(0, x, text, "faint" if apart else "bold")


def _draw_zone(
    canvas: Canvas, axis: Axis, y: int, view: PriceBarView, notes: Sequence[str]
) -> None:
    """Draw a bracket under the prices that both accept, with as long a text as fits."""
    earlier = any(len(view.offers(role)) > 1 for role in Role)
    before = any(view.ghost_offers(role) for role in Role)
    both = "│ earlier offers" * earlier, "┊ the negotiation before" * before
    signs = " · ".join(filter(None, both))
    x, end = axis.x, canvas.width + 1
    if view.hides:
        texts = [*notes, ""]
    elif view.zopa is None:
        texts = ["no zone of possible agreement"]
    else:
        texts = [f" zone of possible agreement {view.zopa[0]} … {view.zopa[1]} ", " ZOPA ", ""]
        x, end = (axis.column(price) for price in view.zopa)
    room = max(0, end - x - 1)
    texts[:0] = [f"{text.rstrip()} · {signs} " for text in texts[:1] if signs]
    text = next((text for text in texts if len(text) <= room), "")
    bracket = view.zopa is not None
    canvas.write(y, x, f"└{text.center(room, '─')}┘" if bracket else text, "faint")
