"""The screen stays calm: nothing swaps with the opener, no border moves, a sign has one sense."""

import re
from dataclasses import replace
from itertools import product

import pytest

from negotiation_tui import Role, States
from negotiation_tui.tui.negotiation.keys import BUYER_PLAN, SELLER_PLAN
from negotiation_tui.tui.negotiation.panes.q_tables import RoleTable, choose_cell
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.negotiation.why import open_why, why_title
from tests.support.screen_driver import STATIC, Screen

SIZES = pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 36), (200, 60)])
PLANS = SELLER_PLAN, BUYER_PLAN


def cells(screen: Screen) -> list[list[str]]:
    """Return the signs of both plans without the marks of the states at hand."""
    return [
        [re.sub(r"[][]", " ", line).rstrip() for line in screen.pane(pane)[1:]] for pane in PLANS
    ]


def borders(screen: Screen) -> str:
    return re.sub(r"[^┌┐└┘│┃┏┓┗┛\n]", " ", screen.text())


@SIZES
def test_no_plan_changes_with_the_opener(width: int, height: int) -> None:
    screen = Screen(width=width, height=height, cycles=2, states=States.OPENER_AWARE)
    screen.press("c", "c", "c")
    seen = {}
    for _ in range(4):
        opener = screen.press("n").model.shown.opener
        seen[opener] = cells(screen)
    assert {*seen} == {*Role}
    assert seen[Role.SELLER] == seen[Role.BUYER]


@SIZES
@pytest.mark.parametrize("game", ["original", "hidden"])
def test_no_border_moves(game: str, width: int, height: int) -> None:
    screen = Screen(game, width=width, height=height).press(*"ccc")
    at_first = screen.model.layout()
    for key in (*".......", "i", "i", "n", "?", "?", "d", ",", "end", "g", "esc"):
        assert screen.press(key).settle().model.layout() == at_first, key
    text = borders(screen)
    assert borders(screen.press("2", "esc").press("4")) == text


@SIZES
def test_marks_stand_at_moves_played(width: int, height: int) -> None:
    screen, marks = Screen(width=width, height=height).press(*"ccc"), 0
    for _ in range(12):
        turns = screen.press(".").settle().model.shown.turns
        lines = [line for line in screen.text().splitlines() if line[1:7] in {"SELLER", "BUYER "}]
        for line in lines:
            if found := re.search(r"▸(?:(?:ask|offer) (\d+)|accept|walk)", line):
                role = Role[line.split()[0]]
                prices = [f"{turn.price}" for turn in turns if turn.role is role]
                assert prices
                assert found[1] is None or found[1] in prices
                marks += 1
    assert marks or height < 28


@SIZES
def test_the_split_of_a_deal_stands_once(width: int, height: int) -> None:
    screen = Screen(width=width, height=height, strategies=STATIC).press("n").settle()
    assert screen.model.shown.outcome.deal
    assert len(re.findall(r"SELLER (?:gets )?\d", screen.text())) == 1
    assert not re.search(r"(still|could|to) gain *$", screen.text(), re.MULTILINE)


@pytest.mark.parametrize("keys", ["i", "v", "?", "3", "\\", "g"])
@pytest.mark.parametrize(("width", "height"), [(40, 12), (80, 14), (80, 24), (120, 36), (200, 60)])
def test_no_key_takes_a_border_away(keys: str, width: int, height: int) -> None:
    screen = Screen(width=width, height=height).press(*"ccc")
    frames = screen.model.layout().frames
    screen.press(keys)
    assert keys in "v3" or screen.model.layout().frames == frames
    bottoms = [area.y + area.height - 1 for area in screen.model.layout().frames.values()]
    if screen.model.modal is None:
        assert all(re.search("[┘┛]", screen.text().splitlines()[y]) for y in bottoms)


def test_a_message_takes_the_sentence() -> None:
    screen = Screen(width=80, height=24).press(*"ccc")
    before = screen.text().splitlines()
    after = screen.press("\\").text().splitlines()
    caption = screen.model.layout().lines["caption"]
    changed = [y for y, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    assert changed
    assert {*changed} <= {*range(caption.y, caption.y + caption.height)}


def test_the_end_of_a_low_screen_has_coins() -> None:
    screen = Screen(width=80, height=24, cycles=2).press("c", "c")
    last = screen.text().splitlines()[-2]
    assert re.search(r"✓ accepts .*The opener gets \d\.\d coins by rules, \d\.\d learned", last)
    assert "├" in screen.press("[").settle().text().splitlines()[-2]


def test_a_fast_training_ends_easily() -> None:
    screen = Screen(cycles=2, episodes=20, pace="flat").press("space").work(40)
    assert screen.model.latest.finished
    assert screen.model.pace.directed


def test_curves_stand_below_the_ribbon() -> None:
    lines = Screen(cycles=8).press(*"cccc", "2", "z").text().splitlines()
    ribbon = next(line for line in lines if "cycle 1" in line)
    axes = [line.index("┼") for line in lines if "┼" in line]
    assert axes
    assert {*axes} == {ribbon.index("cycle 1") - 1}


def test_the_time_line_is_there_in_the_past() -> None:
    screen = Screen(width=80, height=24).press(*"ccc")
    assert "✓ accepts" in screen.text()
    assert "├" not in screen.line("✓ accepts")
    assert screen.press("[").settle().line("past ├")
    assert "✓ accepts" in screen.press("end").settle().text()


@SIZES
def test_a_click_finds_the_cell_it_is_on(width: int, height: int) -> None:
    model = Screen(width=width, height=height).press(*"cccc", ".", ".").model
    for pane in PLANS:
        area, found = model.area_of(pane), set()
        assert area is not None
        for y in range(area.height):
            for x in range(area.width):
                chosen = choose_cell(model, pane, y, x)
                cursor = RoleTable(chosen, pane).cursor
                if chosen is not model and cursor not in found:
                    found.add(cursor)
                    assert "[" in render(chosen).subcanvas(area).line(y)
        assert len(found) >= 26, "every decision of the plan"


def test_rules_have_no_colours_of_values() -> None:
    for strategies, coloured in ((STATIC, False), ((None, None), True)):
        screen = Screen(strategies=strategies).press(*"ccc")
        area = screen.model.area_of(SELLER_PLAN)
        canvas = screen.frame().subcanvas(area)
        styles = {canvas.style_at(y, x) for y in range(area.height) for x in range(area.width)}
        assert any(style.startswith("heat") for style in styles) is coloured


def test_each_size_shows_a_plan() -> None:
    model = Screen(width=120, height=36).press(*"ccc").model
    for width, height in ((40, 12), (60, 16), (80, 20), (100, 30), (300, 100), (40, 30)):
        text = render(replace(model, width=width, height=height)).text()
        assert "4 Seller's Q-table" in text, (width, height)


def test_a_reason_names_all_tied_moves() -> None:
    model, counts = Screen(cycles=60).press(*"c" * 40, "4").model, set()
    for place in product(range(1, 6), range(9)):
        placed = replace(model, scrolled={SELLER_PLAN: place})
        table, asked = RoleTable(placed, SELLER_PLAN), open_why(placed)
        if asked.why is None:
            continue
        assert table.values is not None
        row = table.values[table.entry[0]]
        tied = sum(
            row[each] == row.max()
            for each in table.game.legal_actions(asked.why.state, Role.SELLER)
        )
        assert why_title(asked).count(" or ") == tied - 1
        counts.add(tied)
    assert {1, 2} <= counts


def test_only_learned_coins_have_a_number() -> None:
    screen = Screen(width=200, height=60, cycles=2).press("c", "c", "c")
    table = RoleTable(screen.model, SELLER_PLAN)
    assert table.values is not None
    row, line = table.values[table.entry[0]], screen.line(" SELLER  offered")
    known = [bool(row[offer]) for offer in table.game.offers(Role.SELLER)]
    assert [f"ask {n} ·" not in line for n in range(1, 6)] == known
    assert {*known} == {True, False}
