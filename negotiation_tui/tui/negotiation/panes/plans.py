"""The plans of both seats, as pictures or as the numbers of their Q-tables."""

from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.negotiation.panes.q_tables import draw_reasons, draw_table
from negotiation_tui.tui.negotiation.plans_shown import cursor, opened, plan_shown
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.plan_words import RECEIVED, words_at
from negotiation_tui.tui.widgets.policy_picture import PolicyView, draw_policy_picture
from negotiation_tui.tui.widgets.words import short


def draw_plan(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the plan of this pane's role, or its numbers, or say why there is none."""
    if model.values is not None:
        draw_table(canvas, model, pane)
        return
    role = TABLES[pane]
    plan, spec = plan_shown(model, role), model.learned.strategies[role]
    strategy = f": {short(spec)}" if spec and spec != PERSON else ""
    title = f"{str(role).capitalize()}'s plan{strategy}"
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
