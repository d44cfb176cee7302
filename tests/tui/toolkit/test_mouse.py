"""The mouse: panes, cells, keys, lines of lists, the time line, the wheel."""

import pytest

from negotiation_tui.tui.negotiation.panes.q_tables import cursor
from negotiation_tui.tui.toolkit.messages import Mouse
from tests.support.pty_session import MISSING, PROGRAM, Session
from tests.support.screen_driver import Screen

SIZES = [(80, 24), (120, 36), (200, 60)]


def find(screen: Screen, words: str, at: int = 0) -> tuple[int, int]:
    """Return row and column of a text on the screen."""
    lines = screen.text().splitlines()
    y = next(y for y, line in enumerate(lines) if words in line)
    return y, lines[y].index(words) + at


def click(screen: Screen, place: tuple[int, int], action: str = "press") -> Screen:
    screen.tell(Mouse(action, *place))
    return screen


@pytest.mark.parametrize("size", SIZES)
def test_a_click_chooses_the_pane_and_the_state(size: tuple[int, int]) -> None:
    screen = Screen(width=size[0], height=size[1]).press(*"c" * 12)
    area = screen.model.area_of(3)
    click(screen, (area.y, area.x + 2))
    assert screen.model.chosen == 3
    rows = screen.text().splitlines()
    y = max(y for y, row in enumerate(rows) if row[area.x :].strip(" ▸┃│").startswith("3  "))
    x = next(x for x in range(area.x + 8, area.x + area.width) if rows[y][x] not in " [")
    click(screen, (y, x))
    assert cursor(screen.model, 3) == (3, 0)
    click(screen, (y, x), "down")
    assert cursor(screen.model, 3) == (4, 0)


def test_a_click_chooses_a_value() -> None:
    screen = Screen().press(*"c" * 12, "v")
    area = screen.model.area_of(2)
    for place in ((area.y + 4, area.x + 25), (area.y + 6, area.x + area.width - 18)):
        click(screen, place)
        screen.press("right", "left")
        assert screen.text().count("Why") == 0
        now = cursor(screen.model, 2)
        click(screen, place)
        assert cursor(screen.model, 2) == now, "the keys and the mouse agree"


def test_keys_of_the_last_lines_are_pressed() -> None:
    screen = Screen()
    click(screen, find(screen, "n next"))
    assert screen.shown == (1, len(screen.model.playback.negotiation.transcript.turns))
    click(screen, find(screen, "space run"))
    assert screen.model.running
    click(screen, find(screen, "4 Purses  5 Learning", 10))
    assert screen.model.chosen == 5


def test_a_list_marks_a_line_and_then_takes_it() -> None:
    screen = Screen().press("S")
    place = find(screen, "hardliner")
    click(screen, find(screen, "Fixed rules"))
    click(screen, place)
    assert screen.line("▸ hardliner")
    click(screen, place)
    assert screen.model.latest.strategies == ("hardliner", None)
    click(screen.press("?"), (10, 10), "down")
    assert screen.model.modal_row == 1


def test_the_time_line_can_be_dragged() -> None:
    screen = Screen().press(*"c" * 40)
    y, x = find(screen, "now  ├", 5)
    click(screen, (y, x + 1))
    assert screen.model.snapshot.negotiations == 0
    click(screen, (y, x + 10), "drag")
    then = screen.model.snapshot.negotiations
    assert 0 < then < 4000
    assert not then % 100
    click(screen, find(screen, "○"), "drag")
    assert screen.model.in_present


@pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}")
@pytest.mark.parametrize("mouse", [True, False])
def test_the_terminal_reports_the_mouse_unless_it_should_not(mouse: bool) -> None:
    options = ["--paused", "--seed", "7", "--recipe", "published"] + ["--no-mouse"] * (not mouse)
    with Session([*PROGRAM, *options], 100, 30) as session:
        session.wait_for("press space to begin")
        if mouse:
            session.send("\x1b[<0;70;20M\x1b[<0;70;20m", "Buyer's Q-table:")
        session.quit()
        assert (b"\x1b[?1006h" in session.output) is mouse
        assert (b"\x1b[?1006l" in session.output) is mouse
