"""The price bar: the original's picture of a negotiation, offer by offer."""

import itertools
import math

from negotiation_tui.game.negotiation import Position, Turn
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.tui.negotiation.human_controls import cursor, your_turn
from negotiation_tui.tui.negotiation.layout import PRICE
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.frame import draw_heading
from negotiation_tui.tui.negotiation.playback import Playback
from negotiation_tui.tui.toolkit.axis import LABELS, Axis, draw_scale
from negotiation_tui.tui.toolkit.canvas import Canvas

NARROW, WIDE = 70, 100
_TRAIL = "▓▒░"
_VERBS = {Role.SELLER: "asks", Role.BUYER: "offers"}


def draw_price_bar(canvas: Canvas, model: Model) -> None:
    """Who offers what, below a heading that says where in the training this is."""
    draw_heading(canvas, model, PRICE, "Price", *_where(model))
    draw_bars(canvas, model)


def draw_bars(canvas: Canvas, model: Model) -> None:
    """A light bar for each range, a marker at the price, the trail behind it; from row 1 on."""
    scenario = model.snapshot.scenario
    thick = max(1, (canvas.height - 4) // 2)
    axis = Axis(scenario.prices[0], scenario.prices[-1], LABELS + 1, canvas.width - LABELS - 3)
    _draw_announcement(canvas, model)
    draw_scale(canvas, axis, scenario.prices, 2)
    for role, y in ((Role.BUYER, 3), (Role.SELLER, 3 + thick)):
        canvas.put(y + (thick - 1) // 2, 0, f" {role}".upper(), str(role))
        for row in range(y, min(y + thick, canvas.height - 1)):
            _draw_bar(canvas, model, axis, role, row, numbered=row == y + (thick - 1) // 2)
    equilibria = _equilibrium_prices(model)
    _draw_zopa(canvas, axis, 3 + 2 * thick, scenario.zopa, equilibria)
    _draw_equilibria(canvas, axis, 3 + 2 * thick, equilibria)
    if model.playback and model.playback.over and not model.playback.deal:
        canvas.rows(3, 4 + 2 * thick).restyle("faint")


def _where(model: Model) -> tuple[str, ...]:
    """Where in the training the negotiation on the bar belongs, at length and in short."""
    playback, parameters = model.playback, model.snapshot.parameters
    if playback is None:
        return (f"cycle 1/{parameters.cycles:,}",)
    shown = playback.negotiation
    if shown.what_if is not None:
        esc = model.keys["close"]
        return f"what if, from turn {shown.what_if + 1} on · {esc}: how it was", "what if"
    score = model.snapshot.score
    if score is not None:
        number = score.negotiations + (not shown.transcript.over)
        return f"you are the {score.role} · negotiation {number}", "you play"
    if PERSON in model.snapshot.strategies:
        role = Role(model.snapshot.strategies.index(PERSON))
        return f"a person is the {role} · nobody trains", "a person plays"
    if shown.test:
        last = shown.cycle + 1 == parameters.cycles
        done = f"{'all' if last else f'{shown.cycle + 1:,} of'} {parameters.cycles:,} cycles done"
        return f"{done} · test negotiation", done
    trained = f"training the {shown.trainee}" if shown.trainee is not None else "nobody trains"
    sample = "sample: " if model.running and not model.pace.seen else ""
    cycle = f"{sample}cycle {shown.cycle + 1:,}/{parameters.cycles:,}"
    longer = f"{cycle} · negotiation {shown.episode + 1:,}/{parameters.episodes:,}"
    return f"{longer} · {trained}", longer, cycle


def _draw_announcement(canvas: Canvas, model: Model) -> None:
    """What is going on, in words."""
    playback = model.playback
    if playback is None:
        text = "the first negotiation is about to begin"
        press = f"press {model.keys['run']} to begin"
        canvas.put(1, 1, text if model.running else press, "faint")
        return
    turn = your_turn(model)
    if turn is not None:
        _draw_your_turn(canvas, model, turn)
        return
    if not playback.turns:
        return
    last = playback.turns[-1]
    rounds = model.snapshot.scenario.rounds
    opener = playback.negotiation.transcript.opener
    left = f"round {last.round + 1} of {rounds} · {opener} opened"
    if canvas.width < NARROW:
        left = f"round {last.round + 1} of {rounds}"
    if not playback.over:
        canvas.put(1, 1, left, "faint")
        said = f"{last.role} {_VERBS[last.role]} {last.price}"
        x = len(left) + 5
        learner = model.snapshot.strategies[last.role] is None
        canvas.put(1, x, said, str(last.role))
        why = _why(playback, last, learner)
        if x + len(said) + 2 + len(why) <= canvas.width:
            canvas.put(1, x + len(said) + 2, why, "faint")
    elif playback.deal:
        text = f" DEAL at {last.price} "
        canvas.put(1, 1, text, "deal-flash" if playback.flash else "deal")
        canvas.put(1, len(text) + 3, f"the {last.role} accepts · {left}", "faint")
    else:
        canvas.put(1, 1, " NO DEAL ", "no-deal")
        canvas.put(1, 12, f"the {last.role} quits · {left}", "faint")


def _draw_your_turn(canvas: Canvas, model: Model, position: Position) -> None:
    """What is on the table, and what the person can do now."""
    left = f"round {position.ply // 2 + 1} of {position.scenario.rounds}   "
    other, said = position.role.other, ""
    if position.on_table is not None:
        said = f"{other} {_VERBS[other]} {position.on_table}   "
    price = position.scenario.prices[cursor(model, position)]
    offer = f"{model.keys['take']} {_VERBS[position.role]} {price}"
    accepts = f"{model.keys['accept']} accepts {position.on_table}"
    accept = accepts * (position.scenario.accept in position.legal)
    quits = f"{model.keys['reject']} quits" * (position.on_table is not None)
    keys = ", ".join(filter(None, ("" if position.last_decision else offer, accept, quits)))
    arrows = "" if position.last_decision else model.keys.said("{left}{right} choose, ")
    longest = f"your turn: {arrows}{keys}", f"your turn: {keys}", keys
    for before, text in (*((left, text) for text in longest), ("", keys), ("", "your turn")):
        if 1 + len(before + said + text) <= canvas.width:
            canvas.put(1, 1, before, "faint")
            canvas.put(1, 1 + len(before), said, str(other))
            canvas.put(1, 1 + len(before + said), text, "message")
            return


def _why(playback: Playback, turn: Turn, learner: bool) -> str:
    """Whether the trainee drew this at random or played its best, or the trainer's was frozen."""
    shown = playback.negotiation
    if shown.what_if is not None and playback.visible > shown.what_if:
        return "(what if)" if playback.visible == shown.what_if + 1 else ""
    if shown.trainee is None:
        return ""
    if turn.role is not shown.trainee and turn.explored:
        return "(put on the table to begin with)"
    if turn.role is not shown.trainee:
        return "(from its frozen table)" if learner else ""
    how = "explored" if turn.explored else "its best"
    return f"({how}, ε {shown.epsilon:.2f})"


def _draw_bar(canvas: Canvas, model: Model, axis: Axis, role: Role, y: int, numbered: bool) -> None:
    scenario = model.snapshot.scenario
    held = scenario.range_of(role)
    low = axis.column(max(held.minimum, axis.low))
    high = axis.column(min(held.maximum, axis.high))
    canvas.put(y, low, "·" * (high - low + 1), f"{role}-range")
    if model.playback is None:
        return
    turns = [turn for turn in model.playback.turns if turn.role is role and turn.price is not None]
    position = your_turn(model)
    if position is not None and position.role is role and not position.last_decision:
        _draw_trail(canvas, axis, role, y, turns)
        chosen = f"[{scenario.prices[cursor(model, position)]}]"
        column = axis.column(scenario.prices[cursor(model, position)])
        _draw_marker(canvas, axis, role, y, column, chosen, numbered)
    elif turns:
        _draw_trail(canvas, axis, role, y, turns[:-1])
        column = _sliding(model.playback, axis, turns)
        _draw_marker(canvas, axis, role, y, column, f" {turns[-1].price} ", numbered)


def _draw_trail(canvas: Canvas, axis: Axis, role: Role, y: int, turns: list[Turn]) -> None:
    for age, turn in reversed(list(enumerate(reversed(turns)))):
        glyph = _TRAIL[min(age, len(_TRAIL) - 1)]
        canvas.put(y, axis.column(turn.price or 0), glyph, f"{role}-trail")


def _draw_marker(
    canvas: Canvas, axis: Axis, role: Role, y: int, column: int, text: str, numbered: bool
) -> None:
    """A price on its bar; a thick bar has the number in its middle row."""
    x = max(axis.x - 1, min(column - len(text) // 2, axis.x + axis.width + 1 - len(text)))
    canvas.put(y, x, text if numbered else " " * len(text), f"{role}-mark")


def _sliding(playback: Playback, axis: Axis, turns: list[Turn]) -> int:
    """The column of the marker, between the last two prices while it moves."""
    to = axis.column(turns[-1].price or 0)
    if len(turns) < 2 or playback.turns[-1] is not turns[-1]:
        return to
    start = axis.column(turns[-2].price or 0)
    return start + round((to - start) * playback.progress)


def _equilibrium_prices(model: Model) -> list[int]:
    """What equilibrium players agree on when this opener opens, with either rule for ties."""
    opener = model.playback.negotiation.transcript.opener if model.playback else Role.SELLER
    prices = [found.path.outcome.price for found in model.snapshot.equilibria[opener]]
    return sorted({price for price in prices if price is not None})


def _draw_equilibria(canvas: Canvas, axis: Axis, y: int, prices: list[int]) -> None:
    """A mark below each of them."""
    for price in prices:
        canvas.put(y, axis.column(price), "▲", "bold")
    if prices and canvas.width >= WIDE:
        canvas.put_right(1, f"▲ equilibrium {' or '.join(map(str, prices))}  ", "faint")


def _draw_zopa(
    canvas: Canvas, axis: Axis, y: int, zopa: tuple[int, int] | None, marked: list[int]
) -> None:
    """A bracket under the prices both would accept, its words between the marks on it."""
    if zopa is None:
        canvas.put(y, axis.x, "no zone of possible agreement", "faint")
        return
    x, end = (axis.column(price) for price in zopa)
    canvas.put(y, x, "└" + "─" * max(0, end - x - 1) + "┘", "faint")
    stops = sorted(
        {x, end, *(axis.column(price) for price in marked if zopa[0] <= price <= zopa[1])}
    )
    gaps = [(right - left - 1, left + 1) for left, right in itertools.pairwise(stops)]
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
        canvas.put(y, at, text, "faint")
