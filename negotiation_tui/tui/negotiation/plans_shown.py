"""The plans in the panes: their openers and their cursors. Pure."""

from dataclasses import replace

from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.plan import Plan
from negotiation_tui.game.roles import Role
from negotiation_tui.tui.negotiation.limits_shown import limit_shown
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.toolkit.paned import moved
from negotiation_tui.tui.widgets.plan_words import Place, place_of, rows_of

PAGE = 10
"""Rows of a page."""


def plan_shown(model: Model, role: Role) -> Plan | None:
    """Return the plan of a role: of its strategy, otherwise of its learner; None without one."""
    position = _last_position(_shown(model), role)
    return model.learned.plan(role, position, limit_shown(model, role))


def opened(model: Model, role: Role) -> bool:
    """True if the plan shown for a role is that of the opener."""
    return _opener(model) is role


def cursor(model: Model, pane: int) -> Place:
    """Return the cursor of a pane: where it was moved to, otherwise the decision in play.

    Numbers have no cursor of their own: there it is the marked row.
    """
    place = model.scrolled.get(pane) if model.values is None else None
    if place is not None:
        return place
    shown, role = _shown(model), TABLES[pane]
    if shown is not None and shown.opener is not _opener(model):
        return 0, 0
    return place_of(shown, role)


def move_cursor(model: Model, command: str) -> Model:
    """Move the cursor of the chosen pane."""
    plan = plan_shown(model, TABLES[model.chosen])
    if plan is None:
        return replace(model, message="no plan to move in")
    down, right = moved(command, PAGE)
    row, column = cursor(model, model.chosen)
    to = (
        min(max(0, row + down), rows_of(plan) - 1),
        min(max(0, column + right), plan.scenario.rounds - 1),
    )
    return replace(model, scrolled={**model.scrolled, model.chosen: to})


def switch_opener(model: Model) -> Model:
    """Show the plans for the other opener, or again those in play."""
    plans = [plan_shown(model, role) for role in Role]
    if not any(plan and plan.opener_aware for plan in plans):
        return replace(model, message="one plan for both: the states do not say who opened")
    switched = None if model.other_opener is not None else _opener(model).other
    return replace(model, other_opener=switched)


def _shown(model: Model) -> Transcript | None:
    return model.playback.shown if model.playback else None


def _opener(model: Model) -> Role:
    """Return the role that opens in the plans shown."""
    if model.other_opener is not None:
        return model.other_opener
    shown = _shown(model)
    return shown.opener if shown else model.snapshot.opener.role()


def _last_position(shown: Transcript | None, role: Role) -> Position | None:
    """Return the position in which a role must act now, or acted last."""
    if shown is None:
        return None
    for turns in range(len(shown.turns), -1, -1):
        position = shown.first(turns).position
        if position is not None and position.role is role:
            return position
    return None
