"""The real program shows what `render` draws, cell for cell; a recording that was cut."""

import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pyte.graphics
import pytest

from negotiation_tui import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.tui.toolkit.theme import OWN_COLOUR, styles_of
from tests.support.pty_session import PROGRAM, SLOW_TERMINAL, Session, environment
from tests.support.screen_driver import Screen
from tests.support.trainings import new_session

pytestmark = SLOW_TERMINAL

TYPED = {
    "up": "\x1bOA", "down": "\x1bOB", "right": "\x1bOC", "left": "\x1bOD", "pgup": "\x1b[5~",
    "pgdn": "\x1b[6~", "f1": "\x1bOP", "shift-tab": "\x1b[Z", "tab": "\t", "esc": "\x1b",
    "ctrl-l": "\x0c",
}  # fmt: skip


class Cell(NamedTuple):
    character: str
    foreground: str
    background: str
    bold: bool
    underline: bool
    reverse: bool


def _seen(cell: Cell) -> Cell:
    """A blank shows no foreground, unless that is what fills it."""
    if cell.character != " " or cell.reverse or cell.underline:
        return cell
    return cell._replace(foreground="default", bold=False)


def _colour(number: int, bright: Mapping[int, str], plain: Mapping[int, str], base: int) -> str:
    if number == OWN_COLOUR:
        return "default"
    if number >= 16:
        return str(pyte.graphics.FG_BG_256[number])
    return plain[base + number] if number < 8 else bright[base + 60 + number - 8]


def _wanted(screen: Screen, colours: int, theme: str) -> list[list[Cell]]:
    canvas = screen.frame()
    graphics = pyte.graphics
    rows = []
    for y in range(canvas.height):
        row = []
        for x, character in enumerate(canvas.line(y)):
            look = styles_of(theme)[canvas.style_at(y, x)][colours]
            ink = _colour(look.foreground, graphics.FG_AIXTERM, graphics.FG_ANSI, 30)
            paper = _colour(look.background, graphics.BG_AIXTERM, graphics.BG_ANSI, 40)
            marks = (mark in look.attributes for mark in ("bold", "underline", "reverse"))
            row.append(_seen(Cell(character, ink, paper, *marks)))
        rows.append(row)
    return rows


def _shown(session: Session) -> list[list[Cell]]:
    screen = session.screen
    rows = []
    for y in range(screen.lines):
        cells = (screen.buffer[y][x] for x in range(screen.columns))
        seen = (Cell(c.data, c.fg, c.bg, c.bold, c.underscore, c.reverse) for c in cells)
        rows.append([_seen(cell) for cell in seen])
    return rows


def assert_shown(session: Session, screen: Screen, colours: int = 256, theme: str = "dark") -> None:
    """The program shows what the screen driven here would, once both have settled."""
    wanted = _wanted(screen.settle(), colours, theme)
    session.wait(lambda: _shown(session) == wanted, f"picture\n{screen.text()}\n", 10.0)


def press(session: Session, screen: Screen, key: str) -> None:
    screen.press(key)
    session.send(TYPED.get(key, key))


def program(*words: str) -> list[str]:
    """The program, paused, from the seed that the driver plays from."""
    return [*PROGRAM, "--recipe", "published", "--seed", "7", "--paused", *words]


def colour_codes(output: bytes) -> set[int]:
    found = re.findall(rb"\x1b\[([\d;]*)m", output)
    numbers = {int(number) for codes in found for number in codes.split(b";") if number}
    return numbers & {*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)}


def test_each_key_writes_what_it_changes() -> None:
    screen = Screen(width=80, height=24)
    with Session(program(), 80, 24) as session:
        assert_shown(session, screen)  # with NashConv, which follows the first frame
        whole = len(session.output)
        press(session, screen, "y")
        session.wait_for("no such key: y")
        assert len(session.output) - whole < whole / 10
        for key in (".", "n", "c", "down", "down", "pgdn", "up", "z", "right", "left", "pgup",
                    "esc", "esc", "tab", "shift-tab", "f1", "pgdn", "f1", "v"):  # fmt: skip
            press(session, screen, key)
            assert_shown(session, screen)
        assert "Seller's Q-table" in session.text
        assert session.output.count(b"\x1b[2J") == 1


def test_ctrl_l_writes_over_the_text_of_others() -> None:
    screen = Screen(width=80, height=24)
    with Session(program(), 80, 24) as session:
        assert_shown(session, screen)
        session.feed(b"\x1b[H\x1b[2J\x1b[5;5H\x1b[41mWall from root: hello\x1b[m")
        assert "Wall from root" in session.text
        press(session, screen, "ctrl-l")
        assert_shown(session, screen)


def test_thirty_sizes_later_the_picture_is_right() -> None:
    sizes = random.Random(4)
    screen = Screen(width=80, height=24)
    with Session(program(), 80, 24) as session:
        press(session, screen, "n")
        assert_shown(session, screen)
        for number in range(1, 31):
            width, height = sizes.randint(1, 140), sizes.randint(1, 45)
            session.resize(width, height)
            session.read(0.01)
            if number % 12 == 0:
                assert_shown(session, screen.resize(width, height))
        for width, height in ((1, 1), (80, 24)):
            session.resize(width, height)
            assert_shown(session, screen.resize(width, height))
        session.quit()


@pytest.mark.parametrize(
    ("words", "environ", "colours"),
    [
        ((), {"NO_COLOR": "1"}, 0),
        (("--color", "never"), {}, 0),
        (("--color", "always"), {"NO_COLOR": "1"}, 256),
        (("--theme", "light"), {"NO_COLOR": ""}, 256),
        (("--theme", "high-contrast"), {"TERM": "xterm"}, 8),
        ((), {"TERM": "vt100"}, 0),
    ],
)
def test_colours(words: tuple[str, ...], environ: dict[str, str], colours: int) -> None:
    theme = words[1] if "--theme" in words else "dark"
    screen = Screen(width=80, height=24)
    with Session(program(*words), 80, 24, environment(**environ)) as session:
        for key in ("n", "c"):
            press(session, screen, key)
            assert_shown(session, screen, colours, theme)
        session.quit()
        assert bool(colour_codes(session.output)) == bool(colours)


def test_a_cut_file_is_played_as_far_as_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    recorder = record_to(new_session(Scenario.original(), Parameters(), 7), file)
    for _ in range(3):
        recorder.handle(Play())
    file.write_bytes(file.read_bytes()[:-9])
    with Session((*PROGRAM, "replay", str(file), "--paused"), 80, 24) as session:
        session.wait_for("cycle 1, game 1")
        session.send("]", "‖ paused")
        session.quit()
        said = b"line 4 is cut short"
        assert said in session.output.replace(b"\r\n", b"")
