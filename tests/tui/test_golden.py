"""Whole screens against the texts in tests/data/screens.

After an intended change, write them again and read the difference before you commit it:

    WRITE_SCREENS=1 python -m pytest tests/tui
"""

import re
import sys
from collections.abc import Callable

import pytest

from negotiation_tui import Opener, States
from negotiation_tui.tui.toolkit.canvas import Canvas
from tests.support.golden import FOLDER, check, styles
from tests.support.programs import TALKER
from tests.support.screen_driver import STATIC, Screen


def in_play(width: int, height: int, ascii_only: bool = False) -> Screen:
    """Twelve cycles done; in the next, three offers of its first negotiation are on the bar."""
    screen = Screen(width=width, height=height, ascii_only=ascii_only)
    return screen.press(*"c" * 12, ".", ".", ".")


def hidden(*keys: str) -> Screen:
    """A person buys with a hidden limit: opposite a learner, after some keys."""
    screen = Screen("hidden", seed=8).press(*"c" * 12, "p").tick(3)
    for key in keys:
        screen.press(key).tick(3)
    return screen


AWARE, MIXED = States.OPENER_AWARE, ("learned:wolf-phc", "learned:sarsa")
SCREENS: dict[str, Callable[[], Screen]] = {
    "original-80x24": lambda: in_play(80, 24),
    "original-40x7": lambda: in_play(40, 7),
    # a deal of the original's static game
    "legacy-static-deal-100x30": lambda: Screen(
        "legacy", width=100, height=30, strategies=STATIC
    ).press("n"),
    # plans of a large game, those of the other opener, with the cursor on an untried state
    "fine-plans-120x36": lambda: (
        Screen("fine", states=AWARE).press(*"ccc..5").press("right", "right", "down")
    ),
    # the facts that a training tells
    "story-120x36": lambda: Screen(
        paused=False, pace="story", states=AWARE, recipe="reverse-curriculum"
    ).doze(92),
    # a learner with a mixed plan opposite one without, both learning
    "mixed-120x36": lambda: Screen(strategies=MIXED, states=AWARE).press(*"c" * 12, ".", "."),
    # two offers back over the beginning of a negotiation
    "past-120x36": lambda: in_play(120, 36).press(*"," * 4),
    # a what-if, played to its end
    "what-if-120x36": lambda: in_play(120, 36).press("f", "enter").tick(20),
    "hidden-q-tables-80x24": lambda: Screen("hidden", width=80, height=24).press(
        *"c" * 6, *"n...dddv"
    ),
    "hidden-your-turn-120x36": lambda: hidden("i"),
    "hidden-your-end-120x36": lambda: hidden("right", "enter"),
    # a program that talks, and its answers until now
    "program-80x24": lambda: Screen(
        width=80, height=24, strategies=(TALKER, None), opener=Opener.SELLER
    ).press(*"nnnn."),
    # time has eaten of both parts: an offer while two learn, and the deal of two fixed rules
    "patience-80x24": lambda: Screen("patience", width=80, height=24).press("c", *"......"),
    "patience-120x36": lambda: Screen("patience", strategies=STATIC).press("n"),
    "test-120x36": lambda: Screen().press(*"c" * 12, "e"),
}
"""Each shows a pane, a mode or a size that no other shows."""
CEILING = {"hidden-your-turn-120x36", "hidden-your-end-120x36"}
"""Those with a line that takes a linear program."""
STYLED = ("original-80x24",)


def picture(name: str) -> Canvas:
    screen = SCREENS[name]()
    screen.settle()
    return screen.frame()


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_it_was(name: str) -> None:
    if name in CEILING:
        pytest.importorskip("scipy")
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    if sys.platform == "win32" and re.search("[⠁-⣿]", text):
        pytest.skip("curves are drawn in blocks on Windows")
    check(name, picture(name).text())


@pytest.mark.parametrize("name", STYLED)
def test_the_styles_are_as_they_were(name: str) -> None:
    check(f"{name}-styles", styles(picture(name)))


def test_there_is_no_text_without_a_screen() -> None:
    wanted = {*SCREENS, *(f"{name}-styles" for name in STYLED)}
    assert {file.stem for file in FOLDER.glob("*.txt")} == wanted
