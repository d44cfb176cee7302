"""Whole screens against the texts in tests/data/screens.

After an intended change, write them again and read the difference before you commit it:

    python -m tests.tui.test_golden            or    WRITE_SCREENS=1 python -m pytest tests/tui
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from negotiation_tui.game.roles import States
from negotiation_tui.tui.toolkit.canvas import Canvas
from tests.support.golden import FOLDER, check, styles, write
from tests.support.screen_driver import STATIC, Screen


def in_play(width: int, height: int, ascii_only: bool = False) -> Screen:
    """Twelve cycles done; in the next, three offers of its first negotiation are on the bar."""
    screen = Screen(width=width, height=height, ascii_only=ascii_only)
    return screen.press(*"c" * 12, ".", ".", ".")


def legacy() -> Screen:
    """The original's static game to its end: a deal at 65."""
    return Screen("legacy", width=100, height=30, strategies=STATIC).press("n")


def fine() -> Screen:
    """A table far larger than the screen, scrolled both ways."""
    screen = Screen("fine", width=120, height=36).press("c", "c", "n", "3", "v", "z")
    return screen.press("pgdn", "pgdn", "down", "down", "up", "right", "right", "l", "left")


def fine_plans() -> Screen:
    """The plans of a large game, those of the other opener, with the cursor on an untried state."""
    screen = Screen("fine", states=States.OPENER_AWARE).press("c", "c", "c", ".", ".", "u", "3")
    return screen.press("right", "right", "down")


def in_the_past(width: int, height: int) -> Screen:
    """Two offers back over the beginning of a negotiation."""
    return in_play(width, height).press(*"," * 4)


def in_a_what_if(width: int, height: int) -> Screen:
    """A what-if, played to its end."""
    return in_play(width, height).press("f", "enter").tick(20)


def story(width: int, height: int) -> Screen:
    screen = Screen(
        width=width,
        height=height,
        paused=False,
        pace="story",
        states=States.OPENER_AWARE,
        recipe="reverse-curriculum",
    )
    return screen.doze(133)


def mixed(width: int, height: int) -> Screen:
    """A learner with a mixed plan opposite one without, both learning."""
    seats = "learned:wolf-phc", "learned:sarsa"
    screen = Screen(width=width, height=height, strategies=seats, states=States.OPENER_AWARE)
    return screen.press(*"c" * 12, ".", ".")


def your_turn(width: int, height: int) -> Screen:
    """A person plays a learner: an offer made and answered, another price chosen."""
    screen = Screen(width=width, height=height).press(*"c" * 12, "p").tick(3)
    return screen.press("i", "enter").tick(3).press("right")


def your_score(width: int, height: int) -> Screen:
    """The end of a negotiation with midpoint."""
    seats = "midpoint", None
    screen = Screen("legacy", width=width, height=height, strategies=seats).press("p").tick(3)
    return screen.press(*["up"] * 4, "enter").tick(3).press("a").tick(3)


def hidden(width: int, height: int, *keys: str) -> Screen:
    """Hidden limits after six cycles, and some keys."""
    return Screen("hidden", width=width, height=height).press(*"c" * 6, *keys)


def haggling(width: int, height: int, *keys: str) -> Screen:
    """A person buys with a hidden limit: opposite a learner, after some keys."""
    screen = Screen("hidden", width=width, height=height, seed=8).press(*"c" * 12, "p").tick(3)
    for key in keys:
        screen.press(key).tick(3)
    return screen


PLAYED: dict[str, tuple[Any, ...]] = {
    "hidden-your-turn-80x24": (80, 24),
    "hidden-your-turn-120x36": (120, 36, "i"),
    "hidden-your-end-80x24": (80, 24, "right", "enter"),
    "hidden-your-end-120x36": (120, 36, "right", "enter"),
    "hidden-your-score-80x24": (80, 24, "right", *("enter", "enter", "x", "x") * 3),
}
"""Moments of a person's negotiations with hidden limits: the first, its end, after four."""
HIDDEN = {
    "hidden-opening-80x24": (80, 24, "."),
    "hidden-beliefs-80x24": (80, 24, *"n..."),
    "hidden-beliefs-120x36": (120, 36, *"n..."),
    "hidden-revealed-80x24": (80, 24, *"n...L"),
    "hidden-end-80x24": (80, 24, *"nn"),
    "hidden-q-tables-80x24": (80, 24, *"n...dddv"),
    "hidden-offers-80x24": (80, 24, *"nn6z"),
    "hidden-without-strips-60x12": (60, 12, *"n..."),
}
"""Moments of two negotiations with hidden limits."""

SCREENS: dict[str, Callable[[], Screen]] = {
    "original-80x24": lambda: in_play(80, 24),
    "original-120x36": lambda: in_play(120, 36),
    "original-200x60": lambda: in_play(200, 60),
    "original-60x12": lambda: in_play(60, 12),
    "original-40x7": lambda: in_play(40, 7),
    "ascii-120x36": lambda: in_play(120, 36, ascii_only=True),
    "legacy-static-deal-100x30": legacy,
    "fine-scrolled-120x36": fine,
    "fine-plans-120x36": fine_plans,
    "legacy-plans-120x36": lambda: Screen("legacy", strategies=("boulware", None)).press("c", "."),
    "story-120x36": lambda: story(120, 36),
    "story-80x24": lambda: story(80, 24),
    "mixed-80x24": lambda: mixed(80, 24),
    "mixed-120x36": lambda: mixed(120, 36),
    "help-80x24": lambda: Screen(width=80, height=24).press("?"),
    **{
        f"{name}-{width}x{height}": partial(screen, width, height)
        for name, screen in (
            ("past", in_the_past),
            ("what-if", in_a_what_if),
            ("your-turn", your_turn),
            ("score", your_score),
        )
        for width, height in ((80, 24), (120, 36))
    },
    **{name: partial(hidden, *keys) for name, keys in HIDDEN.items()},
    "hidden-ascii-80x24": lambda: Screen("hidden", width=80, height=24, ascii_only=True).press(
        "c", "L", ".", "."
    ),
    **{name: partial(haggling, *keys) for name, keys in PLAYED.items()},
    "test-120x36": lambda: Screen().press(*"c" * 12, "e"),
}
CEILING = {name for name in SCREENS if "hidden" in name and name.endswith("120x36")}
"""Those with a line that takes a linear program."""
STYLED = ("original-80x24", "hidden-beliefs-80x24", "legacy-static-deal-100x30")


def picture(name: str) -> Canvas:
    """Return the screen at rest."""
    screen = SCREENS[name]()
    screen.settle()
    return screen.frame()


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_it_was(name: str) -> None:
    if name in CEILING:
        pytest.importorskip("scipy")
    check(name, picture(name).text())


@pytest.mark.parametrize("name", STYLED)
def test_the_styles_are_as_they_were(name: str) -> None:
    check(f"{name}-styles", styles(picture(name)))


def test_ascii_has_the_same_layout() -> None:
    glyphs, plain = picture("original-120x36"), picture("ascii-120x36")
    for y in range(glyphs.height):
        assert len(plain.line(y)) == len(glyphs.line(y))
        for glyph, character in zip(glyphs.line(y), plain.line(y), strict=True):
            assert glyph == character or not glyph.isascii()
    assert styles(plain).count("\n") == styles(glyphs).count("\n")


def test_there_is_no_text_without_a_screen() -> None:
    wanted = {*SCREENS, *(f"{name}-styles" for name in STYLED)}
    assert {file.stem for file in FOLDER.glob("*.txt")} == wanted


if __name__ == "__main__":
    for wanted in SCREENS:
        write(wanted, picture(wanted).text())
    for wanted in STYLED:
        write(f"{wanted}-styles", styles(picture(wanted)))
    print(f"wrote {len(SCREENS) + len(STYLED)} files to {FOLDER}")
