"""The picture of a plan: every decision has a sign, at any size."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from negotiation_tui import Role, States, Transcript
from negotiation_tui.game.learned import WithValues
from negotiation_tui.game.plan import Decision, Kind, Plan, plan_of
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.policy_picture import draw_policy_picture, place_at
from negotiation_tui.tui.widgets.words import place_of, state_at, state_words, words
from tests.support.game import roles, scenarios, seeds

ORIGINAL, FINE, LEGACY = Scenario.original(), Scenario.of("fine"), Scenario.of("legacy")
AWARE = replace(ORIGINAL, states=States.OPENER_AWARE)


def drawn(plan: Plan, opened: bool, height: int = 14) -> Canvas:
    canvas = Canvas(44, height)
    draw_policy_picture(canvas, plan, (0, 0))
    return canvas


def plan_with(scenario: Scenario, role: Role, **values: tuple[int, int, int, float]) -> Plan:
    """A plan with values of actions: price and round on the table, action and value."""
    q = np.zeros((scenario.n_states, scenario.n_actions))
    for price, time, action, value in values.values():
        q[scenario.state_index(price, time), action] = value
    return plan_of(scenario, role, WithValues(q))


@given(scenarios(), roles, seeds)
def test_the_cursor_finds_every_position(scenario: Scenario, role: Role, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shown = Transcript(scenario, Role(int(rng.integers(2))))
    plan = plan_of(scenario, role, WithValues(np.zeros((scenario.n_states, scenario.n_actions))))
    while (position := shown.position) is not None:
        if position.role is role:
            assert state_at(plan, position.opened, place_of(shown, role)) == position.state
        shown = shown.followed_by(int(rng.choice(position.legal)))
    own = [turn.state for turn in shown.turns if turn.role is role]
    opened = shown.opener is role
    assert state_at(plan, opened, place_of(shown, role)) == (own[-1] if own else START)


@pytest.mark.parametrize(
    ("decision", "role", "text"),
    [
        (Decision(Kind.ASK, 1, 1, 1, None), Role.BUYER, "offer 1"),
        (Decision(Kind.ASK, 3, 5, 2, 0.5), Role.BUYER, "offer 3 or 5"),
        (Decision(Kind.ASK, 3, 9, 4, 0.5), Role.SELLER, "ask 3 to 9"),
        (
            Decision(Kind.ACCEPT | Kind.ASK | Kind.WALK_AWAY, 2, 2, 1, 0.1),
            Role.SELLER,
            "accept or ask 2 or walk away",
        ),
        (Decision(Kind.ACCEPT, None, None, 0, None, 0.73), Role.BUYER, "accept (73%)"),
        (Decision(Kind.ASK, 2, 4, 2, None, 0.4), Role.SELLER, "ask 2 or 4 (40% each)"),
    ],
)
def test_a_decision_in_words(decision: Decision, role: Role, text: str) -> None:
    assert words(decision, role) == text


def test_a_state_in_words() -> None:
    assert state_words(ORIGINAL, START, opened=True) == "opening"
    third = ORIGINAL.state_index(3, 1)
    assert state_words(ORIGINAL, third, opened=False) == "offered 3, round 2"
    assert state_words(ORIGINAL, third, opened=True) == "offered 3, round 3", "it answers later"
    state = AWARE.state_index(3, 1, opened=False)
    assert state_words(AWARE, state, opened=False) == "offered 3, round 2"


def test_the_colour_is_the_worth() -> None:
    plan = plan_with(ORIGINAL, Role.SELLER, low=(1, 0, 3, 0.1), high=(2, 0, 3, 0.9))
    canvas = drawn(plan, opened=True)
    styles = [canvas.style_at(y, 16) for y in (3, 4, 5)]
    assert styles == ["heat0", "heat6", "faint"], "worth .1, worth .9, not learned"


@pytest.mark.parametrize("size", [(38, 7), (44, 14), (20, 4), (150, 40), (3, 1)])
def test_a_cell_of_any_picture_is_found_again(size: tuple[int, int]) -> None:
    for scenario in (ORIGINAL, FINE, LEGACY, AWARE):
        q = np.zeros((scenario.n_states, scenario.n_actions))
        plan = plan_of(scenario, Role.SELLER, WithValues(q))
        places = {
            place_at(plan, size[1], size[0], y, x, (0, 0), None)
            for y in range(size[1] + 2)
            for x in range(size[0] + 2)
        }
        assert all(place is None or state_at(plan, True, place) >= START for place in places)
