"""The plans in panes 4 and 5: whose they are, what the cursor says, and the keys for them."""

import re

import pytest

from negotiation_tui import Opener, Role, States
from negotiation_tui.runtime.text import coins
from negotiation_tui.tui.negotiation.keys import BUYER_PLAN, OFFERS, SELLER_PLAN
from negotiation_tui.tui.negotiation.panes.price_bar import draw_offers
from negotiation_tui.tui.negotiation.panes.q_tables import RoleTable, choose_cell
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.toolkit.canvas import Canvas
from tests.support.game import values_of
from tests.support.screen_driver import Screen

AWARE = States.OPENER_AWARE


def head(screen: Screen, number: int) -> str:
    """The state at hand in words, and what each move is worth."""
    role = "SELLER" if number == SELLER_PLAN else "BUYER"
    lines = screen.text().splitlines()
    return next((line[8:].strip() for line in lines if line.startswith(f" {role} ")), "")


def test_the_cursor_follows_the_negotiation_until_it_is_moved() -> None:
    screen = Screen().press("c")
    for _ in range(6):
        playback = screen.press(".").model.playback
        position = playback.shown.position
        if position is None or position.standing_offer is None:
            continue
        own = SELLER_PLAN if position.role is Role.SELLER else BUYER_PLAN
        facing = f"offered {position.standing_offer}, round {position.ply // 2 + 1}:"
        assert head(screen, own).startswith(facing)
    here = RoleTable(screen.model, SELLER_PLAN).cursor
    row, column = here
    screen.press("up", "right", ".")
    assert RoleTable(screen.model, SELLER_PLAN).cursor == (row - 1, column + 1)
    assert head(screen, SELLER_PLAN).startswith(f"offered {row - 1}, round ")
    assert RoleTable(screen.press("esc", ",").model, SELLER_PLAN).cursor == here


def test_a_negotiation_that_begins_late_is_drawn_at_its_rounds() -> None:
    screen = Screen(height=60, states=AWARE, recipe="reverse-curriculum").press("c", "n", "6", "z")
    playback = screen.settle().model.playback
    lines = screen.pane(OFFERS)
    last = next(line for line in lines if " 1  " in line and " 5  " in line).index("5")
    dots = [x for line in lines[1:] for x, sign in enumerate(line) if sign in "●○✓"]
    assert playback
    assert playback.shown.turns[0].round == 4
    assert dots
    assert min(dots) >= last


@pytest.mark.parametrize("name", ["original", "fine", "legacy"])
def test_offers_stand_at_their_prices_and_rounds(name: str) -> None:
    model = Screen(name, strategies=("linear", "boulware")).press("n").model
    low, *_, high = model.snapshot.scenario.prices
    assert model.shown.over
    for height in (8, 12, 23, 50):
        canvas = Canvas(90, height)
        draw_offers(canvas, model, OFFERS)
        lines = [canvas.line(y) for y in range(height)]
        assert "6 Offers" in lines[0]
        floor = next(y for y, line in enumerate(lines) if "└" in line)
        assert min(height - 2, high - low) / 2 < floor <= height - 2
        labels = {int(line.split()[0]): y for y, line in enumerate(lines) if "┤" in line}
        assert (labels[high], labels[low]) == (1, floor - 1)
        first, second, *_ = labels
        each = (labels[second] - 1) / (first - second)
        rounds = {int(found[0]): found.start() for found in re.finditer(r"\d+", lines[floor + 1])}
        signs = {x: y for x in range(90) for y in range(1, floor) if lines[y][x] in "●○✓"}
        rows = [*signs.values(), None]
        assert rounds
        for (n, x), turn in zip(enumerate(signs), model.shown.turns, strict=True):
            y, over = signs[x], turn.action >= model.snapshot.scenario.accept
            assert abs(1 + (high - turn.price) * each - y) <= 0.5
            assert lines[y][x] == ("✓" if over else "○●"[turn.role])
            said = f"{turn.price}" if each < 1 and rows[n + 1] != y else ""
            assert lines[y][x + 1 :].split(" ")[0] == said
            assert turn.role is not model.shown.opener or rounds.get(turn.round + 1, x) == x


def test_the_plan_of_fixed_rules_says_so() -> None:
    screen = Screen(strategies=("midpoint", None)).press("c", ".", ".")
    assert "Seller's plan: midpoint" in screen.pane(SELLER_PLAN)[0]
    assert "if accepted" in head(screen, SELLER_PLAN)
    screen = Screen(strategies=("boulware", None), opener=Opener.BUYER).press("c", ".", ".")
    assert "offered" in head(screen, SELLER_PLAN), "who opened, though the states do not tell"


def test_enter_asks_about_the_value_at_the_cursor() -> None:
    screen = Screen().press(*"cccc", ".", ".", "v", "down", "up", "enter")
    row, column = RoleTable(screen.model, SELLER_PLAN).cursor
    table = values_of(screen.model.pane_snapshot.agents[Role.SELLER])
    entry = screen.model.why
    assert (entry.state, entry.action) == (row, column), "the original's rows stand in this order"
    title = screen.line("Why the seller")
    assert "opening" in title or "offered" in title
    assert f"worth {coins(5 * table[row, column])}" in screen.text()


@pytest.mark.parametrize("keys", ["", "v"])
def test_a_cell_can_be_chosen_by_its_place(keys: str) -> None:
    model = Screen().press(*"cccc", ".", ".", *keys).model
    area = model.area_of(SELLER_PLAN)
    found = set()
    for y in range(area.height):
        for x in range(0, area.width, 2):
            chosen = choose_cell(model, SELLER_PLAN, y, x)
            cursor = RoleTable(chosen, SELLER_PLAN).cursor
            if chosen is not model and cursor not in found:
                found.add(cursor)
                mark = render(chosen).subcanvas(area).line(y)[: x + 4]
                assert keys or cursor[0] == 0 or "[" in mark
    assert len(found) >= 26, "every decision of the plan, or every value in sight"


@pytest.mark.parametrize("keys", ["", "v"])
@pytest.mark.parametrize("pane", ["4", "5"])
def test_no_cell_is_beyond_the_last_round(pane: str, keys: str) -> None:
    screen = Screen().press("c", "z", pane, *keys)
    for moves in (("right",) * 9, ("end",), ("u",), ("right",), ("u",)):
        screen.press(*moves)
        found = re.search(r"round (\d+)", head(screen, int(pane)))
        assert found is None or int(found[1]) <= 5, screen.text()
        state, _ = RoleTable(screen.model, int(pane)).entry
        assert 0 <= state < screen.model.latest.scenario.n_states
