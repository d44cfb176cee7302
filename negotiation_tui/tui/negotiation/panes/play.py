"""The panes while a person plays: rewards, own moves and better ones, the score, and the game."""

from collections.abc import Iterator
from functools import partial

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.sessions.human_player import Score
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.human_controls import better, game_seen
from negotiation_tui.tui.negotiation.keys import GAMES, WALLETS
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.negotiation.words import moves, seated
from negotiation_tui.tui.toolkit.boxes import wrapped_parts
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import Pane, draw_heading
from negotiation_tui.tui.widgets.words import VERBS, earnings, signed

StyledTexts = Iterator[tuple[str, str]]  # texts with their styles; a long one is wrapped


def panes_of_game(model: Model) -> dict[int, Pane[Model]]:
    """Return the panes that speak of a person's game, or wait for a guess, in place of others."""
    score = model.latest.score
    if model.guesses:
        return {pane: (str(role).capitalize(), _draw_guess) for pane, role in TABLES.items()}
    if score is None:
        return {}
    played = score, game_seen(model.latest, score.role)
    panes: dict[int, Pane[Model]] = {
        WALLETS: ("Score", partial(_draw_score, *played)),
        GAMES: ("Game", partial(_draw_game, *played)),
    }
    for pane, role in TABLES.items() if model.hides else ():
        panes[pane] = str(role).capitalize(), partial(_draw_seat, *played)
    return panes


def _draw_guess(canvas: Canvas, model: Model, pane: int) -> None:
    draw_heading(canvas, model, pane, f"{str(TABLES[pane]).capitalize()}'s plan")
    canvas.write(1, 1, "hidden until you have answered", "faint")


def score_line(model: Model) -> StyledTexts:
    """Yield the parts of one line that stands for the pane of the score."""
    score = model.latest.score
    if score is not None:
        game = game_seen(model.latest, score.role)
        yield "score", "faint"
        yield f"  you {earnings(game, score.earned)}", str(score.role)
        if score.expected:
            yield f"  best answers {earnings(game, score.expected)}", "normal"
        yield f"  deals {score.deals} of {score.negotiations}", "faint"


def _draw_seat(score: Score, game: Scenario, canvas: Canvas, model: Model, pane: int) -> None:
    """Draw rewards in the pane of the person's seat, and the person's moves in the other."""
    role = TABLES[pane]
    if role is not score.role:
        draw_heading(canvas, model, pane, "Your moves")
        _draw_lines(canvas, _own_moves(model, score))
        return
    position, prices = model.position, [game.prices[action] for action in game.offers(role)]
    step = -(-len(prices) // max(1, canvas.height - 2 - game.time_costs))
    title = "What a deal earns you" + " at once" * game.time_costs
    rows, width = [("at", price, 0) for price in prices[::step]], len(str(prices[-1]))
    if position and game.time_costs:  # accepting pays for the offer before
        mine, standing = position.role is role, position.standing_offer
        offer, verb = position.ply if mine else abs(position.ply - 1), f"{VERBS[role][:-1]:<6}"
        title, rows = "What an offer earns if taken", [(verb, price, offer) for _, price, _ in rows]
        if mine and position.last_decision:
            title, rows = "What accepting earns you", []
        if mine and standing is not None and game.accept in position.legal:
            rows.insert(0, ("accept", standing, offer - 1))
    draw_heading(canvas, model, pane, title, "in coins")
    most = max(1.0, *(game.reward(role, price) for price in prices))
    for y, (does, price, at) in enumerate(rows, 1):
        reward = game.reward(role, price, at)
        label = f"{does} {price:>{width}}  {earnings(game, reward):>5}  "
        full = round(max(0.0, reward) / most * max(0, min(20, canvas.width - len(label) - 6)))
        canvas.write(y, 2, label)
        canvas.write(y, 2 + len(label), "█" * full, str(role))


def _own_moves(model: Model, score: Score) -> StyledTexts:
    """Yield the moves of the negotiation that ended last, with better ones, and the hint."""
    if not score.negotiations:
        yield "After each game: what a better move would have earned.", "normal"
    elif not score.moves:
        yield "No best answer to this opponent is known: its moves depend on all offers.", "normal"
    elif not any(map(better, score.moves)):
        yield "Your last game: no other move would have earned more.", "normal"
    else:
        yield "Your last game:", "normal"
    for move in score.moves:
        does = moves(move.position, [move.action], 1)
        more = better(move)
        text = f"round {move.position.ply // 2 + 1}: {does}" + f"; {more}" * bool(more)
        yield text, str(score.role) if more else "faint"
    yield "its plan: hidden while you play", "faint"
    yield model.keys.format("{peek} shows both plans"), "faint"


def _draw_score(score: Score, game: Scenario, canvas: Canvas, model: Model, pane: int) -> None:
    draw_heading(canvas, model, pane, "Your score", "in coins")
    most = max(score.earned, score.expected or 0.0, 1e-9)
    room = canvas.width - 17
    rows = [("you", score.earned, str(score.role))]
    rows += [("best", score.expected, "normal")] if score.expected else []
    for y, (name, amount, style) in enumerate(rows, 1):
        canvas.write(y, 1, name, style)
        canvas.write(y, 6, "█" * round(max(0.0, amount) / most * max(0, room)), style)
        canvas.write_right(y, f"{earnings(game, amount)} ", style)
    y = 1 + len(rows)
    canvas.write(y, 1, f"deals {score.deals} of {score.negotiations}")
    if model.zoomed:
        canvas.write_right(y, f"money {signed(score.wallet)} ")
    if score.last is not None:
        last = f"last {earnings(game, score.last.share)}"
        if score.last.best is not None:
            last += f", best answer {earnings(game, score.last.best)}"
        canvas.write(y + 1, 1, last, "faint")


def _draw_game(score: Score, game: Scenario, canvas: Canvas, model: Model, pane: int) -> None:
    draw_heading(canvas, model, pane, "Your game")
    _draw_lines(canvas, _game(model.latest, game, score.role))


def _game(snapshot: Snapshot, game: Scenario, role: Role) -> StyledTexts:
    other = role.other
    offers = [game.prices[action] for action in game.offers(role)]
    yield f"Your offers: {offers[0]} to {offers[-1]}.", "normal"
    if limits := snapshot.scenario.limits[other]:
        values = limits.values
        yield f"The {other}'s limit is one of {len(values)}, {values[0]} to {values[-1]}.", "normal"
    yield f"The {other} plays: {seated(snapshot, other, 'table')}.", str(other)
    yield "Training is paused.", "faint"


def _draw_lines(canvas: Canvas, lines: StyledTexts) -> None:
    for y, (line, style) in enumerate(wrapped_parts(lines, canvas.width - 3), 1):
        canvas.write(y, 1, line, style)
