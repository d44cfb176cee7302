"""A Q-table from a view alone: its values, its marks, and the part in sight."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from negotiation_tui import Role, States, Transcript
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.learning.q_table import Values
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.widgets.q_table import (
    CELL,
    HEADING_ROWS,
    QTableView,
    Viewport,
    action_of_column,
    column_of_action,
    draw_q_table,
    n_rows,
    never,
    row_of_state,
    state_of_row,
)
from negotiation_tui.tui.widgets.values import value_text
from tests.support.game import roles, scenarios

SCENARIO = Scenario.original()
PLACE = Rect(0, 0, 12, 80)
VIEWPORT = Viewport.over(SCENARIO, Role.SELLER, True, PLACE, (0, 0))
OPENED = Transcript(SCENARIO, Role.SELLER)


def table() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Values in the first row only; the best of them is that of price 2."""
    values = np.zeros((SCENARIO.n_states, SCENARIO.n_actions))
    values[START, SCENARIO.prices.index(2)] = 0.5
    values[START, SCENARIO.prices.index(3)] = 0.25
    return values


def row(state: int = START, **changes: Any) -> str:
    canvas = Canvas(PLACE.width, PLACE.height)
    draw_q_table(canvas, QTableView(SCENARIO, Role.SELLER, table(), VIEWPORT, **changes))
    return canvas.line(HEADING_ROWS + state)


@pytest.mark.parametrize(("values", "best"), [(Values.NORMALIZED, ".67"), (Values.RELATIVE, "1.0")])
def test_the_best_value_is_bold(values: Values, best: str) -> None:
    canvas = Canvas(PLACE.width, PLACE.height)
    draw_q_table(canvas, QTableView(SCENARIO, Role.SELLER, table(), VIEWPORT, values=values))
    (bold,) = (text for _, text, style in canvas.spans(HEADING_ROWS) if style.endswith("-best"))
    assert bold.strip() == best


def test_a_move_that_was_played_is_marked() -> None:
    assert "▸" not in row()
    played = OPENED.followed_by(SCENARIO.prices.index(3))
    assert "▸.25" in row(shown=played)
    assert "▸" not in row(shown=played, played=False)


def test_an_action_that_is_no_best_response_is_marked() -> None:
    responses = np.zeros((SCENARIO.n_states, SCENARIO.n_actions), np.bool_)
    assert "!.50" in row(responses=responses)
    responses[START, SCENARIO.prices.index(2)] = True
    assert " .50" in row(responses=responses)


def test_the_cursor_is_marked() -> None:
    at = VIEWPORT.label_width + CELL * 3
    assert row(cursor=(0, 3))[at : at + CELL] == "[ · ]"


@pytest.mark.parametrize(("first", "signs"), [(0, " →"), (1, "←→"), (3, "← ")])
def test_signs_beside_the_prices_say_that_there_are_more(first: int, signs: str) -> None:
    narrow = Rect(0, 0, 12, VIEWPORT.label_width + 1 + 4 * CELL)
    part = Viewport.over(SCENARIO, Role.SELLER, True, narrow, (0, 0), (1, first))
    canvas = Canvas(narrow.width, narrow.height)
    draw_q_table(canvas, QTableView(SCENARIO, Role.SELLER, table(), part))
    begin, gap = part.label_width, part.label_width + 2 * CELL
    assert canvas.line(1)[begin] + canvas.line(1)[gap - 1] == signs
    ends = [(begin - 1, None), (begin, first), (gap - 1, first + 1), (gap + 1, 5)]
    for x, column in [*ends, (gap + 2 * CELL, 6), (gap + 2 * CELL + 1, None)]:
        below = [part.cell_at(5, y, x) for y in (HEADING_ROWS - 1, HEADING_ROWS, 10, 11)]
        rows = ((row, column) if column is not None else None for row in (1, 9))
        assert below == [None, *rows, None]


@given(scenarios(), roles)
def test_a_cell_is_a_state_with_an_action(scenario: Scenario, role: Role) -> None:
    for opened in (True, False):
        for rows in range(n_rows(scenario, role, opened)):
            state = state_of_row(scenario, role, opened, rows)
            assert row_of_state(scenario, role, state) == rows
            for action in scenario.legal_actions(state, role):
                column = column_of_action(scenario, role, action)
                assert action_of_column(scenario, role, column) == action


def test_a_state_without_a_decision_says_why() -> None:
    aware, prices = replace(SCENARIO, states=States.OPENER_AWARE), SCENARIO.n_prices
    rows = range(1 + prices * SCENARIO.rounds)
    for opened, first, last in (
        (True, "", "the buyer has the last word"),
        (False, "the buyer opens", ""),
    ):
        states = [state_of_row(aware, Role.SELLER, opened, row) for row in rows]
        said = [never(aware, Role.SELLER, state, opened) for state in states]
        assert said == [first, *[""] * (len(rows) - 1 - prices), *[last] * prices]
        assert not any(never(SCENARIO, Role.SELLER, state, opened) for state in range(2))


def test_the_state_at_the_cursor_is_marked_for_the_responder_too() -> None:
    aware = replace(SCENARIO, states=States.OPENER_AWARE)
    values = np.zeros((aware.n_states, aware.n_actions))
    state = aware.state_index(3, 1, opened=False)
    values[state, 1] = 0.75
    at = row_of_state(aware, Role.SELLER, state), 1
    part, canvas = Viewport.over(aware, Role.SELLER, False, PLACE, at), Canvas(80, 12)
    draw_q_table(canvas, QTableView(aware, Role.SELLER, values, part, opened=False, cursor=at))
    (words,) = re.findall(r"^\[(.*?)\]  .*\[ *\.75 *\]", canvas.text(), re.MULTILINE)
    assert words == "offered 3, round 2"


@pytest.mark.parametrize(
    ("value", "room", "text"),
    [
        (0.614, 4, ".61"),
        (0.614, 3, ".61"),
        (1.0, 3, "1.0"),
        (10.25, 4, "10.2"),
        (-0.2, 4, "−.20"),
        (-0.001, 3, ".00"),
        (12345.0, 3, "…"),
    ],
)
def test_a_number_has_as_many_digits_as_fit(value: float, room: int, text: str) -> None:
    assert value_text(value, room) == text


def test_the_legend_has_a_colour_for_each_character() -> None:
    canvas = Canvas(PLACE.width, PLACE.height)
    draw_q_table(canvas, QTableView(SCENARIO, Role.BUYER, table(), VIEWPORT))
    assert canvas.line(PLACE.height - 1).startswith(" 0     1  ▸ played"), "as for the seller"
    styles = [canvas.style_at(PLACE.height - 1, x) for x in range(1, 8)]
    assert styles == [f"heat{level}" for level in range(7)]
