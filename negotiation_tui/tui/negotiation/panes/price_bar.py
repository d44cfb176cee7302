"""The negotiation that is shown: its price bar, and its offers as both concession curves."""

from collections.abc import Callable
from itertools import islice

from negotiation_tui.game.negotiation import NO_STATE, Position, Transcript
from negotiation_tui.game.plan import Kind
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.tui.negotiation.human_controls import (
    cursor,
    own_range,
    prices_typed,
    your_turn,
)
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.q_tables import strip
from negotiation_tui.tui.negotiation.playback import Playback
from negotiation_tui.tui.negotiation.words import said
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.chart import draw_axes, round_steps
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets import price_bar
from negotiation_tui.tui.widgets.price_bar import PriceBarView
from negotiation_tui.tui.widgets.words import VERBS, before_first, no_deal, short


def draw_price_pane(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the offers, below a heading with the cycle and negotiation."""
    scenario, (_, notes) = model.snapshot.scenario, _where(model)
    draw_heading(canvas, model, pane, "Price" + scenario.delta_text, *notes)
    turn = your_turn(model)
    view = bar_of(model, turn)
    if model.playback:
        played = model.playback.negotiation
        said = *map(short, played.specs), str(played.transcript.opener)
        canvas.tell("field", "price", *said, *map(str, played.key))
    if turn is None:
        price_bar.draw_announcement(canvas, view)
    else:
        _draw_your_turn(canvas, model, turn, view)
    if not model.free_running:
        shown = model.playback and model.playback.negotiation
        game = f" · game {sum(shown.key):,}" if shown and not model.latest.score else ""
        own = f"  {own_range(turn)}" if turn and not turn.last_decision else ""
        told = *(f"{note}{game}" for note in notes[:1]), canvas.line(1) + own
        canvas.tell("event", *told, *price_bar.gains_said(view))
    price_bar.draw_bars(canvas, view)


def bar_of(model: Model, turn: Position | None) -> PriceBarView:
    """Return the bar; `turn` is the position in which a person must act now."""
    snapshot, playback = model.snapshot, model.playback
    strips = strip(model, Role.SELLER), strip(model, Role.BUYER)
    shown = playback.shown if playback else Transcript(snapshot.scenario, Role.SELLER)
    marks = price_bar.prices_of(snapshot.theory.equilibria[shown.opener])
    view = PriceBarView(shown, marks, strips=strips)
    if playback is None:
        first = model.keys.format("before the first negotiation: {later} goes forward")
        began = before_first(model.keys, model.running) if model.in_present else first
        return view._replace(waiting=began)
    offers, lines = turn and not turn.last_decision, model.layout().lines
    elsewhere = "words" in lines or ("caption" in lines and not model.message)
    return view._replace(
        progress=playback.progress,
        reason=_remark(playback, snapshot),
        words=None if elsewhere else said(shown),
        cursor=turn.scenario.prices[cursor(model, turn)] if turn and offers else None,
    )


def _remark(playback: Playback, snapshot: Snapshot) -> str:
    """Name a guess, beside its offer and beside the deal that came of it.

    Without a deal say what the limits mean for it, if they are hidden.
    """
    negotiation, shown = playback.negotiation, playback.shown
    if playback.over and not shown.outcome.deal and shown.scenario.lottery is not None:
        return no_deal(shown.scenario)
    departs, turns = negotiation.what_if, shown.turns
    if departs is not None and playback.visible > departs:
        return "(what if)" * (playback.visible == departs + 1)
    if not turns or turns[-1].role is negotiation.person:
        return ""
    if (guess := price_bar.guess(shown)) or playback.over:
        return guess
    last = turns[-1]
    if last.state == NO_STATE:
        return "a random start"
    plan = snapshot.learned_plan(last.role, shown.scenario.limit_index(last.role))
    knows = plan is None or plan.decision(last.state).kinds != Kind.UNTRIED
    learns = snapshot.seating.strategies[last.role] is None
    return "a guess: nothing learned here yet" * (
        playback.negotiation.test and learns and not knows
    )


def _where(model: Model) -> tuple[str, tuple[str, ...]]:
    """Return the kind of the game shown, and that with all else, in long and short forms."""
    playback = model.playback
    if playback is None:
        return "", ()
    shown, strategies = playback.negotiation, model.snapshot.seating.strategies
    opens = f"the {str(shown.transcript.opener).upper()} opens"
    if shown.what_if is not None:
        begins = shown.transcript.turns[shown.what_if].round + 1
        text = f"what if, from round {begins} on · {{close}} goes back"
        return "", (model.keys.format(text), "what if")
    score = model.snapshot.score
    if score is not None:
        number = score.negotiations + (not shown.transcript.over)
        return "", (f"you are the {score.role} · negotiation {number} · {opens}", "you play")
    if PERSON in strategies:
        role = Role(strategies.index(PERSON))
        return "", (f"a person is the {role} · nobody trains", "a person plays")
    if shown.person is not None:
        return "", (f"you played the {shown.person} · training is paused", "you played")
    learns = [*map(str, shown.learners)]
    kind = "PRACTICE" if learns else "SHOW"
    who = " against ".join(map(short, shown.specs)) * shown.fixed
    if learns:
        who = f"the {learns[0]} learns" if len(learns) < len(Role) else "both learn"
    parts = kind, who, opens + _begun(shown)
    return kind, (" · ".join(filter(None, parts)), f"{kind} · {who if learns else opens}", kind)


def _begun(shown: Negotiation) -> str:
    """Return the round in which a negotiation began; nothing if it began with an opening."""
    first = next(iter(shown.transcript.turns), None)
    return (
        f", starts in round {first.round + 1} with a random offer"
        if first and first.state == NO_STATE
        else ""
    )


def _draw_your_turn(canvas: Canvas, model: Model, position: Position, view: PriceBarView) -> None:
    """Draw the opponent's offer, and the keys or the typed price of the person to act."""
    keys, typed, room = model.keys, model.price_typed, price_bar.announcement_width(canvas, view)
    left = f"round {position.ply // 2 + 1} of {position.scenario.rounds}   "
    opponent, standing = position.role.other, ""
    if position.standing_offer is not None:
        standing = f"{opponent} {VERBS[opponent]} {position.standing_offer}   "
    offer = f"{keys['take']} {VERBS[position.role]} {view.cursor}"
    accepts = f"{keys['accept']} accepts {position.standing_offer}"
    accept = accepts * (position.scenario.accept in position.legal)
    quits = f"{keys['reject']} walks away" * (position.standing_offer is not None)
    does = ", ".join(filter(None, ("" if position.last_decision else offer, accept, quits)))
    hints = () if position.last_decision else ("type a price or {left}{right}, ", "type a price, ")
    texts = [
        f"{turn}{keys.format(hint)}{does}" for hint in (*hints, "") for turn in ("your turn: ", "")
    ]
    if typed:
        legal = typed in prices_typed(position)
        does = f"{keys['take']} {VERBS[position.role]} {typed}" if legal else own_range(position)
        texts = [f"your price: {typed}_   {does}", f"{typed}_ {does}", f"{typed}_"]
    for before, text in (*((left, text) for text in texts), ("", does), ("", "your turn")):
        if 1 + len(before + standing + text) <= room:
            canvas.write(1, 1, before, "faint")
            canvas.write(1, 1 + len(before), standing, str(opponent))
            canvas.write(1, 1 + len(before + standing), text, "message")
            return


_LEGEND = "● buyer ○ seller ✓ deal"
_GLYPHS = {Role.BUYER: "●", Role.SELLER: "○"}


def _scale(prices: int, most: int) -> tuple[int, int, int]:
    """Return the height, the prices between two labels, and the whole rows between them."""
    best = 0, 1, 1
    for step in islice(round_steps(), 30):
        labels = -(-prices // step)
        rows = (most - 1) // labels
        if labels * rows + 1 > best[0] and rows:
            best = labels * rows + 1, step, rows
        if best[0] > most / 2:
            break
    return best


def draw_offers(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a dot for each offer, a tick for the deal, and a line at each limit that is shown."""
    limits = [(role, hidden.drawn) for role in Role if (hidden := strip(model, role))]
    drawn = [(role, limit) for role, limit in limits if limit is not None]
    legend = f"{_LEGEND} ┄ limit" if drawn else _LEGEND
    draw_heading(canvas, model, pane, "Offers", legend, _LEGEND)
    scenario, shown = model.snapshot.scenario, model.shown
    canvas.tell("pane", *price_bar.turn_lines(shown or Transcript(scenario, Role.SELLER)))
    low, high = scenario.prices[0], scenario.prices[-1]
    height, step, per_step = _scale(high - low, canvas.height - 3)
    if height < 2:
        return
    axis = max(len(str(low)), len(str(high))) + 2
    per_round = (canvas.width - axis - 3) / scenario.rounds

    def row(price: int) -> int:
        return 1 + min(height - 1, int((high - price) / step * per_step + 0.5))

    def column(ply: int) -> int:
        return axis + 2 + int(ply / 2 * per_round)

    labelled = (price for price in scenario.prices if (high - price) % step == 0)
    labels = [(row(price), str(price)) for price in (*labelled, low)]
    draw_axes(canvas, axis, 1 + height, canvas.width - axis - 2, labels)
    _draw_rounds(canvas.rows(2 + height, canvas.height), scenario.rounds, per_round, column)
    for role, limit in drawn:
        if low <= limit <= high:
            line = "┄" * (canvas.width - axis - 2)
            canvas.write(row(limit), axis + 1, line, f"{role}-range")
    turns, begun = (shown.turns, shown.first_ply) if shown else ((), 0)
    rows = [None if turn.price is None else row(turn.price) for turn in turns]
    for n, (turn, y) in enumerate(zip(turns, rows, strict=True)):
        if y is None:
            continue
        x = column(begun + n)
        if step > per_step and y not in rows[n + 1 : n + 2]:  # several prices share a row
            canvas.write(y, x + 1, str(turn.price), "faint")
        closing = turn.action >= scenario.accept
        glyph, style = ("✓", "bold") if closing else (_GLYPHS[turn.role], str(turn.role))
        canvas.write(y, x, glyph, style)


def _draw_rounds(
    canvas: Canvas, rounds: int, per_round: float, column: Callable[[int], int]
) -> None:
    """Write as many numbers of rounds as have room."""
    room = len(str(rounds)) + 1
    every = next(n for n in round_steps() if n * per_round >= room or n >= rounds)
    free = 0
    for number in range(every, rounds + 1, every):
        x = column(2 * (number - 1))
        canvas.write(0, x, str(number), "faint")
        free = x + len(str(number)) + 1
    if free <= canvas.width - len("round "):
        canvas.write_right(0, "round ", "faint")
