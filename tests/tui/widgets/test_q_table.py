"""A Q-table from a view alone: its values, its marks, and the part in sight."""

import numpy as np

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.learning.q_table import Values
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.widgets.q_table import QTableView, draw_q_table
from negotiation_tui.tui.widgets.viewport import CELL, HEADER, Viewport

SCENARIO = Scenario.original()
PLACE = Rect(0, 0, 12, 80)
VIEWPORT = Viewport.over(SCENARIO, PLACE, (0, 0), None)
OPENED = Transcript(SCENARIO, Role.SELLER)
OFFERED = OPENED.followed_by(SCENARIO.prices.index(4))


def table() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Values in the first row only; the best of them is that of price 2."""
    values = np.zeros((SCENARIO.n_states, SCENARIO.n_actions))
    values[START, SCENARIO.prices.index(2)] = 0.5
    values[START, SCENARIO.prices.index(3)] = 0.25
    return values


def row(view: QTableView, state: int = START) -> str:
    canvas = Canvas(PLACE.width, PLACE.height)
    draw_q_table(canvas, view)
    return canvas.line(HEADER + state)


def test_the_best_of_a_row_is_framed() -> None:
    line = row(QTableView(SCENARIO, Role.SELLER, table(), VIEWPORT))
    assert "[0.50]" in line
    assert " 0.25 " in line
    assert not line.startswith("▸")


def test_values_can_be_divided_by_the_sum_of_their_row_or_by_its_best() -> None:
    for values, best, second in (
        (Values.NORMALIZED, "[0.67]", " 0.33 "),
        (Values.RELATIVE, "[1.00]", " 0.50 "),
    ):
        line = row(QTableView(SCENARIO, Role.SELLER, table(), VIEWPORT, values=values))
        assert best in line
        assert second in line


def test_divided_values_have_the_colours_of_their_share_of_the_best() -> None:
    styles = []
    for values in (Values.NORMALIZED, Values.RELATIVE):
        canvas = Canvas(PLACE.width, PLACE.height)
        draw_q_table(canvas, QTableView(SCENARIO, Role.SELLER, table(), VIEWPORT, values=values))
        styles.append([canvas.style_at(HEADER, x) for x in range(PLACE.width)])
    assert styles[0] == styles[1]


def test_a_greedy_action_that_is_no_best_response_is_marked() -> None:
    responses = np.zeros((SCENARIO.n_states, SCENARIO.n_actions), np.bool_)
    view = QTableView(SCENARIO, Role.SELLER, table(), VIEWPORT, responses=responses)
    assert "[0.50!" in row(view)
    responses[START, SCENARIO.prices.index(2)] = True
    assert "[0.50]" in row(view)


def test_the_row_at_hand_and_what_was_done_in_it() -> None:
    view = QTableView(SCENARIO, Role.SELLER, table(), VIEWPORT, OFFERED)
    line = row(view)
    assert line.startswith("▸")
    at = VIEWPORT.label_width + CELL * SCENARIO.prices.index(4)
    assert line[at : at + CELL] == "  ··  "


def test_the_legend_has_a_colour_for_each_character() -> None:
    """With rewards near 0, too, because the other's limit is far away."""
    far = SCENARIO.with_limits({Role.SELLER: -(10**9), Role.BUYER: 5})
    canvas = Canvas(PLACE.width, PLACE.height)
    draw_q_table(canvas, QTableView(far, Role.BUYER, table(), VIEWPORT))
    assert canvas.line(PLACE.height - 1).startswith(" 0 4e-09  [ ]")
    styles = [canvas.style_at(PLACE.height - 1, x) for x in range(1, 8)]
    assert styles == [f"heat{level}" for level in range(7)]
