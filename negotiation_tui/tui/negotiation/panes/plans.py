"""The plans of both seats, as pictures or as the numbers of their Q-tables."""

from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.tui.negotiation.limits_shown import limit_words
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.negotiation.panes.q_tables import draw_reasons, draw_table
from negotiation_tui.tui.negotiation.plans_shown import cursor, opened, plan_shown
from negotiation_tui.tui.negotiation.score import game_seen
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.plan_words import RECEIVED, words_at
from negotiation_tui.tui.widgets.policy_picture import PolicyView, draw_policy_picture
from negotiation_tui.tui.widgets.words import earnings, short


def draw_plan(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the plan of this pane's role, or its numbers, or say why there is none."""
    role = TABLES[pane]
    if model.hides:
        _draw_hidden(canvas, model, pane)
        return
    if model.values is not None:
        draw_table(canvas, model, pane)
        return
    plan, spec = plan_shown(model, role), model.learned.strategies[role]
    strategy = f": {short(spec)}" if spec and spec != PERSON else ""
    title = f"{str(role).capitalize()}'s plan{strategy}{limit_words(model, role)}"
    if plan is None:
        draw_heading(canvas, model, pane, title)
        draw_reasons(canvas, model, role, "decides by all earlier offers, so it has no plan")
        return
    is_opener = opened(model, role)
    part = f" as {'opener' if is_opener else 'responder'}" if plan.opener_aware else ""
    axes = f"{RECEIVED[role]} ↓  round →", "round →"
    draw_heading(canvas, model, pane, f"{title}{part}", *axes)
    place = cursor(model, pane)
    foot = canvas.height - 1
    draw_policy_picture(canvas.rows(1, foot), PolicyView(plan, is_opener, place))
    canvas.write(foot, 1, words_at(plan, is_opener, place, canvas.width - 1))


def _draw_hidden(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the rewards in the pane of a person who plays; nothing of the opponent's plan."""
    role, score = TABLES[pane], model.latest.score
    if score is None or score.role is not role:
        draw_heading(canvas, model, pane, f"{str(role).capitalize()}'s plan")
        canvas.write(1, 2, "hidden while you play", str(role))
        canvas.write(2, 2, model.keys.format("{peek} shows both plans"), "faint")
        return
    draw_heading(canvas, model, pane, "What a deal earns you")
    game = game_seen(model.latest, role)
    prices = [game.prices[action] for action in game.offers(role)]
    step, width = -(-len(prices) // max(1, canvas.height - 2)), len(str(prices[-1]))
    for y, price in enumerate(prices[::step], 1):
        reward = game.reward(role, price)
        full = round(max(0.0, reward) * max(0, min(20, canvas.width - 20)))
        canvas.write(y, 2, f"at {price:>{width}}  {earnings(game, reward):>5}  ")
        canvas.write(y, 14 + width, "█" * full, str(role))
