"""The picture of a plan: every decision has a sign, at any size."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.plan import Decision, Kind, Plan, learned_plan, plan_of
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_actions
from negotiation_tui.strategies.registry import strategy
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.plan_words import place_of, state_at, words, words_at
from negotiation_tui.tui.widgets.policy_picture import PolicyView, draw_policy_picture
from tests.support.game import roles, scenarios, seeds

ORIGINAL, FINE, LEGACY = Scenario.original(), Scenario.fine(), Scenario.legacy()
AWARE = replace(ORIGINAL, states=States.OPENER_AWARE)
ROOM = 44, 14
"""Columns and rows of a pane on a screen of 120×36."""


def drawn(
    plan: Plan, width: int, height: int, opened: bool = True, cursor: tuple[int, int] = (0, 0)
) -> Canvas:
    canvas = Canvas(width, height)
    draw_policy_picture(canvas, PolicyView(plan, opened, cursor))
    return canvas


def lines(plan: Plan, width: int = 44, height: int = 14, opened: bool = True) -> list[str]:
    return drawn(plan, width, height, opened).text().splitlines()


def plan_with(scenario: Scenario, role: Role, **values: tuple[int, int, int, float]) -> Plan:
    """A plan with values of actions: price and round on the table, action and value."""
    q = np.zeros((scenario.n_states, scenario.n_actions))
    for price, time, action, value in values.values():
        q[scenario.state_index(price, time), action] = value
    return plan_of(scenario, role, q)


def table(rows: list[str]) -> list[list[str]]:
    """The label and the cells of each row of prices."""
    return [row.translate(str.maketrans("▸[]", "   ")).split() for row in rows]


def test_each_decision_stands_below_its_round_and_beside_its_price() -> None:
    plan = plan_with(
        ORIGINAL,
        Role.SELLER,
        accept=(3, 1, ORIGINAL.accept, 0.6),
        ask=(1, 0, 3, 0.7),
        leave=(2, 4, ORIGINAL.walk_away, 0.1),
        tie_of_one=(4, 2, 4, 0.5),
        tie_of_two=(4, 2, ORIGINAL.accept, 0.5),
    )
    rows = lines(plan)
    assert rows[0].split() == ["offered", "1", "2", "3", "4", "5"]
    assert table(rows[1:7]) == [
        ["opening", "·"],
        ["1", "4", "·", "·", "·", "·"],
        ["2", "·", "·", "·", "·", "✗"],
        ["3", "·", "✓", "·", "·", "·"],
        ["4", "·", "·", "?", "·", "·"],
        ["5", "·", "·", "·", "·", "·"],
    ]


def test_colour_and_number_say_what_is_asked_on_a_fixed_scale() -> None:
    plan = plan_with(ORIGINAL, Role.SELLER, low=(1, 0, 0, 0.7), high=(2, 0, 4, 0.01))
    canvas = drawn(plan, *ROOM, cursor=(5, 4))
    x = canvas.line(0).index("1")
    assert canvas.style_at(2, x) == "heat0"
    assert canvas.style_at(3, x) == "heat6"
    legend = canvas.line(13)
    assert legend.split() == ["asks", "1", "2", "3", "4", "5"]
    assert [canvas.style_at(13, legend.index(str(n))) for n in (1, 5)] == ["heat0", "heat6"]


def opens_at_the_highest(scenario: Scenario, chance: float) -> Plan:
    """A seller who opens at its highest price with this chance, and always answers so."""
    legal = legal_actions(scenario, scenario.offers(Role.SELLER))
    dense = np.zeros(legal.shape)
    dense[:, scenario.n_prices - 1] = chance
    dense[:, scenario.n_prices - 2] = 1 - chance
    last = ~legal[:, 0]
    dense[last] = np.arange(scenario.n_actions) == scenario.walk_away
    policy = TabularPolicy.of_probabilities(scenario, Role.SELLER, dense)
    plan = learned_plan(scenario, Role.SELLER, None, policy)
    assert plan is not None
    return plan


def test_the_likeliest_of_several_actions_has_its_chance_or_a_sign() -> None:
    mixed, sure = (opens_at_the_highest(ORIGINAL, chance) for chance in (0.625, 1.0))
    assert "5 62 %" in lines(mixed, width=66)[1]
    assert "the likeliest of several" in "\n".join(lines(mixed, width=80))
    narrow = lines(mixed)
    assert table(narrow[1:3]) == [["opening", "5~"], ["1", "5~", "5~", "5~", "5~", "✗"]]
    assert "~ likeliest" in narrow[-2]
    assert "~" not in "".join(lines(sure))
    fine = [drawn(opens_at_the_highest(FINE, chance), 44, 14) for chance in (0.625, 1.0)]
    assert [canvas.style_at(3, 4) for canvas in fine] == ["faint", "sign6"]
    assert fine[0].line(3) == fine[1].line(3)


@given(scenarios(), roles, seeds)
def test_the_cursor_finds_every_position(scenario: Scenario, role: Role, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shown = Transcript(scenario, Role(int(rng.integers(2))))
    plan = plan_of(scenario, role, np.zeros((scenario.n_states, scenario.n_actions)))
    while (position := shown.position) is not None:
        if position.role is role:
            assert state_at(plan, position.opened, place_of(shown, role)) == position.state
        shown = shown.followed_by(int(rng.choice(position.legal)))
    own = [turn.state for turn in shown.turns if turn.role is role]
    opened = shown.opener is role
    assert state_at(plan, opened, place_of(shown, role)) == (own[-1] if own else START)


def test_the_cursor_is_marked_without_colour() -> None:
    plan = plan_with(ORIGINAL, Role.SELLER, accept=(3, 1, ORIGINAL.accept, 0.6))
    text = drawn(plan, *ROOM, cursor=(3, 1)).text()
    assert "[✓]" in text
    assert "▸3" in text
    assert text.count("▸") == text.count("[") == 1


@pytest.mark.parametrize(
    ("decision", "role", "text"),
    [
        (Decision(Kind.ACCEPT, None, None, 0, 0.6), Role.SELLER, "accept, worth 0.60"),
        (Decision(Kind.ASK, 4, 4, 1, 0.8), Role.SELLER, "ask 4, worth 0.80"),
        (Decision(Kind.ASK, 1, 1, 1, None), Role.BUYER, "offer 1"),
        (Decision(Kind.ASK, 3, 5, 2, 0.5), Role.BUYER, "offer 3 or 5, worth 0.50 each"),
        (Decision(Kind.ASK, 3, 9, 4, 0.5), Role.SELLER, "ask 3 to 9, worth 0.50 each"),
        (Decision(Kind.WALK_AWAY, None, None, 0, 0.0), Role.BUYER, "walk away, worth 0.00"),
        (
            Decision(Kind.ACCEPT | Kind.ASK | Kind.WALK_AWAY, 2, 2, 1, 0.1),
            Role.SELLER,
            "accept or ask 2 or walk away, worth 0.10 each",
        ),
        (Decision(Kind.UNTRIED, None, None, 0, 0.0), Role.SELLER, "untried, worth 0.00"),
        (Decision(Kind.ACCEPT, None, None, 0, None, 0.73), Role.BUYER, "accept (73 %)"),
        (Decision(Kind.ASK, 2, 4, 2, None, 0.4), Role.SELLER, "ask 2 or 4 (40 % each)"),
    ],
)
def test_a_decision_in_words(decision: Decision, role: Role, text: str) -> None:
    assert words(decision, role) == text


def test_a_place_in_words() -> None:
    plan = plan_with(AWARE, Role.SELLER, accept=(3, 1, AWARE.accept, 0.6))
    assert words_at(plan, False, (3, 1)) == "facing 3 in round 2: accept, worth 0.60"
    assert words_at(plan, False, (3, 1), 38) == "facing 3 in round 2: accept, 0.60"
    assert words_at(plan, False, (3, 1), 30) == "facing 3 in round 2: accept"
    assert words_at(plan, True, (3, 1)).startswith("facing 3 in round 2: untried")
    assert words_at(plan, True, (3, 4)) == "facing 3 in round 5: never, the buyer has the last word"
    assert words_at(plan, False, (0, 0)) == "opening: the buyer opens"
    assert words_at(plan, True, (0, 0)).startswith("opening: untried")


def test_the_opening_belongs_to_the_opener() -> None:
    table_of_strategy = strategy("boulware").tabulated(AWARE, Role.SELLER)
    assert table_of_strategy is not None
    plan = plan_of(AWARE, Role.SELLER, table_of_strategy)
    assert "the buyer opens" in lines(plan, opened=False)[1]
    assert table(lines(plan)[1:2]) == [["opening", "5"]]
    position = Position(AWARE, Role.SELLER, opened=True)
    assert table_of_strategy.support(position) == [AWARE.prices.index(5)]
