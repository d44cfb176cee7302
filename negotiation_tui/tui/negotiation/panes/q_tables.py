"""The Q-tables of both seats: the plan or all values, their openers, limits and cursors. Pure.

`plan_of` in `game/plan.py` reads what an agent learned as a plan, `policy_picture` draws it.
"""

import textwrap
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from negotiation_tui.examination.answers import Answers
from negotiation_tui.game.learned import WithValues, learned_of
from negotiation_tui.game.plan import Kind, Plan, plan_of
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.q_table import Values
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.negotiation.words import learner_name
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading, moved
from negotiation_tui.tui.widgets import q_table
from negotiation_tui.tui.widgets.limit_strip import LimitStrip
from negotiation_tui.tui.widgets.policy_picture import (
    draw_policy_picture,
    fit,
    hidden_words,
    legend,
    place_at,
)
from negotiation_tui.tui.widgets.values import ActionBars, deal_values, draw_colours, in_coins, most
from negotiation_tui.tui.widgets.words import (
    Place,
    last_position,
    opened_at,
    place_of,
    rows_of,
    short,
    state_at,
    state_of,
    state_words,
    words,
)

PAGE = 10  # rows of a page


class RoleTable:
    """The plan of the role of a pane, or all values of its last learner, at the limit shown."""

    def __init__(self, model: Model, pane: int) -> None:
        self.model, self.pane, self.role = model, pane, TABLES[pane]
        self.limit = limit_shown(model, self.role)
        learned, self.answers = model.pane_snapshot, answers_shown(model, self.role)
        agent = learned.agents[self.role]
        self.chances = self.answers is not None or not isinstance(agent, WithValues)
        """True if the values are chances of actions, or of answers, not those of a Q-table."""
        self.game = game = (self.answers or learned).scenario.views[self.role][self.limit]
        part = None if agent.nothing else agent.part(game, self.limit).rows(game, self.role)
        if self.answers is not None:
            chances = self.answers.halves[0] / np.maximum(self.answers.asked, 1)[:, None]
            part = chances[self.limit * game.n_states :][: game.n_states]
        self.values = part  # shape (n_states, n_actions); None without a learner or an answer
        self.whole = model.values is not None and self.values is not None
        """True if all values are shown, not the plan."""
        spec = learned.seating.strategies[self.role]
        self.rule = short(spec) if spec and spec != PERSON else ""
        """The name of the strategy in the seat; empty for a learner or a person."""
        self.fixed = bool(self.rule) and self.answers is None
        """True if the plan is that of fixed rules, of which there are no values."""
        self.moved_to = model.scrolled.get(pane)

    @cached_property
    def opened(self) -> bool:
        """True if the state under the cursor is one of the case that the role opens."""
        if self.whole or self.plan is None:
            return opener_shown(self.model) is self.role
        return opened_at(self.plan.scenario, self.cursor)

    @cached_property
    def plan(self) -> Plan | None:
        """The plan of the role, without a table what is answered most often; None without."""
        if (found := self.answers) is not None:
            answered = learned_of(policy=found.table)
            plan = plan_of(found.scenario, self.role, answered, limit=self.limit)
            return None if answered.nothing else plan
        position = last_position(self.model.shown, self.role)
        return self.model.pane_snapshot.plan(self.role, position, self.limit)

    @property
    def size(self) -> Place | None:
        """The rows and columns of what is shown; None without. The opener does not end the game."""
        if self.whole:
            rows = q_table.n_rows(self.game, self.role, self.opened)
            return rows, len(self.game.offers(self.role)) + 2
        return None if self.plan is None else (rows_of(self.plan), 2 * self.game.rounds - 1)

    @cached_property
    def cursor(self) -> Place:
        """The place in the plan or among all values: where it was moved to, or that in play."""
        shown, game = self.model.shown, self.game
        if self.moved_to is not None and self.size is not None:
            (row, column), (rows, columns) = self.moved_to, self.size
            return min(row, rows - 1), min(column, columns - 1)
        if self.whole and shown is not None and shown.opener is not opener_shown(self.model):
            return 0, 0
        if not self.whole or self.values is None:
            return place_of(shown, self.role)
        state = state_of(shown, self.role) or START
        legal = game.legal_actions(state, self.role)
        best = max(legal, key=self.values[state].__getitem__, default=game.accept)
        column = q_table.column_of_action(game, self.role, best)
        return q_table.row_of_state(game, self.role, state), column

    @property
    def near(self) -> int | None:
        """The row of the price on the bar, near which the plan is shown at the opening."""
        prices = [
            price
            for price in (self.model.shown.prices if self.model.shown else ())
            if price is not None
        ]
        if not prices or self.plan is None or self.moved_to is not None:
            return None
        game = self.plan.scenario
        offers = [game.prices[offer] for offer in game.offers(self.role.other)]
        return 1 + min(range(len(offers)), key=lambda n: abs(offers[n] - prices[-1]))

    @property
    def entry(self) -> tuple[int, int | None]:
        """The state under the cursor, and the action if all values are shown."""
        row, column = self.cursor
        if self.whole:
            state = q_table.state_of_row(self.game, self.role, self.opened, row)
            return state, q_table.action_of_column(self.game, self.role, column)
        assert self.plan is not None
        return state_at(self.plan, self.opened, (row, column)), None

    @property
    def view(self) -> q_table.Viewport | None:
        """The visible part of all values; None if there is no room or nothing to show."""
        area = self.model.area_of(self.pane)
        if area is None or self.values is None:
            return None
        return q_table.Viewport.over(self.game, self.role, self.opened, area, self.cursor)

    @cached_property
    def signs(self) -> list[str]:
        """The signs in the plan, each with its words."""
        assert self.plan is not None
        word = "learned" if self.answers is None else "asked yet"
        return [sign.replace("learned", word) for sign in legend(self.plan)]


def answers_shown(model: Model, role: Role) -> Answers | None:
    """Return the answers of a strategy without a table, unless all values are shown; or None."""
    latest = model.latest
    same = model.pane_snapshot.seating.specs[role] == latest.seating.specs[role]
    asked = same and latest.policies[role] is None and model.values is None
    return latest.answers[role] if asked else None


@lru_cache(maxsize=2)
def policy_of(snapshot: Snapshot, role: Role) -> TabularPolicy | None:
    """Return the policy of the player in a seat, for a person that of the learner there."""
    agent, policy = snapshot.agents[role], snapshot.policies[role]
    return policy if policy or agent.nothing else agent.policy_in(snapshot.scenario, role)


def move_cursor(model: Model, command: str) -> Model:
    shown = RoleTable(model, model.chosen)
    page = shown.view.rows if shown.whole and shown.view else PAGE
    if shown.size is None:
        return replace(model, message="no plan to move in")
    by = zip(shown.cursor, moved(command, page), shown.size, strict=True)
    row, column = (min(max(0, at + step), most - 1) for at, step, most in by)
    return replace(model, scrolled={**model.scrolled, model.chosen: (row, column)})


def choose_cell(model: Model, pane: int, y: int, x: int) -> Model:
    """Move the cursor of a pane to the cell at a row and a column of it, if there is one."""
    shown, area, place = RoleTable(model, pane), model.area_of(pane), None
    if model.values is not None:
        n_offers = len(shown.game.offers(shown.role))
        place = shown.view.cell_at(n_offers, y, x) if shown.view else None
    elif area and shown.plan:
        place = place_at(
            shown.plan, area.height - 1, area.width, y - 1, x, shown.cursor, shown.near
        )
    return model if place is None else replace(model, scrolled={**model.scrolled, pane: place})


def switch_opener(model: Model) -> Model:
    """Show the values for the other opener, or again those in play; plans show both cases."""
    if model.values is None:
        return model.with_message("the plans show both openers: {values} shows one at a time")
    switched = None if model.other_opener is not None else opener_shown(model).other
    return replace(model, other_opener=switched)


def opener_shown(model: Model) -> Role:
    if model.other_opener is not None:
        return model.other_opener
    return model.shown.opener if model.shown else model.snapshot.opener.role()


def seen(model: Model, role: Role) -> bool:
    """True if a role's limit is shown: at the end, to its person, before that on request."""
    playback = model.playback
    if playback is None or playback.negotiation.transcript.scenario.lottery is None:
        return not model.snapshot.scenario.limits[role]
    shown = playback.negotiation  # a sentence tells each offer of the story's fixed rules
    return model.reveals or playback.over or model.here.opens or shown.person is role


def strip(model: Model, role: Role) -> LimitStrip | None:
    """Return what the price bar shows of the limit of a role; None if it is not hidden."""
    limits, playback = model.snapshot.scenario.limits[role], model.playback
    if limits is None:
        return None
    if playback is None:
        unknown = "one is drawn for each negotiation"
        return LimitStrip(role, limits.values, None, unknown=unknown)
    negotiation, spec = playback.negotiation, model.snapshot.seating.strategies[role]
    beliefs = negotiation.beliefs[role]
    belief = beliefs[min(playback.visible, len(beliefs) - 1)] if beliefs else None
    drawn = negotiation.transcript.scenario.limit(role) if seen(model, role) else None
    who = "there is" if spec is None or spec == PERSON else f"{short(spec)} has"
    unknown = f"not known: {who} no table to judge by"
    if negotiation.person is role:
        unknown = "only you know it"
    elif model.hides and not model.advice:
        belief, unknown = None, model.keys.format("hidden while you play: {advice} says more")
    return LimitStrip(role, limits.values, belief, drawn, unknown)


def limit_shown(model: Model, role: Role) -> int:
    """Return the index of the limit whose plan is shown.

    It is the chosen one, otherwise the one in play if that is seen. Until then, and where
    negotiations pass too fast, it is the one that is best for a deal.
    """
    chosen, limits = model.limits[role], model.snapshot.scenario.limits[role]
    if limits is None:
        return 0
    if chosen is not None:
        return chosen
    in_play = limit_in_play(model, role)
    widest = 0 if role is Role.SELLER else len(limits.values) - 1
    return widest if in_play is None else in_play


def limit_in_play(model: Model, role: Role) -> int | None:
    """Return the index of the limit that was drawn; None unless it is seen and there is time."""
    sampled = model.free_running
    if model.playback is None or sampled or not seen(model, role):
        return None
    return model.playback.negotiation.transcript.scenario.limit_index(role)


def reveal(model: Model) -> Model:
    """Show both limits from the start of each negotiation, or only at its end."""
    if not model.snapshot.scenario.hidden:
        return replace(model, message="this game has no hidden limits")
    text = "limits show at the end of each negotiation" if model.reveals else "both limits show"
    return replace(model, reveals=not model.reveals, message=text)


def next_limit(model: Model) -> Model:
    """Show the plan of the chosen pane at the next limit, after the last one as in play again."""
    role = TABLES.get(model.chosen)
    if role is None:
        return model.with_message("choose a plan first, by {next_pane} or its number")
    limits, index = model.snapshot.scenario.limits[role], model.limits[role]
    if limits is None:
        return replace(model, message=f"the {role} has no hidden limits")
    following = 0 if index is None else index + 1
    chosen = [*model.limits]
    chosen[role] = following if following < len(limits.values) else None
    return replace(model, limits=(chosen[0], chosen[1]))


def draw_table(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the values of this pane's role and its plan, or say why there are none."""
    shown, seating = RoleTable(model, pane), model.pane_snapshot.seating
    role, rule, learner = shown.role, shown.rule, seating.algorithms[shown.role]
    planned = model.values is None and shown.plan is not None
    name = "chances" if shown.chances and shown.values is not None else "Q-table"
    if shown.answers is not None:
        name = f"answers: {rule}"
    elif rule and (planned or shown.values is None):
        name = f"plan: {rule}"
    elif learner != LEARNED:
        name += f": {learner_name(learner)}"
    title = f"{str(role).capitalize()}'s {name}"
    told = rule or learner_name(learner), f"{model.pane_snapshot.negotiations}"
    canvas.tell("field", str(role), *told)
    if limits := model.snapshot.scenario.limits[role]:
        title += f", {'its ' * _in_play(shown)}limit {limits.values[shown.limit]}"
    if len(f"{pane} {title}") > canvas.width - 4:
        title = title.replace(", its limit", ", limit").replace("'s answers", "")
    if shown.whole:
        _draw_all_values(canvas, shown, title)
    elif planned:
        _draw_plan(canvas, shown, title)
    else:
        draw_heading(canvas, model, pane, title)
        _draw_reasons(canvas, model, role)


def _draw_plan(canvas: Canvas, shown: RoleTable, title: str) -> None:
    """Draw the plan of both cases; the heading says which part is shown, if not all."""
    plan, area = shown.plan, canvas.rows(1, canvas.height)
    assert plan is not None
    notes = hidden_words(plan, fit(plan, area.height, area.width, shown.cursor, shown.near))
    draw_heading(canvas, shown.model, shown.pane, title, *notes)
    draw_policy_picture(area, plan, shown.cursor, shown.near)


def draw_state_line(canvas: Canvas, model: Model, role: Role) -> None:
    """Draw the state under the cursor of a role, and what each action is worth in it."""
    pane = next(pane for pane, each in TABLES.items() if each is role)
    shown = RoleTable(model, pane)
    plan = None if model.values is not None or model.guesses else shown.plan
    name = f"{str(role).upper():<6} "
    canvas.write(0, 1, name, str(role))
    if plan is None:
        return
    state, room = state_at(plan, shown.opened, shown.cursor), canvas.width - 2
    text = "opening:" if state == START else state_words(plan.scenario, state, shown.opened) + ":"
    canvas.write(0, 2 + len(name), text, "bold")
    x = 2 + len(name) + max(len(text) + 1, 26 if canvas.width >= 100 else 0)
    decision = plan.decision(state)
    bars, verb = _bars(shown, plan), "ask" if role is Role.SELLER else "offer"
    if why := q_table.never(plan.scenario, role, state, shown.opened):
        canvas.write(0, x, why, "faint")
    elif Kind.UNTRIED in decision.kinds:
        canvas.write(0, x, "nothing learned yet", "faint")
    elif bars is None or shown.fixed:
        does = words(decision, role)
        deal = None if bars is None else float(bars.row[next(iter(bars.chosen))])
        gain = "" if deal is None else f" · if accepted {in_coins(plan.scenario, deal)} coins"
        canvas.write(0, x, f"{does}{gain}", "bold")
    else:
        prices, end = plan.scenario.prices, plan.scenario.accept
        closing = {end: "accept", end + 1: "walk away"}
        order = sorted(bars.actions, key=lambda a: (-round(float(bars.row[a]), 6), a >= end, a))
        top = max(float(bars.row[a]) for a in bars.actions)
        taken = q_table.taken_in(model.shown, role) if model.shown and _in_play(shown) else {}
        for n, action in enumerate(order):
            value = float(bars.row[action])
            learned = value or bars.chances or action > end  # who walks away gets nothing, surely
            number = f"{value:.0%}" if bars.chances else in_coins(plan.scenario, value)
            number = number if learned else "·"
            label = closing.get(action) or f"{verb} {prices[action]}"
            played = taken.get(state) == action
            cell = f"{'▸' if played else ' '}{label} {number}"
            if x + len(cell) + 2 > room:
                canvas.write(0, x + 1, f"+{len(order) - n}", "faint")
                break
            canvas.write(0, x, cell, "bold" if round(value - top, 6) == 0 else "normal")
            x += len(cell) + 2


def draw_legend_line(canvas: Canvas, model: Model, note: str = "") -> None:
    """Explain the signs of both plans, and the colours of coins; a note has their place."""
    signs: dict[str, None] = {}
    largest = None
    for pane in TABLES:
        shown = RoleTable(model, pane)
        if model.values is None and shown.plan is not None:
            signs |= dict.fromkeys(shown.signs)
            largest = most(shown.plan.scenario) * shown.plan.scenario.origin.width
    if largest is None or model.hides:
        return
    text = note or "coins "
    x = canvas.width - 1 - len(text) - 7 * (not note)
    canvas.write(0, x, text, "normal" if note else "faint")
    if not note:
        draw_colours(canvas, 0, x + len(text), largest)
    marks = [*signs, "[ ] now", "blank: not its turn"]
    if canvas.width >= 100:
        marks = ["4 asks or offers 4", *marks]
    while marks and len("  ".join(marks)) > x - 3:
        marks.pop()
    canvas.write(0, 1, "  ".join(marks), "faint")


def _bars(shown: RoleTable, plan: Plan) -> ActionBars | None:
    """Return the numbers of the state under the cursor; None without any.

    The action of a fixed rule, if it has but one, has the gain of its deal.
    """
    (state, _), role, negotiation = shown.entry, shown.role, shown.model.shown
    if q_table.never(plan.scenario, role, state, shown.opened):
        return None
    chosen = _planned(plan, state)
    if shown.fixed:
        every = np.arange(plan.scenario.n_actions)
        gains = deal_values(plan.scenario, role, np.array(state), every, shown.opened)
        return ActionBars(shown.game, role, [*chosen], gains, chosen) if len(chosen) == 1 else None
    if shown.values is None:
        return None
    if negotiation and _in_play(shown) and shown.answers is None:
        taken = q_table.taken_in(negotiation, role).get(state)
        chosen = chosen if taken is None else {taken}
    actions = list(shown.game.legal_actions(state, role))
    return ActionBars(shown.game, role, actions, shown.values[state], chosen, shown.chances)


def _planned(plan: Plan, state: int) -> set[int]:
    """Return the actions of a plan in a state; of prices with gaps the lowest and the highest."""
    decision, low, high = plan.decision(state), int(plan.lowest[state]), int(plan.highest[state])
    asked = range(low, high + 1) if decision.n_prices == high - low + 1 else (low, high)
    closing = {Kind.ACCEPT: plan.scenario.accept, Kind.WALK_AWAY: plan.scenario.walk_away}
    ends = {action for kind, action in closing.items() if kind in decision.kinds}
    return {*asked, *ends} - {-1}


def _in_play(shown: RoleTable) -> bool:
    """True if the limit shown is the one in play, or not hidden."""
    hidden = shown.model.snapshot.scenario.limits[shown.role]
    return not hidden or shown.limit == limit_in_play(shown.model, shown.role)


def _draw_all_values(canvas: Canvas, shown: RoleTable, title: str) -> None:
    model, role, view, game = shown.model, shown.role, shown.view, shown.game
    assert view is not None
    assert shown.values is not None
    assert model.values is not None
    if strategy := model.pane_snapshot.seating.strategies[role]:
        title += f" · not in use, {short(strategy)} plays"
    elif game.opener_aware:
        title += f" as {'opener' if shown.opened else 'responder'}"
    values = Values.RAW if shown.chances else model.values
    kind = "chance of each action" if shown.chances else values.words
    total = view.rows + view.last_first_row
    rows = f"rows {view.first_row + 1:,}–{view.first_row + view.rows:,}"
    notes = (f"{kind} · {rows} of {total:,}", rows) if view.last_first_row else (kind,)
    draw_heading(canvas, model, shown.pane, title, *notes)
    nash_conv = model.pane_snapshot.theory.nash_conv
    best = None if nash_conv is None else nash_conv.responses[role].table
    part = game, role, shown.values, view, model.shown, values, best, shown.chances
    whole = q_table.QTableView(*part, _in_play(shown), shown.opened, shown.moved_to)
    q_table.draw_q_table(canvas, whole)


def _draw_reasons(canvas: Canvas, model: Model, role: Role) -> None:
    spec = model.pane_snapshot.seating.strategies[role]
    if spec is None or model.here.only_games:
        text = "This recording is not played again: it has no tables."
    elif spec == PERSON:
        text = f"A person plays the {role}."
    else:
        name = short(spec)
        rules = f"{name[0].upper()}{name[1:]} plays by rules of its own: no table shows them."
        text = rules + model.keys.format(f" {{{role}}} or {{toggle}} lets the {role} learn.")
    for y, line in enumerate(textwrap.wrap(text, max(1, canvas.width - 4))):
        canvas.write(1 + y, 2, line, "faint" if y else str(role))
