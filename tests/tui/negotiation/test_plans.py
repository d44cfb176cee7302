"""The plans in panes 2 and 3: whose they are, what the cursor says, and the keys for them."""

import numpy as np

from negotiation_tui.game.plan import plan_of
from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.tui.negotiation.layout import BUYER_PLAN, SELLER_PLAN
from negotiation_tui.tui.negotiation.plans_shown import cursor, plan_shown
from negotiation_tui.tui.toolkit.layout import Layout
from negotiation_tui.tui.widgets.plan_words import words_at
from tests.support.screen_driver import Screen

AWARE = States.OPENER_AWARE


def pane(screen: Screen, number: int) -> list[str]:
    """The lines of a pane, its heading first."""
    layout = screen.settle() and screen.model.layout()
    assert isinstance(layout, Layout)
    area, canvas = layout.panes[number], screen.frame()
    return [
        canvas.line(y)[area.x : area.x + area.width] for y in range(area.y, area.y + area.height)
    ]


def foot(screen: Screen, number: int) -> str:
    return pane(screen, number)[-1].strip()


def test_the_cursor_follows_the_negotiation_until_it_is_moved() -> None:
    screen = Screen().press("c")
    for _ in range(6):
        playback = screen.press(".").model.playback
        assert playback
        position = playback.position
        if position is None or position.standing_offer is None:
            continue
        own = SELLER_PLAN if position.role is Role.SELLER else BUYER_PLAN
        facing = f"facing {position.standing_offer} in round {position.time + 1}: "
        assert foot(screen, own).startswith(facing)
    here = cursor(screen.model, SELLER_PLAN)
    assert here == (3, 1)
    screen.press("up", "right", ".")
    assert cursor(screen.model, SELLER_PLAN) == (2, 2)
    assert foot(screen, SELLER_PLAN).startswith("facing 2 in round 3: ")
    assert cursor(screen.press("esc", ",").model, SELLER_PLAN) == here


def test_the_words_are_those_of_the_table() -> None:
    screen = Screen(width=200).press("c", "c", "c", ".", "z", "home", "z")
    table = screen.model.snapshot.q_tables[Role.SELLER]
    assert table is not None
    offers = table[0, :5]
    best = int(offers.argmax()) + 1
    assert foot(screen, SELLER_PLAN) == f"opening: ask {best}, worth {offers.max():.2f}"
    assert f"{best} {offers.max():.2f}" in pane(screen, SELLER_PLAN)[2]


def test_the_plans_are_of_the_opener_and_of_the_responder_in_play() -> None:
    screen = Screen(states=AWARE, opener=Opener.BUYER).press("c", ".")
    assert "as responder" in pane(screen, SELLER_PLAN)[0]
    assert "as opener" in pane(screen, BUYER_PLAN)[0]
    assert "the buyer opens" in pane(screen, SELLER_PLAN)[2]
    screen.press("u")
    assert "as opener" in pane(screen, SELLER_PLAN)[0]
    assert "the seller opens" in pane(screen, BUYER_PLAN)[2]
    assert "as responder" in pane(screen.press("u"), SELLER_PLAN)[0]


def test_a_static_strategy_has_a_plan() -> None:
    screen = Screen(strategies=("boulware", None), opener=Opener.SELLER).press("c", ".")
    assert "Seller's plan: boulware" in pane(screen, SELLER_PLAN)[0]
    assert pane(screen, SELLER_PLAN)[2].split()[-1] == "[5]"
    plan = plan_shown(screen.model, Role.SELLER)
    assert plan
    assert words_at(plan, True, (1, 0)) == "facing 1 in round 1: ask 5"


def test_the_plan_shown_is_the_one_before_the_negotiation_was_learned_from() -> None:
    screen = Screen().press("c", ".")
    plan, known = plan_shown(screen.model, Role.SELLER), screen.model.learned.q_tables[Role.SELLER]
    assert known is not None
    assert plan is plan_of(screen.model.snapshot.scenario, Role.SELLER, known)
    assert np.array_equal(np.isnan(plan.values), plan.kinds == 0)
