"""All values of a Q-table as a heat map: a row per state in words, a column per action."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.learning.q_table import Values
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.widgets.values import draw_colours, levels, most, value_text
from negotiation_tui.tui.widgets.words import state_of, state_words

CELL = 5
HEADING_ROWS = 2  # rows above the values: the pane's heading and the labels of the columns
_ACTIONS = 2  # columns that are always visible: accept and walk away


def n_rows(scenario: Scenario, role: Role, opened: bool) -> int:
    """Return the number of rows: the opening, and each price in each round with an answer."""
    return 1 + (scenario.rounds - opened) * len(scenario.offers(role.other))


def state_of_row(scenario: Scenario, role: Role, opened: bool, row: int) -> int:
    """Return the state of a row; `opened` chooses between the states of opener and responder."""
    if row == 0:
        return START
    offered = scenario.offers(role.other)
    time, price = divmod(row - 1, len(offered))
    block = scenario.rounds if scenario.opener_aware and not opened else 0
    return 1 + (block + time) * scenario.n_prices + offered[price]


def row_of_state(scenario: Scenario, role: Role, state: int | None) -> int:
    """Return the row of a state; 0, the opening, without one."""
    if state is None or not START < state < scenario.final_state:
        return 0
    offer, time = scenario.offer_and_time(state)
    offered = scenario.offers(role.other)
    return 1 + time * len(offered) + max(0, offer - offered.start)


def action_of_column(scenario: Scenario, role: Role, column: int) -> int:
    """Return the action of a column: first the offers, then accept and walk away."""
    offers = scenario.offers(role)
    return offers[column] if column < len(offers) else scenario.accept + column - len(offers)


def column_of_action(scenario: Scenario, role: Role, action: int) -> int:
    offers = scenario.offers(role)
    return action - (offers.start if action < scenario.accept else scenario.accept - len(offers))


@dataclass(frozen=True, slots=True)
class Viewport:
    """The visible rows and offer columns; the columns of accept and walk away always are."""

    first_row: int
    first_column: int
    rows: int
    columns: int
    label_width: int
    last_first_row: int
    last_first_column: int
    legend: bool  # true if the last row of the pane is left for the legend

    @classmethod
    def over(
        cls,
        scenario: Scenario,
        role: Role,
        opened: bool,
        area: Rect,
        cell: tuple[int, int],
        scrolled: tuple[int, int] | None = None,
    ) -> Self:
        """Return the part that begins near `scrolled`; if that is None, the page with `cell`."""
        label_width = label_columns(scenario)
        legend = area.height >= HEADING_ROWS + 3
        n_states, n_offers = n_rows(scenario, role, opened), len(scenario.offers(role))
        rows = max(1, min(n_states, area.height - HEADING_ROWS - legend))
        columns = max(1, min(n_offers, (area.width - label_width - 1) // CELL - _ACTIONS))
        last = n_states - rows, n_offers - columns
        page = cell[0] // rows * rows, min(cell[1], n_offers - 1) // columns * columns
        row, column = (max(0, min(at, end)) for at, end in zip(scrolled or page, last, strict=True))
        return cls(row, column, rows, columns, label_width, *last, legend)

    def cell_at(self, n_offers: int, y: int, x: int) -> tuple[int, int] | None:
        """Return the row and column at a row and a column of the pane; None beside all cells."""
        beside = x - self.label_width
        at, row = (beside - (beside > CELL * self.columns)) // CELL, y - HEADING_ROWS
        if not (0 <= row < self.rows and 0 <= at < self.columns + _ACTIONS):
            return None
        column = self.first_column + at if at < self.columns else n_offers + at - self.columns
        return self.first_row + row, column


def label_columns(scenario: Scenario) -> int:
    """Return the columns of the longest name of a state, with its mark and a blank."""
    return 2 + max(len(state_words(scenario, n, False)) for n in (1, scenario.final_state - 1))


@dataclass(frozen=True, eq=False, slots=True)
class QTableView:
    """A part of a Q-table, and everything else that is drawn in it."""

    scenario: Scenario
    role: Role
    table: NDArray[np.float64]
    viewport: Viewport
    shown: Transcript | None = None
    """The negotiation up to the last turn shown, whose state is marked."""
    values: Values = Values.RAW
    responses: NDArray[np.bool_] | None = None
    """Entries that are best responses; all other greedy entries are marked as wrong."""
    chances: bool = False  # true if the table holds the probabilities of actions
    played: bool = True
    """True if the negotiation is known to be played by this table, so that its actions are marked.
    """
    opened: bool = True  # true for the states of the opener, False for those of the responder
    cursor: tuple[int, int] | None = None  # the row and column that the user chose
    coins: int = 1  # the number that is shown for a reward of 1


def cell_of(scenario: Scenario, shown: Transcript | None, role: Role) -> tuple[int, int]:
    """Return the row of the state at hand and the column of the role's last offer (0 if none)."""
    turns = shown.turns if shown else ()
    actions = (turn.action for turn in reversed(turns) if turn.role is role)
    offers = (action for action in actions if action in scenario.offers(role))
    column = column_of_action(scenario, role, next(offers, scenario.offers(role).start))
    return row_of_state(scenario, role, state_of(shown, role)), column


def taken_in(shown: Transcript | None, role: Role) -> dict[int, int]:
    """Return the action that a role took last in each state of a negotiation."""
    return {turn.state: turn.action for turn in (shown.turns if shown else ()) if turn.role is role}


def draw_q_table(canvas: Canvas, view: QTableView) -> None:
    """Draw the visible part with its labels, from row 1 on."""
    scenario, part, role = view.scenario, view.viewport, view.role
    visible = range(part.first_column, part.first_column + part.columns)
    n_offers = len(scenario.offers(role))
    columns = [*visible, n_offers, n_offers + 1]
    places = [(n, part.label_width + CELL * at + (n >= n_offers)) for at, n in enumerate(columns)]
    _draw_labels(canvas, view, places)
    _draw_legend(canvas, view)
    at_hand, taken = state_of(view.shown, role), taken_in(view.shown, role) if view.played else {}
    brightest = 1.0 if view.chances else most(scenario) * view.coins
    rows = range(part.first_row, part.first_row + part.rows)
    states = [state_of_row(scenario, role, view.opened, row) for row in rows]
    actions = [action_of_column(scenario, role, column) for column in columns]
    block = view.values.of(view.table[states]) * view.coins
    tops = block.max(axis=1, keepdims=True)
    scales = brightest if view.values is Values.RAW else np.maximum(tops, 1e-300)
    colours, numbers = levels(block, scales)[:, actions].tolist(), block[:, actions].tolist()
    marked: list[tuple[int, str, str]] = []
    for y, (row, state) in enumerate(zip(rows, states, strict=True)):
        here = row == view.cursor[0] if view.cursor else state == at_hand
        name, style = state_words(scenario, state, view.opened), "bold" if here else "faint"
        canvas.write(HEADING_ROWS + y, 1 - here, f"[{name}]" if here else name, style)
        words = never(scenario, role, state, view.opened)
        if words:
            canvas.write(HEADING_ROWS + y, part.label_width + 1, words, "faint")
            continue
        legal, top = {*scenario.legal_actions(state, role)}, float(tops[y, 0])
        learned, line = bool(view.table[state].any()), ""
        for n, (column, x) in enumerate(places):
            action, value, style = actions[n], numbers[y][n], f"heat{colours[y][n]}"
            at_cursor, took = (row, column) == view.cursor, action == taken.get(state)
            known = value or (learned and action in legal and action == scenario.walk_away)
            line = f"{line:<{x - part.label_width}}  {'·' if action in legal else '–'}"
            if not (known or at_cursor or took):
                continue
            text = value_text(value, CELL - 2).center(CELL - 2) if known else f" {line[-1]} "
            best, start = bool(value) and value == top, "▸" if took else " "
            wrong = best and view.responses is not None and not view.responses[state, action]
            start = "!" if wrong else start
            if not known:
                style = "chosen" if took else "faint"
            elif took or best:
                style += "-chosen" if took else "-best"
            marked.append((x, f"[{text}]" if at_cursor else f"{start}{text} ", style))
            if wrong and not at_cursor:
                marked.append((x, start, "wrong"))
        canvas.write(HEADING_ROWS + y, part.label_width, line, "faint")
        while marked:
            canvas.write(HEADING_ROWS + y, *marked.pop(0))


def never(scenario: Scenario, role: Role, state: int, opened: bool) -> str:
    """Return why a role never decides in a state; empty if it does."""
    if state == START:
        return f"the {role.other} opens" if scenario.opener_aware and not opened else ""
    last = (state - 1) // scenario.n_prices % scenario.rounds == scenario.rounds - 1
    return f"the {role.other} has the last word" if opened and last else ""


def _draw_labels(canvas: Canvas, view: QTableView, places: list[tuple[int, int]]) -> None:
    scenario, part = view.scenario, view.viewport
    for column, x in places[:-_ACTIONS]:
        price = scenario.prices[action_of_column(scenario, view.role, column)]
        canvas.write(1, x, str(price).center(CELL), str(view.role))
    canvas.write(1, places[-2][1] - 1, "accept walk", str(view.role))
    verb = "ask" if view.role is Role.SELLER else "offer"
    canvas.write(1, max(1, part.label_width - len(verb) - 1), verb, "faint")
    if part.first_column:
        canvas.write(1, part.label_width, "←", "faint")
    if part.first_column < part.last_first_column:
        canvas.write(1, part.label_width + CELL * part.columns - 1, "→", "faint")


def _draw_legend(canvas: Canvas, view: QTableView) -> None:
    """Explain the colours and the marks on the last row."""
    if not view.viewport.legend:
        return
    y = canvas.height - 1
    largest = 1.0 if view.chances else most(view.scenario) * view.coins
    x = 2 + draw_colours(canvas, y, 1, largest if view.values is Values.RAW else None)
    marks = [
        "▸ played",
        "bold: likeliest" if view.chances else "bold: best",
        "· never" if view.chances else "· not learned",
        "– not possible",
        *(["! another is better"] if view.responses is not None else []),
    ]
    while marks and x + len("  ".join(marks)) > canvas.width:
        marks.pop()
    canvas.write(y, x, "  ".join(marks), "faint")
